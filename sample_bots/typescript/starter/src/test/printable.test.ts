import assert from "node:assert/strict";
import { test } from "node:test";

import { printable } from "../printable.js";

test("control characters are escaped", () => {
  const raw = "a\0\t\r\nb\x1b[31m\x7f\x80\x9b";
  assert.equal(printable(raw), String.raw`a\x00\x09\x0d\x0ab\x1b[31m\x7f\x80\x9b`);
});

test("all else stays", () => {
  const text = "the 9♣ of 'Zoë' ~ \u00a0 🂡";
  assert.equal(printable(text), text);
});

test("a long text is cut, but no character", () => {
  assert.equal(printable("🂡".repeat(500)), "🂡".repeat(500));
  assert.equal(printable("🂡".repeat(501)), `${"🂡".repeat(500)}...`);
});
