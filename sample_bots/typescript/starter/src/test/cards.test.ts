import assert from "node:assert/strict";
import { test } from "node:test";

import { Strengths, strengthsOf } from "../cards.js";
import { actionText, cardText } from "../notation.js";
import { ActionKind, Call, Card, Rank } from "../wire.js";
import { LOW_ORDER, VARIANT, variantOf } from "./messages.js";

const hearts = new Strengths({ call: Call.CALL_HEARTS, tokens: 0, lowestBid: 0, order: [] }, [
  ...LOW_ORDER,
]);
const low = new Strengths(
  { call: Call.CALL_LOW, tokens: 1, lowestBid: 0, order: [...LOW_ORDER] },
  LOW_ORDER,
);

function ranked(strengths: Strengths, led: number, cards: number[]): string {
  const strength = (card: number) => strengths.strength(led, card);
  return cards
    .filter((card) => strength(card) > 0)
    .sort((a, b) => strength(b) - strength(a))
    .map(cardText)
    .join(" ");
}

const all = Array.from({ length: 24 }, (_, index) => index + 1);

test("trumps beat the suit led, bowers beat all, other suits never win", () => {
  const expected = "JH JD AH KH QH TH 9H";
  assert.equal(ranked(hearts, Card.CARD_9C, all), `${expected} AC KC QC JC TC 9C`);
  assert.equal(ranked(hearts, Card.CARD_JD, all), expected);
  assert.equal(ranked(hearts, Card.CARD_9D, all), `${expected} AD KD QD TD 9D`);
});

test("the left bower is a trump, and no jack is one without trump", () => {
  assert.equal(hearts.suit(Card.CARD_JD), hearts.suit(Card.CARD_9H));
  assert.notEqual(hearts.suit(Card.CARD_JS), hearts.suit(Card.CARD_9H));
  assert.equal(low.suit(Card.CARD_JD), low.suit(Card.CARD_9D));
});

test("a call without trump has its own order", () => {
  assert.equal(ranked(low, Card.CARD_AS, all), "9S TS JS QS KS AS");
  assert.equal(low.isTop(Card.CARD_9S), true);
  assert.equal(low.isTop(Card.CARD_AS), false);
});

test("an ace is the top of its suit, unless it is a trump", () => {
  assert.equal(hearts.isTop(Card.CARD_AS), true);
  assert.equal(hearts.isTop(Card.CARD_AH), false);
});

test("ranks that the deck lacks are skipped", () => {
  const rule = { call: Call.CALL_LOW, tokens: 0, lowestBid: 0, order: [...LOW_ORDER] };
  assert.equal(new Strengths(rule, [Rank.RANK_JACK, Rank.RANK_ACE]).isTop(Card.CARD_JS), true);
});

test("a call that nobody knows is left out", () => {
  const calls = [...(VARIANT.calls ?? []), { call: 99 as 1 }];
  assert.deepEqual(
    [...strengthsOf(variantOf({ ...VARIANT, calls })).keys()],
    [Call.CALL_HEARTS, Call.CALL_LOW],
  );
});

test("actions read as in the records", () => {
  const variant = variantOf(VARIANT);
  const text = (kind: ActionKind, card: number, bid: number, call: number) =>
    actionText({ kind, card, bid, call } as Parameters<typeof actionText>[0], variant);
  assert.equal(text(ActionKind.ACTION_KIND_PLAY, Card.CARD_TD, 0, 0), "play TD");
  assert.equal(text(ActionKind.ACTION_KIND_BID, 0, 2, 0), "bid 4");
  assert.equal(text(ActionKind.ACTION_KIND_BID, 0, 1, Call.CALL_NO_TRUMP), "bid 3 NT");
  assert.equal(text(ActionKind.ACTION_KIND_CALL, 0, 0, Call.CALL_LOW), "call low");
});
