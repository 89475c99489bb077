/** The two languages of expressions, each as one entry: how it is parsed and printed, and its references. */
import { createLruCache } from "../../core/lru-cache.ts";
import { type Result, success } from "../../core/result.ts";
import type { Expression } from "../../engine/tokens/expression/ast.ts";
import { parseCustomExpression } from "../../engine/tokens/expression/custom/parse.ts";
import { printCustomExpression } from "../../engine/tokens/expression/custom/print.ts";
import type { CustomExpression } from "../../engine/tokens/expression/custom/tree.ts";
import { configReferences } from "../../engine/tokens/expression/custom/tree-queries.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { printExpression } from "../../engine/tokens/expression/printer.ts";
import { type Reference, references } from "../../engine/tokens/expression/references.ts";
import type { ExpressionError } from "../../engine/tokens/expression/syntax-error.ts";

/** The language of token rules, or that of custom rules. */
export type ExpressionLanguage = "token" | "custom";

/** A parsed expression. */
export interface ParsedEmbedded {
  /** The canonical spelling, in one line or with a line for each operand. */
  readonly print: (hasLines: boolean) => string;
  /** The references to configurations. */
  readonly references: () => readonly Reference[];
}

interface Combined<Tree> {
  readonly kind: string;
  readonly operator?: string;
  readonly operands?: readonly Tree[];
}

/** A combination of one operand is printed as that operand, with the parentheses that it needs. */
function printLines<Tree extends Combined<Tree>>(tree: Tree, print: (tree: Tree) => string): string {
  if (tree.kind !== "combination" || !tree.operands) return print(tree);
  return tree.operands.map((one) => print({ ...tree, operands: [one] })).join(`\n${tree.operator} `);
}

const parsers: {
  readonly [L in ExpressionLanguage]: (text: string) => Result<ParsedEmbedded, ExpressionError>;
} = {
  token: (text) => {
    const read = parseExpression(text);
    if (!read.ok) return read;
    const { value } = read;
    return success({
      print: (hasLines) =>
        hasLines ? printLines<Expression>(value, printExpression) : printExpression(value),
      references: () => references(value),
    });
  },
  custom: (text) => {
    const read = parseCustomExpression(text);
    if (!read.ok) return read;
    const { value } = read;
    return success({
      print: (hasLines) =>
        hasLines ? printLines<CustomExpression>(value, printCustomExpression) : printCustomExpression(value),
      references: () => configReferences(value).map(({ id, at }) => ({ id, span: at.keySpan })),
    });
  },
};

/** An edit changes one expression of a document; the others are parsed once. */
const parsed = createLruCache<Result<ParsedEmbedded, ExpressionError>>(4_096);

/** Parses an expression. A failure has exactly one error. */
export function parseEmbedded(
  language: ExpressionLanguage,
  text: string,
): Result<ParsedEmbedded, ExpressionError> {
  const key = `${language} ${text}`;
  const result = parsed.get(key) ?? parsers[language](text);
  parsed.set(key, result);
  return result;
}
