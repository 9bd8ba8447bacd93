/**
 * How the bot plays. This is the file to edit.
 *
 * `act` is called whenever the bot's seat has a choice, and returns one of `question.legal`. It
 * sees the hand so far (`question.public`) and its own cards (`question.private`), and the rules
 * (`game.variant`, `game.strengths`); chance comes from `game.random` alone.
 */

import { partnerOf, type Strengths } from "./cards.js";
import type { Game, Question } from "./game.js";
import { ActionKind, Phase, type Action, type PublicView } from "./wire.js";

/** Who plays, where neither the environment nor a flag says otherwise. */
export const bot = {
  name: "typescript-starter",
  version: "1",
  tables: 64,
};

/** Counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can. */
export function act(game: Game, question: Question): Action {
  // What the rules of a newer arena ask, and this file does not know, is answered somehow.
  return decide(game, question) ?? question.legal[0];
}

function decide(game: Game, question: Question): Action | undefined {
  const { legal } = question;
  switch (question.public.phase) {
    case Phase.PHASE_SPEAK:
      return speak(game, question);
    case Phase.PHASE_SHOOTER:
      return shooter(game, question);
    case Phase.PHASE_CALL:
      return best(game, legal, (action) => tricks(game, question, action.call));
    case Phase.PHASE_TRADE:
    case Phase.PHASE_GIVE:
    case Phase.PHASE_DISCARD:
      return exchange(game, question);
    case Phase.PHASE_PLAY:
      return play(game, question);
    default:
      return undefined;
  }
}

// The auction.

/** Bids as high as the hand goes; else passes, or does what costs least. */
function speak(game: Game, question: Question): Action | undefined {
  const { legal } = question;
  const margins = new Map(legal.map((action) => [action, margin(game, question, action)]));
  const marginOf = (action: Action) => margins.get(action) ?? 0;
  const worth = legal.filter((action) => marginOf(action) > 0);
  const highest = Math.max(...worth.map((action) => action.bid));
  const bids = worth.filter((action) => action.bid === highest);
  return best(game, bids, marginOf) ?? best(game, legal, marginOf);
}

/** The tricks beyond what a bid needs; 0 for a pass. It forces only if it must. */
function margin(game: Game, question: Question, action: Action): number {
  if (action.kind === ActionKind.ACTION_KIND_PASS) return 0;
  const bid = game.variant.bids[action.bid - 1];
  if (action.kind !== ActionKind.ACTION_KIND_BID || bid === undefined) return -99;
  const calls = action.call ? [action.call] : game.variant.calls.map((rule) => rule.call);
  const most = Math.max(...calls.map((call) => tricks(game, question, call)));
  return most - bid.tricks - (bid.alone ? partnersTricks(game) : 0);
}

/** How many tricks both partners may take under a call; a token counts as two. */
function tricks(game: Game, question: Question, call: number): number {
  const strengths = game.strengths.get(call);
  if (strengths === undefined) return -99;
  const price = game.variant.calls.find((rule) => rule.call === call)?.tokens ?? 0;
  return ownTricks(strengths, question.private.hand) + partnersTricks(game) - 2 * price;
}

function ownTricks(strengths: Strengths, hand: readonly number[]): number {
  const trumps = hand.filter((card) => strengths.suit(card) === strengths.trump);
  const tops = hand.filter((card) => strengths.isTop(card));
  return 0.7 * trumps.length + 0.5 * tops.length;
}

function partnersTricks(game: Game): number {
  return 0.2 * game.variant.handSize;
}

/** One of the two must go alone: this seat, if its hand is above the average. */
function shooter(game: Game, question: Question): Action | undefined {
  const calls = game.variant.calls.map((rule) => tricks(game, question, rule.call));
  const strong = Math.max(...calls) > game.variant.handSize / 2;
  const kind = strong
    ? ActionKind.ACTION_KIND_SHOOTER_SELF
    : ActionKind.ACTION_KIND_SHOOTER_PARTNER;
  return question.legal.find((action) => action.kind === kind);
}

// The exchange.

/** The declarer parts with its weakest card, the partner with its strongest. */
function exchange(game: Game, question: Question): Action | undefined {
  const strengths = strengthsNow(game, question.public);
  if (strengths === undefined) return undefined;
  const sign = question.public.phase === Phase.PHASE_GIVE ? 1 : -1;
  const cards = question.legal.filter((action) => action.card);
  return best(game, cards, (action) => sign * strengths.height(action.card));
}

// The tricks.

/** Leads its best card; then wins as cheaply as it can, never over its partner. */
function play(game: Game, question: Question): Action | undefined {
  const { legal } = question;
  const strengths = strengthsNow(game, question.public);
  if (strengths === undefined) return undefined;
  const cheapness = (action: Action) => -strengths.height(action.card);
  const winning = winner(strengths, question.public);
  if (winning === undefined) return best(game, legal, (action) => -cheapness(action));
  const winners = legal.filter(
    (action) => strengths.strength(winning.led, action.card) > winning.strength,
  );
  const wanted = winning.seat === partnerOf(question.seat) ? [] : winners;
  return best(game, wanted, cheapness) ?? best(game, legal, cheapness);
}

interface Winner {
  seat: number;
  led: number;
  strength: number;
}

/** Who holds the current trick, undefined before its lead. */
function winner(strengths: Strengths, view: PublicView): Winner | undefined {
  let winning: Winner | undefined;
  for (const { seat, card } of trick(view)) {
    const led = winning?.led ?? card;
    const strength = strengths.strength(led, card);
    if (winning === undefined || strength > winning.strength) winning = { seat, led, strength };
  }
  return winning;
}

/** The plays of the current trick, the leader's first. */
function trick(view: PublicView): { seat: number; card: number }[] {
  const plays = view.moves.flatMap(({ seat, action }) =>
    action?.kind === ActionKind.ACTION_KIND_PLAY ? [{ seat, card: action.card }] : [],
  );
  const players = view.sitsOut === undefined ? 4 : 3;
  return plays.slice(plays.length - (plays.length % players));
}

function strengthsNow(game: Game, view: PublicView): Strengths | undefined {
  return game.strengths.get(view.contract?.call ?? 0);
}

/** The action of the highest value, one by chance among equals; undefined if there is none. */
function best(
  game: Game,
  actions: readonly Action[],
  value: (action: Action) => number,
): Action | undefined {
  const values = actions.map(value);
  const highest = Math.max(...values);
  const equals = actions.filter((_, index) => values[index] === highest);
  return equals.length > 1 ? equals[game.random.below(equals.length)] : equals[0];
}
