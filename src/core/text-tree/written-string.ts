/** Reads strings of JSON, YAML and Terraform with the place of each character, and writes other values in their spelling. */
import type { Splice } from "../json/edits.ts";
import type { WrittenString } from "./node.ts";

/** Reads a part of a source at an offset: the written length, and the value; undefined for an ordinary character. */
type ReadEscape = (
  source: string,
  at: number,
) => { readonly length: number; readonly value: string } | undefined;

/** A string of a text whose content is between two offsets. */
export interface StringContent {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly edit: (value: string) => Splice | undefined;
}

/** A string of characters and escapes. @param isOpaque whether a part of the content has no known value, from its offset */
export function escapedString(
  { source, from, to, edit }: StringContent,
  readEscape: ReadEscape,
  isWhole = true,
): WrittenString {
  const content = source.slice(from, to);
  if (isWhole && !/[\\'$%\r]/.test(content))
    return { value: content, offsetOf: (index) => from + clamp(index, content.length), isWhole, edit };
  const pieces: string[] = [];
  const offsets: number[] = [];
  for (let at = from; at < to; ) {
    const found = readEscape(source, at);
    const value = found ? found.value : (source[at] ?? "");
    for (let i = 0; i < value.length; i++) offsets.push(at);
    pieces.push(value);
    at += found?.length ?? 1;
  }
  offsets.push(to);
  return { value: pieces.join(""), offsetOf: offsetIn(offsets), isWhole, edit };
}

/** The offset of an index, within the bounds of a list. */
export function offsetIn(offsets: readonly number[]): (index: number) => number {
  return (index) => offsets[clamp(index, offsets.length - 1)] ?? 0;
}

function clamp(index: number, max: number): number {
  return Math.max(0, Math.min(index, max));
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  0: "\0",
  a: "\x07",
  v: "\v",
  e: "\x1b",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** An escape that begins with a backslash, as JSON, YAML and Terraform have them. */
export const readBackslash: ReadEscape = (source, at) => {
  if (source[at] !== "\\") return undefined;
  const name = source[at + 1] ?? "";
  const digits = codeLengths[name];
  if (digits === undefined) return { length: 2, value: simpleEscapes[name] ?? name };
  const written = source.slice(at + 2, at + 2 + digits);
  const code = /^[0-9a-fA-F]+$/.test(written) ? Number.parseInt(written, 16) : Number.NaN;
  if (written.length < digits || !(code <= 0x10ffff)) return { length: 2, value: name };
  return { length: 2 + digits, value: String.fromCodePoint(code) };
};

/** The string of JSON between two quotes; its closing quote may be missing. */
export function jsonString(source: string, start: number, end: number): WrittenString {
  const isClosed = end > start + 1 && source[end - 1] === '"' && !endsInEscape(source, start, end - 1);
  const to = isClosed ? end - 1 : end;
  const edit = (value: string) => (isClosed ? { start, end, content: JSON.stringify(value) } : undefined);
  return escapedString({ source, from: start + 1, to, edit }, readBackslash);
}

/** Whether an odd number of backslashes is before an offset. */
function endsInEscape(source: string, start: number, offset: number): boolean {
  let at = offset - 1;
  while (at > start && source[at] === "\\") at--;
  return (offset - 1 - at) % 2 === 1;
}
