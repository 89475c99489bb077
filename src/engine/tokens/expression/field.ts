/** Parses and prints a value of the request: `http.host`, `http.request.headers["name"][0]` (`spec`, `observed`). */

import type { Field, PlainName, ValueField } from "./ast.ts";
import { fields, type ListedName, listedFields, type SingleName, singleFields } from "./language/fields.ts";
import { advance, type Cursor, expectString, expectSymbol, isAt, unexpected } from "./lexer.ts";
import { printString } from "./literal.ts";

/** A value in a list, as token sources are. */
export type ListedField = Extract<Field, { key: string }>;

/** Every field name, for messages. */
export const fieldNames: readonly string[] = [
  ...singleFields,
  ...listedFields.map((name) => `${name}["name"][0]`),
];

/** Accepts a field at the cursor, also with `[*]` when `isQuantified`; undefined, without advancing, at any other token. */
export function acceptField(cursor: Cursor, isQuantified: boolean): ValueField | undefined {
  const single = nameAt(cursor, singleFields);
  if (single !== undefined) {
    advance(cursor);
    return { name: single };
  }
  const listed = nameAt(cursor, listedFields);
  if (!isQuantified || listed === undefined) return acceptListedField(cursor);
  advance(cursor);
  return readAllAccess(cursor, listed);
}

/** Accepts a list field at the cursor; undefined, without advancing, at any other token. */
export function acceptListedField(cursor: Cursor): ListedField | undefined {
  const name = nameAt(cursor, listedFields);
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

/** The name at the cursor. */
function nameAt<Name extends string>({ token }: Cursor, names: readonly Name[]): Name | undefined {
  return token.kind === "word" ? names.find((name) => name === token.text) : undefined;
}

/** The field when it is one that a comparison without functions has. */
export function plainField(field: ValueField): Field | undefined {
  if ("key" in field) return field.index === "*" ? undefined : { ...field, index: field.index };
  return isPlain(field.name) ? { name: field.name } : undefined;
}

function isPlain(name: SingleName): name is PlainName {
  return fields[name].node === "comparison";
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
