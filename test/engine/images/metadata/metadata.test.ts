import { checkMetadata, parseMetadataFields } from "edgeproof/images";
import { describe, expect, test } from "vitest";

function parse(...fields: [string, string][]): unknown {
  const parsed = parseMetadataFields(fields);
  return parsed.ok ? parsed.value : parsed.problems[0].code;
}

describe("parseMetadataFields", () => {
  test("reads JSON text", () => {
    expect(parse(["id", "x"], ["metadata", ' { "a": [1, true, null] } '])).toEqual({ a: [1, true, null] });
    expect(parse(["metadata", '"text"'])).toBe("text");
  });

  test("reads members in brackets", () => {
    expect(parse(["metadata[user][id]", "7"], ["metadata[tag]", ""])).toEqual({ user: { id: "7" }, tag: "" });
    expect(parse(["metadata[tags][]", "a"], ["metadata[tags][]", "b"])).toEqual({ tags: ["a", "b"] });
    expect(parse(["metadata[tags][0]", "a"], ["metadata[tags][1]", "b"])).toEqual({ tags: ["a", "b"] });
    expect(parse(["metadata[a.b]", "c"])).toEqual({ "a.b": "c" });
  });

  test("is undefined without a field", () => {
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
  ] as [[string, string][]][])("refuses %j", (fields) => {
    expect(parse(...fields)).toBe(5400);
  });

  test("refuses what is nested absurdly deep", () => {
    expect(parse([`metadata${"[a]".repeat(5_000)}`, "1"])).toBe(5400);
    expect(parse(["metadata", "[".repeat(4_000) + "]".repeat(4_000)])).toBe(5400);
    expect(parse(["metadata", "[".repeat(5_000_000)])).toBe(5400);
  });

  test("refuses numbers that are too large to be kept", () => {
    for (const text of ['{"a":1e400}', '{"a":{"b":[0,-1e999]}}', "1e309"]) {
      const parsed = parseMetadataFields([["metadata", text]]);
      expect(parsed, text).toMatchObject({ ok: false, problems: [{ code: 5400, pointer: "/metadata" }] });
      expect(parsed.ok || parsed.problems[0].message).toContain("number beyond 1.797");
    }
    expect(parseMetadataFields([["metadata", '{"a":1e308}']])).toEqual({ ok: true, value: { a: 1e308 } });
    expect(checkMetadata({ a: Infinity })).toMatchObject({ code: 5400 });
  });

  test("names of the prototype are names", () => {
    const value = parse(["metadata[__proto__][polluted]", "1"], ["metadata[constructor]", "2"]) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"1"},"constructor":"2"}');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test("allows 1,024 bytes of UTF-8 JSON and not one more, however it was written", () => {
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
  test("takes a value of any kind, up to the limit", () => {
    expect(checkMetadata(null)).toBeUndefined();
    expect(checkMetadata("x".repeat(1022))).toBeUndefined();
    expect(checkMetadata("x".repeat(1023))).toMatchObject({ code: 5400, pointer: "/metadata" });
  });

  test("refuses what is nested deeper than the stack", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(checkMetadata(deep)?.message).toContain("too deep");
  });
});
