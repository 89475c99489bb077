/** The fields of a request's target, and of headers and cookies; and the parser of a token source's field. */

import { advance, type Cursor, expectString, expectSymbol, isAt, unexpected } from "./lexer.ts";
import { printBytes } from "./printer.ts";
import { toBytes, toText } from "./values/bytes.ts";

/** The fields with one string that are of the target of a request, and those with lists of strings by name. */
export const singleFields = [
  "http.request.method",
  "http.host",
  "http.request.uri.path",
  "http.request.uri",
  "http.request.uri.query",
] as const;
export const listedFields = ["http.request.headers", "http.request.cookies"] as const;

/** A field with one string. */
export type SingleName = (typeof singleFields)[number];
/** A field with lists of strings by name. */
export type ListedName = (typeof listedFields)[number];
/** A field of the target, or of headers or cookies. */
export type FieldName = SingleName | ListedName;

/** A value of the request, such as `http.request.headers["accept"][0]`. */
export type Field =
  | { readonly name: SingleName }
  | {
      readonly name: ListedName;
      /** Name of the header or cookie. */
      readonly key: string;
      /** Position among the values with that name, from 0. */
      readonly index: number;
    };

/** One value, or with index `*` each value of a header or cookie. */
export type ValueField = Field | { readonly name: ListedName; readonly key: string; readonly index: "*" };

/**
 * Prints a field.
 *
 * @example
 * ```ts
 * printField({ name: "http.request.headers", key: "accept", index: 0 });
 * // => 'http.request.headers["accept"][0]'
 * ```
 */
export function printField(field: ValueField): string {
  return "key" in field ? `${field.name}[${printBytes(toBytes(field.key))}][${field.index}]` : field.name;
}

/** A value in a list, as token sources are. */
export type ListedField = Extract<ValueField, { index: number }>;

/** Accepts a list field at the cursor; undefined, without advancing, at any other token. */
export function acceptListedField(cursor: Cursor): ListedField | undefined {
  const name = listedFields.find((listed) => isAt(cursor, listed));
  if (name === undefined) return undefined;
  advance(cursor);
  return readAccess(cursor, name);
}

function readAccess(cursor: Cursor, name: ListedName): ListedField {
  expectSymbol(cursor, "[");
  const { text: bytes } = expectString(cursor, "a name in double quotes");
  expectSymbol(cursor, "]");
  expectSymbol(cursor, "[");
  const index = readIndex(cursor);
  expectSymbol(cursor, "]");
  return { name, key: propertyName(toText(bytes) ?? bytes), index };
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
  ["*", "A token source is one value: write an index, such as `[0]`."],
  ["-", "An index counts from the first value, which is 0; negative ones are not supported."],
]);

/**
 * The same string as V8 interns it for property names. A slice of an expression is compared with header names
 * character by character; the interned string is identical to them (`chosen`, measured: 60 ns per request).
 */
export function propertyName(text: string): string {
  return Object.keys({ [text]: true })[0] as string;
}
