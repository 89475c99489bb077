/**
 * Skeletons: two strings with the same skeleton look the same (UTS #39 section 4; the data is `confusables-table.ts`).
 * Prototypes are folded again, so that `0` and `o` have one skeleton: names have no capital letters.
 */
import { codePoints } from "./alphabet.ts";
import { confusableRows } from "./confusables-table.ts";
import { foldText } from "./fold.ts";

let prototypes: ReadonlyMap<string, string> | undefined;

/** The table is parsed at the first use. */
function prototypeOf(letter: string): string {
  prototypes ??= readTable();
  return prototypes.get(letter) ?? letter;
}

function readTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const row of confusableRows.split("\n")) {
    const gap = row.lastIndexOf(" ");
    for (const letter of row.slice(gap + 1)) table.set(letter, row.slice(0, gap));
  }
  return table;
}

const skeletons = new Map<number, string>();

/** The skeleton of one letter: letter by letter, so that each position can be traced. */
export function letterSkeleton(codePoint: number): string {
  let known = skeletons.get(codePoint);
  if (known === undefined) {
    known = findSkeleton(codePoint);
    skeletons.set(codePoint, known);
  }
  return known;
}

function findSkeleton(codePoint: number): string {
  const parts = [...String.fromCodePoint(codePoint).normalize("NFD")];
  return foldText(parts.map(prototypeOf).join("")).normalize("NFD");
}

/** Letters that are their own skeleton; most names have only these. */
const isOwnSkeleton = /^[a-ln-z2-9._-]*$/;

/**
 * The skeleton of a folded string.
 *
 * @example
 * ```ts
 * // A Cyrillic а and a digit one.
 * skeleton("paypа1") === skeleton("paypal"); // => true
 * ```
 */
export function skeleton(text: string): string {
  if (isOwnSkeleton.test(text)) return text;
  let result = "";
  for (const c of codePoints(text)) result += letterSkeleton(c);
  return result;
}

/** Other letters with the skeleton of `letter`, in the order of the table. */
export function lookAlikeLetters(letter: string): string[] {
  prototypes ??= readTable();
  const look = skeleton(letter);
  const same = [...prototypes.keys()].filter((other) => other !== letter && skeleton(other) === look);
  return look === letter || letter.length !== 1
    ? same
    : [look, ...same].filter((c) => codePoints(c).length === 1);
}
