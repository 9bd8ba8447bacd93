import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { Item as ItemInput } from "../generated/arena/v1/Item.js";
import type { Rejected } from "../generated/arena/v1/Rejected.js";
import type { Game, Question } from "../game.js";
import { MAX_ANSWERS, MAX_UNACKNOWLEDGED, Session } from "../session.js";
import type { Action } from "../wire.js";
import { BID_3, decision, gameStart, itemOf, MATCH, matchStart, PASS, TABLE } from "./messages.js";

let session: Session;
let said: string[];
let asked: { game: Game; question: Question }[];

/** Answers the second legal action. */
function act(game: Game, question: Question): Action {
  asked.push({ game, question });
  return question.legal[1] ?? question.legal[0];
}

beforeEach(() => {
  said = [];
  asked = [];
  session = new Session(act, (line) => said.push(line));
});

function take(...items: ItemInput[]) {
  for (const item of items) session.take(itemOf(item));
}

/** What is due: for each answer the decision, and the kind and bid of its action. */
function due() {
  const request = session.request();
  const answers = request?.answers?.answers?.map(({ decisionId, action }) => [
    decisionId,
    action?.kind,
    action?.bid,
  ]);
  return request && { acknowledged: request.acknowledged, answers };
}

const ANSWER = [BID_3.kind, BID_3.bid];
const FIRST = [PASS.kind, 0];

function rejected(sequence: number, more: Rejected): ItemInput {
  return { sequence, rejected: { text: "too low", paragraph: "C2.2", ...more } };
}

test("all questions of a message are answered in one, which acknowledges the last item", () => {
  take(matchStart(1), gameStart(2), gameStart(3, 78));
  take(decision(4, 5), decision(5, 6, { tableId: 78 }));
  assert.deepEqual(due(), {
    acknowledged: 5,
    answers: [
      [5, ...ANSWER],
      [6, ...ANSWER],
    ],
  });
  assert.equal(due(), undefined);
});

test("the strategy sees its seat, the rules and the question", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  const [only] = asked;
  assert.equal(only?.game.seat, 1);
  assert.equal(only.game.variant.handSize, 6);
  assert.equal(only.game.strengths.size, 2);
  assert.equal(only.question.decisionId, 5);
});

test("the same seed gives the same chance, for each game its own", () => {
  take(matchStart(1), gameStart(2), gameStart(3, 78), decision(4, 5));
  take(decision(5, 6, { tableId: 78 }));
  const [a, b] = asked.map(({ game }) => game.random);
  assert.ok(a && b && a !== b);
  assert.equal(a.next(), b.next());
});

test("more answers than a message may carry go out in two", () => {
  take(matchStart(1), gameStart(2));
  for (let n = 0; n <= MAX_ANSWERS; n++) take(decision(3 + n, 1 + n));
  assert.equal(due()?.answers?.length, MAX_ANSWERS);
  assert.deepEqual(due()?.answers, [[MAX_ANSWERS + 1, ...ANSWER]]);
});

test("a question that comes again gets the same answer without asking again", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  assert.deepEqual(due()?.answers, [[5, ...ANSWER]]);
  session.resume();
  take(decision(4, 5));
  assert.deepEqual(due(), { acknowledged: 4, answers: [[5, ...ANSWER]] });
  assert.equal(asked.length, 1);
});

test("answers that were not sent are not sent after a resume, but when they are asked for", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  session.resume();
  assert.equal(due(), undefined);
  take(decision(4, 5));
  assert.deepEqual(due()?.answers, [[5, ...ANSWER]]);
});

test("events that come again are dropped", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  due();
  take(gameStart(2), decision(4, 5));
  assert.equal(asked.length, 1);
  assert.equal(session.acknowledged, 4);
});

test("a new session begins with nothing", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  session.begin();
  assert.equal(session.acknowledged, 0);
  assert.equal(due(), undefined);
  take(decision(1, 6));
  assert.equal(asked.length, 1, "the table is gone");
});

test("a rejected answer is told, and the first legal action answered in its place, once", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  due();
  take(rejected(4, { decisionId: 5, open: true }));
  assert.deepEqual(due(), { acknowledged: 4, answers: [[5, ...FIRST]] });
  take(rejected(5, { decisionId: 5, open: true }));
  assert.equal(due(), undefined);
  assert.deepEqual(said, [
    "the arena did not take the answer 'bid 3': too low (rules C2.2)",
    "answered 'pass' in its place; this counts as a fault of the bot",
    "the arena did not take the answer 'pass': too low (rules C2.2)",
  ]);
});

test("a rejection that is not open, or of nothing known, is only told", () => {
  take(matchStart(1), gameStart(2), decision(3, 5));
  due();
  take(rejected(4, { decisionId: 5 }), rejected(5, { decisionId: 9, open: true, paragraph: "" }));
  assert.equal(due(), undefined);
  assert.deepEqual(said, [
    "the arena did not take the answer 'bid 3': too low (rules C2.2)",
    "the arena did not take a message: too low",
  ]);
});

test("a decision at an unknown table, or without a view, gets the first legal action", () => {
  take(decision(1, 5));
  take(matchStart(2), gameStart(3), {
    sequence: 4,
    decision: { ...decision(4, 6).decision, public: null },
  });
  assert.deepEqual(due()?.answers, [
    [5, ...FIRST],
    [6, ...FIRST],
  ]);
  assert.equal(asked.length, 0);
});

test("what makes no sense is passed over", () => {
  take(decision(1, 5, { legal: [] }), gameStart(2), { sequence: 3 });
  take({ sequence: 4, matchStart: { matchId: 1 } });
  take(
    { sequence: 5, matchFinished: { matchId: 8 } },
    { sequence: 6, gameFinished: { tableId: 8 } },
  );
  assert.equal(due(), undefined);
  assert.equal(session.acknowledged, 6);
});

test("tables are gone after their game, and after their match", () => {
  take(matchStart(1), gameStart(2), gameStart(3, 78));
  take({ sequence: 4, gameFinished: { tableId: TABLE } }, decision(5, 5));
  assert.equal(asked.length, 0);
  take(decision(6, 6, { tableId: 78 }));
  assert.equal(asked.length, 1);
  take({ sequence: 7, matchFinished: { matchId: MATCH } }, decision(8, 7, { tableId: 78 }));
  take(gameStart(9), decision(10, 8));
  assert.equal(asked.length, 1);
});

test("many items without a question are acknowledged by an empty list of answers", () => {
  for (let n = 1; n < MAX_UNACKNOWLEDGED; n++) take({ sequence: n });
  assert.equal(due(), undefined);
  take({ sequence: MAX_UNACKNOWLEDGED });
  assert.deepEqual(due(), { acknowledged: MAX_UNACKNOWLEDGED, answers: [] });
  assert.equal(due(), undefined);
});
