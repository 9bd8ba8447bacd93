import assert from "node:assert/strict";
import { test } from "node:test";

import { readOptions } from "../options.js";
import { Chair, Lane } from "../wire.js";

const DEFAULTS = { name: "ace", version: "1", tables: 64 };
const NEEDED = { ARENA_ADDR: "127.0.0.1:50051", ARENA_TOKEN: "secret" };

function read(args: string[], environment: Record<string, string> = NEEDED) {
  const options = readOptions(args, environment, DEFAULTS);
  assert.ok(options);
  return options;
}

function refuses(sentence: RegExp, args: string[], environment?: Record<string, string>) {
  assert.throws(() => read(args, environment), { name: "UsageError", message: sentence });
}

test("the environment says all", () => {
  const options = read([], {
    ...NEEDED,
    ARENA_CHAIR: "second",
    ARENA_LANE: "B",
    ARENA_NAME: "joker",
    ARENA_VERSION: "7",
  });
  const { chair, lane, name, version, token, tables } = options;
  assert.deepEqual(
    { chair, lane, name, version, token, tables },
    {
      chair: Chair.CHAIR_SECOND,
      lane: Lane.LANE_B,
      name: "joker",
      version: "7",
      token: "secret",
      tables: 64,
    },
  );
});

test("a flag wins over its variable, and a variable that is empty over nothing", () => {
  const environment = { ...NEEDED, ARENA_CHAIR: "second", ARENA_NAME: "" };
  const options = read(["--chair", "first", "--token=other", "--tables", "3"], environment);
  assert.equal(options.chair, Chair.CHAIR_FIRST);
  assert.equal(options.token, "other");
  assert.equal(options.tables, 3);
  assert.equal(options.name, "ace");
});

test("the address may be a host, an IPv6 address, TLS or a socket", () => {
  const address = (text: string) => read(["--address", text]).address;
  const cases = [
    ["example.org:1", { target: "example.org:1", local: false, unix: false, tls: false }],
    ["127.0.0.1:1", { target: "127.0.0.1:1", local: true, unix: false, tls: false }],
    ["[::1]:65535", { target: "[::1]:65535", local: true, unix: false, tls: false }],
    ["[fe80::1]:1", { target: "[fe80::1]:1", local: false, unix: false, tls: false }],
    ["tls:localhost:1", { target: "localhost:1", local: true, unix: false, tls: true }],
    ["unix:a/b", { target: "unix:a/b", local: true, unix: true, tls: false }],
    ["unix:///a/b", { target: "unix:///a/b", local: true, unix: true, tls: false }],
  ] as const;
  for (const [text, expected] of cases) assert.deepEqual(address(text), { text, ...expected });
});

test("what is missing or wrong gets one sentence", () => {
  refuses(/^where is the arena\? set ARENA_ADDR/, [], {});
  refuses(/^the arena wants a token; set ARENA_TOKEN/, [], { ARENA_ADDR: "unix:x" });
  refuses(/^the chair must be 'first' or 'second', not 'third'$/, ["--chair", "third"]);
  refuses(/^the lane must be 'a' or 'b', not 'toString'$/, ["--lane", "toString"]);
  refuses(/^unknown option '--adress'; --help lists the flags$/, ["--adress", "x:1"]);
  refuses(/^unexpected argument 'x'; --help/, ["x"]);
  refuses(/^a bot's name has 1 to 64 characters/, ["--name", "x".repeat(65)]);
  for (const tables of ["0", "1025", "x", "1.5", ""]) {
    refuses(/^--tables must be from 1 to 1024, not /, [`--tables=${tables}`]);
  }
  for (const address of ["x", "x:0", "x:65536", "::1:5", "tls:unix:x", "a b:1", "http://x:1"]) {
    refuses(/^'.*' is no address; write HOST:PORT/, ["--address", address]);
  }
  refuses(/^the address 'unix:\/\/' names no socket/, ["--address", "unix://"]);
});

test("files for TLS are checked before they are used", () => {
  const self = import.meta.filename;
  const tls = ["--address", "tls:x:1"];
  refuses(/: no such file or directory$/, [...tls, "--tls-ca", "/nowhere/ca.pem"]);
  refuses(/ holds no certificate in PEM$/, [...tls, "--tls-ca", self]);
  refuses(/^a certificate needs its key/, [...tls, "--tls-cert", self]);
  refuses(/is dialled without it: write tls:x:1$/, ["--address", "x:1", "--tls-ca", self]);
});

test("--help asks for no address", () => {
  assert.equal(readOptions(["--help"], {}, DEFAULTS), undefined);
});
