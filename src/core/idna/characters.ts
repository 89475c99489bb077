/**
 * The status and properties of characters in UTS 46, from tables of one version of Unicode: runtimes have different ones, and one host must
 * not be valid on some of them only. Case folding and normalization of the characters of that version never change
 * (the stability policy of Unicode), so they are those of the runtime.
 */
import { classes, runs } from "./table.ts";

/** Properties of valid characters, as bits. */
export const characterFlags = {
  mark: 1,
  virama: 2,
  /** It joins the character after it: joining types L and D of RFC 5892. */
  joinsLeft: 4,
  /** It joins the character before it: joining types R and D. */
  joinsRight: 8,
  joinTransparent: 16,
  leftToRight: 32,
  rightToLeft: 64,
  europeanNumber: 128,
  arabicNumber: 256,
  nonspacing: 512,
} as const;

/** The status of a character; the flags of a valid one. */
export type StatusClass = "disallowed" | "ignored" | "mapped" | number;

/** Starts of the runs in ascending order, and their classes. */
interface Table {
  readonly starts: Uint32Array;
  readonly classes: readonly StatusClass[];
}

let table: Table | undefined;

function readTable(): Table {
  const starts: number[] = [];
  const found: StatusClass[] = [];
  let start = 0;
  for (const [, letter = "", length = ""] of runs.matchAll(/([A-Z])([0-9a-z]+)/g)) {
    starts.push(start);
    found.push(classes[letter.charCodeAt(0) - 65] ?? "disallowed");
    start += Number.parseInt(length, 36);
  }
  return { starts: Uint32Array.from(starts), classes: found };
}

/** The class of a code point. */
export function classOf(codePoint: number): StatusClass {
  table ??= readTable();
  const { starts } = table;
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return table.classes[low] as StatusClass;
}

/** Small letters of Cherokee, which fold to capitals. */
const cherokee = /[\u13f8-\u13fd\uab70-\uabbf]/;

/** The mapping of a character with the status `mapped`: case folding with NFKC; the ideographic full stop is a dot. */
export function mappingOf(character: string): string {
  let folded = "";
  for (const part of character.normalize("NFKC")) folded += foldCase(part);
  return folded.normalize("NFKC").replaceAll("\u3002", ".");
}

/** The dotless i folds to itself, which its upper case would not. */
function foldCase(character: string): string {
  if (character === "ı") return character;
  const capital = character.toUpperCase();
  return cherokee.test(character) ? capital : capital.toLowerCase();
}
