/** Expressions inside of documents: parsed and printed, and their references. */
import { createLruCache } from "../../core/lru-cache.ts";
import { type Result, success } from "../../core/result.ts";
import type { RuleKind } from "../../engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { printTree } from "../../engine/tokens/expression/printer.ts";
import { type Reference, references } from "../../engine/tokens/expression/references.ts";
import type { ExpressionError } from "../../engine/tokens/expression/syntax-error.ts";
import type { Expression } from "../../engine/tokens/expression/tree.ts";

/** A parsed expression. */
export interface ParsedEmbedded {
  /** The canonical spelling, in one line or with a line for each operand. */
  readonly print: (hasLines: boolean) => string;
  /** The references to configurations. */
  readonly references: () => readonly Reference[];
}

/** A combination of one operand is printed as that operand, with the parentheses that it needs. */
function printLines(tree: Expression): string {
  if (tree.kind !== "combination") return printTree(tree);
  return tree.operands
    .map((operand) => printTree({ ...tree, operands: [operand] }))
    .join(`\n${tree.operator} `);
}

function parse(rules: RuleKind, text: string): Result<ParsedEmbedded, ExpressionError> {
  const read = parseExpression(text, { rules });
  if (!read.ok) return read;
  const { value } = read;
  return success({
    print: (hasLines) => (hasLines ? printLines(value) : printTree(value)),
    references: () => references(value),
  });
}

/** An edit changes one expression of a document; the others are parsed once. */
const parsed = createLruCache<Result<ParsedEmbedded, ExpressionError>>(4_096);

/** Parses an expression. A failure has exactly one error. */
export function parseEmbedded(rules: RuleKind, text: string): Result<ParsedEmbedded, ExpressionError> {
  const key = `${rules} ${text}`;
  const result = parsed.get(key) ?? parse(rules, text);
  parsed.set(key, result);
  return result;
}
