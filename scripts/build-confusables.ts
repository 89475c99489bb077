/**
 * Writes src/engine/brand/names/confusables-table.ts from fixtures/unicode/confusables.txt:
 * `node --import tsx scripts/build-confusables.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { foldText } from "../src/engine/brand/names/fold.ts";

const source = new URL("../fixtures/unicode/confusables.txt", import.meta.url);
const target = new URL("../src/engine/brand/names/confusables-table.ts", import.meta.url);
/** Characters that a decoded label can hold: letters, digits, marks, the hyphen. */
const inLabels = /^[\p{L}\p{N}\p{M}-]$/u;

/** The text of the module: prototypes, each with the letters that look like it. */
export function confusablesModule(): string {
  const text = readFileSync(source, "utf8");
  const version = /version ([\d.]+)/.exec(text)?.[1];
  const groups = new Map<string, string[]>();
  for (const [letter, prototype] of readPairs(text)) {
    const folded = foldText(prototype);
    if (!inLabels.test(letter) || foldText(letter) !== letter || folded === letter) continue;
    groups.set(folded, [...(groups.get(folded) ?? []), letter]);
  }
  const rows = printRows(
    [...groups].map(([prototype, letters]) => ({ prototype, letters: pointsOf(letters) })),
  );
  return `/**
 * Letters and the prototype that they look like: "prototype letters", one prototype a line. A letter is the distance of its
 * code point, in base 36: from the letter before it, and the first of a line from the first of the line before. Only letters that a
 * folded label can hold. From confusables.txt of Unicode ${version} (UTS #39); written by scripts/build-confusables.ts, not by hand.
 */
export const confusableRows: string = ${JSON.stringify(rows.join("\n")).replace(/[^\x20-\x7e]/gu, escapeLetter)};
`;
}

interface Group {
  readonly prototype: string;
  /** Code points in ascending order. */
  readonly letters: readonly number[];
}

function pointsOf(letters: readonly string[]): number[] {
  return letters.map((letter) => letter.codePointAt(0) ?? 0).sort((a, b) => a - b);
}

/** The rows, in the order of their first letters. */
function printRows(groups: readonly Group[]): string[] {
  const first = ({ letters }: Group) => letters[0] ?? 0;
  const sorted = [...groups].sort((a, b) => first(a) - first(b));
  return sorted.map(({ prototype, letters }, row) => {
    const before = row === 0 ? 0 : first(sorted[row - 1] as Group);
    const distances = letters.map((point, i) => (point - (letters[i - 1] ?? before)).toString(36));
    return `${prototype} ${distances.join(",")}`;
  });
}

/** The lines `code point;prototype`, in hexadecimal digits. */
function readPairs(text: string): [string, string][] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [letter = "", prototype = ""] = line.split(";");
    return [readPoints(letter), readPoints(prototype)];
  });
}

function readPoints(digits: string): string {
  return String.fromCodePoint(...digits.split(" ").map((each) => Number.parseInt(each, 16)));
}

/** Escapes combining and invisible letters, so that the file reads and diffs like any other. */
function escapeLetter(letter: string): string {
  return letter.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

if (process.argv[1]?.endsWith("build-confusables.ts")) writeFileSync(target, confusablesModule());
