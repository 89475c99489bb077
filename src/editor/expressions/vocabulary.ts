/** The words of the two languages, with their documentation: all of the tables of the engine. */
import { customFields, fieldSources } from "../../engine/tokens/expression/language/custom-fields.ts";
import {
  customFunctionNames,
  entryOfFunction,
  signatureOf,
} from "../../engine/tokens/expression/language/custom-functions.ts";
import { customOperators } from "../../engine/tokens/expression/language/custom-operators.ts";
import type { ExpressionLanguage } from "./language.ts";
import { tokenVocabulary } from "./token-vocabulary.ts";
import { operatorWords, sharedWords, type VocabularyWord } from "./words.ts";

/** The words by language, in the order of completion. */
export const vocabulary: { readonly [L in ExpressionLanguage]: readonly VocabularyWord[] } = {
  token: tokenVocabulary,
  custom: [
    ...[...customFields].map(([name, { type, source, help }]) => ({
      name,
      kind: "field" as const,
      signature: `${name}: ${type}`,
      help: `${help} From ${fieldSources[source]}.`,
    })),
    ...customFunctionNames.map((name) => ({
      name,
      kind: "function" as const,
      signature: signatureOf(name),
      help: entryOfFunction(name).help,
      apply: `${name}(`,
    })),
    ...sharedWords,
    ...operatorWords(customOperators),
  ],
};

const byName: { readonly [L in ExpressionLanguage]: ReadonlyMap<string, VocabularyWord> } = {
  token: new Map(vocabulary.token.map((word) => [word.name, word])),
  custom: new Map(vocabulary.custom.map((word) => [word.name, word])),
};

/** The entry of a word. */
export function wordOf(language: ExpressionLanguage, name: string): VocabularyWord | undefined {
  return byName[language].get(name);
}
