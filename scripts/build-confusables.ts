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
  const rows = [...groups].map(([prototype, letters]) => `${prototype} ${letters.join("")}`);
  return `/**
 * Letters and the prototype that they look like: "prototype letters", one prototype a line. Only letters that a folded label
 * can hold. From confusables.txt of Unicode ${version} (UTS #39); written by scripts/build-confusables.ts, not by hand.
 */
export const confusableRows: string = ${JSON.stringify(rows.join("\n")).replace(/[^\x20-\x7e]/gu, escapeLetter)};
`;
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
