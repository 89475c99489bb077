/**
 * Finds the token of a request: the sources are tried in order, and the first that yields a non-empty string counts
 * (`observed` that only one is used, `chosen` which).
 */

import {
  aNumber,
  anyObject,
  arrayOf,
  aString,
  instanceOf,
  objectWith,
  optional,
  requireArguments,
} from "../../../core/arguments.ts";
import { type RequestReader, readListed } from "./request.ts";
import type { TokenSource } from "./token-source.ts";

/** A token, and the source that yielded it. */
export interface FoundToken {
  /** The string without `Bearer`, not verified yet. */
  readonly token: string;
  /** The source that yielded it. */
  readonly source: TokenSource;
}

/** The scheme that is removed, from headers and from cookies (`observed`). */
const scheme = "bearer";

/** The bit in which an ASCII letter's lower case differs from its upper case. */
const lowerCaseBit = 0x20;

const [space, tab, colon] = [0x20, 0x09, 0x3a];

/** Finds the token; undefined when no source yields one. */
export function findToken(reader: RequestReader, sources: readonly TokenSource[]): FoundToken | undefined {
  requireArguments({
    reader: [
      reader,
      objectWith({
        method: aString,
        url: aString,
        headers: optional(anyObject),
        cookies: optional(instanceOf("a Map", Map)),
      }),
    ],
    sources: [sources, arrayOf(objectWith({ name: aString, key: aString, index: aNumber }))],
  });
  return findTokenIn(reader, sources);
}

/** The same for each evaluation, whose arguments are known. */
export function findTokenIn(reader: RequestReader, sources: readonly TokenSource[]): FoundToken | undefined {
  for (const source of sources) {
    const value = readListed(reader, source);
    if (value === undefined) continue;
    const token = stripBearer(value);
    if (token !== "") return { token, source };
  }
  return undefined;
}

/**
 * Removes a leading `Bearer`: any case, an optional colon, then white space or the end.
 *
 * @example
 * ```ts
 * stripBearer("bearer: abc"); // => "abc"
 * ```
 */
export function stripBearer(value: string): string {
  if (!startsWithScheme(value)) return value;
  const { length } = scheme;
  const start = value.charCodeAt(length) === colon ? length + 1 : length;
  let at = start;
  while (isBlank(value.charCodeAt(at))) at++;
  return at > start || at === value.length ? value.slice(at) : value;
}

/** Compares characters in place, without creating a string. */
function startsWithScheme(value: string): boolean {
  for (let i = 0; i < scheme.length; i++) {
    if ((value.charCodeAt(i) | lowerCaseBit) !== scheme.charCodeAt(i)) return false;
  }
  return true;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}
