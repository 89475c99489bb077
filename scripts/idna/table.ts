/** The text of `src/core/idna/table.ts`: what UTS 46 says about each code point, from the package tr46. */
import { createRequire } from "node:module";
import { characterFlags, mappingOf, type StatusClass } from "../../src/core/idna/characters.ts";

type Row = readonly [range: number | readonly [number, number], status: number, mapping?: string];

const require = createRequire(import.meta.url);
const rows = require("tr46/lib/mappingTable.json") as readonly Row[];
const { STATUS_MAPPING: statuses } = require("tr46/lib/statusMapping.js") as {
  readonly STATUS_MAPPING: Readonly<
    Record<"mapped" | "valid" | "disallowed" | "deviation" | "ignored", number>
  >;
};
const patterns = require("tr46/lib/regexes.js") as Readonly<Record<string, RegExp>>;
const { unicodeVersion } = require("tr46/package.json") as { readonly unicodeVersion: string };

const codePoints = 0x110000;

/** The text of the module. */
export function tableModule(): string {
  const given: Row[] = [];
  for (const row of rows) {
    const [first, last] = typeof row[0] === "number" ? [row[0], row[0]] : row[0];
    for (let point = first; point <= last; point++) given[point] = row;
  }
  const classes: StatusClass[] = [];
  for (let point = 0; point < codePoints; point++) {
    const [, status, mapping] = given[point] as Row;
    const character = String.fromCodePoint(point);
    if (status === statuses.mapped && mapping !== mappingOf(character))
      throw new Error(`the mapping of U+${point.toString(16)} is ${mapping}; mappingOf returns another one`);
    classes.push(classOf(character, status));
  }
  const names = [...new Set(classes)];
  return `/**
 * The code points of UTS 46 as runs, from U+0000 on: a letter that names the class, and the length in base 36.
 * From the tables of Unicode ${unicodeVersion} in tr46; written by \`npm run build:idna\`, not by hand.
 */
export const runs: string =
  ${JSON.stringify(printRuns(classes, names))};

/** The classes by the letters A, B, ...: a status, or the flags of a valid character. */
export const classes: readonly ("disallowed" | "ignored" | "mapped" | number)[] = [
${names.map((name) => `  ${JSON.stringify(name)},\n`).join("")}];
`;
}

function classOf(character: string, status: number): StatusClass {
  if (status === statuses.disallowed) return "disallowed";
  if (status === statuses.ignored) return "ignored";
  return status === statuses.mapped ? "mapped" : flagsOf(character);
}

/** The properties, asked of the patterns that tr46 makes of the Unicode data. */
function flagsOf(character: string): number {
  const is = (name: string, text = character) => (patterns[name] as RegExp).test(text);
  const [zwnj, dual] = ["\u200c", "\u0628"];
  const left = is("validZWNJ", `${character}${zwnj}${dual}`);
  const properties: Readonly<Record<keyof typeof characterFlags, boolean>> = {
    mark: is("combiningMarks"),
    virama: is("combiningClassVirama"),
    joinsLeft: left,
    joinsRight: is("validZWNJ", `${dual}${zwnj}${character}`),
    joinTransparent: !left && is("validZWNJ", `${dual}${character}${zwnj}${dual}`),
    leftToRight: is("bidiS1LTR"),
    rightToLeft: is("bidiS1RTL"),
    europeanNumber: is("bidiS4EN"),
    arabicNumber: is("bidiS4AN"),
    nonspacing: !is("bidiS6") && is("bidiS6", `a${character}`),
  };
  return Object.entries(properties).reduce(
    (sum, [name, has]) => (has ? sum | characterFlags[name as keyof typeof characterFlags] : sum),
    0,
  );
}

function printRuns(all: readonly StatusClass[], names: readonly StatusClass[]): string {
  let text = "";
  let start = 0;
  for (let point = 1; point <= all.length; point++) {
    if (point < all.length && all[point] === all[start]) continue;
    text += `${String.fromCharCode(65 + names.indexOf(all[start] as StatusClass))}${(point - start).toString(36)}`;
    start = point;
  }
  return text;
}
