/** Fixes, one by one: which operations a round has, and what changes in the text. */
import type { Validation } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import type { PatchOperation } from "../../../src/core/json/patch.ts";
import { fixBody, fixText } from "../../../src/engine/proxy/fix.ts";

const replace = (path: string, value: unknown): PatchOperation => ({ op: "replace", path, value });
const move = (from: string, path: string): PatchOperation => ({ op: "move", from, path });

/** A validation whose findings have these patches. */
function validationOf(
  violations: readonly (readonly PatchOperation[] | undefined)[],
  warnings: readonly (readonly PatchOperation[])[] = [],
): Validation {
  const finding = (patch: readonly PatchOperation[] | undefined) => (patch ? { fix: patch } : {});
  return {
    violations: violations.map(finding),
    warnings: warnings.map(finding),
    notEvaluated: [],
  } as unknown as Validation;
}

/** Fixes a body that has these findings at first and none afterwards. */
async function fixOnce(body: unknown, first: Validation) {
  const validations = [first];
  const seen: unknown[] = [];
  const fixed = await fixBody(body, async (value) => {
    seen.push(value);
    return validations.shift() ?? validationOf([]);
  });
  return { ...fixed, seen };
}

describe("a round of fixes", () => {
  test("has the operations of violations, then of warnings, and the result is validated again", async () => {
    const { body, rounds, seen, validation } = await fixOnce(
      { a: 1, b: 2 },
      validationOf([undefined, [replace("/b", 3)]], [[replace("/a", 4)]]),
    );
    expect(body).toEqual({ a: 4, b: 3 });
    expect(rounds).toEqual([[replace("/b", 3), replace("/a", 4)]]);
    expect(seen).toEqual([
      { a: 1, b: 2 },
      { a: 4, b: 3 },
    ]);
    expect(validation).toEqual(validationOf([]));
  });

  test("without fixes the body is the same value", async () => {
    const given = { a: 1 };
    const { body, rounds, seen } = await fixOnce(given, validationOf([undefined]));
    expect(body).toBe(given);
    expect([rounds, seen]).toEqual([[], [given]]);
  });

  test.each<[string, readonly PatchOperation[], readonly PatchOperation[]]>([
    ["of the same value", [replace("/a/b", 1)], [replace("/a/b", 2)]],
    ["inside a changed one", [replace("/a", { b: 1 })], [replace("/a/b", 2)]],
    ["around a changed one", [replace("/a/b", 1)], [replace("/a", 2)]],
    ["of a renamed one", [move("/a", "/x")], [replace("/a", 2)]],
    ["inside a renamed one", [move("/a", "/x")], [replace("/a/b", 2)]],
    ["to a name that is used", [move("/a", "/x")], [move("/c", "/x")]],
    ["in several parts, one of them taken", [replace("/a/b", 1)], [replace("/c", 1), replace("/a/b", 2)]],
  ])("leaves out a later fix %s", async (_, first, second) => {
    const { rounds } = await fixOnce({ a: { b: 0 }, c: 0 }, validationOf([first, second]));
    expect(rounds).toEqual([first]);
  });

  test("keeps a later fix of another member, also one whose name begins with the changed one's", async () => {
    const { body } = await fixOnce(
      { a: 0, ab: 0, b: 0 },
      validationOf([[replace("/a", 1)], [replace("/ab", 2)], [move("/b", "/c")]]),
    );
    expect(body).toEqual({ a: 1, ab: 2, c: 0 });
  });

  test("uncovers the next, up to 20 rounds", async () => {
    let validations = 0;
    const { rounds, body } = await fixBody({ a: 0 }, async () => {
      validations += 1;
      return validationOf([[replace("/a", validations)]]);
    });
    expect([rounds.length, validations, body]).toEqual([20, 21, { a: 20 }]);
  });
});

describe("the text of a fixed body", () => {
  test("changes only in the fixed names and values", () => {
    const text = '{\r\n\t"a": 1.50, // one\r\n\t"b~/": [ 2 ]\r\n}';
    const rounds = [[replace("/a", 3)], [move("/b~0~1", "/c~1~0"), replace("/a", "x")]];
    expect(fixText(text, { body: { a: "x", "c/~": [2] }, rounds })).toBe(
      '{\r\n\t"a": "x", // one\r\n\t"c/~": [ 2 ]\r\n}',
    );
  });

  test("is undefined when it has another value than the body, as with a repeated member", () => {
    const rounds = [[move("/b", "/c")]];
    expect(fixText('{"b": 1}', { body: { c: 1 }, rounds })).toBe('{"c": 1}');
    expect(fixText('{"b": 1, "b": 2}', { body: { c: 2 }, rounds })).toBeUndefined();
    expect(fixText('{"b": 1}', { body: { c: 2 }, rounds })).toBeUndefined();
  });
});
