/** Changes of the operand of a comparison: one entry a kind of operand; a kind without an entry does not compile. */

import type { OperandKind, Operands } from "../../expression/language/operators.ts";
import { type PatternPart, patternChanges } from "./pattern-mutants.ts";

/** The kinds of mutants that change an operand. */
export type OperandMutant = "bound" | "value" | "string" | "set" | "wildcard" | PatternPart;

/** The strings that the same field is compared with elsewhere in the zone, the most common ones of its kind first. */
export interface KnownStrings {
  /** Strings that stand in the zone. */
  readonly inZone: readonly string[];
  /** A string in place of another one, for fields with a fixed vocabulary. */
  readonly usual: readonly string[];
}

/** Changed operands by the kind of the mutant. */
type OperandChanges<Operand> = Partial<Record<OperandMutant, readonly Operand[]>>;

/** The operands in place of another one. */
export const operandChanges: {
  readonly [K in OperandKind]: (operand: Operands[K], known: KnownStrings) => OperandChanges<Operands[K]>;
} = {
  string: (value, known) => ({ value: [otherString(value, known)], string: otherLengths(value) }),
  wildcard: (pattern) => ({ wildcard: otherWildcards(pattern) }),
  regex: (pattern) => patternChanges(pattern),
  set: (values, known) => ({
    set: [
      ...(values.length > 1 ? values.map((_, i) => values.toSpliced(i, 1)) : []),
      ...known.inZone.filter((value) => !values.includes(value)).map((value) => [...values, value]),
      ...values.map((value, i) => values.with(i, otherString(value, known, values))),
    ],
  }),
  integer: (operand) => ({ bound: operand === 0 ? [1] : [operand - 1, operand + 1] }),
};

/** A letter that makes strings longer. */
const extra = "x";

function otherString(
  value: string,
  { inZone, usual }: KnownStrings,
  used: readonly string[] = [value],
): string {
  return [...usual, ...inZone].find((other) => !used.includes(other)) ?? value + extra;
}

/** The string without its first and its last character, and with one more at both ends. */
function otherLengths(value: string): readonly string[] {
  const characters = [...value];
  const shorter =
    characters.length === 0 ? [] : [characters.slice(0, -1).join(""), characters.slice(1).join("")];
  return [...shorter, value + extra, extra + value];
}

/**
 * The pattern without each of its characters at the end of a piece and without each star; with a star and with one more
 * letter at the ends; and with a star between each two characters and in place of each, which are parts of every wider
 * pattern.
 */
function otherWildcards(pattern: string): readonly string[] {
  const units: readonly string[] = pattern.match(/\\[*\\]|./gsu) ?? [];
  const without = units.flatMap((unit, i) => {
    const isAtEnd = units[i - 1] === "*" || units[i + 1] === "*" || i === 0 || i === units.length - 1;
    return unit === "*" || isAtEnd ? [units.toSpliced(i, 1)] : [];
  });
  const starred = [...units, ""].flatMap((_, i) =>
    units[i - 1] === "*" || units[i] === "*" ? [] : [units.toSpliced(i, 0, "*")],
  );
  const replaced = units.flatMap((unit, i) =>
    unit === "*" || units[i - 1] === "*" || units[i + 1] === "*" ? [] : [units.with(i, "*")],
  );
  const longer = [...units, ""].flatMap((unit, i) => {
    const isAtEnd = unit === "*" || units[i - 1] === "*" || i === 0 || i === units.length;
    return isAtEnd ? [units.toSpliced(i, 0, extra)] : [];
  });
  return [...without, ...starred, ...replaced, ...longer].map((list) => list.join(""));
}
