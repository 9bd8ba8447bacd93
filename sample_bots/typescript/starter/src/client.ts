/** The connection: one stream after the other, and coming back after a break. */

import { setTimeout as sleep } from "node:timers/promises";

import { credentials, status, type ChannelOptions } from "@grpc/grpc-js";

import type { Options } from "./options.js";
import type { Session } from "./session.js";
import { Stream, type End, type Listener } from "./stream.js";
import {
  Chair,
  Lane,
  PROTOCOL_VERSION,
  RefereeService,
  type PlayRequest,
  type Referee,
  type Welcome,
} from "./wire.js";

/** The arena does not want this bot; trying again would not help. One sentence. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The arena cannot be reached, or not any more. One sentence. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** How long to try again: a wait that doubles between attempts, and an end. Milliseconds. */
export interface Patience {
  readonly first: number;
  readonly most: number;
  readonly total: number;
}

const PATIENCE: Patience = { first: 100, most: 2000, total: 30_000 };

const REFUSALS: ReadonlySet<status> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.FAILED_PRECONDITION,
  status.INVALID_ARGUMENT,
  status.RESOURCE_EXHAUSTED,
  status.UNIMPLEMENTED,
]);

/** So ends the sentence of an arena that is busy, not unwilling. */
const BUSY = /try again in [\d.]+ s\.?$/;

const REMOTE: ChannelOptions = {
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.keepalive_permit_without_calls": 1,
};
const LOCAL: ChannelOptions = { "grpc.enable_http_proxy": 0 };
/** The channel's own waits must not be longer than ours. */
const RETRIES: ChannelOptions = {
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
};

/** Plays one session, over as many streams as it takes. */
export class Client implements Listener {
  readonly #options: Options;
  readonly #session: Session;
  readonly #say: (line: string) => void;
  readonly #patience: Patience;
  #sessionToken = "";
  #aliveAt = performance.now();
  #waits = 0;

  constructor(
    options: Options,
    session: Session,
    say: (line: string) => void,
    patience: Patience = PATIENCE,
  ) {
    this.#options = options;
    this.#session = session;
    this.#say = say;
    this.#patience = patience;
  }

  /**
   * Plays until the arena says goodbye, or until `leaving` is aborted, which says goodbye to the
   * arena. Throws Refused or Lost.
   */
  async play(leaving: AbortSignal): Promise<void> {
    const referee = dial(this.#options);
    try {
      while (!leaving.aborted) {
        const stream = new Stream(referee.play(), this.#session, this);
        const end = await stream.play(this.#hello(), leaving);
        if (end.heard === "goodbye") return;
        await this.#pause(end, leaving);
      }
    } finally {
      referee.close();
    }
  }

  // What a stream tells of.

  welcomed(welcome: Welcome): void {
    this.#sessionToken = welcome.sessionToken;
    const { address } = this.#options;
    if (address.unix) return; // The arena itself has started the bot.
    const how = welcome.resumed ? "back" : "dialled in";
    this.#say(`${how} at ${address.text}: ${chairText(welcome.chair)}, ${laneText(welcome.lane)}`);
  }

  draining(text: string): void {
    this.#say(`the arena says: ${text || "it will stop"}`);
  }

  #hello(): PlayRequest {
    const { token, name, version, chair, lane, tables } = this.#options;
    return {
      acknowledged: this.#sessionToken ? this.#session.acknowledged : 0,
      hello: {
        token,
        protocolVersion: PROTOCOL_VERSION,
        botName: name,
        botVersion: version,
        chair,
        lane,
        tables,
        sessionToken: this.#sessionToken,
      },
    };
  }

  // Coming back.

  /** Waits as long as the end of a stream asks for. Throws Refused or Lost. */
  async #pause(end: End, leaving: AbortSignal): Promise<void> {
    if (leaving.aborted) return;
    if (end.heard !== "nothing") this.#aliveAt = performance.now();
    if (end.heard === "items") this.#waits = 0;
    if (this.#forgets(end)) return;
    this.#checkRefusal(end);
    this.#checkPatience(end);
    const wait = Math.min(this.#patience.first * 2 ** this.#waits++, this.#patience.most);
    await sleep(wait, undefined, { signal: leaving }).catch(() => undefined); // Leaving ends it.
  }

  /** Whether the session is gone; the arena wants a new one at once. */
  #forgets(end: End): boolean {
    if (end.code !== status.FAILED_PRECONDITION || !this.#sessionToken) return false;
    this.#sessionToken = "";
    this.#aliveAt = performance.now();
    return true;
  }

  #checkRefusal({ code, details }: End): void {
    if (!REFUSALS.has(code)) return;
    if (code === status.RESOURCE_EXHAUSTED && BUSY.test(details)) return;
    const why = details.replace(/\.+$/, "") || codeText(code);
    throw new Refused(`the arena at ${this.#options.address.text} refused the bot: ${why}`);
  }

  #checkPatience({ code }: End): void {
    const { total } = this.#patience;
    if (performance.now() - this.#aliveAt < total) return;
    const { text, tls } = this.#options.address;
    const doubt = tls ? ", and do ARENA_TLS_CA, _CERT and _KEY fit?" : "?";
    throw new Lost(
      `lost the arena at ${text}: ${codeText(code)} for ${total / 1000} seconds; ` +
        `is it running there${doubt}`,
    );
  }
}

function dial({ address, identity }: Options): Referee {
  const channel = { ...RETRIES, ...(address.local ? LOCAL : REMOTE) };
  const { authorities, key, certificate } = identity;
  const secrets = address.tls
    ? credentials.createSsl(authorities, key, certificate)
    : credentials.createInsecure();
  return new RefereeService(address.target, secrets, channel);
}

function chairText(chair: Chair): string {
  if (chair === Chair.CHAIR_FIRST) return "first chair";
  return chair === Chair.CHAIR_SECOND ? "second chair" : "no chair";
}

function laneText(lane: Lane): string {
  if (lane === Lane.LANE_A) return "lane A";
  return lane === Lane.LANE_B ? "lane B" : "both lanes";
}

function codeText(code: status): string {
  return status[code].toLowerCase().replaceAll("_", " ");
}
