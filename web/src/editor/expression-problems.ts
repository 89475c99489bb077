/** The problems of an expression for the editor: the error of the parser, with its place. */
import { parseExpression } from "../../../src/engine/tokens/expression/parser.ts";
import { checkReferences } from "../../../src/engine/tokens/expression/references.ts";
import type { ExpressionError } from "../../../src/engine/tokens/expression/syntax-error.ts";

/**
 * The errors of a text: that of the parser, or references to configurations that the zone does not have.
 *
 * @param configIds ids of the zone's configurations
 */
export function expressionProblems(text: string, configIds: readonly string[]): readonly ExpressionError[] {
  const parsed = parseExpression(text);
  if (!parsed.ok) return parsed.problems;
  const known = new Set(configIds.map((id) => id.toLowerCase()));
  return checkReferences(text, parsed.value, (id) => known.has(id.toLowerCase()));
}
