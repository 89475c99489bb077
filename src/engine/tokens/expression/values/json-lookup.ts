/**
 * Looks up a value in JSON by names and positions, in the text itself: integers keep all of their digits, and of members
 * with one name the last one counts (`observed` what is found; limits `chosen`).
 */

import { parseJson } from "../../../../core/json-value.ts";
import type { Int } from "../language/types.ts";
import { toInt } from "../typed-literals.ts";
import { toBytes, toText } from "./bytes.ts";

/** Limits of a document; one that is larger has no values. */
export const jsonLimits = {
  /** In bytes. */
  maxBytes: 65_536,
  /** Of arrays and objects in each other. */
  maxDepth: 64,
} as const;

/** The limit that a text exceeds, in words; undefined for one within both. */
export function exceededLimit(bytes: string): string | undefined {
  const { maxBytes, maxDepth } = jsonLimits;
  if (bytes.length > maxBytes) return `JSON of more than ${maxBytes} bytes is not read`;
  return depthOf(bytes) > maxDepth ? `JSON nested more than ${maxDepth} deep is not read` : undefined;
}

/** The text of a document of bytes in UTF-8; undefined when the text is not JSON or too large. */
export function readDocument(bytes: string): string | undefined {
  const text = exceededLimit(bytes) === undefined ? toText(bytes) : undefined;
  return text === undefined || parseJson(text) === undefined ? undefined : text;
}

function depthOf(text: string): number {
  let depth = 0;
  let max = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") max = Math.max(max, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return max;
}

/** The offset after the string that starts at an offset; after the end for one that is not closed. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The string at a path, as bytes; undefined for any other value. */
export function lookupString(text: string, path: readonly (string | number)[]): string | undefined {
  const found = locate(text, path);
  return found?.startsWith('"') ? toBytes(JSON.parse(found)) : undefined;
}

/** The integer at a path: without fraction and exponent, of 64 bits; undefined for any other value. */
export function lookupInteger(text: string, path: readonly (string | number)[]): Int | undefined {
  const found = locate(text, path);
  return found !== undefined && /^-?[0-9]+$/.test(found) ? toInt(BigInt(found)) : undefined;
}

/** The text of the value at a path; undefined when there is none. */
function locate(text: string, path: readonly (string | number)[]): string | undefined {
  let at: number | undefined = skipSpace(text, 0);
  for (const key of path) {
    at = typeof key === "string" ? findMember(text, at, key) : findElement(text, at, key);
    if (at === undefined) return undefined;
  }
  return text.slice(at, endOfValue(text, at));
}

const space = /[ \t\r\n]*/y;

function skipSpace(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/** The offset of the value of the last member with a name. */
function findMember(text: string, start: number, name: string): number | undefined {
  if (text[start] !== "{") return undefined;
  let found: number | undefined;
  let at: number | undefined = skipSpace(text, start + 1);
  while (at !== undefined && text[at] === '"') {
    const end = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === name) found = value;
    at = nextPart(text, value);
  }
  return found;
}

function findElement(text: string, start: number, index: number): number | undefined {
  if (text[start] !== "[" || index < 0) return undefined;
  let at: number | undefined = skipSpace(text, start + 1);
  if (text[at] === "]") return undefined;
  for (let left = index; left > 0 && at !== undefined; left--) at = nextPart(text, at);
  return at;
}

/** The offset of the member or element after a value; undefined after the last one. */
function nextPart(text: string, value: number): number | undefined {
  const end = skipSpace(text, endOfValue(text, value));
  return text[end] === "," ? skipSpace(text, end + 1) : undefined;
}

const scalar = /[^\s,\]}]*/y;

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== "{" && first !== "[") {
    scalar.lastIndex = start;
    scalar.test(text);
    return scalar.lastIndex;
  }
  let depth = 0;
  for (let at = start; ; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
}
