/** The language of expressions in the editor. */
import { type Names, type Offers, offersAt } from "../../../src/editor/expressions/completions.ts";
import type { RuleKind } from "../../../src/engine/tokens/expression/language/rule-kinds.ts";
import { parseExpression } from "../../../src/engine/tokens/expression/parser.ts";
import { checkReferences } from "../../../src/engine/tokens/expression/references.ts";
import type { ExpressionError } from "../../../src/engine/tokens/expression/syntax-error.ts";
import { expressionTokens, type ShownToken } from "./expression-tokens.ts";

/** The editor's view of a text. */
export interface Language {
  tokens(text: string): readonly ShownToken[];
  problems(text: string): readonly ExpressionError[];
  /** @param before the text up to the cursor */
  offers(before: string): Offers | undefined;
}

/** The language of a kind of rules in a zone. */
export function languageOf(rules: RuleKind, names: Names): Language {
  return {
    tokens: expressionTokens,
    problems: (text) => expressionProblems(rules, text, names),
    offers: (before) => offersAt(rules, before, names),
  };
}

/** The error of the parser, or of a token rule the references to configurations that the zone does not have. */
function expressionProblems(rules: RuleKind, text: string, { configs }: Names): readonly ExpressionError[] {
  const parsed = parseExpression(text, { rules });
  if (!parsed.ok) return parsed.problems;
  if (rules === "custom") return [];
  const known = new Set(configs.map(({ id }) => id.toLowerCase()));
  return checkReferences(text, parsed.value, (id) => known.has(id.toLowerCase()));
}
