/** The locations that some expressions read, with the comparisons of each one's value. */

import type { Field, FunctionTest, Leaf } from "../../expression/ast.ts";
import { printExpression } from "../../expression/printer.ts";
import { leaves } from "../../expression/references.ts";
import { type BoundConfig, type BoundExpression, configOf } from "../bound-expression.ts";
import { isDecided } from "../strings/comparison-dfas.ts";
import type { UriPart } from "../strings/derived-dfas.ts";
import type { StringTest } from "../strings/string-test.ts";
import type { Location } from "./alternatives.ts";
import { isDecidedField, type LocationField, locationKey, uriPartOf } from "./location.ts";

/** A comparison, with functions or without. */
type ComparisonLeaf = Exclude<Leaf, { kind: "token" }>;

/** Where a comparison reads its value. */
export interface Placement {
  /** The keys of its locations: more than one with a quantifier. */
  readonly keys: readonly string[];
  /** The key of the comparison at each of them. */
  readonly comparison: string;
  readonly quantifier?: FunctionTest["quantifier"];
}

/** The locations of some expressions. */
export interface CollectedLocations {
  readonly locations: readonly Location[];
  /** Where a comparison reads its value; undefined when the analysis does not look into it. */
  placementOf(leaf: ComparisonLeaf): Placement | undefined;
  /** The index of a comparison at its location, by the keys of both. */
  indexOf(location: string, comparison: string): number;
}

/** The maximum number of values of one header or cookie that quantifiers are expanded to (`chosen`). */
const maxListLength = 8;

/** A location while expressions are read; comparisons by their key. */
interface OpenLocation {
  readonly field: LocationField;
  readonly comparisons: Map<string, StringTest>;
  readonly configs: Set<BoundConfig>;
}

/** The locations that expressions read, in the order in which they do. */
export function collectLocations(expressions: readonly BoundExpression[]): CollectedLocations {
  const open = new Map<string, OpenLocation>();
  const placer = createPlacer(expressions);
  const at = (field: LocationField): OpenLocation => {
    const key = locationKey(field);
    const location = open.get(key) ?? { field, comparisons: new Map(), configs: new Set() };
    open.set(key, location);
    return location;
  };
  for (const { expression, configs } of expressions) {
    for (const leaf of leaves(expression)) {
      if (leaf.kind === "token") {
        const config = configOf(leaf, configs);
        for (const source of config.sources) at(source).configs.add(config);
        continue;
      }
      const part = placer.partOf(leaf);
      const test: StringTest = part === undefined ? { comparison: leaf } : { comparison: leaf, part };
      for (const field of placer.fieldsOf(leaf)) at(field).comparisons.set(comparisonKey(leaf), test);
    }
  }
  return {
    locations: [...open.values()].map(({ field, comparisons, configs }) => {
      return { field, comparisons: [...comparisons.values()], configs: [...configs] };
    }),
    placementOf: (leaf) => {
      const keys = placer.fieldsOf(leaf).map(locationKey);
      const comparison = comparisonKey(leaf);
      if (keys.length === 0) return undefined;
      const quantifier = leaf.kind === "function" ? leaf.quantifier : undefined;
      return quantifier === undefined ? { keys, comparison } : { keys, comparison, quantifier };
    },
    indexOf: createIndex(open),
  };
}

function createIndex(open: ReadonlyMap<string, OpenLocation>): CollectedLocations["indexOf"] {
  const indexes = new Map(
    [...open].map(([key, { comparisons }]) => {
      return [
        key,
        new Map([...comparisons.keys()].map((comparison, i) => [comparison, i] as const)),
      ] as const;
    }),
  );
  return (location, comparison) => indexes.get(location)?.get(comparison) ?? 0;
}

/** The key of a comparison: `any` and `all` ask the same of each value. */
function comparisonKey(leaf: ComparisonLeaf): string {
  if (leaf.kind === "comparison" || leaf.quantifier === undefined) return printExpression(leaf);
  const { quantifier: _, ...each } = leaf;
  return printExpression(each);
}

interface Placer {
  /** The locations of a comparison; none when the analysis does not look into it. */
  fieldsOf(leaf: ComparisonLeaf): readonly LocationField[];
  /** The part of its location that a comparison reads. */
  partOf(leaf: ComparisonLeaf): UriPart | undefined;
}

const uriField: LocationField = { name: "http.request.uri" };

/**
 * Path and query are parts of one location when some comparison is of the whole URI. Quantifiers are expanded to as
 * many values as are compared by index, and one more for each different quantified comparison: in any longer list, the
 * other values can be left out without a change of a result.
 */
function createPlacer(expressions: readonly BoundExpression[]): Placer {
  const all = expressions.flatMap(({ expression }) => leaves(expression));
  const isUriCompared = all.some(
    (leaf) => leaf.kind === "function" && uriPartOf(leaf.field.name) === "whole" && isDecided(leaf),
  );
  const lengths = listLengths(expressions);
  return {
    fieldsOf: (leaf) => {
      if (leaf.kind === "function" && !isDecided(leaf)) return [];
      const { field } = leaf;
      if (!isDecidedField(field.name)) return [];
      if (!("key" in field)) return isUriCompared && uriPartOf(field.name) !== "none" ? [uriField] : [field];
      const { index } = field;
      if (index !== "*") return [{ ...field, index }];
      const length = lengths.get(listKey(field)) ?? 0;
      if (length > maxListLength) return [];
      return Array.from({ length }, (_, i) => ({ ...field, index: i }));
    },
    partOf: ({ field }) => {
      const part = isUriCompared ? uriPartOf(field.name) : "none";
      return part === "whole" || part === "none" ? undefined : part;
    },
  };
}

/** The number of values that quantifiers are expanded to, by the key of the first one. */
function listLengths(expressions: readonly BoundExpression[]): Map<string, number> {
  const compared = new Map<string, number>();
  const quantified = new Map<string, Set<string>>();
  const addIndex = (field: Extract<Field, { key: string }>) => {
    const key = listKey(field);
    compared.set(key, Math.max(compared.get(key) ?? 0, field.index + 1));
  };
  for (const { expression, configs } of expressions) {
    for (const leaf of leaves(expression)) {
      if (leaf.kind === "token") {
        for (const source of configOf(leaf, configs).sources) addIndex(source);
        continue;
      }
      const { field } = leaf;
      if (!("key" in field) || (leaf.kind === "function" && !isDecided(leaf))) continue;
      const { index } = field;
      if (index !== "*") {
        addIndex({ ...field, index });
        continue;
      }
      const key = listKey(field);
      quantified.set(key, (quantified.get(key) ?? new Set()).add(printExpression(leaf)));
    }
  }
  return new Map([...quantified].map(([key, { size }]) => [key, (compared.get(key) ?? 0) + size]));
}

function listKey({ name, key }: Pick<Extract<Field, { key: string }>, "name" | "key">): string {
  return locationKey({ name, key, index: 0 });
}
