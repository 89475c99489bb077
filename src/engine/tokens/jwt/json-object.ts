/** Strict reading of the JSON objects inside a token: UTF-8 without a byte order mark (RFC 7515, section 5.2). */

import { isUtf8 } from "node:buffer";

export type JsonObject = Readonly<Record<string, unknown>>;

const byteOrderMark = "\uFEFF";

/** What the decoder puts in the place of bytes that are not UTF-8; a text may also hold it by right. */
const replacement = "\uFFFD";

/** An object and the text that it was read from. */
export interface ReadObject {
  readonly object: JsonObject;
  readonly text: string;
}

/** The object in the bytes from `start` to before `end`, or what is wrong as the end of a sentence. */
export function readJsonObject(bytes: Buffer, start: number, end: number): ReadObject | string {
  const text = bytes.toString("utf8", start, end);
  if (text.includes(replacement) && !isUtf8(bytes.subarray(start, end))) return "is not UTF-8";
  if (text.startsWith(byteOrderMark)) return "starts with a byte order mark";
  const value = parse(text);
  if (value === undefined) return "is not JSON";
  return isObject(value) ? { object: value, text } : "is JSON, but not an object";
}

/** JSON has no undefined, so it can stand for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a member name occurs twice at the top level, escapes resolved (`"al\u0067"` is `"alg"`).
 *
 * Parsing keeps one member of each name, so a text with more members than the object has repeats one. Members are
 * counted by their colons; `text` must be the JSON text of `object`.
 */
export function hasDuplicateMembers(text: string, object: JsonObject): boolean {
  return countMembers(text) !== Object.keys(object).length;
}

function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = endOfString(text, i);
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === ":" && depth === 1) members++;
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}

/** Freezes a JSON value and all in it, without recursion, so that depth is no danger. */
export function freezeDeep<T extends object>(root: T): T {
  const pending: object[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    for (const member of Object.values(value)) {
      if (typeof member === "object" && member !== null) pending.push(member);
    }
    Object.freeze(value);
  }
  return root;
}
