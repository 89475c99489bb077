/**
 * Regular expressions of `matches`, in time linear in the value: RE2 syntax, which has neither backreferences nor
 * look-around. The engine is loaded with the first pattern.
 */

import { createRequire } from "node:module";

type Re2 = typeof import("re2js");

let loaded: Re2["RE2JS"] | undefined;

function loadEngine(): Re2["RE2JS"] {
  loaded ??= (createRequire(import.meta.url)("re2js") as Re2).RE2JS;
  return loaded;
}

/** The reason why a pattern is invalid; undefined for a valid one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    loadEngine().compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Compiles a valid pattern to a test of whether some part of a value matches. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = loadEngine().compile(pattern);
  return (value) => compiled.matcher(value).find();
}
