/**
 * Skeletons: two strings with the same skeleton look the same (UTS #39 section 4; the data is `confusables-table.ts`).
 * Prototypes are folded again, so that `0` and `o` have one skeleton: names have no capital letters. Beyond the standard,
 * combining marks are removed and a small supplement is applied.
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
  let first = 0;
  for (const row of confusableRows.split("\n")) {
    const gap = row.lastIndexOf(" ");
    let point = first;
    for (const [i, distance] of row
      .slice(gap + 1)
      .split(",")
      .entries()) {
      point += Number.parseInt(distance, 36);
      if (i === 0) first = point;
      table.set(String.fromCodePoint(point), row.slice(0, gap));
    }
  }
  return table;
}

/**
 * Letters that look like others without being in Unicode's table (`chosen`), by prototype, so that they apply to all
 * letters with that prototype: `ĸ` is the prototype of the Cyrillic к and the Greek κ, `ǝ` that of the Cyrillic ә and the Latin ə. A
 * sequence is the prototype of one letter, as `rn` is of m in Unicode's table, so that spans still follow letters. Of ASCII letters
 * only those that add at most 1 false alarm in 10,000 names: `i` for l and `e` for c add 3 each (`alternative-letters.ts`).
 */
const supplement: ReadonlyMap<string, string> = new Map([
  ["w", "uu"],
  ["d", "cl"],
  ["ʍ", "rn"],
  ["ⱳ", "uu"],
  ...lettersLike("a", "ǝ"),
  ...lettersLike("b", "ʙƅ"),
  ...lettersLike("c", "ƈ"),
  ...lettersLike("e", "ꞓэɘ"),
  ...lettersLike("g", "qɢ"),
  ...lettersLike("h", "ⱨ"),
  ...lettersLike("j", "ʝ"),
  ...lettersLike("k", "ĸⱪ"),
  ...lettersLike("n", "ꞑ"),
  ...lettersLike("r", "ʀɾ"),
  ...lettersLike("t", "ƫᴛ"),
  ...lettersLike("u", "vʉⱴ"),
  ...lettersLike("z", "ⱬᶎ"),
]);

/** Letters that look like one. */
function lettersLike(letter: string, others: string): [string, string][] {
  return [...others].map((other) => [other, letter]);
}

/** Marks that most readers overlook (`chosen`): accents and strokes, so that é, ł and ø look like e, l and o. */
const marks = /[\u0300-\u036f]/g;

const skeletons = new Map<number, string>();

/** The skeleton of one letter: letter by letter, so that each position can be traced. A mark alone has an empty one. */
export function letterSkeleton(codePoint: number): string {
  let known = skeletons.get(codePoint);
  if (known === undefined) {
    known = findSkeleton(codePoint);
    skeletons.set(codePoint, known);
  }
  return known;
}

function findSkeleton(codePoint: number): string {
  const letters = [...withoutMarks(String.fromCodePoint(codePoint))];
  const folded = withoutMarks(foldText(letters.map(prototypeOf).join("")));
  return [...folded].map((letter) => supplement.get(letter) ?? letter).join("");
}

function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(marks, "");
}

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
  let result = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= asciiCount) return skeletonOfPoints(text);
    const look = asciiSkeletons[c] ?? asciiSkeleton(c);
    if (look === ownSkeleton) continue;
    result += text.slice(from, i) + look;
    from = i + 1;
  }
  return from === 0 ? text : result + text.slice(from);
}

const asciiCount = 128;
/** Of a character that is its own skeleton. */
const ownSkeleton = "";
/** The skeletons of ASCII characters, each found at the first use; none is empty. */
const asciiSkeletons: (string | undefined)[] = new Array(asciiCount).fill(undefined);

function asciiSkeleton(c: number): string {
  const look = letterSkeleton(c);
  const entry = look === String.fromCharCode(c) ? ownSkeleton : look;
  asciiSkeletons[c] = entry;
  return entry;
}

function skeletonOfPoints(text: string): string {
  let result = "";
  for (const c of codePoints(text)) result += letterSkeleton(c);
  return result;
}

/** Other letters with the skeleton of `letter`: those of the table in its order, then Latin letters with marks. */
export function lookAlikeLetters(letter: string): string[] {
  prototypes ??= readTable();
  const look = skeleton(letter);
  const candidates = new Set([...prototypes.keys(), ...accentedLetters()]);
  const same = [...candidates].filter((other) => other !== letter && skeleton(other) === look);
  return look === letter || letter.length !== 1
    ? same
    : [look, ...same].filter((c) => codePoints(c).length === 1);
}

/** Lower-case letters of Latin-1, Latin Extended-A, -B and Additional. */
function accentedLetters(): string[] {
  const blocks = [
    [0xdf, 0x24f],
    [0x1e00, 0x1eff],
  ] as const;
  const letters = blocks.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
  );
  return letters.filter((letter) => /\p{Ll}/u.test(letter) && foldText(letter) === letter);
}
