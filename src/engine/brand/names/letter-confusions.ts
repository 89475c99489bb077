/** Letters that are confused with each other: vowels, keyboard neighbors, single flipped bits (`chosen`; QWERTY, ASCII). */

const vowels = "aeiou";

/** The rows of a QWERTY keyboard from the top, each shifted half a key to the right of the one above. */
const keyboardRows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** The neighbors of each key. */
const keyboard: ReadonlyMap<string, string> = new Map(
  keyboardRows.flatMap((keys, row) => [...keys].map((key, at) => [key, adjacentKeys(row, at)] as const)),
);

function adjacentKeys(row: number, at: number): string {
  const positions = [
    [row - 1, at],
    [row - 1, at + 1],
    [row, at - 1],
    [row, at + 1],
    [row + 1, at - 1],
    [row + 1, at],
  ] as const;
  return positions.map(([r, i]) => keyboardRows[r]?.[i] ?? "").join("");
}

function isVowel(letter: string): boolean {
  return letter !== "" && vowels.includes(letter);
}

/** The other vowels for a vowel; an empty array for any other letter. */
export function otherVowels(letter: string): string[] {
  return isVowel(letter) ? [...vowels].filter((v) => v !== letter) : [];
}

/**
 * The keys next to a key.
 *
 * @example
 * ```ts
 * keyboardNeighbors("a"); // => ["q", "w", "s", "z"]
 * ```
 */
export function keyboardNeighbors(letter: string): string[] {
  return [...(keyboard.get(letter) ?? "")];
}

/**
 * Letters, digits and the hyphen that differ from a letter by one flipped bit.
 *
 * @example
 * ```ts
 * bitNeighbors("a"); // => ["c", "e", "i", "q"]
 * ```
 */
export function bitNeighbors(letter: string): string[] {
  const code = letter.charCodeAt(0);
  return [0, 1, 2, 3, 4, 5, 6]
    .map((bit) => String.fromCharCode(code ^ (1 << bit)))
    .filter((c) => /[a-z0-9-]/.test(c));
}

function isBitNeighbor(from: string, to: string): boolean {
  const flipped = from.charCodeAt(0) ^ to.charCodeAt(0);
  return flipped < 128 && (flipped & (flipped - 1)) === 0;
}

/** The digit that is read as a letter. */
export const digitsFor: Readonly<Record<string, string>> = {
  o: "0",
  i: "1",
  l: "1",
  e: "3",
  a: "4",
  s: "5",
  b: "6",
  t: "7",
};

/** Whether a digit is read as a letter. */
export function isDigitFor(letter: string, digit: string): boolean {
  return digitsFor[letter] === digit;
}

/** Kinds of replaced letters, the most specific first. */
export const replacements = [
  ["vowel-swap", (from: string, to: string) => isVowel(from) && isVowel(to)],
  ["keyboard-neighbour", (from: string, to: string) => keyboard.get(from)?.includes(to) ?? false],
  ["bitsquat", isBitNeighbor],
] as const;
