/** Reads the bodies of requests that create and change domain queries. */
import type { StringMatch } from "../../../engine/brand/model.ts";
import { checkStringMatches } from "../../../engine/brand/query.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import { type DomainQueryPatch, domainQueryCreate, domainQueryPatch } from "../../../schemas/brand.ts";
import type { DomainQueryRecord } from "../../../store/records/brand.ts";
import { type CheckContext, type Notes, prefixPointers, rejectAny } from "../../context.ts";
import { decode } from "../../decode.ts";
import { parseTimestamp } from "../../time.ts";

const area = "brand";

/** The members of a query that a request sets. */
export type QueryFields = Pick<DomainQueryRecord, "query_tag" | "scan" | "parameters">;

/** Reads the body of a new query. @throws {ApiError} with all problems */
export function readDomainQuery(
  context: CheckContext,
  body: unknown,
  notes: Notes,
  at = "",
): QueryFields & { readonly lookback: boolean } {
  const input = decode(domainQueryCreate, body, { area, notes, at });
  rejectAny(checkFields(context, input, notes, at));
  const { tag, scan, search_lookback: lookback } = input;
  return { query_tag: tag, scan, parameters: parametersOf(undefined, input), lookback };
}

/** Reads a change of a query. @throws {ApiError} with all problems */
export function readPatch(context: CheckContext, body: unknown, notes: Notes): DomainQueryPatch {
  const patch = decode(domainQueryPatch, body, { area, notes });
  rejectAny(checkFields(context, patch, notes, ""));
  return patch;
}

function checkFields(
  { settings }: CheckContext,
  { string_matches, min_time, max_time }: DomainQueryPatch,
  notes: Notes,
  at: string,
): CodedDiagnostic[] {
  const problems = [...checkTime("min_time", min_time, at), ...checkTime("max_time", max_time, at)];
  if (string_matches !== undefined) {
    const check = checkStringMatches(string_matches, {
      shortPatterns: settings.shortPatterns,
      patterns: "as-sent",
    });
    problems.push(...prefixPointers(`${at}/string_matches`, check.problems));
    notes.push(...prefixPointers(`${at}/string_matches`, check.notes));
  }
  if (problems.length === 0) problems.push(...checkBounds(min_time, max_time, at));
  return problems;
}

function checkTime(name: string, time: string | null | undefined, at: string): CodedDiagnostic[] {
  if (typeof time !== "string" || parseTimestamp(time) !== undefined) return [];
  const message = `\`${name}\` must be an RFC 3339 time such as \`2026-01-31T12:00:00Z\`; found ${quote(time)}.`;
  return [problem(7001, message, `${at}/${name}`)];
}

/** Problems of two bounds that are valid by themselves. @param at prefix of the pointers */
export function checkBounds(
  min: string | null | undefined,
  max: string | null | undefined,
  at: string,
): CodedDiagnostic[] {
  if (typeof min !== "string" || typeof max !== "string") return [];
  const [minMs, maxMs] = [parseTimestamp(min), parseTimestamp(max)];
  if (minMs === undefined || maxMs === undefined || minMs <= maxMs) return [];
  const message = `\`min_time\` must not be later than \`max_time\` ${quote(max)}; found ${quote(min)}.`;
  return [problem(7001, message, `${at}/min_time`)];
}

/** Applies a change to the parameters; null removes a bound. */
export function parametersOf(
  before: DomainQueryRecord["parameters"] | undefined,
  patch: DomainQueryPatch,
): DomainQueryRecord["parameters"] {
  const given = patch.string_matches as readonly StringMatch[] | undefined;
  const string_matches = given?.map(({ pattern, max_edit_distance }) => ({ pattern, max_edit_distance }));
  const max_time = patch.max_time === undefined ? before?.max_time : (patch.max_time ?? undefined);
  const min_time = patch.min_time === undefined ? before?.min_time : (patch.min_time ?? undefined);
  return {
    string_matches: string_matches ?? before?.string_matches ?? [],
    ...(max_time !== undefined && { max_time }),
    ...(min_time !== undefined && { min_time }),
  };
}
