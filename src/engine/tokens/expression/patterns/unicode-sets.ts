/**
 * Sets of code points by the tables of RE2, which are those of Unicode 17: of characters that are newer than its own tables,
 * the service may know less (`chosen`).
 */

import { patternEngine } from "#pattern-engine";
import { createLruCache } from "../../../../core/lru-cache.ts";
import { allCodePoints, type CodeRange, type CodeSet, codeSet, intersect, subtract } from "./code-sets.ts";
import { opcodes, programOf } from "./program.ts";

/** The sets of the latest classes. */
const classes = createLruCache<CodeSet | "unknown">(100);

/** The set of a class in the syntax of RE2, such as `\p{Greek}`; undefined when RE2 rejects it. */
export function setOfClass(text: string): CodeSet | undefined {
  const known = classes.get(text) ?? compileClass(text) ?? "unknown";
  classes.set(text, known);
  return known === "unknown" ? undefined : known;
}

function compileClass(text: string): CodeSet | undefined {
  try {
    const { inst } = programOf(patternEngine().compile(text));
    const ranges = inst.flatMap(({ op, runes }): CodeRange[] => {
      if (op === opcodes.anyRune) return [[0, 0x10ffff]];
      if (op !== opcodes.rune && op !== opcodes.oneRune) return [];
      if (runes.length === 1) return [[runes[0] ?? 0, runes[0] ?? 0]];
      return Array.from({ length: runes.length / 2 }, (_, i) => [runes[2 * i] ?? 0, runes[2 * i + 1] ?? 0]);
    });
    return intersect(allCodePoints, codeSet(ranges));
  } catch {
    return undefined;
  }
}

/** The set with all characters that differ in case alone (simple case folding). */
export function foldCodePoints(set: CodeSet): CodeSet | undefined {
  // A class of one letter has no ranges in a program, so that the last code point, which has no case, is added.
  const last: CodeRange = [0x10ffff, 0x10ffff];
  const folded = setOfClass(`(?i)[${[...set, last].map(printRange).join("")}]`);
  return folded && (intersect(set, [last]).length > 0 ? folded : intersect(folded, [[0, last[0] - 1]]));
}

function printRange([first, last]: CodeRange): string {
  return `\\x{${first.toString(16)}}-\\x{${last.toString(16)}}`;
}

/** The long names of general categories, and other names of properties, without case, spaces and `_`. */
const categories: Readonly<Record<string, string>> = {
  ...{ letter: "L", casedletter: "LC", lowercaseletter: "Ll", uppercaseletter: "Lu", titlecaseletter: "Lt" },
  ...{ modifierletter: "Lm", otherletter: "Lo", mark: "M", nonspacingmark: "Mn", spacingmark: "Mc" },
  ...{ enclosingmark: "Me", number: "N", decimalnumber: "Nd", digit: "Nd", letternumber: "Nl" },
  ...{ othernumber: "No", punctuation: "P", punct: "P", connectorpunctuation: "Pc", dashpunctuation: "Pd" },
  ...{ openpunctuation: "Ps", closepunctuation: "Pe", initialpunctuation: "Pi", finalpunctuation: "Pf" },
  ...{ otherpunctuation: "Po", symbol: "S", mathsymbol: "Sm", currencysymbol: "Sc", modifiersymbol: "Sk" },
  ...{ othersymbol: "So", separator: "Z", spaceseparator: "Zs", lineseparator: "Zl" },
  ...{ paragraphseparator: "Zp", other: "C", control: "Cc", format: "Cf", privateuse: "Co" },
  ...{
    unassigned: "Cn",
    alpha: "Alphabetic",
    lower: "Lowercase",
    upper: "Uppercase",
    whitespace: "White_Space",
  },
};

/** Properties that RE2 does not have. */
const ownSets: Readonly<Record<string, CodeSet>> = {
  any: allCodePoints,
  ascii: [[0, 0x7f]],
  joincontrol: [[0x200c, 0x200d]],
};

/** The sets of the latest properties: a pattern that repeats one has it once. */
const properties = createLruCache<CodeSet | "unknown">(100);

/** The code points with one of some properties, or with none of them; undefined for a property that is not known here. */
export function unicodeSet(names: readonly string[], isNegated: boolean): CodeSet | undefined {
  const key = `${isNegated} ${names.join()}`;
  const known = properties.get(key) ?? createSet(names, isNegated) ?? "unknown";
  properties.set(key, known);
  return known === "unknown" ? undefined : known;
}

function createSet(names: readonly string[], isNegated: boolean): CodeSet | undefined {
  const sets = names.map(propertySet);
  if (sets.includes(undefined)) return undefined;
  const set = codeSet(sets.flatMap((member) => member ?? []));
  return isNegated ? subtract(allCodePoints, set) : set;
}

/** The code points with a property, such as `Lu`, `Greek` or `sc=Greek`; undefined for one that is not known here. */
function propertySet(name: string): CodeSet | undefined {
  const [, plain = ""] = /^(?:(?:gc|general_?category|sc|script)[=:])?([A-Za-z_ -]+)$/i.exec(name) ?? [];
  const key = plain.replace(/[_ -]/g, "").toLowerCase();
  const named =
    ownSets[key] ?? (categories[key] === undefined ? undefined : setOfClass(`\\p{${categories[key]}}`));
  if (named !== undefined) return named;
  const capitalized = plain
    .split(/[_ -]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join("_");
  return plain === "" ? undefined : setOfClass(`\\p{${capitalized}}`);
}
