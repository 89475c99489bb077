/** Reads parts of an expression that may have the spelling of another language: each part at an offset, in linear time. */

import { readString, startsString } from "../literal.ts";
import { readPattern } from "../patterns/pattern-literal.ts";
import { printBytes } from "../printer.ts";
import { ExpressionSyntaxError } from "../syntax-error.ts";
import { toBytes, toText } from "../values/bytes.ts";
import { quotationMarks } from "./other-words.ts";

/** A part of a text, and the offset after it. */
export interface Part {
  readonly text: string;
  readonly end: number;
}

/** A value on the right side of a comparison. */
export interface LooseItem extends Part {
  /** A string in quotation marks, a regular expression between slashes, the name of a list, or anything else. */
  readonly kind: "string" | "slashes" | "list" | "bare";
  /** The spelling, marks included. */
  readonly written: string;
}

const space = /\s*/y;
const word = /[A-Za-z_][\w-]*(?:\.[\w-]+)*/y;
const sign = /[=!<>~&|^*$:≠≤≥≡∈∉]+/y;
const bare = /[^\s(){}[\],;"'`“”„‘’«»]+/y;
const separators = /[\s,;|]*/y;
const flags = /[gimsux]{0,4}/y;

function match(pattern: RegExp, text: string, at: number): Part {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0] ?? "";
  return { text: found, end: at + found.length };
}

/** The offset after white space. */
export const skipSpace = (text: string, at: number): number => match(space, text, at).end;

/** The offset after white space and the separators of values in a list. */
export const skipSeparators = (text: string, at: number): number => match(separators, text, at).end;

/** The name at an offset, with its dots and hyphens; `""` for none. */
export const readWord = (text: string, at: number): Part => match(word, text, at);

/** The signs of an operator at an offset; `""` for none. */
export const readSign = (text: string, at: number): Part => match(sign, text, at);

/** The value at an offset; undefined for none. */
export function readItem(text: string, at: number, isPattern = false): LooseItem | undefined {
  const string = readLiteral(text, at, isPattern) ?? readQuoted(text, at);
  if (string !== undefined) return { kind: "string", written: text.slice(at, string.end), ...string };
  const found = text[at] === "/" ? readSlashes(text, at) : undefined;
  if (found !== undefined) return { kind: "slashes", written: text.slice(at, found.end), ...found };
  const run = match(bare, text, at);
  if (run.text === "") return undefined;
  return { kind: run.text.startsWith("$") ? "list" : "bare", written: run.text, ...run };
}

/** The string at an offset, by the rules of expressions; undefined where there is none. */
function readLiteral(text: string, at: number, isPattern: boolean): Part | undefined {
  if (!startsString(text, at)) return undefined;
  try {
    const { value, end } = isPattern && text[at] === '"' ? readPattern(text, at) : readString(text, at);
    return { text: toText(value) ?? value, end };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

/** The string at an offset, in quotation marks of any kind; undefined where there is none, or no end. */
export function readQuoted(text: string, at: number): Part | undefined {
  const close = quotationMarks.get(text[at] ?? "");
  if (close === undefined) return undefined;
  let value = "";
  for (let next = at + 1; next < text.length; next++) {
    const character = text[next] as string;
    if (close.includes(character)) return { text: value, end: next + 1 };
    const isEscaped = character === "\\" && close.includes(text[next + 1] ?? " ");
    value += isEscaped ? text[++next] : character;
  }
  return undefined;
}

/** A regular expression between slashes, which ends before white space, a parenthesis or the end of the text. */
function readSlashes(text: string, at: number): Part | undefined {
  for (let end = text.indexOf("/", at + 1); end !== -1; end = text.indexOf("/", end + 1)) {
    if (text[end - 1] === "\\") continue;
    const { text: letters, end: after } = match(flags, text, end + 1);
    if (after < text.length && !/[\s)]/.test(text[after] as string)) continue;
    const pattern = text.slice(at + 1, end).replaceAll("\\/", "/");
    return { text: letters.includes("i") ? `(?i)${pattern}` : pattern, end: after };
  }
  return undefined;
}

/** A string as a literal. */
export const printText = (value: string): string => printBytes(toBytes(value));
