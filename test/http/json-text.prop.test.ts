/** Long JSON bodies are written in steps, as `JSON.stringify` would write them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBody } from "../../src/http/responses/json-text.ts";
import { runs } from "../support/runs.ts";

/** Members without JSON text are left out, and elements without are null. */
const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.double());
const list = fc
  .tuple(fc.array(leaf, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 60, 300))
  .map(([elements, times]) => Array.from({ length: times }, () => elements).flat());
const member = fc.oneof(leaf, list, fc.dictionary(fc.string(), fc.oneof(leaf, list), { maxKeys: 4 }));
const body = fc.oneof(list, fc.dictionary(fc.string(), member, { maxKeys: 5 }));

test("a body is that of JSON.stringify", async () => {
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      expect(await new Response(await jsonBody(value)).text()).toBe(JSON.stringify(value));
    }),
    { numRuns: runs(2_000) },
  );
});

test("other work runs while a long list is written", async () => {
  const result = { images: Array.from({ length: 1_000 }, (_, id) => ({ id, text: "é".repeat(1_000) })) };
  let turns = 0;
  let isOver = false;
  const tick = () => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const bytes = await jsonBody({ result, success: true });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(Buffer.from(bytes as Uint8Array).toString()).toBe(JSON.stringify({ result, success: true }));
});
