/** Cards as the contract numbers them, and who beats whom under a call of the variant. */

import { Call, Card, Rank, type CallRule, type Variant } from "./wire.js";

const RANKS = 6;
const SUITS = 4;

/** Plain suits, and what of a trump suit are no bowers, rank like this, high to low. */
const USUAL_ORDER: readonly number[] = [
  Rank.RANK_ACE,
  Rank.RANK_KING,
  Rank.RANK_QUEEN,
  Rank.RANK_JACK,
  Rank.RANK_TEN,
  Rank.RANK_NINE,
];
const TRUMP = 10;
const LEFT_BOWER = TRUMP + RANKS + 1;
const RIGHT_BOWER = TRUMP + RANKS + 2;

/** The printed suit, 0 to 3: clubs, diamonds, hearts, spades. */
export function suitOf(card: number): number {
  return Math.floor((card - 1) / RANKS);
}

/** The rank, as the enum numbers it: 1 for a nine to 6 for an ace. */
export function rankOf(card: number): number {
  return ((card - 1) % RANKS) + 1;
}

/** The seat across the table. */
export function partnerOf(seat: number): number {
  return seat ^ 2;
}

/** What the cards are worth under one call. */
export class Strengths {
  /** The trump suit, if there is one. */
  readonly trump: number | undefined;
  readonly #top: number | undefined;
  readonly #suits: number[] = [];
  readonly #heights: number[] = [];

  constructor(rule: CallRule, deck: readonly number[]) {
    const order = rule.order.length > 0 ? rule.order : USUAL_ORDER;
    this.trump = rule.order.length > 0 ? undefined : rule.call - Call.CALL_CLUBS;
    this.#top = order.find((rank) => deck.includes(rank));
    for (let card: number = Card.CARD_9C; card <= Card.CARD_AS; card++) {
      this.#suits[card] = this.#effectiveSuit(card);
      this.#heights[card] = this.#rate(card, order);
    }
  }

  /** The suit under this call: the left bower is a trump. */
  suit(card: number): number {
    return this.#suits[card] ?? -1;
  }

  /** How high a card stands by itself; every trump is above every other card. */
  height(card: number): number {
    return this.#heights[card] ?? 0;
  }

  /** How strong a card is in a trick that began with `led`; 0 never wins. Of equals the first wins. */
  strength(led: number, card: number): number {
    const suit = this.suit(card);
    return suit === this.trump || suit === this.suit(led) ? this.height(card) : 0;
  }

  /** Whether no card of its suit is above this one, which is no trump. */
  isTop(card: number): boolean {
    return this.suit(card) !== this.trump && rankOf(card) === this.#top;
  }

  #effectiveSuit(card: number): number {
    return this.trump !== undefined && this.#isLeftBower(card) ? this.trump : suitOf(card);
  }

  #isLeftBower(card: number): boolean {
    if (this.trump === undefined || rankOf(card) !== Rank.RANK_JACK) return false;
    return suitOf(card) === SUITS - 1 - this.trump;
  }

  #rate(card: number, order: readonly number[]): number {
    const rank = rankOf(card);
    const height = RANKS - order.indexOf(rank);
    if (this.suit(card) !== this.trump) return height;
    if (rank !== Rank.RANK_JACK) return TRUMP + height;
    return this.#isLeftBower(card) ? LEFT_BOWER : RIGHT_BOWER;
  }
}

/** The strengths under each call that the variant offers; calls that nobody here knows are left out. */
export function strengthsOf(variant: Variant): ReadonlyMap<number, Strengths> {
  const known = variant.calls.filter((rule) => rule.order.length > 0 || isSuit(rule.call));
  return new Map(known.map((rule) => [rule.call, new Strengths(rule, variant.ranks)]));
}

function isSuit(call: number): boolean {
  return call >= Call.CALL_CLUBS && call <= Call.CALL_SPADES;
}
