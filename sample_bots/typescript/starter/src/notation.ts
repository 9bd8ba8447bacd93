/** Actions in the notation of the arena's records and messages, for people. */

import { rankOf, suitOf } from "./cards.js";
import { ActionKind, Call, type Action, type Variant } from "./wire.js";

const CALLS = new Map<number, string>([
  [Call.CALL_CLUBS, "C"],
  [Call.CALL_DIAMONDS, "D"],
  [Call.CALL_HEARTS, "H"],
  [Call.CALL_SPADES, "S"],
  [Call.CALL_NO_TRUMP, "NT"],
  [Call.CALL_HIGH, "high"],
  [Call.CALL_LOW, "low"],
  [Call.CALL_MID, "mid"],
]);

/** `JH`, `9C`. */
export function cardText(card: number): string {
  return `${"9TJQKA"[rankOf(card) - 1] ?? "?"}${"CDHS"[suitOf(card)] ?? "?"}`;
}

/** `bid 4 H`, `call low`, `play JH`. */
export function actionText(action: Action, variant: Variant): string {
  switch (action.kind) {
    case ActionKind.ACTION_KIND_PASS:
      return "pass";
    case ActionKind.ACTION_KIND_BID:
      return `bid ${variant.bids[action.bid - 1]?.name ?? "?"} ${callText(action.call)}`.trimEnd();
    case ActionKind.ACTION_KIND_FORCE_PARTNER:
      return "force partner";
    case ActionKind.ACTION_KIND_FORCE_OPPONENTS:
      return "force opponents";
    case ActionKind.ACTION_KIND_CALL:
      return `call ${callText(action.call)}`;
    case ActionKind.ACTION_KIND_SHOOTER_SELF:
      return "shooter self";
    case ActionKind.ACTION_KIND_SHOOTER_PARTNER:
      return "shooter partner";
    case ActionKind.ACTION_KIND_NO_TRADE:
      return "no trade";
    case ActionKind.ACTION_KIND_TRADE:
      return `trade ${cardText(action.card)}`;
    case ActionKind.ACTION_KIND_GIVE:
      return `give ${cardText(action.card)}`;
    case ActionKind.ACTION_KIND_DISCARD:
      return `discard ${cardText(action.card)}`;
    case ActionKind.ACTION_KIND_PLAY:
      return `play ${cardText(action.card)}`;
    default:
      return "(unknown)";
  }
}

function callText(call: number): string {
  return CALLS.get(call) ?? "";
}
