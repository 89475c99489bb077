/** Expressions of any shape over given leaves. */
import fc from "fast-check";
import type { Expression } from "../../../src/engine/tokens/expression/tree.ts";

const span = { start: 0, end: 0 };

/** Size of the expressions. */
export interface TreeSize {
  readonly maxDepth: number;
  readonly depthSize: "small" | "medium";
  /** Maximum number of operands of a combination. */
  readonly maxOperands: number;
}

/** Leaves, negations, and combinations of two or more operands; `leafWeight` to 1 to 3. */
export function expressionTree(
  leaf: fc.Arbitrary<Expression>,
  leafWeight: number,
  { maxDepth, depthSize, maxOperands }: TreeSize,
): fc.Arbitrary<Expression> {
  return fc.letrec<{ node: Expression }>((tie) => ({
    node: fc.oneof(
      { maxDepth, depthSize },
      { weight: leafWeight, arbitrary: leaf },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("not" as const),
          operand: tie("node"),
          isArray: fc.constant(false),
          span: fc.constant(span),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("combination" as const),
          operator: fc.constantFrom("or" as const, "xor" as const, "and" as const),
          operands: fc.array(tie("node"), { minLength: 2, maxLength: maxOperands }),
          isArray: fc.constant(false),
          span: fc.constant(span),
        }),
      },
    ),
  })).node;
}
