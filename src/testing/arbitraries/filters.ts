/** Random metadata filters with metadata that passes them, and filters with exactly one fault. */
import type { Arbitrary } from "fast-check";
import { filterLimits } from "../../engine/images/metadata/filter.ts";
import type { FastCheck } from "./fast-check.ts";

/** Filters of a list, as a query string, with metadata that passes them. */
export interface MetadataFilters {
  /** Without a question mark. */
  readonly query: string;
  /** Metadata that passes all of the filters. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Filters with one fault. */
export interface InvalidFilters {
  /** Without a question mark. */
  readonly query: string;
  /** The error code. */
  readonly code: number;
}

interface FilterCase {
  readonly operator: string;
  readonly value: string;
  /** A value that passes. */
  readonly passing: string | number | boolean;
}

const conditions: readonly FilterCase[] = [
  { operator: "eq", value: "red", passing: "red" },
  { operator: "eq", value: "7", passing: 7 },
  { operator: "eq:string", value: "7", passing: "7" },
  { operator: "eq:number", value: "-1.5e2", passing: -150 },
  { operator: "eq:boolean", value: "true", passing: true },
  { operator: "in", value: "red|blue", passing: "blue" },
  { operator: "in:string", value: "a|b|", passing: "" },
  { operator: "in:number", value: "1|2|3", passing: 2 },
  { operator: "gt", value: "1.5", passing: 2 },
  { operator: "gte:number", value: "2", passing: 2 },
  { operator: "lt:number", value: "0", passing: -1e9 },
  { operator: "lte", value: "-1", passing: -1 },
];

/** Valid filters. */
export function metadataFilters(fc: FastCheck): Arbitrary<MetadataFilters> {
  const below = fc.array(fc.constantFrom("page", "räv", "a b", "*", "__proto__"), {
    maxLength: filterLimits.levels - 1,
  });
  const filter = fc.record({
    // Each filter has a first name of its own, so that the same metadata can pass all.
    first: fc.constantFrom("color", "size", "kind", "owner", "state"),
    below,
    condition: fc.constantFrom(...conditions),
  });
  return fc
    .uniqueArray(filter, { minLength: 1, maxLength: filterLimits.filters, selector: ({ first }) => first })
    .map((filters) => ({
      query: new URLSearchParams(
        filters.map(({ first, below: rest, condition: { operator, value } }): [string, string] => [
          `meta.${[first, ...rest].join(".")}[${operator}]`,
          value,
        ]),
      ).toString(),
      metadata: Object.fromEntries(
        filters.map(({ first, below: rest, condition }) => [first, nest(rest, condition.passing)]),
      ),
    }));
}

function nest(names: readonly string[], value: unknown): unknown {
  // `fromEntries` defines own members, so `__proto__` is a name like any other.
  return names.reduceRight((inner, name) => Object.fromEntries([[name, inner]]), value);
}

const invalidPairs: readonly (readonly (readonly [string, string])[])[] = [
  [["meta.a", "1"]],
  [["meta[a]", "1"]],
  [["meta.a[eq", "1"]],
  [["meta.[eq]", "1"]],
  [["meta.a..b[eq]", "1"]],
  [["meta.a.b.c.d.e.f[eq]", "1"]],
  [["meta.a[ne]", "1"]],
  [["meta.a[eq:integer]", "1"]],
  [["meta.a[eq:number]", "one"]],
  [["meta.a[eq:number]", "1e999"]],
  [["meta.a[eq:boolean]", "yes"]],
  [["meta.a[in:number]", "1|two"]],
  [["meta.a[gt]", "one"]],
  [["meta.a[lte:string]", "1"]],
  [["meta.a[in]", "1|2|3|4|5|6|7|8|9|10|11"]],
  Array.from({ length: filterLimits.filters + 1 }, (_, i) => [`meta.a${i}[eq]`, "1"] as const),
];

/** Filters that are rejected. */
export function invalidMetadataFilters(fc: FastCheck): Arbitrary<InvalidFilters> {
  return fc.constantFrom(...invalidPairs).map((pairs) => {
    return {
      query: new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString(),
      code: 5400,
    };
  });
}
