/** Messages for tests, sent through the real wire format, so that they are as complete as real ones. */

import type { Decision as DecisionInput } from "../generated/arena/v1/Decision.js";
import type { Item as ItemInput } from "../generated/arena/v1/Item.js";
import type { PlayResponse as PlayResponseInput } from "../generated/arena/v1/PlayResponse.js";
import type { Variant as VariantInput } from "../generated/arena/v1/Variant.js";
import { ActionKind, Call, Phase, Rank, RefereeService, type Item, type Variant } from "../wire.js";

const { responseDeserialize, responseSerialize } = RefereeService.service.Play;

export function received(response: PlayResponseInput) {
  return responseDeserialize(responseSerialize(response));
}

export function itemOf(item: ItemInput): Item {
  const [only] = received({ items: { items: [item] } }).items?.items ?? [];
  if (only === undefined) throw new Error("the item got lost");
  return only;
}

export function variantOf(variant: VariantInput): Variant {
  const complete = itemOf({ matchStart: { variant } }).matchStart?.variant;
  if (!complete) throw new Error("the variant got lost");
  return complete;
}

export const LOW_ORDER = [
  Rank.RANK_NINE,
  Rank.RANK_TEN,
  Rank.RANK_JACK,
  Rank.RANK_QUEEN,
  Rank.RANK_KING,
  Rank.RANK_ACE,
];

export const VARIANT: VariantInput = {
  name: "small",
  ranks: LOW_ORDER,
  copies: 1,
  handSize: 6,
  bids: [
    { name: "3", tricks: 3 },
    { name: "4", tricks: 4 },
  ],
  calls: [{ call: Call.CALL_HEARTS }, { call: Call.CALL_LOW, tokens: 1, order: LOW_ORDER }],
};

export const PASS = { kind: ActionKind.ACTION_KIND_PASS };
export const BID_3 = { kind: ActionKind.ACTION_KIND_BID, bid: 1 };
export const BID_4 = { kind: ActionKind.ACTION_KIND_BID, bid: 2 };

export const MATCH = 901;
export const TABLE = 77;

export function matchStart(sequence: number): ItemInput {
  return { sequence, matchStart: { matchId: MATCH, variant: VARIANT } };
}

export function gameStart(sequence: number, tableId = TABLE): ItemInput {
  return { sequence, gameStart: { matchId: MATCH, tableId, seat: 1, botSeed: Buffer.alloc(8) } };
}

export function decision(
  sequence: number,
  decisionId: number,
  more: DecisionInput = {},
): ItemInput {
  const plain = {
    decisionId,
    tableId: TABLE,
    seat: 1,
    public: { phase: Phase.PHASE_SPEAK },
    private: {},
    legal: [PASS, BID_3, BID_4],
  };
  return { sequence, decision: { ...plain, ...more } };
}
