/**
 * What a session does with the items it is sent: tables come and go, the strategy is asked.
 *
 * Nothing here knows the network: items go in by `take`, requests come out of `request`. A resumed
 * stream may bring items and questions again; items are dropped by their sequence number, and a
 * question that was answered before gets the same answer without asking the strategy again.
 */

import { strengthsOf } from "./cards.js";
import { isQuestion, type Game, type Rules, type Strategy } from "./game.js";
import { actionText } from "./notation.js";
import { Random } from "./random.js";
import type {
  Action,
  Answer,
  Decision,
  GameStart,
  Item,
  MatchStart,
  PlayRequest,
  Rejected,
} from "./wire.js";

/** The most answers that one request may carry (the contract's bound). */
export const MAX_ANSWERS = 1024;

/** Items taken in without an answer due after which an empty request acknowledges them. */
export const MAX_UNACKNOWLEDGED = 256;

/** A question and the answer that it got. */
interface Answered {
  decisionId: number;
  /** What is answered should the answer be refused. */
  first: Action;
  answer: Action;
  /** Whether an answer to this question was refused before. */
  refused: boolean;
}

interface Table {
  readonly matchId: number;
  readonly game: Game;
  /** The last question, once there was one. */
  last?: Answered;
}

export class Session {
  readonly #act: Strategy;
  readonly #say: (line: string) => void;
  readonly #matches = new Map<number, Rules>();
  readonly #tables = new Map<number, Table>();
  #answers: Answer[] = [];
  #acknowledged = 0;
  #told = 0;

  /**
   * @param act Answers the questions.
   * @param say Takes one line for the bot's author.
   */
  constructor(act: Strategy, say: (line: string) => void) {
    this.#act = act;
    this.#say = say;
  }

  /** The sequence number of the last item taken in. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** A new session: nothing of an earlier one is left. */
  begin(): void {
    this.#matches.clear();
    this.#tables.clear();
    this.#answers = [];
    this.#acknowledged = this.#told = 0;
  }

  /** The same session on a new stream: what was not sent will be asked again. */
  resume(): void {
    this.#answers = [];
  }

  take(item: Item): void {
    const isNew = item.sequence > this.#acknowledged;
    if (item.decision) this.#decide(item.decision);
    else if (isNew) this.#note(item);
    if (isNew) this.#acknowledged = item.sequence;
  }

  /** What is to be sent now, undefined for nothing. */
  request(): PlayRequest | undefined {
    const due = this.#acknowledged - this.#told >= MAX_UNACKNOWLEDGED;
    if (this.#answers.length === 0 && !due) return undefined;
    this.#told = this.#acknowledged;
    const answers = this.#answers.splice(0, MAX_ANSWERS);
    return { acknowledged: this.#acknowledged, answers: { answers } };
  }

  // Questions.

  #decide(decision: Decision): void {
    const { decisionId, legal } = decision;
    const [first] = legal;
    if (first === undefined) return; // Not a question: the contract promises two actions.
    const table = this.#tables.get(decision.tableId);
    if (table === undefined) {
      this.#answer(decisionId, first);
      return;
    }
    if (table.last?.decisionId !== decisionId) {
      const answer = isQuestion(decision) ? this.#act(table.game, decision) : first;
      table.last = { decisionId, first, answer, refused: false };
    }
    this.#answer(decisionId, table.last.answer);
  }

  #answer(decisionId: number, action: Action): void {
    this.#answers.push({ decisionId, action });
  }

  // Events.

  #note(item: Item): void {
    // An item without an arm that is known here is of a later version (the contract: ignore it).
    if (item.matchStart) this.#startMatch(item.matchStart);
    else if (item.gameStart) this.#startGame(item.gameStart);
    else if (item.rejected) this.#reject(item.rejected);
    else if (item.gameFinished) this.#tables.delete(item.gameFinished.tableId);
    else if (item.matchFinished) this.#finishMatch(item.matchFinished.matchId);
  }

  #startMatch({ matchId, variant }: MatchStart): void {
    if (variant) this.#matches.set(matchId, { variant, strengths: strengthsOf(variant) });
  }

  #startGame({ matchId, tableId, seat, botSeed }: GameStart): void {
    const rules = this.#matches.get(matchId);
    if (rules === undefined) return;
    const game = { ...rules, seat, random: new Random(botSeed) };
    this.#tables.set(tableId, { matchId, game });
  }

  #reject(rejected: Rejected): void {
    const table = this.#asked(rejected.decisionId);
    const text = (action: Action) => (table ? actionText(action, table.game.variant) : "");
    const last = table?.last;
    const what = last ? `the answer '${text(last.answer)}'` : "a message";
    const paragraph = rejected.paragraph ? ` (rules ${rejected.paragraph})` : "";
    this.#say(`the arena did not take ${what}: ${rejected.text}${paragraph}`);
    if (!rejected.open || last === undefined || last.refused) return;
    this.#say(`answered '${text(last.first)}' in its place; this counts as a fault of the bot`);
    last.refused = true;
    last.answer = last.first;
    this.#answer(last.decisionId, last.answer);
  }

  #asked(decisionId: number): Table | undefined {
    for (const table of this.#tables.values()) {
      if (table.last?.decisionId === decisionId) return table;
    }
    return undefined;
  }

  #finishMatch(matchId: number): void {
    this.#matches.delete(matchId);
    for (const [tableId, table] of this.#tables) {
      if (table.matchId === matchId) this.#tables.delete(tableId);
    }
  }
}
