/** Inputs of the brand benchmarks: generated names and patterns that look like registered ones, and the ways to match them. */
import type { DomainQuery, MatchMode } from "edgeproof/brand";

/** A small generator of pseudo-random numbers (mulberry32), so that every run measures the same names. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

// Sorted by how often they occur: `pick` prefers the first.
const onsets =
  "s c p t m b d r l f g h n v w k st tr pr ch sh br cl gr pl fr sp j qu th dr fl bl cr z y str sc sw gl".split(
    " ",
  );
const vowels = "a e i o u ea o a ai ou ee io y ia".split(" ");
const codas = [
  "",
  "n",
  "r",
  "",
  "s",
  "l",
  "t",
  "",
  "m",
  "ng",
  "ck",
  "nd",
  "st",
  "p",
  "x",
  "rt",
  "d",
  "nt",
  "rd",
  "ss",
  "b",
];
const suffixes = "com com com com net org de co.uk info io shop online nl fr xyz com.br ru it eu pl".split(
  " ",
);

/** Names like registered ones: labels of about 12 letters, some with hyphens and digits. */
export function generateNames(count: number, seed = 1): string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => `${generateLabel(random)}.${suffixes[random(suffixes.length)]}`);
}

type Random = (below: number) => number;

/** An entry of a list, the earlier ones more often. */
function pick(list: readonly string[], random: Random): string {
  return list[Math.min(random(list.length), random(list.length))]!;
}

function generateLabel(random: Random): string {
  let label = "";
  const parts = 2 + random(4);
  for (let i = 0; i < parts; i++) label += pick(onsets, random) + pick(vowels, random) + pick(codas, random);
  if (random(8) === 0) label = `${label.slice(0, 5)}-${label.slice(5)}`;
  return random(10) === 0 ? `${label}${random(100)}` : label;
}

/** Labels to look for, as they are registered, between two lengths. */
export function generatePatterns(count: number, shortest = 5, longest = 20, seed = 2): string[] {
  const random = randomFrom(seed);
  const patterns = new Set<string>();
  while (patterns.size < count) {
    const label = generateLabel(random).replaceAll("-", "");
    if (label.length >= shortest && label.length <= longest) patterns.add(label);
  }
  return [...patterns];
}

/** Queries of 100 patterns each. */
export function queriesOf(patterns: readonly string[], limit: number): DomainQuery[] {
  return Array.from({ length: Math.ceil(patterns.length / 100) }, (_, i) => ({
    query_id: i + 1,
    parameters: {
      string_matches: patterns
        .slice(i * 100, i * 100 + 100)
        .map((pattern) => ({ pattern, max_edit_distance: limit })),
    },
  }));
}

/**
 * Myers' algorithm on 32-bit words, one pattern after the other, without a filter: calls `visit` with each pattern within the limit.
 * Patterns of up to 32 letters.
 */
export function scalarMyers(
  patterns: readonly string[],
  limit: number,
  mode: MatchMode,
  visit: (pattern: number) => void,
): (text: string) => void {
  const tables = patterns.map(letterTable);
  const top = mode === "label" ? 1 : 0;
  return (text) => {
    for (let i = 0; i < tables.length; i++) {
      if (nearest(tables[i]!, patterns[i]!.length, text, top) <= limit) visit(i);
    }
  };
}

function letterTable(pattern: string): Int32Array {
  const table = new Int32Array(128);
  for (let i = 0; i < pattern.length; i++) table[pattern.charCodeAt(i)]! |= 1 << i;
  return table;
}

/** Smallest distance to a substring (top 0), or the distance to the whole text (top 1). */
function nearest(table: Int32Array, length: number, text: string, top: number): number {
  const last = 1 << (length - 1);
  let plus = -1;
  let minus = 0;
  let score = length;
  let min = length;
  for (let j = 0; j < text.length; j++) {
    const equal = table[text.charCodeAt(j)]!;
    const flat = ((((equal & plus) + plus) | 0) ^ plus) | equal | minus;
    const up = minus | ~(flat | plus);
    const down = plus & flat;
    if (up & last) score += 1;
    else if (down & last) score -= 1;
    const shifted = (up << 1) | top;
    plus = (down << 1) | ~(flat | shifted);
    minus = shifted & flat;
    if (score < min) min = score;
  }
  return top === 1 ? score : min;
}
