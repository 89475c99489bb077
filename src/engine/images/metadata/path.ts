/**
 * A path into metadata, evaluated by jsonpath-plus with script evaluation off.
 *
 * Names come from a query and may be anything. The library interprets `*`, `..`, `^`, `~`, `@null()`, `?(`, quotes,
 * commas and backticks in a name, also in its array form, and follows `length` into strings. So the names of the path
 * and of the data are escaped to letters, digits and `_` on both sides: then every name is only a name, and only own,
 * enumerable members have one.
 */

import { JSONPath } from "jsonpath-plus";

/** Metadata with escaped names. */
export type EscapedMetadata = unknown;

/** Finds the value at a path of escaped metadata; undefined when it is missing (JSON has no undefined). */
export type CompiledPath = (metadata: EscapedMetadata) => unknown;

/**
 * Compiles a path of one or more names; the name of an array element is its index.
 *
 * @example
 * ```ts
 * compilePath(["a", "length"])(escapeNames({ a: [1, 2] }, 2)); // => undefined
 * ```
 */
export function compilePath(names: readonly string[]): CompiledPath {
  const path = `$.${names.map(escapeName).join(".")}`;
  return (metadata) =>
    typeof metadata === "object" && metadata !== null ? evaluate(path, metadata) : undefined;
}

/** Escapes the names of the own members of a value, `levels` deep; deeper ones are out of reach. */
export function escapeNames(value: unknown, levels: number): EscapedMetadata {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  const escaped: Record<string, EscapedMetadata> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    escaped[escapeName(name)] = escapeNames(member, levels - 1);
  }
  return escaped;
}

function evaluate(path: string, json: object): unknown {
  const [found]: unknown[] = JSONPath({ path, json, eval: false });
  // The library caches every parsed path without a bound, and these come from requests.
  delete (JSONPath as unknown as { cache: Record<string, unknown> }).cache[path];
  return found;
}

/** Injective, with letters, digits and `_` only, and never a number. */
function escapeName(name: string): string {
  return `k${name.replace(/[^A-Za-z0-9]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}`;
}
