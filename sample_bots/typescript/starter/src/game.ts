/** What a strategy is given: the game it plays and the question it is to answer. */

import type { Strengths } from "./cards.js";
import type { Random } from "./random.js";
import type { Action, Decision, PrivateView, PublicView, Variant } from "./wire.js";

/** The rules of a match. */
export interface Rules {
  /** The rules as data. */
  readonly variant: Variant;
  /** Who beats whom, by the number of the call. */
  readonly strengths: ReadonlyMap<number, Strengths>;
}

/** One game at one table. */
export interface Game extends Rules {
  /** The seat that the bot plays, 0 to 3. */
  readonly seat: number;
  /** The only source of chance: with it the same tournament gives the same games. */
  readonly random: Random;
}

/** A decision that is all there: the view is complete, and `legal` has everything that is legal. */
export interface Question extends Decision {
  public: PublicView;
  private: PrivateView;
  legal: [Action, ...Action[]];
}

export type Strategy = (game: Game, question: Question) => Action;

export function isQuestion(decision: Decision): decision is Question {
  return decision.public !== null && decision.private !== null && decision.legal.length > 0;
}
