/**
 * Regular expressions of `matches`: those of the service, over bytes, which have neither backreferences nor look-around.
 * The engine that compiles them is loaded with the first pattern; the search is one of bounded work.
 */

import { loadPatternEngine, patternEngine } from "#pattern-engine";
import { createLruCache } from "../../../../core/lru-cache.ts";
import { toText } from "../values/bytes.ts";
import { type BoundedSearch, createBoundedSearch } from "./bounded-search.ts";
import type { PatternProblem } from "./pattern-parser.ts";

/** The searches of the latest patterns: each is parsed when its rule is read, and again when it is compiled. */
const searches = createLruCache<BoundedSearch>(100);

/** The search for a pattern, which is a string of bytes as all others. */
function searchOf(pattern: string): BoundedSearch {
  const known = searches.get(pattern);
  if (known !== undefined) return known;
  const search = createBoundedSearch(patternEngine(), toText(pattern) ?? pattern);
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

/** The reason why a pattern is invalid, or would need unbounded work, and where in its text; undefined for an accepted one. */
export function patternProblem(pattern: string): PatternProblem | undefined {
  const search = searchOf(pattern);
  return "problem" in search ? search.problem : undefined;
}

/** The part of an accepted pattern that is not computed here, and why, so that what it matches is unknown; undefined for none. */
export function undecidedPart(pattern: string): string | undefined {
  const search = searchOf(pattern);
  return "undecided" in search ? search.undecided : undefined;
}

/** Compiles an accepted pattern without undecided parts to a test of whether some part of a string of bytes matches. */
export function compilePattern(pattern: string): (bytes: string) => boolean {
  const search = searchOf(pattern);
  if ("automaton" in search) return (bytes) => search.automaton.find(bytes);
  throw new Error(
    `the pattern was not accepted: ${"problem" in search ? search.problem.message : search.undecided}`,
  );
}
