/** The knowledge of the analysis about each operator; an operator without an entry does not compile. */

import { splitPattern } from "../../expression/wildcard.ts";
import { bytePatternDfa } from "./byte-patterns.ts";
import { affixDfa, type Dfa, substringDfa, wildcardDfa } from "./dfa.ts";
import { orderDfa } from "./order-dfa.ts";
import type { IntegerOperator, OperandOf, StringOperator } from "./text-operators.ts";

/** Strings that a value must start with, contain between, and end with. */
export interface AffixPieces {
  readonly start: string;
  readonly between: readonly string[];
  readonly end: string;
}

/** A comparison with whole strings. */
interface LiteralOperator<Operand> {
  readonly literals: (operand: Operand) => readonly string[];
  /** Whether the comparison is true for all other strings. */
  readonly isNegated: boolean;
}

/** A comparison with a DFA of its own. */
interface DfaOperator<Operand> {
  /** Accepts the values for which the comparison is true. */
  readonly dfa: (operand: Operand) => Dfa | "undecided";
  /** The structure of the values, by which searches are faster. */
  readonly pieces: ((operand: Operand) => AffixPieces) | "none";
}

type OperatorDfas<Operand> = LiteralOperator<Operand> | DfaOperator<Operand>;

const piecesOfWildcard = (pattern: string): AffixPieces => {
  const [start = "", ...others] = splitPattern(pattern);
  return { start, between: others.slice(0, -1), end: others.at(-1) ?? "" };
};

/** An operator of order is true for some signs of the difference between the value and the operand. */
const orderOperator = (signs: readonly number[]): DfaOperator<string> => ({
  dfa: (operand) => orderDfa(operand, signs) ?? "undecided",
  pieces: "none",
});

const operatorDfas: { readonly [N in StringOperator]: OperatorDfas<OperandOf<N>> } = {
  eq: { literals: (value) => [value], isNegated: false },
  ne: { literals: (value) => [value], isNegated: true },
  lt: orderOperator([-1]),
  le: orderOperator([-1, 0]),
  gt: orderOperator([1]),
  ge: orderOperator([0, 1]),
  in: { literals: (values) => values, isNegated: false },
  contains: { dfa: substringDfa, pieces: (part) => ({ start: "", between: [part], end: "" }) },
  wildcard: { dfa: (pattern) => wildcardDfa(pattern, false), pieces: piecesOfWildcard },
  "strict wildcard": { dfa: (pattern) => wildcardDfa(pattern, true), pieces: piecesOfWildcard },
  matches: { dfa: (pattern) => bytePatternDfa(pattern) ?? "undecided", pieces: "none" },
  starts_with: {
    dfa: (start) => affixDfa(start, ""),
    pieces: (start) => ({ start, between: [], end: "" }),
  },
  ends_with: { dfa: (end) => affixDfa("", end), pieces: (end) => ({ start: "", between: [], end }) },
};

/** The entry of an operator of strings, for callers that pass it the operand of the same comparison. */
export function dfasOf(operator: StringOperator): OperatorDfas<string | readonly string[]> {
  // The parser has checked that the operand is of the operator's kind.
  return operatorDfas[operator] as OperatorDfas<never> as OperatorDfas<string | readonly string[]>;
}

/** The signs of the difference between a number and the operand for which an operator is true. */
export const integerSigns: { readonly [N in IntegerOperator]: readonly number[] | "undecided" } = {
  eq: [0],
  ne: [-1, 1],
  lt: [-1],
  le: [-1, 0],
  gt: [1],
  ge: [0, 1],
};
