/** The language of token rules in the editor. */
import { offersAt } from "../../../src/editor/expressions/completions.ts";
import { expressionProblems } from "./expression-problems.ts";
import { expressionTokens } from "./expression-tokens.ts";
import type { Language, Names } from "./languages.ts";

/** The language in a zone. */
export function tokenLanguage({ configs }: Names): Language {
  const ids = configs.map(({ id }) => id);
  return {
    tokens: (text) => expressionTokens(text),
    problems: (text) => expressionProblems(text, ids),
    offers: (before) => offersAt(before, configs),
  };
}
