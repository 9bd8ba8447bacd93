/** An arena for tests, on a Unix socket: what it does with each stream is said by the test. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as grpc from "@grpc/grpc-js";

import type { PlayRequest__Output as Request } from "../generated/arena/v1/PlayRequest.js";
import type { PlayResponse as Response } from "../generated/arena/v1/PlayResponse.js";
import { RefereeService } from "../wire.js";

/** The arena's end of a stream. */
export class Line {
  readonly #call: grpc.ServerDuplexStream<Request, Response>;
  readonly #requests: AsyncIterator<Request>;

  constructor(call: grpc.ServerDuplexStream<Request, Response>) {
    this.#call = call;
    // Else the arena's side would be closed with the bot's.
    this.#requests = call.iterator({ destroyOnReturn: false });
  }

  /** The next request; undefined once the bot has closed its side. */
  async hear(): Promise<Request | undefined> {
    const next = await this.#requests.next();
    return next.done ? undefined : next.value;
  }

  say(response: Response): void {
    this.#call.write(response);
  }

  /** Ends the stream; without a code, in order. */
  end(code?: grpc.status, details = ""): void {
    if (code === undefined) this.#call.end();
    else this.#call.emit("error", { code, details });
  }
}

export class Arena {
  /** As a bot writes it. */
  readonly address: string;
  readonly #folder: string;
  readonly #server = new grpc.Server();
  readonly #dialled: ((line: Line) => void)[] = [];
  readonly #lines: Line[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
    this.address = `unix:${join(folder, "arena.sock")}`;
    this.#server.addService(RefereeService.service, {
      Play: (call: grpc.ServerDuplexStream<Request, Response>) => {
        const line = new Line(call);
        const waiting = this.#dialled.shift();
        if (waiting) waiting(line);
        else this.#lines.push(line);
      },
    });
  }

  static async open(): Promise<Arena> {
    const arena = new Arena(await mkdtemp(join(tmpdir(), "arena-")));
    await new Promise<void>((resolve, reject) => {
      const secrets = grpc.ServerCredentials.createInsecure();
      arena.#server.bindAsync(arena.address, secrets, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    return arena;
  }

  /** The next stream that a bot opens. */
  async line(): Promise<Line> {
    return this.#lines.shift() ?? (await new Promise((resolve) => this.#dialled.push(resolve)));
  }

  async close(): Promise<void> {
    this.#server.forceShutdown();
    await rm(this.#folder, { recursive: true });
  }
}
