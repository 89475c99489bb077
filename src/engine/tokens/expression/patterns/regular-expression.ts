/**
 * Regular expressions of `matches`: RE2 syntax, which has neither backreferences nor look-around. The engine that parses
 * them is loaded with the first pattern; the search is one of bounded work.
 */

import { loadPatternEngine, patternEngine } from "#pattern-engine";
import { createLruCache } from "../../../../core/lru-cache.ts";
import { type BoundedSearch, createBoundedSearch } from "./bounded-search.ts";

/** The searches of the latest patterns: each is parsed when its rule is read, and again when it is compiled. */
const searches = createLruCache<BoundedSearch>(100);

function searchOf(pattern: string): BoundedSearch {
  const known = searches.get(pattern);
  if (known !== undefined) return known;
  const search = createBoundedSearch(patternEngine(), pattern);
  searches.set(pattern, search);
  return search;
}

/**
 * Loads the engine of the regular expressions of `matches`, where modules are loaded asynchronously: in a browser or a
 * worker, before an expression with one is parsed, checked or imported. `compileZone` does it by itself; on Node.js it is not
 * needed.
 */
export async function prepareRegularExpressions(): Promise<void> {
  await loadPatternEngine();
}

/** The reason why a pattern is invalid, or would need unbounded work; undefined for an accepted one. */
export function patternProblem(pattern: string): string | undefined {
  return searchOf(pattern).problem;
}

/** Compiles an accepted pattern to a test of whether some part of a value matches. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const { automaton, problem } = searchOf(pattern);
  if (problem !== undefined) throw new Error(`the pattern was not accepted: ${problem}`);
  return (value) => automaton.find(value);
}
