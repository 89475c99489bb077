/**
 * The patterns of `matches` in the browser, in place of the file of the same name of the engine: RE2 is loaded with the
 * editor's first `matches`, and until then every pattern is taken for valid, as those of stored rules are.
 */

type Re2 = typeof import("re2js").RE2JS;

let loaded: Re2 | undefined;

/** Loads RE2, when an expression has patterns. */
export async function loadPatterns(expression: string): Promise<void> {
  if (!loaded && /\bmatches\b|~/.test(expression)) loaded = (await import("re2js")).RE2JS;
}

/** The reason why a pattern is invalid; undefined for a valid one. The server also bounds its work, when it reads the draft. */
export function patternProblem(pattern: string): string | undefined {
  try {
    loaded?.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Nothing is evaluated in the browser. @throws always */
export function compilePattern(): never {
  throw new Error("expressions are evaluated on the server");
}
