/** Names and patterns that are built to be slow: few letters, shared pieces, near misses, many labels, long names. */
import { generatePatterns, randomFrom } from "./brand-names.ts";

/** A thousand patterns and the names that are to make matching them slow. */
export interface Hostile {
  readonly what: string;
  readonly patterns: readonly string[];
  /** Without their suffix, which is `.com`. */
  readonly texts: readonly string[];
}

const random = randomFrom(7);
const patternCount = 1000;
const nameCount = 100;

function word(length: number, letters: string): string {
  return Array.from({ length }, () => letters[random(letters.length)]).join("");
}

/** A word with some letters replaced. */
function changed(text: string, times: number): string {
  const letters = [...text];
  for (let i = 0; i < times; i++) letters[random(letters.length)] = word(1, "abcdefghij");
  return letters.join("");
}

function distinct(count: number, make: () => string): string[] {
  const made = new Set<string>();
  while (made.size < count) made.add(make());
  return [...made];
}

function times(count: number, make: () => string): string[] {
  return Array.from({ length: count }, make);
}

const early = "abcdefghijklm";
const late = "nopqrstuvwxyz";

/** Inputs on which filters are passed and nothing, or little, is found. */
export const nearMisses: readonly Hostile[] = [
  {
    what: "patterns of two letters",
    patterns: distinct(patternCount, () => word(12, "ab")),
    texts: times(nameCount, () => word(14, "abcd")),
  },
  {
    what: "patterns that share half their letters with every name",
    patterns: distinct(patternCount, () => `onlinesh${word(6, early)}`),
    texts: times(nameCount, () => `onlinesh${word(6, late)}`),
  },
  {
    what: "long names that repeat the letters shared by all patterns",
    patterns: distinct(patternCount, () => `onlinesh${word(20, early)}`),
    texts: times(20, () => times(4, () => `onlinesh${word(30, late)}onlinesh`).join(".")),
  },
  {
    what: "names of a hundred labels",
    patterns: generatePatterns(patternCount, 8),
    texts: times(nameCount, () => times(110, () => word(1, early)).join(".")),
  },
];

/** Inputs on which very much is found. */
export const floods: readonly Hostile[] = [
  {
    what: "variants of one word against its variants",
    patterns: distinct(patternCount, () => changed("securebanking", 2)),
    texts: times(nameCount, () => changed("securebanking", 4)),
  },
  {
    what: "repeats of one letter",
    patterns: distinct(patternCount, () => changed("aaaaaaaaaaaa", 3)),
    texts: times(nameCount, () => "a".repeat(8 + random(12))),
  },
];
