/**
 * Validation of domain queries. The limits of number and length of patterns and of the distance are `observed` (the real
 * service documents them); so is the rule for short patterns.
 */
import { anyValue, type KindsOf, optionsOf, requireArgument } from "../../core/arguments.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { Steps } from "../../core/work/steps.ts";
import { checkOf, type InputCheck, note, pointer, problem, quote } from "../../errors.ts";
import { codePoints, patternWork } from "./names/alphabet.ts";
import { foldText } from "./names/fold.ts";
import { invalidCharacter } from "./names/host.ts";
import { patternPartOf } from "./names/host-part.ts";

/** Maximum length of a pattern, in code points (`observed`). */
export const maxPatternLength = 200;
/** Maximum number of patterns of one query (`observed`). */
export const maxPatternsPerQuery = 100;
/** Maximum of `max_edit_distance`; the minimum is 0 (`observed`). */
export const maxEditDistance = 3;
/** Patterns of fewer code points must have distance 0 at the real service (`observed`). */
export const shortPatternLength = 5;

/** How queries are validated. */
export interface QueryCheckOptions {
  /** `exact`: the distance of a pattern of fewer than 5 code points must be 0; `any` (default): others add a note. */
  readonly shortPatterns?: "any" | "exact";
  /**
   * `names` (default): of a pattern such as `https://paypal.com` or `PayPal®` the name is searched, with a note. `as-sent`: the
   * pattern itself is searched, as the service does.
   */
  readonly patterns?: PatternForm;
}

const checkMembers: KindsOf<QueryCheckOptions> = { shortPatterns: anyValue, patterns: anyValue };

/** The string that is searched for a pattern: the name in it, or the pattern itself. */
export type PatternForm = "names" | "as-sent";

type Path = readonly (string | number)[];

type Found = Generator<Diagnostic, void>;

/**
 * Validates domain queries: an array of `{ query_id, parameters: { string_matches: [{ pattern, max_edit_distance }] } }`.
 * Never throws.
 *
 * @example
 * ```ts
 * const parameters = { string_matches: [{ pattern: "paypal", max_edit_distance: 4 }] };
 * const [problem] = checkQueries([{ query_id: 1, parameters }]).problems;
 * problem?.pointer; // => "/0/parameters/string_matches/0/max_edit_distance"
 * problem?.message; // => "`max_edit_distance` must be an integer from 0 to 3; found `4`."
 * ```
 */
export function checkQueries(queries: unknown, options: QueryCheckOptions = {}): InputCheck {
  requireArgument("options", options, optionsOf<QueryCheckOptions>("checkQueries", checkMembers));
  return checkOf(findInQueries(queries, options));
}

/**
 * Validates the `string_matches` of one query, as in a request body. Pointers start at the array. Never throws.
 *
 * @example
 * ```ts
 * checkStringMatches([]).problems[0].message; // => "`string_matches` must have 1 to 100 elements; found 0."
 * ```
 */
export function checkStringMatches(matches: unknown, options: QueryCheckOptions = {}): InputCheck {
  requireArgument("options", options, optionsOf<QueryCheckOptions>("checkStringMatches", checkMembers));
  return checkOf(findInMatches(matches, [], options));
}

/** `checkQueries` in steps. */
export function* checkQuerySteps(queries: unknown, options: QueryCheckOptions = {}): Steps<InputCheck> {
  if (!Array.isArray(queries)) return checkQueries(queries, options);
  const found: Diagnostic[] = [];
  for (const [i, query] of queries.entries()) {
    found.push(...findInQuery(query, i, options));
    yield maxPatternsPerQuery * patternWork;
  }
  return checkOf(found);
}

function reject(at: Path, message: string): Diagnostic {
  return problem(7001, message, pointer(...at));
}

function* findInQueries(queries: unknown, options: QueryCheckOptions): Found {
  if (Array.isArray(queries))
    for (const [i, query] of queries.entries()) yield* findInQuery(query, i, options);
  else yield reject([], `The queries must be an array; found ${quote(queries)}.`);
}

function* findInQuery(query: unknown, i: number, options: QueryCheckOptions): Found {
  if (!isJsonObject(query)) return yield reject([i], `A query must be an object; found ${quote(query)}.`);
  const { query_id, parameters } = query;
  if (!Number.isSafeInteger(query_id)) {
    yield reject([i, "query_id"], `\`query_id\` must be an integer; found ${quote(query_id)}.`);
  }
  if (isJsonObject(parameters)) {
    yield* findInMatches(parameters.string_matches, [i, "parameters", "string_matches"], options);
  } else yield reject([i, "parameters"], `\`parameters\` must be an object; found ${quote(parameters)}.`);
}

function* findInMatches(matches: unknown, at: Path, options: QueryCheckOptions): Found {
  if (!Array.isArray(matches)) {
    return yield reject(at, `\`string_matches\` must be an array; found ${quote(matches)}.`);
  }
  if (matches.length < 1 || matches.length > maxPatternsPerQuery) {
    const range = `1 to ${maxPatternsPerQuery} elements`;
    return yield reject(at, `\`string_matches\` must have ${range}; found ${matches.length}.`);
  }
  for (const [i, match] of matches.entries()) {
    if (isJsonObject(match)) yield* findInMatch(match, [...at, i], options);
    else yield reject([...at, i], `A string match must be an object; found ${quote(match)}.`);
  }
}

function* findInMatch(match: JsonObject, at: Path, options: QueryCheckOptions): Found {
  const { pattern, max_edit_distance: distance } = match;
  const isValid = yield* findInPattern(pattern, [...at, "pattern"], options.patterns);
  const distanceAt = [...at, "max_edit_distance"];
  if (!isEditDistance(distance)) {
    const range = `an integer from 0 to ${maxEditDistance}`;
    yield reject(distanceAt, `\`max_edit_distance\` must be ${range}; found ${quote(distance)}.`);
  } else if (isValid && typeof pattern === "string" && distance > 0) {
    yield* findShort(pattern, distanceAt, options);
  }
}

function isEditDistance(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxEditDistance;
}

/** Returns whether the pattern is valid. */
function* findInPattern(pattern: unknown, at: Path, form?: PatternForm): Generator<Diagnostic, boolean> {
  if (typeof pattern !== "string") {
    yield reject(at, `\`pattern\` must be a string; found ${quote(pattern)}.`);
    return false;
  }
  if (pattern.includes("\0")) {
    yield reject(at, "`pattern` must not contain U+0000.");
    return false;
  }
  const length = patternLength(pattern);
  if (length > 0 && length <= maxPatternLength) {
    const searched = searchedText(pattern, form);
    if (searched !== pattern) {
      const message = `The pattern ${quote(pattern)} is searched as ${quote(searched)}.`;
      yield note("valueNoted", message, pointer(...at));
    }
    yield* findImpossible(searched, at);
    return true;
  }
  const range = `1 to ${maxPatternLength} characters`;
  yield reject(at, `\`pattern\` must be ${range}; found ${length} in ${quote(pattern)}.`);
  return false;
}

/** A character that is in no normalized host. */
function* findImpossible(pattern: string, at: Path): Found {
  const found = invalidCharacter.exec(normalizePattern(pattern))?.[0];
  if (found === undefined) return;
  const message = `No host name can contain ${quote(found)}; found in the pattern ${quote(pattern)}.`;
  yield note("valueNoted", message, pointer(...at));
}

/** In code points: the greater of the lengths before and after normalization; 0 when nothing is left after it. */
function patternLength(pattern: string): number {
  // A code point has at most two UTF-16 units, so a huge pattern is rejected before it is normalized.
  if (pattern.length > 2 * maxPatternLength) return pattern.length;
  const normalized = codePoints(normalizePattern(pattern)).length;
  return normalized === 0 ? 0 : Math.max(codePoints(pattern).length, normalized);
}

function* findShort(pattern: string, at: Path, { shortPatterns, patterns }: QueryCheckOptions): Found {
  const length = codePoints(searchedPattern(pattern, patterns)).length;
  if (length >= shortPatternLength) return;
  const found = `the pattern ${quote(pattern)} has fewer than ${shortPatternLength} characters`;
  if (shortPatterns === "exact") yield reject(at, `\`max_edit_distance\` must be 0, because ${found}.`);
  else yield note("valueNoted", `Very many names match with edits, because ${found}.`, pointer(...at));
}

function searchedText(pattern: string, form: PatternForm = "names"): string {
  return form === "names" ? patternPartOf(pattern) : pattern;
}

/** The normalized string that is searched for a pattern. */
export function searchedPattern(pattern: string, form?: PatternForm): string {
  return normalizePattern(searchedText(pattern, form));
}

/** Normalizes a pattern for comparison, like a host but with any characters. */
export function normalizePattern(pattern: string): string {
  const trimmed = pattern.trim();
  return foldText(trimmed.endsWith(".") ? trimmed.slice(0, -1) : trimmed);
}
