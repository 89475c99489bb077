/** The locations of other values than those of the URL, headers and cookies, with the tests of their values, and the alternatives of each. */

import { type Address, missing } from "../../expression/language/types.ts";
import { printAddress } from "../../expression/values/address.ts";
import type { Meter } from "../budget.ts";
import type { Alternative } from "../requests/alternatives.ts";
import type { FieldValues } from "../requests/location.ts";
import { findOutputCombinations } from "../strings/combine.ts";
import { comparisonDfas, compileStringTest } from "../strings/comparison-dfas.ts";
import type { StringTest } from "../strings/string-test.ts";
import { type CellType, cellValues, type ScalarTest } from "./scalar-cells.ts";

/** The values that may be at a location. */
export type OwnDomain =
  | { readonly kind: "Bool" }
  | { readonly kind: CellType; readonly min?: bigint; readonly max?: bigint }
  | { readonly kind: "String"; readonly values: FieldValues }
  /** A claim: missing, or one of some JSON types. */
  | { readonly kind: "claim"; readonly types: readonly ("String" | "Int")[]; readonly values: FieldValues };

/** A location of another value than one of the URL, a header or a cookie: its alternatives, or its comparisons as elsewhere. */
export type FurtherLocation = { readonly key: string } & (
  | { readonly alternatives: readonly Alternative[] }
  | { readonly comparisons: readonly StringTest[]; readonly values: FieldValues }
);

/** A test at a location. */
export type OwnTest =
  | { readonly kind: "true" }
  | { readonly kind: "string"; readonly test: StringTest; readonly key: string }
  | { readonly kind: "scalar"; readonly test: ScalarTest }
  /** Of a claim: its number rounded down. */
  | { readonly kind: "seconds"; readonly test: ScalarTest }
  /** Of a claim; a number with a fraction is present, too, although only its seconds can be read. */
  | { readonly kind: "isString" | "isPresent" };

interface OwnLocation {
  readonly key: string;
  readonly domain: OwnDomain;
  readonly tests: Map<string, { readonly index: number; readonly test: OwnTest }>;
}

/** The locations of an analysis, which grow while expressions are read. */
export interface OwnLocations {
  /** The number of a test at a location; equal tests have one. */
  testAt(key: string, domain: OwnDomain, test: OwnTest): number;
  has(key: string): boolean;
  /** The locations for the variables of an analysis. */
  further(meter: Meter): FurtherLocation[];
}

/** Creates an empty list of locations. */
export function createOwnLocations(): OwnLocations {
  const locations = new Map<string, OwnLocation>();
  return {
    testAt: (key, domain, test) => {
      const location = locations.get(key) ?? { key, domain, tests: new Map() };
      locations.set(key, location);
      const { tests } = location;
      const found = tests.get(keyOf(test)) ?? { index: tests.size, test };
      tests.set(keyOf(test), found);
      return found.index;
    },
    has: (key) => locations.has(key),
    further: (meter) => [...locations.values()].map((location) => furtherLocation(location, meter)),
  };
}

function keyOf(test: OwnTest): string {
  if (test.kind === "string") return `string ${test.key}`;
  return test.kind === "scalar" || test.kind === "seconds" ? `${test.kind} ${test.test.key}` : test.kind;
}

function furtherLocation({ key, domain, tests }: OwnLocation, meter: Meter): FurtherLocation {
  const list = Array.from(tests.values(), ({ test }) => test);
  switch (domain.kind) {
    case "Bool":
      return { key, alternatives: [false, true].map((value) => alternative(value, list, true)) };
    case "String":
      return {
        key,
        comparisons: list.flatMap((test) => (test.kind === "string" ? test.test : [])),
        values: domain.values,
      };
    case "claim":
      return { key, alternatives: distinct(claimAlternatives(domain, list, meter)) };
    default: {
      const scalars = list.flatMap((test) => (test.kind === "scalar" ? test.test : []));
      const values = cellValues(domain.kind, scalars, domain.min, domain.max);
      return {
        key,
        alternatives: distinct(values.map((value) => cellAlternative(domain.kind, value, list))),
      };
    }
  }
}

function cellAlternative(type: CellType, value: Address, tests: readonly OwnTest[]): Alternative {
  const isSendable = type === "IP" || typeof value === "number";
  return {
    ...alternative(value, tests, isSendable),
    value: type === "IP" ? printAddress(value) : String(value),
  };
}

/** A claim in place of a number with a fraction, which only its seconds read. */
interface Fraction {
  readonly floor: Address;
}

/** The value of a location: missing is null. */
type OwnValue = boolean | string | Address | Fraction | null;

function alternative(value: OwnValue, tests: readonly OwnTest[], sendable: boolean): Alternative {
  return {
    value: value === missing ? undefined : String(value),
    answers: tests.map((test) => answer(test, value)),
    yieldsToken: false,
    sendable,
  };
}

function answer(test: OwnTest, value: OwnValue): boolean {
  switch (test.kind) {
    case "true":
      return value === true;
    case "string":
      return typeof value === "string" && compileStringTest(test.test)(value);
    case "isString":
      return typeof value === "string";
    case "isPresent":
      return value !== missing;
    case "scalar":
      return isAddress(value) && test.test.holds(value);
    case "seconds":
      if (isAddress(value)) return test.test.holds(value);
      return typeof value === "object" && value !== null && test.test.holds(value.floor);
  }
}

function isAddress(value: OwnValue): value is Address {
  return typeof value === "number" || typeof value === "bigint";
}

/** Alternatives have values in JSON. */
function claimAlternatives(
  { types, values }: Extract<OwnDomain, { kind: "claim" }>,
  tests: readonly OwnTest[],
  meter: Meter,
): Alternative[] {
  const found = [alternative(missing, tests, true)];
  if (types.includes("String")) {
    for (const { text, sendable } of claimStrings(values, tests, meter))
      found.push({ ...alternative(text, tests, sendable), value: JSON.stringify(text) });
  }
  if (types.includes("Int")) {
    const scalars = tests.flatMap((test) =>
      test.kind === "scalar" || test.kind === "seconds" ? test.test : [],
    );
    const integers = cellValues("Int", scalars);
    for (const value of integers) found.push(alternative(value, tests, typeof value === "number"));
    if (tests.some(({ kind }) => kind === "seconds"))
      for (const floor of integers)
        found.push({
          ...alternative({ floor }, tests, hasFractions(floor)),
          value: String(Number(floor) + fraction),
        });
  }
  return found;
}

const fraction = 0.5;

/** Whether a number and a half is exact. */
function hasFractions(value: Address): boolean {
  return Number.isSafeInteger(2 * Number(value));
}

function claimStrings(
  values: FieldValues,
  tests: readonly OwnTest[],
  meter: Meter,
): { readonly text: string; readonly sendable: boolean }[] {
  const compared = tests.flatMap((test) => (test.kind === "string" ? test.test : []));
  const { dfas } = comparisonDfas(compared);
  return findOutputCombinations({ ...values, observedDfas: dfas }, meter).map(({ value, sendable }) => ({
    text: value,
    sendable,
  }));
}

/** One alternative for each combination of results: the first that can be sent. */
function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const byAnswers = new Map<string, Alternative>();
  for (const candidate of alternatives) {
    const key = `${candidate.value === undefined} ${candidate.answers.join()}`;
    const known = byAnswers.get(key);
    if (known === undefined || (candidate.sendable && !known.sendable)) byAnswers.set(key, candidate);
  }
  return [...byAnswers.values()].sort((a, b) => Number(b.sendable) - Number(a.sendable));
}
