/**
 * Imports a key set: the keys to store, problems, and notes on what was changed.
 *
 * Two modes. `reject`: a key that does not have exactly one of the formats is a problem (`spec`). `adjust`: an
 * unsupported key is dropped and omitted members are filled in, each with a note (`observed`). In both modes
 * unsafe key material is a problem (`chosen`), private members are never kept (`chosen`), and unknown members are
 * removed (`observed`).
 */

import { aNumber, aString, oneOf, optional, optionsOf, requireArgument } from "../../../../core/arguments.ts";
import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { failure, type Result, success } from "../../../../core/result.ts";
import { type CodedDiagnostic, note, pointer, quote } from "../../../../errors.ts";
import { inputProblem, mustBeUnprinted, nameSome } from "../../input-problem.ts";
import type { JwtKey } from "../../model.ts";
import { buildKey } from "./build-key.ts";
import {
  fillOmitted,
  keyFormatProblems,
  type RawKey,
  readRawKey,
  type SharedSecrets,
  strippedMembers,
} from "./key-format.ts";
import type { MemberClause } from "./key-material.ts";
import { identityOf } from "./merge-keys.ts";

/** Default maximum number of keys in a set (`observed`). */
export const defaultMaxKeys = 64;

/** Maximum number of removed member names in a note. */
const maxNamedMembers = 8;

/** Options of {@link importKeys}. */
export interface KeyImportOptions {
  /**
   * Treatment of keys without one of the formats: `reject` them as problems, or `adjust` the set with notes
   * (fill in omitted members, drop unsupported keys).
   */
  readonly mode: "reject" | "adjust";
  /** Whether shared secrets (`kty` is `oct`) are keys; `reject` by default, as the specification has none. */
  readonly sharedSecrets?: SharedSecrets;
  /** Maximum number of keys in a set, at least 1; 64 by default. */
  readonly maxKeys?: number;
  /** RFC 6901 pointer of the array itself, the prefix of all pointers of problems and notes; empty by default. */
  readonly pointer?: string;
}

const importOptions = optionsOf<KeyImportOptions>("importKeys", {
  mode: oneOf("reject", "adjust"),
  sharedSecrets: optional(oneOf("reject", "accept")),
  maxKeys: optional(aNumber),
  pointer: optional(aString),
});

/** Keys ready to be stored. */
export interface ImportedKeys {
  /** At least one, in the order given. */
  readonly keys: readonly JwtKey[];
  /** Remarks on dropped keys and on members that were filled in, changed or removed. */
  readonly notes: readonly Diagnostic[];
}

/** An element's index, and the pointer of the array. */
interface KeyLocation {
  readonly index: number;
  readonly base: string;
}

/** The key of one element, absent when it was dropped. */
interface ImportedKey {
  readonly key?: JwtKey;
  readonly notes: readonly Diagnostic[];
}

/**
 * Imports a key set. Never throws on a JSON value; a failure has every problem with its pointer.
 *
 * @example
 * ```ts
 * const imported = importKeys([{ kty: "OKP", kid: "ed" }], { mode: "reject" });
 * imported.ok ? [] : imported.problems.map(({ pointer, message }) => [pointer, message]);
 * // => [["/0/kty", "`kty` must be `RSA` or `EC`; found the string `OKP`."]]
 * ```
 */
export function importKeys(keys: unknown, options: KeyImportOptions): Result<ImportedKeys> {
  requireArgument("options", options, importOptions);
  const { maxKeys = defaultMaxKeys, pointer: base = "" } = options;
  const count = maxKeys < Number.MAX_SAFE_INTEGER ? `1 to ${maxKeys} keys` : "at least 1 key";
  if (!Array.isArray(keys))
    return failure(inputProblem(base, mustBeUnprinted("`keys`", `an array of ${count}`, keys)));
  if (keys.length < 1 || keys.length > maxKeys) {
    return failure(inputProblem(base, `\`keys\` must have ${count}; it has ${keys.length}`));
  }
  return collect(
    Array.from(keys, (value, index) => importKey(value, { index, base }, options)),
    base,
  );
}

function collect(results: readonly Result<ImportedKey>[], base: string): Result<ImportedKeys> {
  const imported = results.map((result) => (result.ok ? result.value : { notes: [] }));
  const [first, ...rest] = [
    ...results.flatMap((result) => (result.ok ? [] : result.problems)),
    ...duplicates(imported, base),
  ];
  if (first !== undefined) return failure(first, ...rest);
  const keys = imported.flatMap(({ key }) => key ?? []);
  const notes = imported.flatMap(({ notes }) => notes);
  if (keys.length > 0) return success({ keys, notes });
  const reasons = notes.map((note) => note.message).join("; ");
  return failure(inputProblem(base, `no supported key is left: ${reasons}`));
}

function importKey(
  value: unknown,
  location: KeyLocation,
  { mode, sharedSecrets = "reject" }: KeyImportOptions,
): Result<ImportedKey> {
  const raw = readRawKey(value);
  if (raw === undefined) {
    const text = mustBeUnprinted("the key", "an object", value);
    return unsupported({ member: "", text }, [], location, mode, undefined);
  }
  const { raw: complete, filled } = mode === "adjust" ? fillOmitted(raw) : { raw };
  const [first, ...rest] = keyFormatProblems(complete, sharedSecrets);
  if (first !== undefined) return unsupported(first, rest, location, mode, raw.kid);
  const built = buildKey(complete, mode);
  if (!built.ok) return atMembers(built.problems, location);
  const changes = filled === undefined ? built.value.changes : [filled, ...built.value.changes];
  const notes = changes.map((change) => adjusted(change.member, change.text, location, complete.kid));
  return success({ key: built.value.key, notes: [...notes, ...strippedNotes(complete, location)] });
}

/** A key without one of the formats: rejected with every problem, or dropped with one note. */
function unsupported(
  first: MemberClause,
  rest: readonly MemberClause[],
  location: KeyLocation,
  mode: KeyImportOptions["mode"],
  kid: unknown,
): Result<ImportedKey> {
  if (mode === "reject") return atMembers([first, ...rest], location);
  return success({ notes: [adjusted("", `was dropped: ${first.text}`, location, kid)] });
}

/** The pair {alg, kid} is the identity of a key in its set (`observed`). */
function duplicates(imported: readonly ImportedKey[], base: string): CodedDiagnostic[] {
  const firstIndex = new Map<string, number>();
  return imported.flatMap(({ key }, index) => {
    if (key === undefined) return [];
    const identity = identityOf(key);
    const first = firstIndex.get(identity);
    if (first === undefined) {
      firstIndex.set(identity, index);
      return [];
    }
    const pair = `the pair of kid ${quote(key.kid)} and alg \`${key.alg}\``;
    return [
      inputProblem(base + pointer(index, "kid"), `${pair} must be unique; key ${first} has it already`),
    ];
  });
}

function strippedNotes(raw: RawKey, location: KeyLocation): Diagnostic[] {
  const { secret, ignored } = strippedMembers(raw);
  const notes: Diagnostic[] = [];
  if (secret.length > 0) {
    const names = nameSome(secret, maxNamedMembers);
    const text = `had private members (${names}), which were dropped and not stored`;
    notes.push(adjusted("", text, location, raw.kid));
  }
  if (ignored.length > 0) {
    const names = nameSome(ignored, maxNamedMembers);
    const message = `keys[${location.index}] has members that a key does not have here (${names}); they were ignored`;
    notes.push(note("memberIgnored", message, memberPointer(location, "")));
  }
  return notes;
}

/** The message has the format of the provider's own messages (`observed`). */
function adjusted(member: string, text: string, location: KeyLocation, kid: unknown): Diagnostic {
  const name = `keys[${location.index}]${member === "" ? "" : `.${member}`}`;
  const label = typeof kid === "string" ? ` (kid ${quote(kid).replace(/^`|`$/g, '"')})` : "";
  const message = `${name} ${text}${label}`;
  return note("keyAdjusted", message, memberPointer(location, member));
}

function atMembers(
  [first, ...rest]: readonly [MemberClause, ...MemberClause[]],
  location: KeyLocation,
): Result<never> {
  const locate = ({ member, text }: MemberClause) => inputProblem(memberPointer(location, member), text);
  return failure(locate(first), ...rest.map(locate));
}

function memberPointer({ base, index }: KeyLocation, member: string): string {
  return base + (member === "" ? pointer(index) : pointer(index, member));
}
