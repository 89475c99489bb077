/**
 * The patterns of `matches` in the browser, in place of the file of the same name of the engine: RE2 is loaded with the
 * editor's first `matches`, and until then every pattern is taken for valid, as those of stored rules are.
 */

import { createBoundedSearch } from "../../../src/engine/tokens/expression/patterns/bounded-search.ts";

type Re2 = typeof import("re2js").RE2JS;

let loaded: Re2 | undefined;

/** Loads RE2, when an expression has patterns. */
export async function loadPatterns(expression: string): Promise<void> {
  if (!loaded && /\bmatches\b|~/.test(expression)) loaded = (await import("re2js")).RE2JS;
}

/** The reason why a pattern is invalid; undefined for a valid one. */
export function patternProblem(pattern: string): string | undefined {
  return loaded && createBoundedSearch(loaded, pattern).problem;
}

/** Nothing is evaluated in the browser. @throws always */
export function compilePattern(): never {
  throw new Error("expressions are evaluated on the server");
}
