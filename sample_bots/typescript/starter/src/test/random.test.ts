import assert from "node:assert/strict";
import { test } from "node:test";

import { Random } from "../random.js";

test("it is splitmix64, seeded with all eight bytes", () => {
  const zero = new Random(Buffer.alloc(8));
  assert.equal(zero.next(), 0xe220a8397b1dcdafn);
  assert.equal(zero.next(), 0x6e789e6aa1b965f4n);
  const big = new Random(Buffer.from("9e3779b97f4a7c15", "hex"));
  assert.equal(big.next(), 0x6e789e6aa1b965f4n);
});

test("below gives every number and no other", () => {
  const random = new Random(Buffer.alloc(8));
  const seen = new Set(Array.from({ length: 100 }, () => random.below(3)));
  assert.deepEqual([...seen].sort(), [0, 1, 2]);
});
