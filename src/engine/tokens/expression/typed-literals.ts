/** Literals without quotation marks: bytes in hexadecimal, integers of 64 bits, addresses, and sets of literals (`observed`). */

import { sentence } from "../../../core/text/sentence.ts";
import type { Int, ScalarType } from "./language/types.ts";
import { acceptRaw, advance, type Cursor, expectSymbol, isAt, unexpected } from "./lexer.ts";
import { ExpressionSyntaxError, errorAt, type Span } from "./syntax-error.ts";
import type { Literal, SetItem } from "./tree.ts";
import { parseAddress, parseAddressRange } from "./values/address.ts";

const hexBytes = /[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+(?![0-9A-Za-z_:])/y;
const integerText = /-?[0-9][0-9A-Za-z_]*/y;
const integerRange = /-?[0-9][0-9A-Za-z_]*(?:\.\.-?[0-9][0-9A-Za-z_]*)?/y;
const addressRange = /[0-9A-Za-z:./]+/y;

/** The bounds of integers. */
const [minInt, maxInt] = [-(2n ** 63n), 2n ** 63n - 1n];

/** An integer as it is held: a number where that is exact. Undefined outside of 64 bits. */
export function toInt(value: bigint): Int | undefined {
  if (value < minInt || value > maxInt) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Parses an integer: decimal, `0x` and hexadecimal, or `0` and octal. */
export function parseInteger(text: string): Int | undefined {
  const found = /^(-?)(0x[0-9a-f]+|0[0-7]+|0|[1-9][0-9]*)$/i.exec(text);
  if (found === null) return undefined;
  const [, sign, digits = ""] = found;
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  return toInt(sign === "-" ? -value : value);
}

/** Rejects a part of the text with a clause. */
export function rejectSpan(cursor: Cursor, span: Span, expected: readonly string[], clause: string): never {
  throw new ExpressionSyntaxError(errorAt(cursor.text, span, expected, sentence(clause)));
}

/** Accepts a literal of a type at the cursor; undefined, without advancing, at another token. */
export function acceptLiteral(cursor: Cursor, type: ScalarType): Literal | undefined {
  const { start } = cursor.token.span;
  const value = literalReaders[type](cursor);
  if (value === undefined) return undefined;
  return { kind: "literal", type, isEach: false, value, span: { start, end: cursor.previousEnd } };
}

/** Whether an address is at the cursor, and not a name. */
function isAtAddress({ token, text }: Cursor): boolean {
  if (token.kind === "number" || token.text === ":") return true;
  return (
    token.kind === "word" && /^[0-9A-Fa-f]{1,4}:/.test(text.slice(token.span.start, token.span.start + 5))
  );
}

const literalReaders: {
  readonly [T in ScalarType]: (cursor: Cursor) => Literal["value"] | undefined;
} = {
  Bool: () => undefined,
  Int: (cursor) => (isAtInteger(cursor) ? readInteger(cursor) : undefined),
  IP: (cursor) => (isAtAddress(cursor) ? readAddress(cursor) : undefined),
  String: (cursor) => {
    if (cursor.token.kind === "string") return advance(cursor).text;
    const hex = acceptRaw(cursor, hexBytes);
    return hex === "" ? undefined : bytesOfHex(hex);
  },
};

function bytesOfHex(hex: string): string {
  return String.fromCharCode(...hex.split(":").map((byte) => Number.parseInt(byte, 16)));
}

/** Whether an integer is at the cursor. */
export function isAtInteger({ token }: Cursor): boolean {
  return token.kind === "number" || (token.kind === "symbol" && token.text === "-");
}

const expectedInteger = ["an integer of 64 bits"];

function readInteger(cursor: Cursor): Int {
  const { start } = cursor.token.span;
  const text = acceptRaw(cursor, integerText);
  return checkInteger(cursor, text, { start, end: start + Math.max(1, text.length) });
}

function checkInteger(cursor: Cursor, text: string, span: Span): Int {
  const clause = `\`${text || "-"}\` is not an integer of 64 bits, such as 10, -10, 0x0A or 012`;
  return parseInteger(text) ?? rejectSpan(cursor, span, expectedInteger, clause);
}

function readAddress(cursor: Cursor) {
  const { start } = cursor.token.span;
  const text = acceptRaw(cursor, addressRange);
  const isRange = typeof parseAddressRange(text) !== "string";
  const clause = `\`${text}\` is not an IP address${isRange ? `; write \`in {${text}}\`` : ""}`;
  return (
    parseAddress(text) ?? rejectSpan(cursor, { start, end: cursor.previousEnd }, ["an IP address"], clause)
  );
}

/** The name of an element of a set in messages. */
const itemNames: Readonly<Record<ScalarType, string>> = {
  Bool: "nothing",
  Int: "an integer",
  IP: "an IP address, network or range",
  String: "a string literal",
};

/** Parses a set in braces. */
export function parseSet(cursor: Cursor, type: ScalarType): SetItem[] {
  expectSymbol(cursor, "{");
  const items: SetItem[] = [];
  for (let item = acceptItem(cursor, type); item !== undefined; item = acceptItem(cursor, type))
    items.push(item);
  if (!isAt(cursor, "}")) unexpected(cursor, [itemNames[type], "`}`"], itemAdvice(cursor, type));
  advance(cursor);
  return items;
}

function itemAdvice(cursor: Cursor, type: ScalarType): string | undefined {
  return cursor.token.kind === "string" && type !== "String"
    ? `Expected ${itemNames[type]}, without quotation marks, but found a string.`
    : undefined;
}

function acceptItem(cursor: Cursor, type: ScalarType): SetItem | undefined {
  if (type === "Int") return isAtInteger(cursor) ? readIntegers(cursor) : undefined;
  if (type === "IP") return isAtAddress(cursor) ? readAddresses(cursor) : undefined;
  const value = literalReaders[type](cursor);
  return typeof value === "string" ? { type: "String", value } : undefined;
}

function readIntegers(cursor: Cursor): SetItem {
  const { start } = cursor.token.span;
  const text = acceptRaw(cursor, integerRange);
  const span = { start, end: start + Math.max(1, text.length) };
  const [from = "", to = from] = text.split("..");
  const [first, last] = [checkInteger(cursor, from, span), checkInteger(cursor, to, span)];
  if (first > last)
    rejectSpan(cursor, span, ["an ascending range"], `the range \`${text}\` must be ascending`);
  return { type: "Int", first, last };
}

function readAddresses(cursor: Cursor): SetItem {
  const { start } = cursor.token.span;
  const range = parseAddressRange(acceptRaw(cursor, addressRange));
  if (typeof range !== "string") return { type: "IP", ...range };
  return rejectSpan(cursor, { start, end: cursor.previousEnd }, [itemNames.IP], range);
}
