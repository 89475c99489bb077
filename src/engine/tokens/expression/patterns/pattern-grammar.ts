/** The characters of the grammar of patterns (`observed`: regex-syntax 0.8), as tables. */

import { type CodeSet, codeSet } from "./code-sets.ts";

/** An escape of one character; `isByte` for `\xHH`, which is a byte where patterns are of bytes. */
export interface CharacterEscape {
  readonly kind: "character";
  readonly code: number;
  readonly isByte: boolean;
}

/** The letters of flags. */
export const flagLetters = "imsRUux";

/** The control characters with a letter. */
export const controls: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);

/** The set of the characters in a list of pairs: the first and the last of each range. */
function pairs(text: string): CodeSet {
  return codeSet(
    (text.match(/../gs) ?? []).map(([first = "", last = ""]) => [first.charCodeAt(0), last.charCodeAt(0)]),
  );
}

/** The classes in `[[:alpha:]]`. */
export const namedClasses: ReadonlyMap<string, CodeSet> = new Map(
  Object.entries({
    alnum: "09AZaz",
    alpha: "AZaz",
    ascii: "\x00\x7f",
    blank: "\t\t  ",
    cntrl: "\x00\x1f\x7f\x7f",
    digit: "09",
    graph: "!~",
    lower: "az",
    print: " ~",
    punct: "!/:@[`{~",
    space: "\t\r  ",
    upper: "AZ",
    word: "09AZ__az",
    xdigit: "09AFaf",
  }).map(([name, text]) => [name, pairs(text)]),
);

/** The classes `\d`, `\s` and `\w`, and the Unicode properties of them under the flag `u`. */
export const perlClasses: Readonly<
  Record<string, { readonly ascii: CodeSet; readonly properties: readonly string[] }>
> = {
  d: { ascii: pairs("09"), properties: ["Nd"] },
  s: { ascii: pairs("\t\r  "), properties: ["White_Space"] },
  w: { ascii: pairs("09AZ__az"), properties: ["Alphabetic", "M", "Nd", "Pc", "Join_Control"] },
};

/** Whether a backslash before a character means the character itself. */
export function isEscapable(character: string): boolean {
  return character <= "\x7f" && !/^[0-9A-Za-z<>]$/.test(character);
}

/** Whether a character is a hexadecimal digit. */
export function isHexadecimal(character: string): boolean {
  return /^[0-9A-Fa-f]$/.test(character);
}

/** Whether the flag `x` skips a character: the property White_Space of Unicode. */
export function isWhitespace(character: string): boolean {
  return /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);
}

/** Whether a character may be in the name of a group. */
export function isNameCharacter(character: string, isFirst: boolean): boolean {
  return isFirst ? /^[_\p{Alphabetic}]$/u.test(character) : /^[_.[\]\p{Alphabetic}\p{N}]$/u.test(character);
}
