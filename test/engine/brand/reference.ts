/** The plain twin of the matcher: the textbook matrix, every substring, no filters. Slow, and easy to believe. */
import { type DomainMatch, type DomainQuery, type MatchOptions, normalizeHost } from "edgeproof/brand";
import { channelsOf, channelTextOf } from "../../../src/engine/brand/names/channel-text.ts";
import { normalizePattern } from "../../../src/engine/brand/query.ts";

/** What the reference says of a match; technique and score are tested elsewhere. */
export type PlainMatch = Pick<
  DomainMatch,
  "query_id" | "pattern_index" | "distance" | "host_span" | "channel" | "host"
>;

const points = (text: string) => [...text].map((c) => c.codePointAt(0)!);

/** Distances of the pattern to every prefix of the text. */
export function prefixDistances(
  pattern: readonly number[],
  text: readonly number[],
  swaps: boolean,
): number[] {
  const rows: number[][] = [];
  for (let i = 0; i <= pattern.length; i++) {
    const row: number[] = [];
    for (let j = 0; j <= text.length; j++) row.push(cell(rows, row, i, j, pattern, text, swaps));
    rows.push(row);
  }
  return rows[pattern.length]!;
}

function cell(
  rows: readonly number[][],
  row: readonly number[],
  i: number,
  j: number,
  pattern: readonly number[],
  text: readonly number[],
  swaps: boolean,
): number {
  if (i === 0) return j;
  if (j === 0) return i;
  const same = pattern[i - 1] === text[j - 1];
  const edits = [rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1)];
  const swapped = i > 1 && j > 1 && pattern[i - 1] === text[j - 2] && pattern[i - 2] === text[j - 1];
  if (swaps && swapped) edits.push(rows[i - 2]![j - 2]! + 1);
  return Math.min(...edits);
}

/** The best substring: smallest distance, then leftmost, then shortest. */
function bestSubstring(pattern: readonly number[], text: readonly number[], swaps: boolean) {
  let best = { distance: Infinity, start: 0, end: 0 };
  for (let start = 0; start <= text.length; start++) {
    const reach = text.slice(start, start + 2 * pattern.length + 1);
    prefixDistances(pattern, reach, swaps).forEach((distance, length) => {
      if (distance < best.distance) best = { distance, start, end: start + length };
    });
  }
  return best;
}

function best(pattern: readonly number[], text: readonly number[], options: MatchOptions) {
  const swaps = options.transpositions ?? false;
  if (options.mode !== "label") return bestSubstring(pattern, text, swaps);
  return { distance: prefixDistances(pattern, text, swaps).at(-1)!, start: 0, end: text.length };
}

/** What `compileQueries(queries, options).match(source)` must find. */
export function referenceMatches(
  queries: readonly DomainQuery[],
  options: MatchOptions,
  source: string,
): PlainMatch[] {
  const result = normalizeHost(source);
  if (!result.ok) return [];
  return queries.flatMap(({ query_id, parameters }) =>
    parameters.string_matches.flatMap(({ pattern, max_edit_distance }, pattern_index) => {
      const found = bestOfChannels(normalizePattern(pattern), result.value, options);
      if (found === undefined || found.distance > max_edit_distance) return [];
      return [{ query_id, pattern_index, host: result.value.host, ...found }];
    }),
  );
}

type Host = Extract<ReturnType<typeof normalizeHost>, { ok: true }>["value"];

function partOf({ host, text, label, suffix }: Host, dotted: boolean, options: MatchOptions) {
  const start = points(text).length - points(label ?? "").length;
  if (options.mode !== "label") return { text: dotted ? host : text, at: 0 };
  if (label === undefined) return undefined;
  return { text: dotted && suffix !== "" ? `${label}.${suffix}` : label, at: start };
}

function bestOfChannels(pattern: string, host: Host, options: MatchOptions) {
  const part = partOf(host, pattern.includes("."), options);
  if (part === undefined) return undefined;
  const letters = points(part.text);
  const found = channelsOf(options).flatMap((channel) => {
    const sought = channelTextOf(channel, points(pattern)).points;
    if (sought.length === 0) return [];
    const { points: seen, origin } = channelTextOf(channel, letters);
    const { distance, start, end } = best(sought, seen, options);
    const from = origin[start] ?? letters.length;
    const to = end > start ? origin[end - 1]! + 1 : from;
    return [{ distance, channel, host_span: { start: from + part.at, end: to + part.at } }];
  });
  return found.sort((a, b) => a.distance - b.distance)[0];
}
