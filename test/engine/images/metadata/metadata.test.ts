import { checkMetadata, parseMetadataFields } from "edgeproof/images";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../support/runs.ts";

function parse(...fields: [string, string][]): unknown {
  const parsed = parseMetadataFields(fields);
  return parsed.ok ? parsed.value : parsed.problems[0].code;
}

describe("parseMetadataFields", () => {
  test("parses JSON text", () => {
    expect(parse(["id", "x"], ["metadata", ' { "a": [1, true, null] } '])).toEqual({ a: [1, true, null] });
    expect(parse(["metadata", '"text"'])).toBe("text");
  });

  test("parses members in brackets", () => {
    expect(parse(["metadata[user][id]", "7"], ["metadata[tag]", ""])).toEqual({ user: { id: "7" }, tag: "" });
    expect(parse(["metadata[tags][]", "a"], ["metadata[tags][]", "b"])).toEqual({ tags: ["a", "b"] });
    expect(parse(["metadata[tags][0]", "a"], ["metadata[tags][1]", "b"])).toEqual({ tags: ["a", "b"] });
    expect(parse(["metadata[a.b]", "c"])).toEqual({ "a.b": "c" });
  });

  test("returns undefined without a metadata field", () => {
    expect(parseMetadataFields([["url", "x"]])).toEqual({ ok: true, value: undefined });
  });

  test.each([
    [[["metadata", "{"]]],
    [[["metadata", ""]]],
    [
      [
        ["metadata", "{}"],
        ["metadata", "{}"],
      ],
    ],
    [
      [
        ["metadata", "{}"],
        ["metadata[a]", "1"],
      ],
    ],
    [
      [
        ["metadata[a]", "1"],
        ["metadata[a]", "2"],
      ],
    ],
    [
      [
        ["metadata[a]", "1"],
        ["metadata[a][b]", "2"],
      ],
    ],
    [
      [
        ["metadata[a][b]", "1"],
        ["metadata[a]", "2"],
      ],
    ],
    [[["metadata[a", "1"]]],
    [[["metadata[a]b", "1"]]],
  ] as [[string, string][]][])("rejects %j", (fields) => {
    expect(parse(...fields)).toBe(5400);
  });

  test("rejects thousands of levels of nesting", () => {
    expect(parse([`metadata${"[a]".repeat(5_000)}`, "1"])).toBe(5400);
    expect(parse(["metadata", "[".repeat(4_000) + "]".repeat(4_000)])).toBe(5400);
    expect(parse(["metadata", "[".repeat(5_000_000)])).toBe(5400);
  });

  test("rejects numbers that JSON does not keep exactly, at their places", () => {
    const places = {
      '{"a":9007199254740993}': "/metadata/a",
      '{"a":{"b~/":[0,-9007199254740992]}}': "/metadata/a/b~0~1/1",
      '{"a":1e400}': "/metadata/a",
      "1e309": "/metadata",
    };
    for (const [text, pointer] of Object.entries(places)) {
      const parsed = parseMetadataFields([["metadata", text]]);
      expect(parsed, text).toMatchObject({ ok: false, problems: [{ code: 5400, pointer }] });
      expect(parsed.ok || parsed.problems[0].message).toContain(
        "to 9007199254740991, which are exact in JSON",
      );
    }
    const exact = { a: Number.MAX_SAFE_INTEGER, b: Number.MIN_SAFE_INTEGER, c: 0.1, d: 5e-324 };
    expect(parseMetadataFields([["metadata", JSON.stringify(exact)]])).toEqual({ ok: true, value: exact });
    expect(checkMetadata({ a: Infinity })).toMatchObject({ code: 5400 });
  });

  test("law: metadata that is accepted has the integers that were sent", () => {
    const integer = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(integer, fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }))),
        (sent) => {
          const parsed = parseMetadataFields([["metadata", `[${sent.join()}]`]]);
          if (parsed.ok) expect((parsed.value as number[]).map(BigInt)).toEqual(sent);
          else expect(sent.some((value) => value > 2n ** 53n - 1n || value < -(2n ** 53n) + 1n)).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("names of members of the prototype are ordinary names", () => {
    const value = parse(["metadata[__proto__][polluted]", "1"], ["metadata[constructor]", "2"]) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"1"},"constructor":"2"}');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test("allows at most 1,024 bytes of UTF-8 JSON, in either notation", () => {
    const text = (bytes: number) => JSON.stringify("é".repeat((bytes - 2) / 2));
    expect(Buffer.byteLength(text(1024))).toBe(1024);
    expect(parse(["metadata", `   ${text(1024)}   `])).toHaveLength(511);
    expect(parse(["metadata", text(1026)])).toBe(5400);
    expect(parse(["metadata[a]", "x".repeat(1024 - 8)])).toEqual({ a: "x".repeat(1016) });
    expect(parse(["metadata[a]", "x".repeat(1024 - 7)])).toBe(5400);
  });

  test("the example of the docstring", () => {
    expect(parseMetadataFields([["metadata[user][id]", "7"]])).toEqual({
      ok: true,
      value: { user: { id: "7" } },
    });
  });
});

describe("checkMetadata", () => {
  test("accepts a value of any type up to the limit", () => {
    expect(checkMetadata(null)).toBeUndefined();
    expect(checkMetadata("x".repeat(1022))).toBeUndefined();
    expect(checkMetadata("x".repeat(1023))).toMatchObject({ code: 5400, pointer: "/metadata" });
  });

  test("rejects a value that is nested deeper than the stack", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(checkMetadata(deep)?.message).toContain("found too many levels of nesting");
  });
});
