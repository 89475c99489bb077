/**
 * The `metadata` field of an upload: JSON text, or members `metadata[a][b]=v` as client libraries send them
 * (observed). At most 1,024 bytes as UTF-8 JSON (spec; the encoding is chosen).
 */

import { utf8Length } from "#bytes";
import { aPair, aString, requireArgument, requireEach } from "../../../core/arguments.ts";
import { type Failure, failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";

/** Maximum size of metadata, in bytes of UTF-8 JSON. */
export const maxMetadataBytes = 1_024;
/** Maximum length of JSON text before parsing, in characters: white space may make it longer than its value (chosen). */
const maxTextCharacters = 8 * maxMetadataBytes;
/** Maximum number of names in a field's brackets (chosen): more do not fit into the bytes. */
const maxNames = maxMetadataBytes / 4;

/**
 * Reads metadata from the text fields of a form; other fields are ignored.
 *
 * Members in brackets become strings, since a form has no other type; `[]` or consecutive numbers make an array.
 *
 * @returns the value, undefined without such a field; or one problem with code 5400
 * @example
 * ```ts
 * parseMetadataFields([["metadata[user][id]", "7"]]); // => { ok: true, value: { user: { id: "7" } } }
 * ```
 */
export function parseMetadataFields(fields: Iterable<readonly [string, string]>): Result<unknown> {
  const texts: string[] = [];
  const members: [string, string][] = [];
  for (const [name, value] of requireEach("fields", fields, aPair)) {
    if (name === "metadata") texts.push(value);
    else if (name.startsWith("metadata[")) members.push([name, value]);
  }
  if (texts.length + Math.min(members.length, 1) > 1) {
    return fail("`metadata` must be one JSON text, or members in brackets; found more than one");
  }
  const [text] = texts;
  if (text !== undefined) return parseText(text);
  return members.length > 0 ? parseMembers(members) : success(undefined);
}

/**
 * Checks metadata that is already a value, as in a JSON body.
 *
 * @param at pointer of the problem
 * @returns a problem with code 5400; undefined for valid metadata
 */
export function checkMetadata(value: unknown, at = "/metadata"): CodedDiagnostic | undefined {
  requireArgument("at", at, aString);
  const bytes = jsonBytes(value);
  if (bytes <= maxMetadataBytes) {
    const path = pathOfInexact(value);
    if (path === undefined) return undefined;
    const message = `\`metadata\` must have numbers from -${maxNumber} to ${maxNumber}, which are exact in JSON; send a larger one as a string.`;
    return problem(5400, message, at + pointer(...path));
  }
  const found = Number.isFinite(bytes) ? String(bytes) : "too many levels of nesting";
  const message = `\`metadata\` must have at most ${maxMetadataBytes} bytes as JSON; found ${found}.`;
  return problem(5400, message, at);
}

function parseText(text: string): Result<unknown> {
  if (text.length > maxTextCharacters) {
    return fail(
      `\`metadata\` must have at most ${maxMetadataBytes} bytes; found a text of ${text.length} characters`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(`\`metadata\` must be JSON; found ${quote(text)}`);
  }
  return checked(value);
}

function parseMembers(members: readonly (readonly [string, string])[]): Result<unknown> {
  const root: Branch = new Map();
  for (const [name, value] of members) {
    const path = parsePath(name);
    if (!path) return fail(`The field ${quote(name)} must have the format \`metadata[name][name]\``);
    if (path.length > maxNames || !insert(root, path, value)) {
      return fail(`The field ${quote(name)} does not fit with the other members of \`metadata\``);
    }
  }
  return checked(toJson(root));
}

/** Members by name; a map, so that no name is special. */
type Branch = Map<string, Branch | string>;

/** The names in the brackets after `metadata`. */
function parsePath(name: string): string[] | undefined {
  const brackets = name.slice("metadata".length);
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined;
  return brackets.slice(1, -1).split("][");
}

/** Inserts a value at its path; false when another value is already on that path. */
function insert(root: Branch, path: readonly string[], value: string): boolean {
  let branch = root;
  for (const [level, step] of path.entries()) {
    // An empty name is the next index.
    const name = step === "" ? String(branch.size) : step;
    const existing = branch.get(name);
    if (level === path.length - 1) {
      branch.set(name, value);
      return existing === undefined;
    }
    if (typeof existing === "string") return false;
    const next: Branch = existing ?? new Map();
    branch.set(name, next);
    branch = next;
  }
  return false;
}

/** A branch as a JSON value; one whose names are 0, 1, 2 ... is an array. */
function toJson(branch: Branch): unknown {
  const entries = [...branch].map(([name, value]): [string, unknown] => [
    name,
    typeof value === "string" ? value : toJson(value),
  ]);
  if (entries.every(([name], index) => name === String(index))) return entries.map(([, value]) => value);
  // `fromEntries` defines own members, so `__proto__` is a name like any other.
  return Object.fromEntries(entries);
}

function checked(value: unknown): Result<unknown> {
  const found = checkMetadata(value);
  return found ? failure(found) : success(value);
}

/** Maximum of numbers: beyond it, `JSON.parse` rounds integers in silence (chosen; RFC 7493, section 2.2). */
const maxNumber = Number.MAX_SAFE_INTEGER;

/** The path of the first number that may be another one than was sent; undefined without one. */
function pathOfInexact(value: unknown): readonly string[] | undefined {
  if (typeof value === "number") return Math.abs(value) <= maxNumber ? undefined : [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = pathOfInexact(member);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Size of a value in bytes of UTF-8 JSON; Infinity when it is nested deeper than the stack. */
function jsonBytes(value: unknown): number {
  try {
    return utf8Length(JSON.stringify(value) ?? "");
  } catch {
    return Infinity;
  }
}

function fail(message: string): Failure {
  return failure(problem(5400, `${message}.`, "/metadata"));
}
