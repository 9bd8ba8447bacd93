/**
 * One stream from its start to its end: a reader, and a writer that never waits.
 *
 * What is known of grpc-js and shapes this file: an `error` event without a listener ends the
 * process, also one that comes when nobody reads any more; what is written while `write` says false
 * piles up until `drain`; a call that is left without `cancel` keeps its connection; a deadline
 * would cover the whole stream, so there is none.
 */

import { setImmediate as nextTurn } from "node:timers/promises";

import { status, type ClientDuplexStream, type ServiceError } from "@grpc/grpc-js";

import type { Session } from "./session.js";
import type { Item, PlayRequest, PlayResponse, Welcome } from "./wire.js";

/** Answers of one message go out in one message; but what is ready does not wait longer than this. */
const SLICE_MS = 20;

/** How long to wait for the arena's side of a Goodbye. */
const GOODBYE_MS = 2000;

/** How a stream has ended. */
export interface End {
  readonly code: status;
  /** The arena's sentence; empty where it had none. */
  readonly details: string;
  /** The last thing that the arena said before. */
  readonly heard: "nothing" | "welcome" | "items" | "goodbye";
}

/** What a stream tells of. */
export interface Listener {
  welcomed(welcome: Welcome): void;
  draining(text: string): void;
}

export class Stream {
  readonly #call: ClientDuplexStream<PlayRequest, PlayResponse>;
  readonly #session: Session;
  readonly #listener: Listener;
  #heard: End["heard"] = "nothing";
  #clogged = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(
    call: ClientDuplexStream<PlayRequest, PlayResponse>,
    session: Session,
    listener: Listener,
  ) {
    this.#call = call;
    this.#session = session;
    this.#listener = listener;
  }

  /** Says `hello` and plays until the stream ends; says goodbye when `leaving` is aborted. */
  async play(hello: PlayRequest, leaving: AbortSignal): Promise<End> {
    const leave = () => {
      this.#leave();
    };
    this.#call.on("error", () => undefined); // The reader is told as well.
    this.#call.on("drain", () => {
      this.#clogged = false;
      this.#send();
    });
    leaving.addEventListener("abort", leave, { once: true });
    this.#call.write(hello);
    try {
      for await (const response of this.#call as AsyncIterable<PlayResponse>) {
        await this.#take(response);
      }
      return { code: status.OK, details: "", heard: this.#heard };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { code: error.code, details: error.details, heard: this.#heard };
    } finally {
      leaving.removeEventListener("abort", leave);
      clearTimeout(this.#closing);
      this.#call.cancel();
    }
  }

  // Reading.

  async #take(response: PlayResponse): Promise<void> {
    if (this.#closing) return; // What is asked now is not answered any more.
    if (response.items) await this.#takeItems(response.items.items);
    else if (response.welcome) this.#welcome(response.welcome);
    else if (response.draining) this.#listener.draining(response.draining.text);
    else if (response.goodbye) this.#sayGoodbyeBack();
    // Else it is a later version's message (the contract: ignore it).
  }

  async #takeItems(items: readonly Item[]): Promise<void> {
    this.#heard = "items";
    let started = performance.now();
    for (const item of items) {
      this.#session.take(item);
      if (performance.now() - started < SLICE_MS) continue;
      this.#send();
      await nextTurn();
      started = performance.now();
    }
    this.#send();
  }

  #welcome(welcome: Welcome): void {
    this.#heard = "welcome";
    if (welcome.resumed) this.#session.resume();
    else this.#session.begin();
    this.#listener.welcomed(welcome);
  }

  #sayGoodbyeBack(): void {
    this.#heard = "goodbye";
    this.#close();
  }

  // Writing.

  /** Sends what is ready, as far as the connection takes it. */
  #send(): void {
    // Before the Welcome nobody knows which session the answers would belong to.
    if (this.#heard === "nothing" || this.#closing) return;
    while (!this.#clogged) {
      const request = this.#session.request();
      if (request === undefined) return;
      this.#clogged = !this.#call.write(request);
    }
  }

  #leave(): void {
    if (this.#closing) return;
    this.#send();
    this.#call.write({ goodbye: {} });
    this.#close();
  }

  #close(): void {
    this.#call.end();
    this.#closing = setTimeout(() => {
      this.#call.cancel();
    }, GOODBYE_MS);
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}
