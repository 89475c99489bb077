/** Combinations of `and` and `or` whose order of evaluation only the precedence decides. */

import type { NotedSpan } from "../../../expression/noted-expression.ts";
import { printValue } from "../../../expression/printer.ts";
import type { Combination, Expression } from "../../../expression/tree.ts";
import { leavesOf } from "../../../expression/tree-queries.ts";
import type { RuleExpression } from "./rule-expression.ts";

/** The maximum length of an expression that a message shows with its parentheses. */
const maxShown = 160;

/** Combinations with operands of a higher precedence, without parentheses. */
export function findMixedOperators({ text, tree }: RuleExpression): NotedSpan[] {
  return combinationsOf(tree).flatMap((combination) => {
    const { operands, operator, span } = combination;
    const mixed = operands.filter(
      (operand, i): operand is Combination =>
        operand.kind === "combination" &&
        !hasParentheses(text, operand) &&
        (!operand.operands.every((part) => isGrouped(text, part)) || continues(operand, operands, i)),
    );
    const [first] = mixed;
    if (first === undefined) return [];
    const read = mixed.reduceRight(
      (all, { span: { start, end } }) =>
        `${all.slice(0, start - span.start)}(${all.slice(start - span.start, end - span.start)})${all.slice(end - span.start)}`,
      text.slice(span.start, span.end),
    );
    const part = text.slice(first.span.start, first.span.end);
    const shown = read.length <= maxShown ? read : part.length <= maxShown ? `(${part})` : undefined;
    const message = `\`${first.operator}\` is evaluated before \`${operator}\`${shown === undefined ? "" : `: it is read as \`${shown}\``}; write the parentheses that are meant.`;
    return [{ span: first.span, message, correction: { span, text: read } }];
  });
}

function combinationsOf(tree: Expression): Combination[] {
  if (tree.kind === "not") return combinationsOf(tree.operand);
  if (tree.kind === "quantified") return combinationsOf(tree.operand);
  return tree.kind === "combination" ? [tree, ...tree.operands.flatMap(combinationsOf)] : [];
}

/** Whether parentheses are around an operand and nothing else. */
function hasParentheses(text: string, { span }: Expression): boolean {
  let [before, after] = [span.start - 1, span.end];
  while (isSpace(text[before])) before--;
  while (isSpace(text[after])) after++;
  return text[before] === "(" && text[after] === ")";
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

/** Whether an operand is in parentheses, or the negation of one that is. */
function isGrouped(text: string, part: Expression): boolean {
  return hasParentheses(text, part) || (part.kind === "not" && isGrouped(text, part.operand));
}

/** Whether the operand beside a group tests what the part of the group next to it does. */
function continues(group: Combination, operands: readonly Expression[], i: number): boolean {
  const [before, after] = [operands[i - 1], operands[i + 1]];
  return (
    (before !== undefined && isSameSubject(before, group.operands[0])) ||
    (after !== undefined && isSameSubject(group.operands.at(-1), after))
  );
}

function isSameSubject(left: Expression | undefined, right: Expression | undefined): boolean {
  const subject = left && subjectOf(left);
  return subject !== undefined && right !== undefined && subject === subjectOf(right);
}

/** The value that a single comparison is of. */
function subjectOf(part: Expression): string | undefined {
  const [leaf, ...others] = leavesOf(part);
  return leaf?.kind === "comparison" && others.length === 0 && part.kind !== "not"
    ? printValue(leaf.left)
    : undefined;
}
