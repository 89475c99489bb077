/** The language of custom rules in the editor. */
import { customOffersAt } from "../../../src/editor/expressions/custom-completions.ts";
import { parseCustomExpression } from "../../../src/engine/tokens/expression/custom/parse.ts";
import { isCustomFunction } from "../../../src/engine/tokens/expression/language/custom-functions.ts";
import { expressionTokens } from "./expression-tokens.ts";
import type { Language, Names } from "./languages.ts";

/** The language in a zone. */
export function customLanguage(names: Names): Language {
  return {
    tokens: (text) => expressionTokens(text, "custom", isCustomFunction),
    problems: (text) => {
      const parsed = parseCustomExpression(text);
      return parsed.ok ? [] : parsed.problems;
    },
    offers: (before) => customOffersAt(before, names),
  };
}
