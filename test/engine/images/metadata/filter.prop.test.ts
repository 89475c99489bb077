import { compileFilters } from "edgeproof/images";
import fc from "fast-check";
import { JSONPath } from "jsonpath-plus";
import { expect, test } from "vitest";
import type { FilterOperator, MetadataFilter } from "../../../../src/engine/images/metadata/filter.ts";
import { runs } from "../../../support/runs.ts";

/** Few names, so that paths match; some are special to the library or to JavaScript. */
const hostile = [
  "a",
  "b",
  "A",
  "_",
  "a_b",
  "_61_",
  "*",
  "$",
  "^",
  "~",
  "@",
  "@string()",
  "@null()",
  "?(@)",
  "(@)",
  "`a",
  "`",
  "a,b",
  "'",
  '"',
  "0",
  "1",
  "-1",
  "0:1",
  ":",
  ";",
  "#0",
  "%@%",
  "length",
  "__proto__",
  "constructor",
  "toString",
  "\ud800",
  "日本",
  " ",
];
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !/[.[\]]/.test(text)) },
);
const scalar = fc.constantFrom<unknown>("", "1", "a", "true", 1, 0, -1.5, 1e21, true, false, null);

/** Metadata as `JSON.parse` makes it: `__proto__` is a member like any other. */
const metadata = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, scalar, tie("object"), tie("array")),
  object: fc
    .array(fc.tuple(name, tie("value")), { maxLength: 4 })
    .map((entries) =>
      JSON.parse(
        `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
      ),
    ),
  array: fc.array(tie("value"), { maxLength: 3 }),
})).value;

const path = fc.array(name, { minLength: 1, maxLength: 5 });
const condition = fc.constantFrom<[FilterOperator, readonly (string | number | boolean)[]]>(
  ["eq", [""]],
  ["eq", ["1"]],
  ["in", ["1e+21", "true", "a"]],
  ["eq:string", ["1"]],
  ["in:string", ["", "a", "true"]],
  ["eq:number", [1]],
  ["in:number", [0, -1.5, 1e21]],
  ["eq:boolean", [true]],
  ["eq:boolean", [false]],
  ["gt", [0]],
  ["gte:number", [1]],
  ["lt:number", [1]],
  ["lte", [-1.5]],
);

/** A plain implementation of filters. */
function plainMatch(value: unknown, { path, operator, values }: MetadataFilter): boolean {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return false;
    if (!Object.keys(found).includes(step)) return false;
    found = (found as Record<string, unknown>)[step];
  }
  const [name, type] = operator.split(":");
  const order = { gt: [1], gte: [0, 1], lt: [-1], lte: [-1, 0] }[name ?? ""];
  if (order) return typeof found === "number" && order.includes(Math.sign(found - Number(values[0])));
  if (type !== undefined) return typeof found === type && values.some((accepted) => accepted === found);
  return ["string", "number", "boolean"].includes(typeof found) && values.includes(String(found));
}

/** A path of existing members, so that filters match. */
function pathInto(value: unknown, picks: readonly number[]): string[] {
  const steps: string[] = [];
  let at = value;
  for (const pick of picks) {
    if (typeof at !== "object" || at === null || Object.keys(at).length === 0) break;
    const names = Object.keys(at);
    const step = names[pick % names.length]!;
    steps.push(step);
    at = (at as Record<string, unknown>)[step];
  }
  return steps;
}

test("a filter matches the same metadata as a plain walk over own members", () => {
  let matched = 0;
  fc.assert(
    fc.property(
      metadata,
      path,
      fc.array(fc.nat(10), { maxLength: 5 }),
      condition,
      (value, random, picks, [operator, values]) => {
        const inside = pathInto(value, picks);
        const filter = { path: inside.length > 0 ? inside : random, operator, values };
        const expected = plainMatch(value, filter);
        if (expected) matched++;
        expect(compileFilters([filter]).matches(value)).toBe(expected);
        const strange = { path: random, operator, values };
        expect(compileFilters([strange]).matches(value)).toBe(plainMatch(value, strange));
      },
    ),
    { numRuns: runs(2_000, 2_000) },
  );
  expect(matched).toBeGreaterThan(30);
});

test("several filters match when each of them does", () => {
  fc.assert(
    fc.property(metadata, fc.array(fc.tuple(path, condition), { maxLength: 5 }), (value, parts) => {
      const filters = parts.map(([path, [operator, values]]) => ({ path, operator, values }));
      expect(compileFilters(filters).matches(value)).toBe(
        filters.every((filter) => plainMatch(value, filter)),
      );
    }),
  );
});

test("no path of a request stays in the library's cache", () => {
  const { cache } = JSONPath as unknown as { cache: object };
  const before = Object.keys(cache).length;
  for (let n = 0; n < 100; n++) {
    compileFilters([{ path: [`name${n}`, "x"], operator: "eq", values: ["1"] }]).matches({
      [`name${n}`]: { x: 1 },
    });
  }
  expect(Object.keys(cache)).toHaveLength(before);
});
