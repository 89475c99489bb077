/** Parses and prints a value of the request: `http.host`, `http.request.headers["name"][0]` (`spec`, `observed`). */

import { type Field, listedFields, plainFields, uriFields, type ValueField } from "./ast.ts";
import { advance, type Cursor, expectString, expectSymbol, isAt, unexpected } from "./lexer.ts";
import { printString } from "./literal.ts";

type ListedName = (typeof listedFields)[number];

/** A value in a list, as token sources are. */
export type ListedField = Extract<Field, { key: string }>;

/** Every field name, for messages. */
export const fieldNames: readonly string[] = [
  ...plainFields,
  ...uriFields,
  ...listedFields.map((name) => `${name}["name"][0]`),
];

/** Accepts a field at the cursor; undefined, without advancing, at any other token. */
export function acceptField(cursor: Cursor): Field | undefined {
  const { token } = cursor;
  if (token.kind !== "word") return undefined;
  const plain = plainFields.find((name) => name === token.text);
  if (plain === undefined) return acceptListedField(cursor);
  advance(cursor);
  return { name: plain };
}

/** Accepts a field of a comparison with functions at the cursor, also with `[*]` when `isQuantified`. */
export function acceptValueField(cursor: Cursor, isQuantified: boolean): ValueField | undefined {
  const { token } = cursor;
  const uri = uriFields.find((name) => token.kind === "word" && name === token.text);
  if (uri !== undefined) {
    advance(cursor);
    return { name: uri };
  }
  const listed = listedFields.find((name) => token.kind === "word" && name === token.text);
  if (!isQuantified || listed === undefined) return acceptField(cursor);
  advance(cursor);
  return readAllAccess(cursor, listed);
}

/** Accepts a list field at the cursor; undefined, without advancing, at any other token. */
export function acceptListedField(cursor: Cursor): ListedField | undefined {
  const { token } = cursor;
  const name = listedFields.find((candidate) => token.kind === "word" && candidate === token.text);
  if (name === undefined) return undefined;
  advance(cursor);
  return readAccess(cursor, name);
}

/**
 * Prints a field; the inverse of parsing it.
 *
 * @example
 * ```ts
 * printField({ name: "http.request.headers", key: "accept", index: 0 });
 * // => 'http.request.headers["accept"][0]'
 * ```
 */
export function printField(field: ValueField): string {
  return "key" in field ? `${field.name}[${printString(field.key)}][${field.index}]` : field.name;
}

function readAllAccess(cursor: Cursor, name: ListedName): ValueField {
  expectSymbol(cursor, "[");
  const key = propertyName(expectString(cursor, "a name in double quotes").text);
  expectSymbol(cursor, "]");
  expectSymbol(cursor, "[");
  expectSymbol(cursor, "*");
  expectSymbol(cursor, "]");
  return { name, key, index: "*" };
}

function readAccess(cursor: Cursor, name: ListedName): ListedField {
  expectSymbol(cursor, "[");
  const key = propertyName(expectString(cursor, "a name in double quotes").text);
  expectSymbol(cursor, "]");
  expectSymbol(cursor, "[");
  const index = readIndex(cursor);
  expectSymbol(cursor, "]");
  return { name, key, index };
}

const expectedIndex = ["an index (an integer from 0)"];

function readIndex(cursor: Cursor): number {
  const { token } = cursor;
  const index = Number(token.text);
  if (token.kind !== "number" || !Number.isSafeInteger(index))
    return unexpected(cursor, expectedIndex, indexAdvice.get(token.text));
  advance(cursor);
  if (isAt(cursor, "."))
    unexpected(cursor, expectedIndex, "An index must be an integer, without a fraction.");
  return index;
}

/** Messages for what is common in place of an index. */
const indexAdvice = new Map([
  [
    "*",
    "`[*]` (all values) is allowed only within `any(...)` and `all(...)`; write an index, such as `[0]`.",
  ],
  ["-", "An index counts from the first value, which is 0; negative ones are not supported."],
]);

/**
 * The same string as V8 interns it for property names. A slice of an expression is compared with header names
 * character by character; the interned string is identical to them (`chosen`, measured: 60 ns per request).
 */
function propertyName(text: string): string {
  return Object.keys({ [text]: true })[0] as string;
}
