/** The languages of the editor: that of token rules, and that of custom rules, which is loaded with the first such rule. */
import type { NamedConfig, Offers } from "../../../src/editor/expressions/completions.ts";
import type { ExpressionError } from "../../../src/engine/tokens/expression/syntax-error.ts";
import type { ShownToken } from "./expression-tokens.ts";

/** The names that an expression can use. */
export interface Names {
  readonly configs: readonly NamedConfig[];
  /** Names of lists. */
  readonly lists: readonly string[];
}

/** What the editor knows of a text. */
export interface Language {
  tokens(text: string): readonly ShownToken[];
  problems(text: string): readonly ExpressionError[];
  /** @param before the text up to the cursor */
  offers(before: string): Offers | undefined;
}

const loaders = {
  token: async () => (await import("./token-language.ts")).tokenLanguage,
  custom: async () => (await import("./custom-language.ts")).customLanguage,
} as const;

/** Loads a language. */
export function loadLanguage(kind: keyof typeof loaders): Promise<(names: Names) => Language> {
  return loaders[kind]();
}
