/**
 * Writes src/engine/brand/names/confusables-table.ts from the Unicode confusables data that the package `unhomoglyph` carries:
 * `node --import tsx scripts/build-confusables.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { foldText } from "../src/engine/brand/names/fold.ts";

const target = new URL("../src/engine/brand/names/confusables-table.ts", import.meta.url);
/** What can stand in a decoded label: letters, digits, marks, the hyphen. */
const inLabels = /^[\p{L}\p{N}\p{M}-]$/u;

/** The text of the module: prototypes, each with the letters that look like it. */
export function confusablesModule(): string {
  const path = createRequire(import.meta.url).resolve("unhomoglyph/data.json");
  const data: Record<string, string> = JSON.parse(readFileSync(path, "utf8"));
  const groups = new Map<string, string[]>();
  for (const [letter, prototype] of Object.entries(data)) {
    const folded = foldText(prototype);
    if (!inLabels.test(letter) || foldText(letter) !== letter || folded === letter) continue;
    groups.set(folded, [...(groups.get(folded) ?? []), letter]);
  }
  const rows = [...groups].map(([prototype, letters]) => `${prototype} ${letters.join("")}`);
  return `/**
 * Letters and the prototype that they look like: "prototype letters", one prototype a line. Only letters that a folded label
 * can hold. From confusables.txt of Unicode 13.0.0 (UTS #39); written by scripts/build-confusables.ts, not by hand.
 */
export const confusableRows = ${JSON.stringify(rows.join("\n")).replace(/[^\x20-\x7e]/gu, escapeLetter)};
`;
}

/** Escapes combining and invisible letters, so that the file reads and diffs like any other. */
function escapeLetter(letter: string): string {
  return letter.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

if (process.argv[1]?.endsWith("build-confusables.ts")) writeFileSync(target, confusablesModule());
