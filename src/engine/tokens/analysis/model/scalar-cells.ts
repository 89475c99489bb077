/**
 * Integers and addresses as cells: intervals in which no test changes its result, each represented by one value.
 */

import { type OperatorName, operatorsOfType } from "../../expression/language/operators.ts";
import type { Address } from "../../expression/language/types.ts";
import { toInt } from "../../expression/typed-literals.ts";
import { lastOf, networkOf } from "../../expression/values/address.ts";
import { compileAddressRanges, compileRanges, type ValueRange } from "../../expression/values/ranges.ts";

/** The types that have cells. */
export type CellType = "Int" | "IP";

/** A test of a value of one type. */
export interface ScalarTest {
  /** Equal for equal tests. */
  readonly key: string;
  readonly holds: (value: Address) => boolean;
  /** The result can change only at the ends of these ranges. */
  readonly ranges: readonly ValueRange[];
}

/** A comparison with one value; undefined for an operator whose result is not one of intervals. */
export function comparisonTest(
  type: CellType,
  operator: OperatorName,
  operand: Address,
): ScalarTest | undefined {
  const entry = operatorsOfType(type).get(operator);
  if (entry?.operand !== "value" || operator === "bitwise_and") return undefined;
  return {
    key: `${operator} ${typeof operand} ${operand}`,
    holds: (value) => entry.holds(value, operand),
    ranges: [{ first: operand, last: operand }],
  };
}

/** Whether a value is in one of several ranges. */
export function rangesTest(type: CellType, ranges: readonly ValueRange[]): ScalarTest {
  const key = ranges.map(({ first, last }) => `${typeof first} ${first}..${last}`).join();
  return {
    key: `in ${key}`,
    holds: type === "IP" ? compileAddressRanges(ranges) : compileRanges(ranges),
    ranges,
  };
}

/** The test of the network of an address, by the prefix length of its family; undefined: the address itself. */
export function networkTest(
  test: ScalarTest,
  prefixOf: (address: Address) => number | undefined,
): ScalarTest {
  const network = (address: Address): Address => {
    const prefix = prefixOf(address);
    return prefix === undefined ? address : networkOf(address, prefix);
  };
  const around = (address: Address): ValueRange => {
    const prefix = prefixOf(address);
    if (prefix === undefined) return { first: address, last: address };
    return { first: networkOf(address, prefix), last: lastOf(address, prefix) };
  };
  return {
    key: `network ${prefixOf(0)} ${prefixOf(0n)} ${test.key}`,
    holds: (value) => test.holds(network(value)),
    ranges: test.ranges.flatMap(({ first, last }) => [around(first), around(last)]),
  };
}

/** Values, such that every value has the results of one of them. The simplest of each cell. */
export function cellValues(
  type: CellType,
  tests: readonly ScalarTest[],
  min?: bigint,
  max?: bigint,
): Address[] {
  return spaces[type].flatMap((space) => {
    const [first, last] = [min ?? space.first, max ?? space.last];
    const starts = new Set([first]);
    for (const { ranges } of tests) {
      for (const range of ranges) {
        if (typeof range.first !== space.family && type === "IP") continue;
        for (const start of [BigInt(range.first), BigInt(range.last) + 1n])
          if (start > first && start <= last) starts.add(start);
      }
    }
    const sorted = [...starts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return sorted.map((start, i) => space.valueIn(start, (sorted[i + 1] ?? last + 1n) - 1n));
  });
}

/** All values of a type that can be compared with each other. */
interface Space {
  readonly family: "number" | "bigint";
  readonly first: bigint;
  readonly last: bigint;
  /** A value between two ends. */
  valueIn(first: bigint, last: bigint): Address;
}

/** An address of the documentation (RFC 5737, RFC 3849), where it is in the cell. */
const preferring =
  (preferred: bigint, toValue: (value: bigint) => Address) => (first: bigint, last: bigint) =>
    toValue(first <= preferred && preferred <= last ? preferred : first);

const spaces: { readonly [T in CellType]: readonly Space[] } = {
  Int: [
    {
      family: "number",
      first: -(2n ** 63n),
      last: 2n ** 63n - 1n,
      valueIn: (first, last) => toInt(first > 0n ? first : last < 0n ? last : 0n) as Address,
    },
  ],
  IP: [
    { family: "number", first: 0n, last: 2n ** 32n - 1n, valueIn: preferring(0xc0000201n, Number) },
    {
      family: "bigint",
      first: 0n,
      last: 2n ** 128n - 1n,
      valueIn: preferring(0x20010db8000000000000000000000001n, BigInt),
    },
  ],
};
