/** The locations that some formulas read, with the comparisons of each one's value. */

import type { Field, ListedName } from "../../expression/field.ts";
import type { BoundConfig } from "../bound-expression.ts";
import type { Atom } from "../model/formula.ts";
import { isDecided } from "../strings/comparison-dfas.ts";
import type { UriPart } from "../strings/derived-dfas.ts";
import { comparisonKey, type StringTest, type TextComparison } from "../strings/string-test.ts";
import type { Location } from "./alternatives.ts";
import { isDecidedField, type LocationField, locationKey, uriPartOf } from "./location.ts";

/** Where a comparison reads its value. */
export interface Placement {
  /** The keys of its locations: more than one with a quantifier. */
  readonly keys: readonly string[];
  /** The key of the comparison at each of them. */
  readonly comparison: string;
  readonly quantifier?: TextComparison["quantifier"];
}

/** The locations of some expressions. */
export interface CollectedLocations {
  readonly locations: readonly Location[];
  /** Where a comparison reads its value; undefined when the analysis does not look into it. */
  placementOf(comparison: TextComparison): Placement | undefined;
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

/** The locations that atoms of formulas read, in the order in which they do. */
export function collectLocations(atoms: readonly Atom[]): CollectedLocations {
  const open = new Map<string, OpenLocation>();
  const placer = createPlacer(atoms);
  const at = (field: LocationField): OpenLocation => {
    const key = locationKey(field);
    const location = open.get(key) ?? { field, comparisons: new Map(), configs: new Set() };
    open.set(key, location);
    return location;
  };
  for (const atom of atoms) {
    if (atom.kind === "token") for (const source of atom.config.sources) at(source).configs.add(atom.config);
    if (atom.kind !== "text") continue;
    const { comparison } = atom;
    const part = placer.partOf(comparison);
    const test: StringTest = part === undefined ? { comparison } : { comparison, part };
    for (const field of placer.fieldsOf(comparison))
      at(field).comparisons.set(keyAt(placer, comparison), test);
  }
  return {
    locations: [...open.values()].map(({ field, comparisons, configs }) => {
      return { field, comparisons: [...comparisons.values()], configs: [...configs] };
    }),
    placementOf: createPlacements(placer),
    indexOf: createIndex(open),
  };
}

/** The placements of comparisons, each computed once. */
function createPlacements(placer: Placer): CollectedLocations["placementOf"] {
  const known = new Map<TextComparison, Placement | undefined>();
  const placementOf = (compared: TextComparison): Placement | undefined => {
    const keys = placer.fieldsOf(compared).map(locationKey);
    const comparison = keyAt(placer, compared);
    if (keys.length === 0) return undefined;
    const { quantifier } = compared;
    return quantifier === undefined ? { keys, comparison } : { keys, comparison, quantifier };
  };
  return (compared) => {
    if (!known.has(compared)) known.set(compared, placementOf(compared));
    return known.get(compared);
  };
}

/** The key of a comparison at its location. */
function keyAt({ partOf }: Placer, comparison: TextComparison): string {
  return `${partOf(comparison) ?? ""} ${comparisonKey(comparison)}`;
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

interface Placer {
  /** The locations of a comparison; none when the analysis does not look into it. */
  fieldsOf(comparison: TextComparison): readonly LocationField[];
  /** The part of its location that a comparison reads. */
  partOf(comparison: TextComparison): UriPart | undefined;
}

const uriField: LocationField = { name: "http.request.uri" };

/**
 * Path and query are parts of one location when some comparison is of the whole URI. Quantifiers are expanded to as
 * many values as are compared by index, and one more for each different quantified comparison: in any longer list, the
 * other values can be left out without a change of a result.
 */
function createPlacer(atoms: readonly Atom[]): Placer {
  const isUriCompared = atoms.some(
    (atom) =>
      atom.kind === "text" && uriPartOf(atom.comparison.field.name) === "whole" && isDecided(atom.comparison),
  );
  const lengths = listLengths(atoms);
  return {
    fieldsOf: (comparison) => {
      if (!isDecided(comparison)) return [];
      const { field } = comparison;
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
function listLengths(atoms: readonly Atom[]): Map<string, number> {
  const compared = new Map<string, number>();
  const quantified = new Map<string, Set<string>>();
  const addIndex = (field: Extract<Field, { key: string }>) => {
    const key = listKey(field);
    compared.set(key, Math.max(compared.get(key) ?? 0, field.index + 1));
  };
  for (const atom of atoms) {
    if (atom.kind === "token") for (const source of atom.config.sources) addIndex(source);
    if (atom.kind !== "text" || !("key" in atom.comparison.field) || !isDecided(atom.comparison)) continue;
    const { field, quantifier } = atom.comparison;
    const { index } = field;
    if (index !== "*") {
      addIndex({ ...field, index });
      continue;
    }
    const key = listKey(field);
    const own = `${quantifier} ${comparisonKey(atom.comparison)}`;
    quantified.set(key, (quantified.get(key) ?? new Set()).add(own));
  }
  return new Map([...quantified].map(([key, { size }]) => [key, (compared.get(key) ?? 0) + size]));
}

function listKey({ name, key }: { readonly name: ListedName; readonly key: string }): string {
  return locationKey({ name, key, index: 0 });
}
