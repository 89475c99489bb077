/** Strict parsing of the JSON objects inside a token: UTF-8 without a byte order mark (RFC 7515, section 5.2). */

import { isUtf8, utf8Text } from "#bytes";
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";

const byteOrderMark = "\uFEFF";

/** The decoder's replacement for bytes that are not UTF-8; valid UTF-8 can contain it, too. */
const replacement = "\uFFFD";

/** An object and its JSON source. */
export interface ReadObject {
  readonly object: JsonObject;
  readonly text: string;
}

/** Parses the bytes from `start` to before `end`. The problem of a failure is the end of a sentence. */
export function readJsonObject(bytes: Uint8Array, start: number, end: number): Result<ReadObject, string> {
  const text = utf8Text(bytes, start, end);
  if (text.includes(replacement) && !isUtf8(bytes.subarray(start, end)))
    return failure("is not JSON: it is not UTF-8");
  if (text.startsWith(byteOrderMark)) return failure("starts with a byte order mark");
  const value = parse(text);
  if (value === undefined) return failure("is not JSON");
  return isJsonObject(value) ? success({ object: value, text }) : failure("is JSON, but not an object");
}

/** Undefined for a string that is not JSON; no JSON value is undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a member name occurs twice at the top level, escapes resolved (`"al\u0067"` is `"alg"`).
 *
 * Parsing keeps one member of each name, so a source with more members than the object repeats one. Members are counted
 * by their colons; `text` must be the JSON source of `object`.
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

/** Freezes a JSON value and everything in it, without recursion, so that depth cannot exhaust the stack. */
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
