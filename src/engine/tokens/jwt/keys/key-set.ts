/**
 * Intake of a key set: what is stored of it, what is refused, and what is worth saying about it.
 *
 * Two modes. `refuse`: a key that is not exactly one of the three shapes is a problem (`spec`). `adjust`: an
 * unsupported key is dropped and omitted members are filled in, each with a note (`observed`). In both modes
 * unsafe key material is a problem (`chosen`), private members are never kept (`chosen`), and unknown members are
 * stripped (`observed`).
 */

import { type Note, noteCodes, type Problem, pointer, quote } from "../../../../errors.ts";
import type { JwtKey } from "../../model.ts";
import { algorithms } from "./algorithms.ts";
import {
  fillOmitted,
  keyFormatProblems,
  type RawKey,
  readRawKey,
  storedMembers,
  strippedMembers,
} from "./key-format.ts";
import { decodeMember, ecProblems, leadingZeros, type MemberProblem, rsaProblems } from "./key-material.ts";

/** Most keys in a set (`observed`). */
export const defaultMaxKeys = 64;

/** Most stripped member names that a note repeats. */
const maxNamedMembers = 8;

export interface KeyImportOptions {
  readonly mode: "reject" | "adjust";
  /** Most keys in a set, 64 by default. */
  readonly maxKeys?: number;
  /** RFC 6901 pointer of the array itself, put before the pointers of problems and notes; empty by default. */
  readonly pointer?: string;
}

export interface KeyImport {
  /** The keys to store; empty when there are problems. */
  readonly keys: JwtKey[];
  readonly problems: Problem[];
  readonly notes: Note[];
}

/** Where an element stands: its index, and the pointer of the array. */
interface KeyLocation {
  readonly index: number;
  readonly base: string;
}

interface KeyOutcome {
  readonly key?: JwtKey;
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
}

/**
 * Takes in a key set. Never throws on a JSON value.
 *
 * @example
 * ```ts
 * intakeKeys([{ kty: "OKP", kid: "ed" }], { mode: "reject" }).problems
 * // => [{ code: 10400, pointer: "/0/kty", message: "`kty` is `OKP`; allowed are `RSA`, `EC`" }]
 * ```
 */
export function importKeys(keys: unknown, options: KeyImportOptions): KeyImport {
  const { mode, maxKeys = defaultMaxKeys, pointer: base = "" } = options;
  const refused = setProblem(keys, maxKeys);
  if (refused !== undefined || !Array.isArray(keys)) {
    return { keys: [], problems: [problem(base, refused ?? "")], notes: [] };
  }
  const taken = Array.from(keys, (value, index) => importKey(value, { index, base }, mode));
  const problems = [...taken.flatMap((one) => one.problems), ...duplicates(taken, base)];
  const notes = taken.flatMap((one) => one.notes);
  const kept = taken.flatMap((one) => one.key ?? []);
  if (problems.length === 0 && kept.length === 0) problems.push(problem(base, noneLeft(notes)));
  return { keys: problems.length > 0 ? [] : kept, problems, notes };
}

function setProblem(keys: unknown, maxKeys: number): string | undefined {
  if (!Array.isArray(keys)) return `the keys are ${quote(keys)}; an array of 1 to ${maxKeys} keys is needed`;
  if (keys.length >= 1 && keys.length <= maxKeys) return undefined;
  return `the set has ${keys.length} keys; 1 to ${maxKeys} are allowed`;
}

function noneLeft(notes: readonly Note[]): string {
  return `no supported key is left: ${notes.map((note) => note.message).join("; ")}`;
}

function importKey(value: unknown, place: KeyLocation, mode: KeyImportOptions["mode"]): KeyOutcome {
  const raw = readRawKey(value);
  if (raw === undefined)
    return unsupported([{ member: "", message: notAnObject(value) }], place, mode, undefined);
  const { raw: whole, filled } = mode === "adjust" ? fillOmitted(raw) : { raw };
  const faults = keyFormatProblems(whole);
  if (faults.length > 0) return unsupported(faults, place, mode, raw.kid);
  const made = buildKey(whole, mode);
  if ("faults" in made) return { problems: made.faults.map((f) => memberProblem(f, place)), notes: [] };
  const changes = filled === undefined ? made.changes : [filled, ...made.changes];
  const notes = changes.map((change) => adjusted(change.member, change.text, place, whole.kid));
  return { key: made.key, problems: [], notes: [...notes, ...strippedNotes(whole, place)] };
}

function notAnObject(value: unknown): string {
  return `the key is ${quote(value)}; an object is needed`;
}

/** A key that is none of the three shapes: each fault a problem, or the key dropped with one note. */
function unsupported(
  faults: readonly MemberProblem[],
  place: KeyLocation,
  mode: string,
  kid: unknown,
): KeyOutcome {
  if (mode === "reject") return { problems: faults.map((fault) => memberProblem(fault, place)), notes: [] };
  return { problems: [], notes: [adjusted("", `was dropped: ${faults[0]!.message}`, place, kid)] };
}

interface KeyChange {
  readonly member: string;
  readonly text: string;
}

type BuiltKey =
  | { readonly key: JwtKey; readonly changes: readonly KeyChange[] }
  | { readonly faults: MemberProblem[] };

/** Makes the stored key, given that the shape is right. */
function buildKey(raw: RawKey, mode: KeyImportOptions["mode"]): BuiltKey {
  const names = raw.kty === "RSA" ? (["n", "e"] as const) : (["x", "y"] as const);
  const decoded = names.map((name) => decodeMember(name, raw[name] as string));
  const faults = decoded.filter((bytes): bytes is MemberProblem => !Buffer.isBuffer(bytes));
  if (faults.length > 0) return { faults };
  const [first, second] = decoded as [Buffer, Buffer];
  return raw.kty === "RSA" ? buildRsaKey(raw, first, second, mode) : buildEcKey(raw, first, second);
}

function buildRsaKey(raw: RawKey, n: Buffer, e: Buffer, mode: KeyImportOptions["mode"]): BuiltKey {
  const numbers = { n: n.subarray(leadingZeros(n)), e: e.subarray(leadingZeros(e)) };
  const padded = (["n", "e"] as const).filter((name) => leadingZeros(name === "n" ? n : e) > 0);
  const faults = rsaProblems(numbers.n, numbers.e);
  if (mode === "reject") faults.push(...padded.map(paddingProblem));
  if (faults.length > 0) return { faults };
  const shortest = { n: numbers.n.toString("base64url"), e: numbers.e.toString("base64url") };
  const changes = padded.map((member) => ({ member, text: "had leading zero bytes, which were removed" }));
  return { key: storedKey({ ...raw, ...shortest }), changes };
}

/** RFC 7518, section 6.3.1.1: an extra zero byte before the modulus must be omitted. */
function paddingProblem(member: string): MemberProblem {
  return { member, message: `\`${member}\` starts with a zero byte; the shortest form is needed (RFC 7518)` };
}

function buildEcKey(raw: RawKey, x: Buffer, y: Buffer): BuiltKey {
  const facts = algorithms[raw.alg as JwtKey["alg"]];
  const faults = facts.kty === "EC" ? ecProblems(facts.crv, facts.coordinateBytes, x, y) : [];
  return faults.length > 0 ? { faults } : { key: storedKey(raw), changes: [] };
}

/** Only the members of the shape, as an ordinary object. */
function storedKey(raw: RawKey): JwtKey {
  return Object.fromEntries(storedMembers(raw.kty).map((name) => [name, raw[name]])) as unknown as JwtKey;
}

/** The pair {alg, kid} is the identity of a key in its set (`observed`). */
function duplicates(taken: readonly KeyOutcome[], base: string): Problem[] {
  const firstAt = new Map<string, number>();
  return taken.flatMap(({ key }, index) => {
    if (key === undefined) return [];
    const identity = JSON.stringify([key.alg, key.kid]);
    const first = firstAt.get(identity);
    if (first === undefined) firstAt.set(identity, index);
    if (first === undefined) return [];
    const message = `kid ${quote(key.kid)} with alg \`${key.alg}\` is already key ${first}; the pair must be unique`;
    return [problem(base + pointer(index, "kid"), message)];
  });
}

function strippedNotes(raw: RawKey, place: KeyLocation): Note[] {
  const { secret, ignored } = strippedMembers(raw);
  const notes: Note[] = [];
  if (secret.length > 0) {
    const text = `carried private members (${nameMembers(secret)}), which were dropped and not stored`;
    notes.push(adjusted("", text, place, raw.kid));
  }
  if (ignored.length > 0) {
    const message = `keys[${place.index}] has members that a key does not have here (${nameMembers(ignored)}); they were ignored`;
    notes.push({ code: noteCodes.memberIgnored, message, pointer: at(place, "") });
  }
  return notes;
}

function nameMembers(names: readonly string[]): string {
  const more = names.length > maxNamedMembers ? ` and ${names.length - maxNamedMembers} more` : "";
  return names.slice(0, maxNamedMembers).map(quote).join(", ") + more;
}

/** The text has the form that the provider's own messages have (`observed`). */
function adjusted(member: string, text: string, place: KeyLocation, kid: unknown): Note {
  const name = `keys[${place.index}]${member === "" ? "" : `.${member}`}`;
  const label = typeof kid === "string" ? ` (kid ${quote(kid).replace(/^`|`$/g, '"')})` : "";
  return { code: noteCodes.keyAdjusted, message: `${name} ${text}${label}`, pointer: at(place, member) };
}

function memberProblem(fault: MemberProblem, place: KeyLocation): Problem {
  return problem(at(place, fault.member), fault.message);
}

function problem(where: string, message: string): Problem {
  return { code: 10400, pointer: where, message };
}

function at({ base, index }: KeyLocation, member: string): string {
  return base + (member === "" ? pointer(index) : pointer(index, member));
}
