/**
 * Compiles an expression to closures over bit slots. Each leaf has a slot; its value is computed on first use and then
 * kept as one bit, so that a thousand rules that share a leaf compute it once.
 */

import type { Combination, Expression, Test } from "./tree.ts";

/** The values of the leaves in one evaluation, 32 per word. */
export interface LeafBits {
  /** The bits of leaves whose value is known. */
  readonly known: number[];
  /** The bits of leaves that are true. */
  readonly values: number[];
  /** Computes a leaf that is not known yet. */
  resolve(bits: this, slot: number): boolean;
}

/** A compiled expression. */
export type CompiledExpression<Bits extends LeafBits> = (bits: Bits) => boolean;

/** Bits of a word of {@link LeafBits}, as a shift. */
const wordShift = 5;
const wordBits = 1 << wordShift;

/** Words for a number of slots, all bits clear. */
export function clearWords(slots: number): number[] {
  // A literal and a loop take half the time of `new Array(n).fill(0)` for the usual one word.
  const words = [0];
  for (let held = wordBits; held < slots; held += wordBits) words.push(0);
  return words;
}

/** Stores the value of a leaf. */
export function setLeafValue(bits: LeafBits, slot: number, holds: boolean): void {
  const word = slot >>> wordShift;
  const mask = 1 << slot;
  bits.known[word] = (bits.known[word] as number) | mask;
  if (holds) bits.values[word] = (bits.values[word] as number) | mask;
}

/** The value of a leaf; undefined when it was not computed. */
export function leafValue(bits: LeafBits, slot: number): boolean | undefined {
  const mask = 1 << slot;
  const word = slot >>> wordShift;
  if (((bits.known[word] as number) & mask) === 0) return undefined;
  return ((bits.values[word] as number) & mask) !== 0;
}

/** Compiles an expression. `slotOf` returns the slot of a test. */
export function compileExpression<Bits extends LeafBits>(
  expression: Expression,
  slotOf: (test: Test) => number,
): CompiledExpression<Bits> {
  switch (expression.kind) {
    case "combination":
      return compileCombination(expression, slotOf);
    case "not": {
      const operand = compileExpression<Bits>(expression.operand, slotOf);
      return (bits) => !operand(bits);
    }
    default:
      return compileLeaf(slotOf(expression));
  }
}

function compileLeaf<Bits extends LeafBits>(slot: number): CompiledExpression<Bits> {
  const word = slot >>> wordShift;
  const mask = 1 << slot;
  return (bits) =>
    ((bits.known[word] as number) & mask) !== 0
      ? ((bits.values[word] as number) & mask) !== 0
      : bits.resolve(bits, slot);
}

function compileCombination<Bits extends LeafBits>(
  { operator, operands }: Combination,
  slotOf: (test: Test) => number,
): CompiledExpression<Bits> {
  const tests = operands.map((operand) => compileExpression<Bits>(operand, slotOf));
  if (operator === "xor") return (bits) => countTrue(tests, bits) % 2 === 1;
  const stopsAt = operator === "or";
  if (tests.length > 2) return (bits) => anyIs(tests, bits, stopsAt);
  const [left, right] = tests as [CompiledExpression<Bits>, CompiledExpression<Bits>];
  return stopsAt ? (bits) => left(bits) || right(bits) : (bits) => left(bits) && right(bits);
}

function countTrue<Bits extends LeafBits>(tests: readonly CompiledExpression<Bits>[], bits: Bits): number {
  let count = 0;
  for (const test of tests) if (test(bits)) count++;
  return count;
}

/** Evaluates from the left until an operand is `value`; returns `value` when one is, else its opposite. */
function anyIs<Bits extends LeafBits>(
  tests: readonly CompiledExpression<Bits>[],
  bits: Bits,
  value: boolean,
): boolean {
  for (const test of tests) if (test(bits) === value) return value;
  return !value;
}
