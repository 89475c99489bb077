/** The plain twin of the matcher: the textbook matrix, every substring, no filters. Slow, and easy to believe. */
import {
  type DomainMatch,
  type DomainQuery,
  type MatchOptions,
  type MatchRule,
  normalizeHost,
  recommendedRules,
} from "edgeproof/brand";
import { parse } from "tldts";
import { alternativesOf, coarseForm } from "../../../src/engine/brand/matching/alternative-letters.ts";
import { channelsOf, channelTextOf } from "../../../src/engine/brand/names/channel-text.ts";
import { normalizePattern } from "../../../src/engine/brand/query.ts";

/** A match of the reference; technique and score are tested elsewhere. */
export type PlainMatch = Pick<
  DomainMatch,
  "query_id" | "pattern_index" | "distance" | "host_span" | "channel" | "host" | "mode"
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

function best(pattern: readonly number[], text: readonly number[], mode: MatchRule["mode"], swaps: boolean) {
  if (mode === "contains") return bestSubstring(pattern, text, swaps);
  return { distance: prefixDistances(pattern, text, swaps).at(-1)!, start: 0, end: text.length };
}

/** The matches that `compileQueries(queries, options).match(source)` must find. */
export function referenceMatches(
  queries: readonly DomainQuery[],
  options: MatchOptions,
  source: string,
): PlainMatch[] {
  const result = normalizeHost(source);
  if (!result.ok) return [];
  const host = result.value;
  const { mode = "contains" } = options;
  const rules = mode === "recommended" ? recommendedRules : typeof mode === "string" ? [{ mode }] : mode;
  const isRecommended = mode === "recommended";
  const { confusables = isRecommended, transpositions = isRecommended } = options;
  return queries.flatMap(({ query_id, parameters }) =>
    parameters.string_matches.flatMap(({ pattern, max_edit_distance }, pattern_index) => {
      const text = normalizePattern(pattern);
      const found = rules.flatMap((rule) => {
        if (points(text).length < (rule.minLength ?? 0)) return [];
        if (rule.onlyWithEmbeddedSuffix && !hasEmbeddedSuffix(host)) return [];
        const limit = rule.maxEdits ?? max_edit_distance;
        const separators = rule.separators ?? options.separators ?? false;
        const found = matchesOfRule(text, host, rule, { confusables, transpositions, separators });
        return found.filter((match) => match.distance <= limit);
      });
      const first = found.sort((x, y) => x.distance - y.distance)[0];
      return first ? [{ query_id, pattern_index, host: host.host, ...first }] : [];
    }),
  );
}

type Host = Extract<ReturnType<typeof normalizeHost>, { ok: true }>["value"];

/** A part of a text, and its position in it. */
interface Part {
  readonly text: string;
  readonly at: number;
}

function partsOf(pattern: string, { host, text, label, suffix }: Host, mode: MatchRule["mode"]): Part[] {
  const dotted = pattern.includes(".");
  const searched = dotted ? host : text;
  if (mode === "contains") return [{ text: searched, at: 0 }];
  if (mode === "token") return runsOf(searched, pattern.split(/[-.]/).length);
  if (label === undefined) return [];
  const at = points(text).length - points(label).length;
  return [{ text: dotted && suffix !== "" ? `${label}.${suffix}` : label, at }];
}

/** Every so many neighbouring parts between separators, with the separators between them. */
function runsOf(text: string, count: number): Part[] {
  const pieces = text.split(/([-.])/);
  return pieces.flatMap((_, i) => {
    const run = pieces.slice(i, i + 2 * count - 1).join("");
    const isRun = i % 2 === 0 && i + 2 * count - 1 <= pieces.length && run !== "";
    return isRun ? [{ text: run, at: points(pieces.slice(0, i).join("")).length }] : [];
  });
}

/** Whether some parts of the name, neither the first nor the last, are a suffix of two labels or a country's. */
function hasEmbeddedSuffix({ host, text }: Host): boolean {
  const labels = text.split(/[-.]/);
  const all = host.split(/[-.]/);
  for (let end = 2; end <= labels.length && end < all.length; end++) {
    if (labels[end - 1] === "") continue;
    const before = labels.slice(Math.max(0, end - 6), end).join(".");
    const { publicSuffix, isIcann, isPrivate } = parse(before, {
      allowPrivateDomains: true,
      extractHostname: false,
      validateHostname: false,
    });
    const suffix = isIcann || isPrivate ? publicSuffix! : "";
    const size = suffix.split(".").length;
    if ((size > 1 || /^[a-z]{2}$/.test(suffix)) && size < end) return true;
  }
  return false;
}

function matchesOfRule(pattern: string, host: Host, rule: MatchRule, options: MatchOptions) {
  const { mode } = rule;
  const found = channelsOf(options).flatMap((channel) => {
    const target = channelTextOf(channel, points(pattern)).points;
    if (target.length === 0) return [];
    return partsOf(pattern, host, mode).map((part) => {
      const letters = points(part.text);
      const { points: seen, origin } = channelTextOf(channel, letters);
      const { distance, start, end } = best(target, seen, mode, options.transpositions ?? false);
      const from = origin[start] ?? letters.length;
      const to = end > start ? origin[end - 1]! + 1 : from;
      return { distance, channel, mode, host_span: { start: from + part.at, end: to + part.at } };
    });
  });
  return options.confusables ? [...found, ...alternativesIn(pattern, host, rule)] : found;
}

/** Patterns of which other letters are replaced, too, in names with letters outside of ASCII: every substring is compared. */
function alternativesIn(pattern: string, host: Host, { mode, onlyWithEmbeddedSuffix }: MatchRule) {
  if (points(pattern).length < 5 || onlyWithEmbeddedSuffix) return [];
  const target = String.fromCodePoint(...channelTextOf("confusables", points(pattern)).points);
  if (coarseForm(target) === "") return [];
  const letters = alternativesOf(target).map((letter) => letter.map((read) => String.fromCodePoint(...read)));
  return partsOf(pattern, host, mode).flatMap((part) => {
    const given = points(part.text);
    const { points: seen, origin } = channelTextOf("confusables", given);
    for (let start = 0; start <= seen.length; start++) {
      for (let end = start; end <= seen.length; end++) {
        if (mode !== "contains" && (start > 0 || end < seen.length)) continue;
        const from = origin[start] ?? given.length;
        const to = end > start ? origin[end - 1]! + 1 : from;
        const isReplaced = given.slice(from, to).some((c) => c > 0x7f);
        if (!isReplaced || !readsAs(String.fromCodePoint(...seen.slice(start, end)), letters)) continue;
        const host_span = { start: from + part.at, end: to + part.at };
        return [{ distance: 0, channel: "confusables" as const, mode, host_span }];
      }
    }
    return [];
  });
}

/** Whether a text is one of the alternatives of each letter in turn. */
function readsAs(text: string, [letter, ...rest]: readonly (readonly string[])[]): boolean {
  if (letter === undefined) return text === "";
  return letter.some((read) => text.startsWith(read) && readsAs(text.slice(read.length), rest));
}
