/**
 * The bot as a program.
 *
 * Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came), 1 the
 * arena could not be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena refused
 * the bot. Each is one sentence on standard error; standard output stays empty.
 */

import { Client, Lost, Refused } from "./client.js";
import { readOptions, USAGE } from "./options.js";
import { printable } from "./printable.js";
import { Session } from "./session.js";
import { act, bot } from "./strategy.js";
import { reason, UsageError } from "./usage.js";

const ORDERLY = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const REFUSED = 3;
const KILLED = 128;

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2), process.env, bot);
    if (options === undefined) process.stderr.write(USAGE);
    else await new Client(options, new Session(act, say), say).play(leavingOnSignals());
    return ORDERLY;
  } catch (error) {
    return explain(error);
  }
}

/** The first SIGTERM or SIGINT says goodbye; the second ends the process at once. */
function leavingOnSignals(): AbortSignal {
  const leaving = new AbortController();
  const leave = (_: NodeJS.Signals, number: number) => {
    if (leaving.signal.aborted) process.exit(KILLED + number);
    leaving.abort();
  };
  process.on("SIGTERM", leave).on("SIGINT", leave);
  return leaving.signal;
}

/** Says what went wrong; the exit code. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    say(`${bot.name}: ${error.message}`);
    return WRONG_USAGE;
  }
  if (error instanceof Refused || error instanceof Lost) {
    say(error.message);
    return error instanceof Refused ? REFUSED : FAILED;
  }
  say(`${bot.name} has a bug: ${reason(error)} (${place(error)})`);
  return FAILED;
}

/** Where an error was thrown, for its author. */
function place(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return /^\s+(at .+)$/m.exec(stack)?.[1] ?? "nobody knows where";
}

/** Tells the bot's author one line. */
function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

// grpc-js tells the bot's author of its own habits, such as an IP address as a TLS server name.
process.noDeprecation = true;
// Errors then name lines of src/*.ts.
process.setSourceMapsEnabled(true);
process.exitCode = await main();
