/**
 * Finds the token of a request: the sources are tried in order, and the first that yields a non-empty string is the
 * one that counts (`observed` that only one is used, `chosen` which).
 */

import { type RequestReader, readField } from "./request.ts";
import type { TokenSource } from "./source.ts";

/** A token, and the source that yielded it. */
export interface FoundToken {
  readonly token: string;
  readonly source: TokenSource;
}

/** The scheme that is taken off, from headers and cookies alike (`observed`). */
const scheme = "bearer";

/** Its usual spelling, for a first look that makes no new string. */
const usualScheme = "Bearer ";

/** Finds the token; undefined when no source yields one. */
export function findToken(reader: RequestReader, sources: readonly TokenSource[]): FoundToken | undefined {
  for (const source of sources) {
    const value = readField(reader, source);
    if (value === undefined) continue;
    const token = stripBearer(value);
    if (token !== "") return { token, source };
  }
  return undefined;
}

/**
 * Takes off a leading `Bearer`: any case, an optional colon, then white space or the end.
 *
 * @example
 * ```ts
 * stripBearer("bearer: abc"); // => "abc"
 * ```
 */
export function stripBearer(value: string): string {
  if (!value.startsWith(usualScheme) && value.slice(0, scheme.length).toLowerCase() !== scheme) return value;
  const colon = value[scheme.length] === ":" ? 1 : 0;
  const start = scheme.length + colon;
  let at = start;
  while (value[at] === " " || value[at] === "\t") at++;
  return at > start || at === value.length ? value.slice(at) : value;
}
