/**
 * What a list of domain queries must look like. Limits of the number and length of patterns and of the distance are `observed`
 * (the real service documents them); so is the rule for short patterns.
 */
import type { Note, Problem } from "../../errors.ts";
import { noteCodes, pointer, quote } from "../../errors.ts";
import { codePoints } from "./names/alphabet.ts";
import { foldText } from "./names/fold.ts";

export const maxPatternLength = 200;
export const maxPatternsPerQuery = 100;
export const maxEditDistance = 3;
/** Below this many code points the real service allows no edits at all. */
export const shortPatternLength = 5;

export interface QueryCheckOptions {
  /** `exact`: a pattern of fewer than 5 code points may have distance 0 only; `any` (default): it gets a note. */
  readonly shortPatterns?: "any" | "exact";
}

/** Everything wrong with the queries, and what is worth knowing about them. */
export interface QueryCheck {
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
}

type Path = readonly (string | number)[];

/** Something found: a problem, or a note about a value that is accepted. */
interface Finding {
  readonly kind: "problem" | "note";
  readonly at: Path;
  readonly message: string;
}

type Findings = Generator<Finding, void>;

/**
 * Checks domain queries: a list of `{ query_id, parameters: { string_matches: [{ pattern, max_edit_distance }] } }`.
 *
 * @example
 * ```ts
 * checkQueries([{ query_id: 1, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 4 }] } }]).problems;
 * // => [{ code: 7001, pointer: "/0/parameters/string_matches/0/max_edit_distance", message: "The edit distance must be an integer from 0 to 3, found `4`." }]
 * ```
 */
export function checkQueries(queries: unknown, options: QueryCheckOptions = {}): QueryCheck {
  return collect(findInQueries(queries, options));
}

/**
 * Checks the `string_matches` of one query, as they come in a request body. Pointers start at the list.
 *
 * @example
 * ```ts
 * checkStringMatches([]).problems[0].message; // => "A query must have 1 to 100 patterns, found 0."
 * ```
 */
export function checkStringMatches(matches: unknown, options: QueryCheckOptions = {}): QueryCheck {
  return collect(findInMatches(matches, [], options));
}

function collect(findings: Iterable<Finding>): QueryCheck {
  const problems: Problem[] = [];
  const notes: Note[] = [];
  for (const { kind, at, message } of findings) {
    if (kind === "problem") problems.push({ code: 7001, pointer: pointer(...at), message });
    else notes.push({ code: noteCodes.valueNoted, pointer: pointer(...at), message });
  }
  return { problems, notes };
}

function problem(at: Path, message: string): Finding {
  return { kind: "problem", at, message };
}

function* findInQueries(queries: unknown, options: QueryCheckOptions): Findings {
  if (Array.isArray(queries))
    for (const [i, query] of queries.entries()) yield* findInQuery(query, i, options);
  else yield problem([], `Queries must be an array, found ${quote(queries)}.`);
}

function* findInQuery(query: unknown, i: number, options: QueryCheckOptions): Findings {
  if (!isRecord(query)) return yield problem([i], `A query must be an object, found ${quote(query)}.`);
  const { query_id, parameters } = query;
  if (!Number.isSafeInteger(query_id)) {
    yield problem([i, "query_id"], `The query id must be an integer, found ${quote(query_id)}.`);
  }
  if (isRecord(parameters)) {
    yield* findInMatches(parameters.string_matches, [i, "parameters", "string_matches"], options);
  } else yield problem([i, "parameters"], `The parameters must be an object, found ${quote(parameters)}.`);
}

function* findInMatches(matches: unknown, at: Path, options: QueryCheckOptions): Findings {
  if (!Array.isArray(matches)) {
    return yield problem(at, `The string matches must be an array, found ${quote(matches)}.`);
  }
  if (matches.length < 1 || matches.length > maxPatternsPerQuery) {
    return yield problem(
      at,
      `A query must have 1 to ${maxPatternsPerQuery} patterns, found ${matches.length}.`,
    );
  }
  for (const [i, match] of matches.entries()) {
    if (isRecord(match)) yield* findInMatch(match, [...at, i], options);
    else yield problem([...at, i], `A string match must be an object, found ${quote(match)}.`);
  }
}

function* findInMatch(match: Record<string, unknown>, at: Path, options: QueryCheckOptions): Findings {
  const { pattern, max_edit_distance: distance } = match;
  const fault = patternFault(pattern);
  if (fault !== undefined) yield problem([...at, "pattern"], fault);
  const distanceAt = [...at, "max_edit_distance"];
  if (!isEditDistance(distance)) {
    const range = `an integer from 0 to ${maxEditDistance}`;
    yield problem(distanceAt, `The edit distance must be ${range}, found ${quote(distance)}.`);
  } else if (fault === undefined && distance > 0) yield* findShort(pattern as string, distanceAt, options);
}

function isEditDistance(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxEditDistance;
}

function patternFault(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return `The pattern must be a string, found ${quote(pattern)}.`;
  // A code point has at most two units, so a huge pattern is refused before it is taken apart.
  if (pattern.length > 2 * maxPatternLength) return lengthFault(pattern, `${pattern.length} units`);
  const normal = codePoints(normalizePattern(pattern)).length;
  const length = normal === 0 ? 0 : Math.max(codePoints(pattern).length, normal);
  return length > 0 && length <= maxPatternLength ? undefined : lengthFault(pattern, `${length}`);
}

function lengthFault(pattern: string, found: string): string {
  return `The pattern must have 1 to ${maxPatternLength} characters, found ${found} in ${quote(pattern)}.`;
}

function* findShort(pattern: string, at: Path, { shortPatterns }: QueryCheckOptions): Findings {
  const length = codePoints(normalizePattern(pattern)).length;
  if (length >= shortPatternLength) return;
  const which = `The pattern ${quote(pattern)} has fewer than ${shortPatternLength} characters`;
  if (shortPatterns === "exact") yield problem(at, `${which}, so its edit distance must be 0.`);
  else yield { kind: "note", at, message: `${which}; with edits allowed it is found in very many names.` };
}

/** A pattern in the form in which it is compared: like a host, but any characters may stand in it. */
export function normalizePattern(pattern: string): string {
  const trimmed = pattern.trim();
  return foldText(trimmed.endsWith(".") ? trimmed.slice(0, -1) : trimmed);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
