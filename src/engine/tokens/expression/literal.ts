/**
 * String literals: `"..."` with the escapes `\"`, `\\`, `\xHH` and `\OOO` only, and raw strings `r"..."`,
 * `r#"..."#` (`observed`).
 *
 * Strings are bytes (`observed`): `\xHH` and `\OOO` are one byte, and all other characters are encoded in UTF-8.
 */

import { ExpressionSyntaxError, errorAt, type Span } from "./syntax-error.ts";
import { toBytes } from "./values/bytes.ts";

/** A literal's value, and the offset after it. */
export interface ReadString {
  readonly value: string;
  readonly end: number;
}

/** Maximum number of `#` on each side of a raw string (`observed`). */
const maxHashes = 255;

/** Maximum character code of an escape. */
const maxEscapedCode = 0xff;

const hexDigits = 2;
const octalDigits = 3;

/** Whether a string literal starts at an offset. */
export function startsString(text: string, at: number): boolean {
  if (text[at] === '"') return true;
  return text[at] === "r" && (text[at + 1] === '"' || text[at + 1] === "#");
}

/** Reads the literal that starts at an offset. */
export function readString(text: string, at: number): ReadString {
  return text[at] === "r" ? readRaw(text, at) : readQuoted(text, at);
}

/**
 * Prints a string as a quoted literal; the inverse of {@link readString}.
 *
 * @example
 * ```ts
 * printString('say "hi"'); // => "\"say \\\"hi\\\"\""
 * ```
 */
export function printString(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
  return `"${value.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f-\u009f]/g, hexEscape)}"`;
}

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(hexDigits, "0").toUpperCase()}`;
}

function readQuoted(text: string, start: number): ReadString {
  let value = "";
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') return { value: value + toBytes(text.slice(from, at)), end: at + 1 };
    if (text[at] !== "\\") continue;
    const escaped = readEscape(text, at, start);
    value += toBytes(text.slice(from, at)) + escaped.value;
    from = escaped.end;
    at = from - 1;
  }
  throw unclosedString(text, start, '`"`');
}

function readEscape(text: string, at: number, start: number): ReadString {
  const next = text[at + 1];
  if (next === undefined) throw unclosedString(text, start, '`"`');
  if (next === '"' || next === "\\") return { value: next, end: at + 2 };
  if (next === "x") return readCode(text, at, at + 2, hexDigits, 16);
  if (next >= "0" && next <= "7") return readCode(text, at, at + 1, octalDigits, 8);
  throw badEscape(text, { start: at, end: at + 2 });
}

function readCode(text: string, at: number, from: number, digits: number, radix: 8 | 16): ReadString {
  const end = from + digits;
  const code = text.slice(from, end);
  const allowed = radix === 16 ? /^[0-9A-Fa-f]{2}$/ : /^[0-7]{3}$/;
  const value = Number.parseInt(code, radix);
  if (!allowed.test(code) || value > maxEscapedCode) throw badEscape(text, { start: at, end });
  return { value: String.fromCharCode(value), end };
}

function badEscape(text: string, span: Span): ExpressionSyntaxError {
  const expected = ['`\\"`', "`\\\\`", "`\\xHH`", "`\\OOO` (at most `\\377`)"];
  return new ExpressionSyntaxError(
    errorAt(text, { start: span.start, end: Math.min(span.end, text.length) }, expected),
  );
}

function readRaw(text: string, start: number): ReadString {
  let open = start + 1;
  while (text[open] === "#") open++;
  const hashes = open - start - 1;
  if (hashes > maxHashes) {
    const message = `A raw string must have at most ${maxHashes} \`#\` on each side; this one has ${hashes}.`;
    throw new ExpressionSyntaxError(
      errorAt(text, { start, end: open }, [`at most ${maxHashes} \`#\``], message),
    );
  }
  if (text[open] !== '"')
    throw new ExpressionSyntaxError(errorAt(text, { start: open, end: open + 1 }, ['`"`']));
  const close = `"${"#".repeat(hashes)}`;
  const end = text.indexOf(close, open + 1);
  if (end === -1) throw unclosedString(text, start, `\`${close}\``);
  return { value: toBytes(text.slice(open + 1, end)), end: end + close.length };
}

/** The error of a string without its end. */
export function unclosedString(text: string, start: number, close: string): ExpressionSyntaxError {
  const message = `The string that starts here is not closed; expected ${close} before the end of the text.`;
  return new ExpressionSyntaxError(errorAt(text, { start, end: start + 1 }, [close], message));
}
