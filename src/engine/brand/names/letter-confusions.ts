/** Which letters are mistaken for which: by the ear, the finger, the memory chip (`chosen`; QWERTY, ASCII). */

const vowels = "aeiou";

/** Keys that touch on a QWERTY keyboard, rows from above, each shifted half a key against the one above. */
const keyboardRows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** What stands around each key. */
const keyboard: ReadonlyMap<string, string> = new Map(
  keyboardRows.flatMap((keys, row) => [...keys].map((key, at) => [key, keysAround(row, at)] as const)),
);

function keysAround(row: number, at: number): string {
  const places = [
    [row - 1, at],
    [row - 1, at + 1],
    [row, at - 1],
    [row, at + 1],
    [row + 1, at - 1],
    [row + 1, at],
  ] as const;
  return places.map(([r, i]) => keyboardRows[r]?.[i] ?? "").join("");
}

function isVowel(letter: string): boolean {
  return letter !== "" && vowels.includes(letter);
}

/** The other vowels of a vowel; nothing for another letter. */
export function otherVowels(letter: string): string[] {
  return isVowel(letter) ? [...vowels].filter((v) => v !== letter) : [];
}

/**
 * The keys around a key.
 *
 * @example
 * ```ts
 * keyboardNeighbours("a"); // => ["q", "w", "s", "z"]
 * ```
 */
export function keyboardNeighbours(letter: string): string[] {
  return [...(keyboard.get(letter) ?? "")];
}

/**
 * Letters, digits and the hyphen that differ from a letter by one flipped bit.
 *
 * @example
 * ```ts
 * bitNeighbours("a"); // => ["c", "e", "i", "q"]
 * ```
 */
export function bitNeighbours(letter: string): string[] {
  const code = letter.charCodeAt(0);
  return [0, 1, 2, 3, 4, 5, 6]
    .map((bit) => String.fromCharCode(code ^ (1 << bit)))
    .filter((c) => /[a-z0-9-]/.test(c));
}

function isBitNeighbour(from: string, to: string): boolean {
  const flipped = from.charCodeAt(0) ^ to.charCodeAt(0);
  return flipped < 128 && (flipped & (flipped - 1)) === 0;
}

/** Kinds of replaced letters, the more telling first. */
export const replacements = [
  ["vowel-swap", (from: string, to: string) => isVowel(from) && isVowel(to)],
  ["keyboard-neighbour", (from: string, to: string) => keyboard.get(from)?.includes(to) ?? false],
  ["bitsquat", isBitNeighbour],
] as const;
