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
    const value: unknown = JSON.parse(text);
    return text.includes("\\") ? JSON.parse(withPlainNames(text)) : value;
  } catch {
    return undefined;
  }
}

/**
 * JSON with member names whose letters are not escaped: `JSON.parse` of Node.js 24.21 reads some escaped names as others
 * (`observed`).
 *
 * @param text valid JSON
 */
function withPlainNames(text: string): string {
  let plain = "";
  let copied = 0;
  for (let at = text.indexOf('"'); at !== -1; ) {
    const end = endOfString(text, at) + 1;
    let next = end;
    while (isSpace(text[next])) next++;
    if (text[next] === ":") {
      plain += text.slice(copied, at) + JSON.stringify(JSON.parse(text.slice(at, end)));
      copied = end;
    }
    at = text.indexOf('"', next);
  }
  return plain + text.slice(copied);
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r" || character === "\n";
}

/**
 * Whether a member name occurs twice at the top level, escapes resolved (`"al\u0067"` is `"alg"`).
 *
 * Parsing keeps one member of each name, so a source with more members than the object repeats one. With escapes, the names
 * themselves are compared: `JSON.parse` of Node.js 24.21 reads some of them as others (`observed`).
 *
 * @param text the JSON source of `object`
 */
export function hasDuplicateMembers(text: string, object: JsonObject): boolean {
  const names = memberNames(text);
  const count = text.includes("\\") ? new Set(names.map(unescapeName)).size : Object.keys(object).length;
  return names.length !== count;
}

/** The strings before the colons of the top level, in quotation marks. */
function memberNames(text: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let last = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const end = endOfString(text, i);
      if (depth === 1) last = text.slice(i, end + 1);
      i = end;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === ":" && depth === 1) names.push(last);
  }
  return names;
}

function unescapeName(name: string): string {
  return name.includes("\\") ? JSON.parse(name) : name.slice(1, -1);
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
