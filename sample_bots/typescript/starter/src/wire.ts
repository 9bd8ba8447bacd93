/**
 * The contract: its messages as types, and the client of its service.
 *
 * `npm run build` makes the types in `generated/` anew from `proto/`, so they cannot be stale; the
 * messages themselves are read from `proto/` when the program starts. The options below and the
 * flags of the script `generate` in package.json say the same thing and change together:
 *
 * - names in camel case, and every field present (zero, empty or null where it was not sent), so
 *   that all messages of a kind have one shape; arms of a oneof and `optional` fields are there
 *   only if they were sent, so an arm is recognised by being there and oneofs need no field more;
 * - enums as numbers: comparing is cheap, and a value newer than this program survives;
 * - 64-bit integers, should the contract come to have some, as strings: a number would round them.
 */

import { fileURLToPath } from "node:url";

import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

import type { ProtoGrpcType } from "./generated/referee.js";

export { ActionKind } from "./generated/arena/v1/ActionKind.js";
export { Call } from "./generated/arena/v1/Call.js";
export { Card } from "./generated/arena/v1/Card.js";
export { Chair } from "./generated/arena/v1/Chair.js";
export { Lane } from "./generated/arena/v1/Lane.js";
export { Phase } from "./generated/arena/v1/Phase.js";
export { Rank } from "./generated/arena/v1/Rank.js";

export type { Action__Output as Action } from "./generated/arena/v1/Action.js";
export type { Answer } from "./generated/arena/v1/Answer.js";
export type { CallRule__Output as CallRule } from "./generated/arena/v1/CallRule.js";
export type { Decision__Output as Decision } from "./generated/arena/v1/Decision.js";
export type { GameStart__Output as GameStart } from "./generated/arena/v1/GameStart.js";
export type { Item__Output as Item } from "./generated/arena/v1/Item.js";
export type { MatchStart__Output as MatchStart } from "./generated/arena/v1/MatchStart.js";
export type { Move__Output as Move } from "./generated/arena/v1/Move.js";
export type { PlayRequest } from "./generated/arena/v1/PlayRequest.js";
export type { PlayResponse__Output as PlayResponse } from "./generated/arena/v1/PlayResponse.js";
export type { PrivateView__Output as PrivateView } from "./generated/arena/v1/PrivateView.js";
export type { PublicView__Output as PublicView } from "./generated/arena/v1/PublicView.js";
export type { RefereeServiceClient as Referee } from "./generated/arena/v1/RefereeService.js";
export type { Rejected__Output as Rejected } from "./generated/arena/v1/Rejected.js";
export type { Variant__Output as Variant } from "./generated/arena/v1/Variant.js";
export type { Welcome__Output as Welcome } from "./generated/arena/v1/Welcome.js";

/** The version of the contract that this bot speaks. */
export const PROTOCOL_VERSION = 1;

const definition = loadSync("arena/v1/referee.proto", {
  includeDirs: [fileURLToPath(new URL("../proto", import.meta.url))],
  defaults: true,
  longs: String,
});

export const { RefereeService } = (
  grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType
).arena.v1;
