import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  freezeDeep,
  hasDuplicateMembers,
  readJsonObject,
} from "../../../../src/engine/tokens/jwt/json-object.ts";
import { runs } from "../../../support/runs.ts";

function read(bytes: Buffer | string) {
  const buffer = Buffer.from(bytes as string);
  return readJsonObject(buffer, 0, buffer.length);
}

function duplicated(text: string): boolean {
  return hasDuplicateMembers(text, JSON.parse(text));
}

describe("readJsonObject", () => {
  test.each([
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "is not JSON: it is not UTF-8"],
    ["an overlong form", Buffer.from('{"a":"\xc0\xaf"}', "latin1"), "is not JSON: it is not UTF-8"],
    [
      "a lone surrogate in UTF-8",
      Buffer.from('{"a":"\xed\xa0\x80"}', "latin1"),
      "is not JSON: it is not UTF-8",
    ],
    ["a byte order mark", Buffer.from('\uFEFF{"a":1}'), "starts with a byte order mark"],
    ["no JSON", Buffer.from("{a:1}"), "is not JSON"],
    ["nothing", Buffer.from(""), "is not JSON"],
    ["two values", Buffer.from("{}{}"), "is not JSON"],
    ["null", Buffer.from("null"), "is JSON, but not an object"],
    ["an array", Buffer.from("[]"), "is JSON, but not an object"],
    ["a string", Buffer.from('"a"'), "is JSON, but not an object"],
  ])("rejects %s", (_, bytes, reason) => {
    expect(read(bytes)).toEqual({ ok: false, problems: [reason] });
  });

  test("accepts a replacement character that is encoded as UTF-8", () => {
    expect(read('{"a":"\uFFFD"}')).toMatchObject({ ok: true, value: { object: { a: "\uFFFD" } } });
  });

  test("reads any object at any offset of the buffer", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(20), (object, offset) => {
        const text = JSON.stringify(object);
        const bytes = Buffer.from(`${"x".repeat(offset)}${text}yz`);
        const result = readJsonObject(bytes, offset, bytes.length - 2);
        expect(result.ok ? result.value.text : result.problems[0]).toBe(text);
      }),
    );
  });
});

/** The letters of member names as escapes, those of other strings too. */
const escaped = (text: string) =>
  text.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

test("member names with escapes are the names without, in objects of any depth", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", '"', "\\", ":", " ", "é"), maxLength: 4 });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      name,
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(name, tie("json"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(name, json, { noNullPrototype: true }), fc.boolean(), (object, spaced) => {
      const text = escaped(JSON.stringify(object, undefined, spaced ? "\n\t" : ""));
      const result = read(text);
      expect(result.ok ? result.value.object : result.problems).toEqual(object);
    }),
    { numRuns: runs(300) },
  );
});

describe("hasDuplicateMembers", () => {
  test.each([
    ['{"alg":"RS256","alg":"none"}'],
    ['{"alg":"RS256","al\\u0067":"none"}'],
    ['{"\\u0061lg":1,"kid":{"a":[]},"alg":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['{"a":1,"b":":","a":3}'],
    ['{ "" : 1 , "" : 2 }'],
  ])("%s has duplicate members", (text) => {
    expect(duplicated(text)).toBe(true);
  });

  test.each([
    ["{}"],
    ['{"a":{"b":1},"b":2}'],
    ['{"a":"\\":{","b":"}\\\\"}'],
    ['{"jwk":{"kty":"RSA","kty":"EC"},"alg":":"}'],
    ['{"__proto__":1,"constructor":2}'],
  ])("%s has no duplicate members", (text) => {
    expect(duplicated(text)).toBe(false);
  });

  test("agrees with a comparison of all names, escaped or not", () => {
    const name = fc.constantFrom("a", "b", "alg", "__proto__", "", ":", '"', "\\", "{");
    const member = fc.record({ name, escaped: fc.boolean(), value: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const text = `{${members.map((m) => `${printName(m.name, m.escaped)}:${JSON.stringify(m.value)}`).join(", ")}}`;
        const names = members.map((m) => m.name);
        expect(duplicated(text)).toBe(new Set(names).size < names.length);
      }),
      { numRuns: runs(1000) },
    );
  });
});

function printName(name: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(name);
  const units = Array.from(name, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${units.join("")}"`;
}

describe("freezeDeep", () => {
  test("freezes every part of a JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const root = { value };
        freezeDeep(root);
        expect(unfrozen(root)).toBe(false);
      }),
    );
  });

  test("freezes deeply nested values without exhausting the stack", () => {
    const depth = 200_000;
    const value = JSON.parse(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    expect(Object.isFrozen(freezeDeep(value))).toBe(true);
  });
});

function unfrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return !Object.isFrozen(value) || Object.values(value).some(unfrozen);
}
