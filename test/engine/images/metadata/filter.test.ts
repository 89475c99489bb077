import { type MetadataFilter, parseMetadataFilters } from "edgeproof/images";
import { describe, expect, test } from "vitest";

function matches(query: string, metadata: unknown): boolean | number {
  const parsed = parseMetadataFilters(query);
  return parsed.ok ? parsed.value.matches(metadata) : parsed.problems.length;
}

function filters(query: string | [string, string][]): readonly MetadataFilter[] {
  const parsed = parseMetadataFilters(query);
  return parsed.ok ? parsed.value.filters : [];
}

describe("parseMetadataFilters", () => {
  const size: MetadataFilter = { path: ["size", "w"], operator: "eq:number", values: [100] };

  test("parses names percent-encoded or not, from a string or from pairs", () => {
    expect(filters("meta.size.w[eq:number]=100")).toEqual([size]);
    expect(filters("meta.size.w%5Beq%3Anumber%5D=100")).toEqual([size]);
    expect(filters([["meta.size.w[eq:number]", "100"]])).toEqual([size]);
  });

  test("ignores other parameters", () => {
    expect(filters("page=1&metadata.a[x]=1&creator=&METAx=1&meta=1")).toEqual([]);
    expect(matches("page=1", undefined)).toBe(true);
  });

  test("a name may contain any characters except dots and brackets", () => {
    expect(filters("meta.a b.ü'\"`@*$~^,;:?()=x%26[eq]=1".replace("=x", "%3Dx"))).toEqual([
      { path: ["a b", "ü'\"`@*$~^,;:?()=x&"], operator: "eq", values: ["1"] },
    ]);
  });

  test.each([
    "meta.a=1",
    "meta=1",
    "META=1",
    "META.x[eq]=1",
    "Meta[x]=1",
    "meta.=1",
    "meta.[eq]=1",
    "meta[eq]=1",
    "meta.a.[eq]=1",
    "meta..a[eq]=1",
    "meta.a[]=1",
    "meta.a[EQ]=1",
    "meta.a[ne]=1",
    "meta.a[in:boolean]=true",
    "meta.a[eq:]=1",
    "meta.a[eq:string:x]=1",
    "meta.a[eq]x=1",
    "meta.a[eq][eq]=1",
    "meta.a[b][eq]=1",
    "meta.a.b.c.d.e.f[eq]=1",
    "meta.a[eq:number]=",
    "meta.a[eq:number]=abc",
    "meta.a[eq:number]=0x10",
    "meta.a[eq:number]=01",
    "meta.a[eq:number]=1e999",
    "meta.a[eq:number]=NaN",
    "meta.a[eq:number]=1|2",
    "meta.a[eq:number]=1.",
    "meta.a[eq:number]=.5",
    "meta.a[eq:number]=1e",
    "meta.a[eq:number]=+1",
    "meta.a[eq:boolean]=true|false",
    "meta.a[eq:boolean]=1",
    "meta.a[eq:boolean]=TRUE",
    "meta.a[in:number]=1|",
    "meta.a[in:number]=1|x",
    `meta.a[in]=${Array(11).fill("x").join("|")}`,
  ])("rejects %s", (query) => {
    expect(matches(query, {})).toBe(1);
    const parsed = parseMetadataFilters(query);
    expect(parsed.ok || parsed.problems[0]!.code).toBe(5400);
  });

  test("allows five filters, five levels and ten values", () => {
    expect(filters("meta.a.b.c.d.e[eq]=1")).toHaveLength(1);
    expect(filters(`meta.a[in]=${Array(10).fill("x").join("|")}`)).toHaveLength(1);
    const five = "meta.a[eq]=1&meta.a[eq]=1&meta.b[eq]=1&meta.c[eq]=1&meta.d[eq]=1";
    expect(filters(five)).toHaveLength(5);
    expect(parseMetadataFilters(`${five}&meta.a[in]=2`).ok).toBe(false);
    expect(parseMetadataFilters("meta.a[eq]=1&".repeat(6)).ok).toBe(false);
  });

  test("counts valid and invalid filters together, and reports only their number when there are too many", () => {
    const valid = (count: number) => Array.from({ length: count }, (_, i) => `meta.v${i}[eq]=1`);
    const invalid = (count: number) => Array.from({ length: count }, (_, i) => `meta.i${i}=1`);
    const problems = (...filters: string[]) => {
      const parsed = parseMetadataFilters(filters.join("&"));
      return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
    };
    expect(problems(...valid(5))).toEqual([]);
    expect(problems(...valid(4), ...invalid(1))).toEqual([expect.stringContaining("`meta.i0`")]);
    expect(problems(...valid(2), ...invalid(3))).toHaveLength(3);
    expect(problems(...invalid(5))).toHaveLength(5);
    const tooMany = "The request must have at most 5 metadata filters; found 6.";
    expect(problems(...valid(5), ...invalid(1))).toEqual([tooMany]);
    expect(problems(...valid(3), ...invalid(3))).toEqual([tooMany]);
    expect(problems(...invalid(6))).toEqual([tooMany]);
    expect(problems(...valid(1), ...invalid(7))).toEqual([tooMany.replace("6", "8")]);
  });

  test.each([
    ["meta.a[eq]=1", { a: 1 }, true],
    ["meta.a[eq]=1", { a: "1" }, true],
    ["meta.a[eq]=1.0", { a: 1 }, false],
    ["meta.a[eq]=true", { a: true }, true],
    ["meta.a[eq]=null", { a: null }, false],
    ["meta.a[eq]=", { a: "" }, true],
    ["meta.a[eq]=", {}, false],
    ["meta.a[eq]=undefined", {}, false],
    ["meta.a[eq]=x", { a: ["x"] }, false],
    ["meta.a[eq]=x", { a: "X" }, false],
    ["meta.a[eq:string]=1", { a: 1 }, false],
    ["meta.a[eq:string]=1", { a: "1" }, true],
    ["meta.a[eq:number]=1.0", { a: 1 }, true],
    ["meta.a[eq:number]=1", { a: "1" }, false],
    ["meta.a[eq:number]=-0", { a: 0 }, true],
    ["meta.a[eq:boolean]=false", { a: false }, true],
    ["meta.a[eq:boolean]=false", { a: "false" }, false],
    ["meta.a[eq:boolean]=false", { a: 0 }, false],
    ["meta.a[in]=x|1|true", { a: 1 }, true],
    ["meta.a[in]=x|1|true", { a: true }, true],
    ["meta.a[in]=x|1|true", { a: "x|1" }, false],
    ["meta.a[in:string]=x|1", { a: "1" }, true],
    ["meta.a[in:string]=x|1", { a: 1 }, false],
    ["meta.a[in:number]=2|1e0", { a: 1 }, true],
    ["meta.a.b[eq]=1", { a: { b: 1 } }, true],
    ["meta.a.b[eq]=1", { "a.b": 1 }, false],
    ["meta.a.1[eq]=y", { a: ["x", "y"] }, true],
    ["meta.a.length[eq]=2", { a: ["x", "y"] }, false],
    ["meta.a.length[eq]=3", { a: "xyz" }, false],
    ["meta.a.0[eq]=x", { a: "xyz" }, false],
    ["meta.a[eq]=1&meta.b[eq]=2", { a: 1, b: 2 }, true],
    ["meta.a[eq]=1&meta.b[eq]=3", { a: 1, b: 2 }, false],
    ["meta.toString[eq]=x", {}, false],
    ["meta.__proto__[eq]=x", {}, false],
    ["meta.constructor.name[eq]=Object", {}, false],
    ["meta.__proto__[eq]=x", JSON.parse('{"__proto__":"x"}'), true],
    ["meta.*[eq]=1", { a: 1 }, false],
    ["meta.*[eq]=1", { "*": 1 }, true],
    ["meta.$[eq]=1", { $: 1 }, true],
    ["meta.a,b[eq]=1", { a: 1, b: 1 }, false],
    ["meta.`a[eq]=1", { a: 1 }, false],
    ["meta.a.~[eq]=a", { a: { b: 1 } }, false],
    ["meta.a.^.a[eq]=1", { a: 1 }, false],
    ["meta.a.@number()[eq]=1", { a: 1 }, false],
    ["meta.a.?(@)[eq]=1", { a: [1] }, false],
    ["meta.a[eq]=x|y", { a: "x|y" }, true],
    ["meta.a[eq]=x|y", { a: "x" }, false],
    ["meta.a[eq]=x|y", { a: "y" }, false],
    ["meta.a[eq:string]=x|y", { a: "x|y" }, true],
    ["meta.a[eq:string]=x|y", { a: "x" }, false],
    ["meta.a[eq:number]=0.25", { a: 0.25 }, true],
    ["meta.a[eq:number]=-12.375", { a: -12.375 }, true],
    ["meta.a[eq:number]=1e12", { a: 1e12 }, true],
    ["meta.a[eq:number]=1E%2B12", { a: 1e12 }, true],
    ["meta.a[eq:number]=2.50e-10", { a: 2.5e-10 }, true],
    ["meta.a[in:number]=1.125|1e100", { a: 1.125 }, true],
    ["meta.a[in:number]=1.125|1e100", { a: 1e100 }, true],
    ["meta.a[eq]=1", "text", false],
    ["meta.a[eq]=1", null, false],
    ["meta.0[eq]=1", [1], true],
  ])("%s on %j is %s", (query, metadata, expected) => {
    expect(matches(query, metadata)).toBe(expected);
  });

  test("the example of the docstring", () => {
    const parsed = parseMetadataFilters("meta.size.w%5Beq%3Anumber%5D=100&page=1");
    expect(parsed.ok && parsed.value.matches({ size: { w: 100 } })).toBe(true);
  });
});
