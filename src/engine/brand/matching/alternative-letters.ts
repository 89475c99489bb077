/**
 * Letters that are confused with others, in skeletons (`chosen`; those that generators of look-alikes replace). In every name they
 * would add too many false alarms; they count where another letter is replaced anyway, by one outside of ASCII.
 */
import { codePoints } from "../names/alphabet.ts";

/** The strings that can be read as a letter of a skeleton; `rn` is the skeleton of m, `cl` that of d. */
const alternatives: Readonly<Record<string, string>> = {
  rn: "rn nn rr rrn n",
  cl: "cl cll b el ci",
  b: "b cl lb",
  c: "c e",
  e: "e c",
  h: "h lh",
  i: "i l",
  k: "k lc",
  l: "l i",
  n: "n r rn",
  3: "3 8",
  6: "6 9",
  8: "8 3",
  9: "9 6",
};

/** The strings that can be read as one letter. */
export type LetterAlternatives = readonly (readonly number[])[];

/** The letters of a skeleton, each with what can be read as it. */
export function alternativesOf(skeleton: string): readonly LetterAlternatives[] {
  const letters = skeleton.match(/rn|cl|[\s\S]/gu) ?? [];
  return letters.map((letter) => (alternatives[letter] ?? letter).split(" ").map(codePoints));
}

/** A letter that all alternatives have in common; none for letters that can be left out. */
const common: Readonly<Record<string, string>> = {
  ...Object.fromEntries([..."ilmnr"].map((letter) => [letter, ""])),
  ...Object.fromEntries([..."bek"].map((letter) => [letter, "c"])),
  8: "3",
  9: "6",
};

/** The rest of a skeleton, whichever alternatives are in it: a string that reads as a pattern has that of the pattern. */
export function coarseForm(skeleton: string): string {
  return skeleton.replace(/[bceiklmnr89]/g, (letter) => common[letter] ?? letter);
}

/** The skeleton of a part of a name, and whether each letter is one that a letter outside of ASCII looks like. */
interface PartSkeleton {
  readonly points: readonly number[];
  readonly replaced: readonly boolean[];
}

/**
 * The leftmost and then shortest range of a skeleton that reads as a pattern and has a replaced letter; undefined when there is
 * none.
 *
 * @param whole only the whole skeleton can be that range
 */
export function findAlternatives(
  pattern: readonly LetterAlternatives[],
  { points, replaced }: PartSkeleton,
  whole: boolean,
): readonly [number, number] | undefined {
  // For each position, the leftmost start of a range that ends there and reads as the letters so far.
  let starts = [...points.keys(), points.length].map((i) => (whole && i > 0 ? none : i));
  for (const letter of pattern) starts = readLetter(letter, points, starts);
  let found: readonly [number, number] | undefined;
  for (const [end, start] of starts.entries()) {
    if (start === none || (whole && end < points.length) || (found && found[0] <= start)) continue;
    if (replaced.slice(start, end).includes(true)) found = [start, end];
  }
  return found;
}

const none = Number.MAX_SAFE_INTEGER;

function readLetter(
  letter: LetterAlternatives,
  points: readonly number[],
  starts: readonly number[],
): number[] {
  const next = starts.map(() => none);
  for (const [at, start] of starts.entries()) {
    if (start === none) continue;
    for (const read of letter) {
      const end = at + read.length;
      if (read.every((point, i) => points[at + i] === point)) next[end] = Math.min(next[end] ?? none, start);
    }
  }
  return next;
}
