/** Where the arena listens. */

import { UsageError } from "./usage.js";

const TLS = "tls:";
const UNIX = "unix:";
const HOST_PORT = /^(?<host>[^\s:[\]/]+|\[[0-9a-fA-F:.]+\]):(?<port>\d{1,5})$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export interface Address {
  /** As it was written. */
  readonly text: string;
  /** As gRPC wants it. */
  readonly target: string;
  /** On this machine: no proxy, no keepalive. */
  readonly local: boolean;
  readonly unix: boolean;
  readonly tls: boolean;
}

/** The address that `text` names. Throws a UsageError. */
export function parseAddress(text: string): Address {
  if (text.startsWith(UNIX)) {
    if (!/^unix:(\/\/)?./.test(text) || text === "unix://") {
      throw new UsageError(`the address '${text}' names no socket; write unix:PATH`);
    }
    return { text, target: text, local: true, unix: true, tls: false };
  }
  const tls = text.startsWith(TLS);
  const target = tls ? text.slice(TLS.length) : text;
  const { host = "", port = "0" } = HOST_PORT.exec(target)?.groups ?? {};
  if (Number(port) < 1 || Number(port) > 65535) {
    throw new UsageError(`'${text}' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH`);
  }
  return { text, target, local: LOOPBACK.test(host), unix: false, tls };
}
