/** What a bot trusts and shows where the arena speaks TLS: files, checked before they are used. */

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import type { Address } from "./address.js";
import { reason, UsageError } from "./usage.js";

/** In PEM; null where there is none. */
export interface Identity {
  /** Whom to trust; null is the library's own list. */
  readonly authorities: Buffer | null;
  readonly key: Buffer | null;
  readonly certificate: Buffer | null;
}

/** Paths, empty where there is none. */
export interface IdentityFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const NOTHING: Identity = { authorities: null, key: null, certificate: null };

/** What to trust and show at an address. Throws a UsageError. */
export function identityAt(address: Address, { ca, cert, key }: IdentityFiles): Identity {
  if (!address.tls) {
    if ((ca || cert) && !address.local) {
      throw new UsageError(
        `there are files for TLS, but ${address.text} is dialled without it: write tls:${address.text}`,
      );
    }
    return NOTHING;
  }
  if (Boolean(cert) !== Boolean(key)) {
    throw new UsageError("a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY");
  }
  return {
    ...NOTHING,
    authorities: ca ? readCertificate(ca) : null,
    ...(cert && readPair(cert, key)),
  };
}

function readPair(cert: string, key: string): Pick<Identity, "certificate" | "key"> {
  const pair = { certificate: readCertificate(cert), key: read(key) };
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key });
  } catch {
    throw new UsageError(`${key} is no private key in PEM without a passphrase that fits ${cert}`);
  }
  return pair;
}

function readCertificate(path: string): Buffer {
  const content = read(path);
  try {
    new X509Certificate(content);
  } catch {
    throw new UsageError(`${path} holds no certificate in PEM`);
  }
  return content;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    // Such as "ENOENT: no such file or directory, open '/a/b'".
    const why = /^\w+: ([^,]+)/.exec(reason(error))?.[1] ?? reason(error);
    throw new UsageError(`${path} cannot be read: ${why}`);
  }
}
