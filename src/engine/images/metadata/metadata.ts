/**
 * The `metadata` field of an upload: JSON text, or members `metadata[a][b]=v` as client libraries send them
 * (observed). At most 1,024 bytes as UTF-8 JSON (spec; the encoding chosen).
 */

import { type Problem, quote } from "../../../errors.ts";

/** Most bytes of metadata, written as UTF-8 JSON. */
export const maxMetadataBytes = 1_024;
/** Most characters of JSON text that are read at all: blanks may make it longer than what it says (chosen). */
const maxTextCharacters = 8 * maxMetadataBytes;

export type MetadataParse =
  /** `value` is undefined when no field was given. */
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem };

/**
 * Reads metadata from the text fields of a form; other fields are left alone.
 *
 * Members in brackets become strings, since a form knows no other type; `[]` or numbers in a row make an array.
 *
 * @example
 * ```ts
 * parseMetadataFields([["metadata[user][id]", "7"]]); // => { ok: true, value: { user: { id: "7" } } }
 * ```
 */
export function parseMetadataFields(fields: Iterable<readonly [string, string]>): MetadataParse {
  const texts: string[] = [];
  const members: [string, string][] = [];
  for (const [name, value] of fields) {
    if (name === "metadata") texts.push(value);
    else if (name.startsWith("metadata[")) members.push([name, value]);
  }
  if (texts.length + Math.min(members.length, 1) > 1) {
    return refuse(
      "The field `metadata` is given more than once, it must be one JSON text or members in brackets",
    );
  }
  const [text] = texts;
  if (text !== undefined) return parseText(text);
  return members.length > 0 ? parseMembers(members) : { ok: true, value: undefined };
}

/** Checks metadata that is already a value, as in a JSON body. */
export function checkMetadata(value: unknown, at = "/metadata"): Problem | undefined {
  const bytes = jsonBytes(value);
  if (bytes <= maxMetadataBytes) {
    if (hasFiniteNumbers(value)) return undefined;
    return bad(`The metadata holds a number beyond ${Number.MAX_VALUE}, which could not be kept`, at);
  }
  const found = Number.isFinite(bytes) ? `has ${bytes} bytes as JSON` : "is nested too deep";
  return bad(`The metadata ${found}, at most ${maxMetadataBytes} bytes are allowed`, at);
}

function parseText(text: string): MetadataParse {
  if (text.length > maxTextCharacters) {
    return refuse(
      `The metadata has ${text.length} characters, at most ${maxMetadataBytes} bytes are allowed`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(`The metadata is ${quote(text)}, it must be JSON`);
  }
  return checked(value);
}

function parseMembers(members: readonly (readonly [string, string])[]): MetadataParse {
  const root: Branch = new Map();
  for (const [name, value] of members) {
    const path = parsePath(name);
    if (!path) return refuse(`The field ${quote(name)} is not of the form \`metadata[name][name]\``);
    if (path.length > maxMetadataBytes / 4 || !plant(root, path, value)) {
      return refuse(`The field ${quote(name)} does not fit with the other members of the metadata`);
    }
  }
  return checked(harvest(root));
}

/** Members by name; a map, so that no name has a meaning of its own. */
type Branch = Map<string, Branch | string>;

/** The names in the brackets behind `metadata`. */
function parsePath(name: string): string[] | undefined {
  const brackets = name.slice("metadata".length);
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined;
  return brackets.slice(1, -1).split("][");
}

/** Puts a value at its place; false when a text or another value already stands there. */
function plant(root: Branch, path: readonly string[], value: string): boolean {
  let branch = root;
  for (const [level, step] of path.entries()) {
    // An empty name asks for the next index.
    const name = step === "" ? String(branch.size) : step;
    const there = branch.get(name);
    if (level === path.length - 1) {
      branch.set(name, value);
      return there === undefined;
    }
    if (typeof there === "string") return false;
    const next: Branch = there ?? new Map();
    branch.set(name, next);
    branch = next;
  }
  return false;
}

/** A branch as a JSON value; one whose names are 0, 1, 2 ... is an array. */
function harvest(branch: Branch): unknown {
  const entries = [...branch].map(([name, value]): [string, unknown] => [
    name,
    typeof value === "string" ? value : harvest(value),
  ]);
  if (entries.every(([name], index) => name === String(index))) return entries.map(([, value]) => value);
  const object: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function checked(value: unknown): MetadataParse {
  const problem = checkMetadata(value);
  return problem ? { ok: false, problem } : { ok: true, value };
}

/** Whether all numbers in a value are finite: JSON text may hold larger ones than a double does. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
}

/** Bytes of a value as UTF-8 JSON; Infinity when it is nested deeper than the stack. */
function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return Infinity;
  }
}

function refuse(message: string): MetadataParse {
  return { ok: false, problem: bad(message, "/metadata") };
}

function bad(message: string, at: string): Problem {
  return { code: 5400, pointer: at, message: `${message}.` };
}
