/** Where a bot plays and as what: environment variables, and flags that override them. */

import { parseArgs } from "node:util";

import { parseAddress, type Address } from "./address.js";
import { identityAt, type Identity } from "./identity.js";
import { reason, UsageError } from "./usage.js";
import { Chair, Lane } from "./wire.js";

export const MAX_TABLES = 1024;

export const USAGE = `Settings; a flag wins over its variable:
  ARENA_ADDR      --address        HOST:PORT, tls:HOST:PORT or unix:PATH; needed
  ARENA_TOKEN     --token          the bot's token; needed
  ARENA_CHAIR     --chair          first or second; else as the token fixes it
  ARENA_LANE      --lane           a or b; else as the token fixes it, or both
  ARENA_NAME      --name           the bot's name
  ARENA_VERSION   --version-label  the bot's version
  ARENA_TLS_CA    --tls-ca         whom to trust, a PEM file; else the library's own list
  ARENA_TLS_CERT  --tls-cert       the bot's own certificate, where the arena asks for one
  ARENA_TLS_KEY   --tls-key        its private key
                  --tables         how many games at once, 1 to ${MAX_TABLES}
`;

const CHAIRS = {
  "": Chair.CHAIR_UNSPECIFIED,
  first: Chair.CHAIR_FIRST,
  second: Chair.CHAIR_SECOND,
} as const;
const LANES = { "": Lane.LANE_UNSPECIFIED, a: Lane.LANE_A, b: Lane.LANE_B } as const;

export interface Options {
  readonly address: Address;
  readonly identity: Identity;
  readonly token: string;
  readonly chair: Chair;
  readonly lane: Lane;
  readonly name: string;
  readonly version: string;
  readonly tables: number;
}

/** What holds where neither a flag nor a variable says otherwise. */
export interface Defaults {
  readonly name: string;
  readonly version: string;
  readonly tables: number;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Texts = ReturnType<typeof readTexts>;

/** The options of a command line without the program's name; undefined for --help. Throws a UsageError. */
export function readOptions(
  args: readonly string[],
  environment: Environment,
  defaults: Defaults,
): Options | undefined {
  const texts = readTexts(args, environment, defaults);
  return texts.help ? undefined : check(texts);
}

function readTexts(args: readonly string[], environment: Environment, defaults: Defaults) {
  const flags = parse(args);
  return {
    help: flags.help ?? false,
    address: flags.address ?? environment.ARENA_ADDR ?? "",
    token: flags.token ?? environment.ARENA_TOKEN ?? "",
    chair: flags.chair ?? environment.ARENA_CHAIR ?? "",
    lane: flags.lane ?? environment.ARENA_LANE ?? "",
    name: flags.name ?? label(environment.ARENA_NAME, defaults.name),
    version: flags["version-label"] ?? label(environment.ARENA_VERSION, defaults.version),
    tables: flags.tables ?? defaults.tables.toString(),
    ca: flags["tls-ca"] ?? environment.ARENA_TLS_CA ?? "",
    cert: flags["tls-cert"] ?? environment.ARENA_TLS_CERT ?? "",
    key: flags["tls-key"] ?? environment.ARENA_TLS_KEY ?? "",
  };
}

/** A variable that is empty names nothing. */
function label(variable: string | undefined, otherwise: string): string {
  return variable === undefined || variable === "" ? otherwise : variable;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        address: { type: "string" },
        token: { type: "string" },
        chair: { type: "string" },
        lane: { type: "string" },
        name: { type: "string" },
        "version-label": { type: "string" },
        tables: { type: "string" },
        "tls-ca": { type: "string" },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
      },
    }).values;
  } catch (error) {
    // Its second sentence is about things that no author of a bot means.
    const [sentence = ""] = reason(error).split(/[.\n]/, 1);
    throw new UsageError(
      `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; --help lists the flags`,
    );
  }
}

function check(texts: Texts): Options {
  if (!texts.address) {
    throw new UsageError(
      "where is the arena? set ARENA_ADDR or give --address HOST:PORT, tls:HOST:PORT or unix:PATH",
    );
  }
  if (!texts.token) {
    throw new UsageError("the arena wants a token; set ARENA_TOKEN or give --token");
  }
  const address = parseAddress(texts.address);
  return {
    address,
    identity: identityAt(address, texts),
    token: texts.token,
    chair: oneOf("chair", CHAIRS, texts.chair),
    lane: oneOf("lane", LANES, texts.lane),
    tables: readTables(texts.tables),
    ...readLabels(texts),
  };
}

function readTables(text: string): number {
  const tables = /^\d+$/.test(text) ? Number(text) : 0;
  if (tables < 1 || tables > MAX_TABLES) {
    throw new UsageError(`--tables must be from 1 to ${MAX_TABLES}, not ${text}`);
  }
  return tables;
}

function readLabels({ name, version }: Texts): { name: string; version: string } {
  const length = (text: string) => Array.from(text).length;
  if (length(name) < 1 || length(name) > 64 || length(version) > 64) {
    throw new UsageError("a bot's name has 1 to 64 characters, its version label at most 64");
  }
  return { name, version };
}

function oneOf<T>(what: string, choices: Readonly<Record<string, T>>, text: string): T {
  const value = new Map(Object.entries(choices)).get(text.toLowerCase());
  if (value === undefined) {
    const names = Object.keys(choices).filter(Boolean);
    throw new UsageError(
      `the ${what} must be ${names.map((name) => `'${name}'`).join(" or ")}, not '${text}'`,
    );
  }
  return value;
}
