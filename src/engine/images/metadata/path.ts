/**
 * A path into metadata, through jsonpath-plus with evaluation off.
 *
 * Names come from a query and may be anything. The library reads `*`, `..`, `^`, `~`, `@null()`, `?(`, quotes, commas
 * and backticks in a name as language, also in its array form, and follows `length` into texts. So the names of the
 * path and of the data are rewritten to letters, digits and `_` on both sides: then every name is only a name, and only
 * own, enumerable members have one.
 */

import { JSONPath } from "jsonpath-plus";

/** Metadata with rewritten names. */
export type Twin = unknown;

/** Finds the value at a path of a twin; undefined when there is none (JSON has no undefined). */
export type CompiledPath = (twin: Twin) => unknown;

/**
 * Compiles a path of one or more names; array elements are named by their index.
 *
 * @example
 * ```ts
 * compilePath(["a", "length"])(twinOf({ a: [1, 2] }, 2)); // => undefined
 * ```
 */
export function compilePath(names: readonly string[]): CompiledPath {
  const path = `$.${names.map(plainName).join(".")}`;
  return (twin) => (typeof twin === "object" && twin !== null ? evaluate(path, twin) : undefined);
}

/** Rewrites the names of the own members of a value, `levels` deep; what lies deeper cannot be reached anyway. */
export function twinOf(value: unknown, levels: number): Twin {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  const twin: Record<string, Twin> = Object.create(null);
  for (const [name, member] of Object.entries(value)) twin[plainName(name)] = twinOf(member, levels - 1);
  return twin;
}

function evaluate(path: string, json: object): unknown {
  const [found]: unknown[] = JSONPath({ path, json, eval: false });
  // The library keeps every path it has read, for ever: these come from requests.
  delete (JSONPath as unknown as { cache: Record<string, unknown> }).cache[path];
  return found;
}

/** One name to one name, of letters, digits and `_` alone, and never a number. */
function plainName(name: string): string {
  return `k${name.replace(/[^A-Za-z0-9]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}`;
}
