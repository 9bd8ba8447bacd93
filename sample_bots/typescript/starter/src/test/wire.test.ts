import assert from "node:assert/strict";
import { test } from "node:test";

import { RefereeService } from "../wire.js";
import { decision, itemOf, matchStart, received } from "./messages.js";

const { requestDeserialize, requestSerialize, responseDeserialize } = RefereeService.service.Play;

test("fields that were not sent are there, arms and optional fields are not", () => {
  const item = itemOf(decision(1, 5));
  assert.equal(item.decision?.timeLeftMs, 0);
  assert.deepEqual(item.decision.private?.hand, []);
  assert.equal(item.decision.public?.contract, null);
  assert.equal("sitsOut" in item.decision.public, false);
  assert.equal("gameStart" in item, false);
  assert.deepEqual(itemOf(matchStart(1)).matchStart?.variant?.bids[0]?.made, undefined);
});

test("an optional field that is zero is there", () => {
  const item = itemOf(decision(1, 5, { public: { sitsOut: 0 } }));
  assert.equal(item.decision?.public?.sitsOut, 0);
});

test("an item with an unknown arm has none", () => {
  // Items { items { sequence: 5, 99: "" } }
  const bytes = [0x12, 0x07, 0x0a, 0x05, 0x08, 0x05, 0x9a, 0x06, 0x00];
  const { items } = responseDeserialize(Buffer.from(bytes));
  assert.deepEqual(items?.items, [{ sequence: 5 }]);
});

test("an unknown arm of a response is none", () => {
  assert.deepEqual(responseDeserialize(Buffer.from([0x9a, 0x06, 0x00])), {});
});

test("the largest ids keep all their digits", () => {
  assert.equal(itemOf(decision(4294967295, 4294967295)).decision?.decisionId, 4294967295);
});

test("an enum value of a newer contract survives, and goes back as it came", () => {
  const kind = 99 as 1;
  const [action] = itemOf(decision(1, 5, { legal: [{ kind }] })).decision?.legal ?? [];
  assert.ok(action);
  assert.equal(action.kind, 99);
  const request = { answers: { answers: [{ decisionId: 5, action }] } };
  const sent = requestDeserialize(requestSerialize(request));
  assert.equal(sent.answers?.answers[0]?.action?.kind, 99);
});

test("an empty list of answers is an arm", () => {
  const sent = requestDeserialize(requestSerialize({ acknowledged: 3, answers: { answers: [] } }));
  assert.deepEqual(sent, { acknowledged: 3, answers: { answers: [] } });
});

test("a goodbye without words is one", () => {
  assert.deepEqual(received({ goodbye: {} }), { goodbye: { text: "" } });
});
