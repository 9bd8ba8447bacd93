import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { status } from "@grpc/grpc-js";

import { Client, type Patience } from "../client.js";
import type { Game, Question } from "../game.js";
import { readOptions } from "../options.js";
import { Session } from "../session.js";
import type { Action } from "../wire.js";
import { Arena } from "./arena.js";
import { BID_3, decision, gameStart, matchStart } from "./messages.js";

const PATIENT: Patience = { first: 1, most: 10, total: 60_000 };

let arena: Arena;
let asked: number;
let said: string[];
let leaving: AbortController;

beforeEach(async () => {
  asked = 0;
  said = [];
  leaving = new AbortController();
  arena = await Arena.open();
});

afterEach(async () => {
  await arena.close();
});

function answerSecond(_: Game, question: Question): Action {
  asked += 1;
  return question.legal[1] ?? question.legal[0];
}

function play(act = answerSecond, patience = PATIENT): Promise<void> {
  const defaults = { name: "ace", version: "1", tables: 64 };
  const options = readOptions(["--address", arena.address, "--token", "secret"], {}, defaults);
  assert.ok(options);
  const say = (line: string) => said.push(line);
  return new Client(options, new Session(act, say), say, patience).play(leaving.signal);
}

/** A stream that has come as far as the Welcome. */
async function welcomed(sessionToken: string, resumed = false) {
  const line = await arena.line();
  const request = await line.hear();
  line.say({ welcome: { sessionToken, resumed } });
  return { line, request };
}

const GAME = [matchStart(1), gameStart(2)];

test("hello first, one message of answers to one of questions, goodbye at the end", async () => {
  const playing = play();
  const { line, request } = await welcomed("s1");
  assert.equal(request?.acknowledged, 0);
  assert.deepEqual(request.hello, {
    token: "secret",
    protocolVersion: 1,
    botName: "ace",
    botVersion: "1",
    chair: 0,
    lane: 0,
    tables: 64,
    sessionToken: "",
    handResults: false,
  });
  line.say({ items: { items: [...GAME, decision(3, 5), decision(4, 6)] } });
  const answers = await line.hear();
  assert.equal(answers?.acknowledged, 4);
  assert.deepEqual(
    answers.answers?.answers.map(({ decisionId }) => decisionId),
    [5, 6],
  );
  line.say({ goodbye: {} });
  assert.equal(await line.hear(), undefined, "the bot closes its side");
  line.end();
  await playing;
});

test("a stream that ends without a goodbye is taken up again", async () => {
  const playing = play();
  const { line } = await welcomed("s1");
  line.say({ items: { items: [...GAME, decision(3, 5)] } });
  assert.ok((await line.hear())?.answers);
  line.end();

  const { line: next, request } = await welcomed("s1", true);
  assert.equal(request?.acknowledged, 3);
  assert.equal(request.hello?.sessionToken, "s1");
  next.say({ items: { items: [decision(4, 5)] } });
  const [again] = (await next.hear())?.answers?.answers ?? [];
  assert.equal(again?.decisionId, 5);
  assert.equal(again.action?.kind, BID_3.kind, "the table is still there");
  assert.equal(asked, 1);
  next.end(status.UNAVAILABLE, "gone");

  const { line: last } = await welcomed("s1", true);
  last.say({ goodbye: {} });
  await last.hear();
  last.end();
  await playing;
});

test("a session that is gone is followed by a new one", async () => {
  const playing = play();
  const { line } = await welcomed("s1");
  line.say({ items: { items: [...GAME, decision(3, 5)] } });
  await line.hear();
  line.end();

  const refused = await arena.line();
  assert.equal((await refused.hear())?.hello?.sessionToken, "s1");
  refused.end(status.FAILED_PRECONDITION, "the session cannot be resumed");

  const { line: fresh, request } = await welcomed("s2");
  assert.equal(request?.acknowledged, 0);
  assert.equal(request.hello?.sessionToken, "");
  fresh.say({ items: { items: [decision(1, 5)] } });
  assert.ok((await fresh.hear())?.answers, "answered, although the table is gone");
  assert.equal(asked, 1);
  leaving.abort();
  fresh.end();
  await playing;
});

test("leaving says goodbye and closes the bot's side", async () => {
  const playing = play();
  const { line } = await welcomed("s1");
  line.say({ items: { items: [...GAME, decision(3, 5)] } });
  await line.hear();
  leaving.abort();
  assert.deepEqual((await line.hear())?.goodbye, { text: "" });
  assert.equal(await line.hear(), undefined);
  line.say({ items: { items: [decision(4, 6)] } });
  line.end();
  await playing;
  assert.equal(asked, 1, "what comes after the goodbye is not answered");
});

test("the arena refuses the bot", async () => {
  const playing = play();
  const line = await arena.line();
  line.end(status.UNAUTHENTICATED, "the token is not known.");
  await assert.rejects(playing, {
    name: "Refused",
    message: `the arena at ${arena.address} refused the bot: the token is not known`,
  });
});

test("an arena that is busy is asked again, one that is unwilling is not", async () => {
  const playing = play();
  (await arena.line()).end(status.RESOURCE_EXHAUSTED, "too many Hellos: try again in 0.5 s");
  (await arena.line()).end(status.RESOURCE_EXHAUSTED, "too many answers");
  await assert.rejects(playing, { name: "Refused", message: /too many answers$/ });
});

test("patience with an arena that is not there has an end", async () => {
  const address = arena.address;
  await arena.close();
  const lost = play(answerSecond, { first: 1, most: 1, total: 20 });
  await assert.rejects(lost, {
    name: "Lost",
    message: `lost the arena at ${address}: unavailable for 0.02 seconds; is it running there?`,
  });
  arena = await Arena.open();
});

test("draining is told, and what is not known is passed over", async () => {
  const playing = play();
  const { line } = await welcomed("s1");
  line.say({});
  line.say({ draining: { text: "the server will stop" } });
  line.say({ draining: {} });
  line.say({ items: { items: [...GAME, decision(3, 5)] } });
  assert.ok((await line.hear())?.answers, "it plays on");
  line.say({ goodbye: {} });
  line.end();
  await playing;
  assert.deepEqual(said, ["the arena says: the server will stop", "the arena says: it will stop"]);
});

test("a bug of the strategy ends the session", async () => {
  const playing = play(() => {
    throw new TypeError("no such card");
  });
  const { line } = await welcomed("s1");
  line.say({ items: { items: [...GAME, decision(3, 5)] } });
  await assert.rejects(playing, { name: "TypeError", message: "no such card" });
});
