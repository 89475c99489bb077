/**
 * The keys of an issuer as keys of a configuration. Real key sets have keys that a configuration cannot have
 * (encryption keys, other curves) and lack members that it needs (`alg`); each difference is reported.
 */

import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
import { type Diagnostic, diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { sentence } from "../../core/text/sentence.ts";
import { describeText } from "../../engine/tokens/input-problem.ts";
import { algorithmsOf } from "../../engine/tokens/jwt/keys/algorithms.ts";
import { buildKey } from "../../engine/tokens/jwt/keys/build-key.ts";
import {
  fillOmitted,
  keyFormatProblems,
  type RawKey,
  readRawKey,
  type SharedSecrets,
} from "../../engine/tokens/jwt/keys/key-format.ts";
import { defaultMaxKeys } from "../../engine/tokens/jwt/keys/key-set.ts";
import type { JwtKey, RsaAlgorithm } from "../../engine/tokens/model.ts";
import { alternatives, counted, quote } from "../../errors.ts";
import { type KeyElement, keyElements } from "./key-elements.ts";
import { isPem, jwkOfCertificate, jwkOfPem, pemBlocks } from "./pem.ts";
import { type KeyRule, keyRules, type RejectedKey } from "./rejected-key.ts";
import { unsupportedJwk } from "./unsupported-jwk.ts";

/** Options of {@link keysFromJwks}. */
export interface KeysFromJwksOptions {
  /** The algorithm of RSA keys without `alg`. Default `RS256`, as the service does (observed). */
  readonly defaultAlg?: RsaAlgorithm;
  /** The `kid` of a key without one, such as one in PEM; a second key with the same `alg` is a conflict. */
  readonly kid?: string;
  /** Whether shared secrets (`oct` with HS256 to HS512) are keys; `reject` by default: an issuer must not publish one. */
  readonly sharedSecrets?: SharedSecrets;
}

const keyOptions = optionsOf<KeysFromJwksOptions>("keysFromJwks", {
  defaultAlg: anyValue,
  kid: anyValue,
  sharedSecrets: anyValue,
});

/** The keys of a document, and what became of the others. */
export interface IssuerKeys {
  /** Keys for `credentials.keys` of a configuration, in the order of the document. Can be empty. */
  readonly keys: readonly JwtKey[];
  /** Every other key, in the order of the document: the reason is the rule, the `kid` is in the subject. */
  readonly dropped: readonly Diagnostic<KeyRule>[];
  /** Members that were filled in or changed, and the limits that the set exceeds. */
  readonly notes: readonly Diagnostic<KeyRule>[];
}

/** Maximum number of keys that are read (`chosen`). */
export const maxIssuerKeys = 1_000;

/** The number of keys that older text about the service allows (`observed`). */
const oldMaxKeys = 4;

/**
 * Reads the keys of an issuer: a JWK Set (RFC 7517), one JWK, an array of JWKs, an object `{ kid: PEM }` of public keys
 * or certificates, PEM text, or JSON text of these. Never throws on a document, whatever it is.
 *
 * @throws {TypeError} when `defaultAlg` is not an RSA algorithm
 *
 * @example
 * ```ts
 * const jwks = { keys: [{ kty: "RSA", use: "enc", kid: "k1", n: "AQAB", e: "AQAB" }] };
 * const { keys, dropped } = keysFromJwks(jwks);
 * dropped.map(({ rule, subject }) => [subject?.kid, rule]);
 * // => [["k1", "not_for_signatures"]]
 * ```
 */
export function keysFromJwks(jwks: unknown, options: KeysFromJwksOptions = {}): IssuerKeys {
  requireArgument("options", options, keyOptions);
  const { accepted, dropped, notes } = placedKeys(jwks, options);
  return { keys: accepted.map(({ key }) => key), dropped, notes };
}

/** A key with its place in the document. */
export interface PlacedKey {
  readonly key: JwtKey;
  /** RFC 6901 pointer into the document. */
  readonly pointer: string;
}

/** The keys of a document with their places. */
export interface PlacedKeys extends Omit<IssuerKeys, "keys"> {
  readonly accepted: readonly PlacedKey[];
}

/** As {@link keysFromJwks}, with the place of each key. @throws {TypeError} when `defaultAlg` is not an RSA algorithm */
export function placedKeys(jwks: unknown, options: KeysFromJwksOptions = {}): PlacedKeys {
  assertRsaAlgorithm(options.defaultAlg);
  const document = keyElements(jwks);
  if (!document.ok) return { accepted: [], notes: [], dropped: [notKeys(document.problems[0])] };
  const elements = document.value;
  const state = newState();
  for (const element of elements.slice(0, maxIssuerKeys)) addElement(state, element, options);
  if (elements.length > maxIssuerKeys) state.dropped.push(tooMany(elements.length));
  const { accepted, dropped, notes } = state;
  return { accepted, dropped, notes: [...notes, ...limitNotes(accepted.length)] };
}

function assertRsaAlgorithm(name: unknown): void {
  const allowed = algorithmsOf("RSA");
  if (name === undefined || (allowed as readonly unknown[]).includes(name)) return;
  throw new TypeError(`defaultAlg must be ${alternatives(allowed.map(quote))}; found ${quote(name)}`);
}

function notKeys(fault: string): Diagnostic<KeyRule> {
  return diagnostic(keyRules, "not_a_key", `The document ${fault}.`, { pointer: "" });
}

function tooMany(count: number): Diagnostic<KeyRule> {
  const message = `A set must have at most ${maxIssuerKeys} keys; it has ${count}, and only the first are read.`;
  return diagnostic(keyRules, "unread_keys", message, { pointer: "" });
}

function limitNotes(count: number): Diagnostic<KeyRule>[] {
  if (count <= oldMaxKeys) return [];
  const message =
    count > defaultMaxKeys
      ? `A configuration must have at most ${defaultMaxKeys} keys; the set has ${count}.`
      : `The set has ${counted(count, "key")}; older text about the service allows ${oldMaxKeys} in a configuration.`;
  return [diagnostic(keyRules, "many_keys", message, { pointer: "" })];
}

interface State {
  readonly accepted: PlacedKey[];
  readonly byIdentity: Map<string, PlacedKey>;
  readonly dropped: Diagnostic<KeyRule>[];
  readonly notes: Diagnostic<KeyRule>[];
}

function newState(): State {
  return { accepted: [], byIdentity: new Map(), dropped: [], notes: [] };
}

function addElement(state: State, element: KeyElement, options: KeysFromJwksOptions): void {
  const { pointer } = element;
  const notes: string[] = [];
  const raw = rawKey(element, options, notes);
  const kid = raw.ok ? raw.value["kid"] : element.kid;
  const own = { pointer, ...(typeof kid === "string" && kid !== "" && { subject: { kid } }) };
  const read = raw.ok ? readKey(raw.value, options, notes) : raw;
  const rejected = read.ok ? taken(state, read.value) : read.problems[0];
  if (rejected) {
    state.dropped.push(diagnostic(keyRules, rejected.rule, sentence(rejected.message), own));
    return;
  }
  if (read.ok) accept(state, { key: read.value, pointer });
  state.notes.push(...notes.map((text) => diagnostic(keyRules, "completed_key", sentence(text), own)));
}

function accept({ accepted, byIdentity }: State, entry: PlacedKey): void {
  accepted.push(entry);
  byIdentity.set(identityOf(entry.key), entry);
}

/** The pair of kid and alg is the identity of a key in its set (`observed`). */
function identityOf({ kid, alg }: JwtKey): string {
  return JSON.stringify([kid, alg]);
}

function taken({ byIdentity }: State, key: JwtKey): RejectedKey | undefined {
  const first = byIdentity.get(identityOf(key));
  if (!first) return undefined;
  const where = first.pointer === "" ? "an earlier key" : `the key at ${quote(first.pointer)}`;
  if (hasSameMaterial(first.key, key))
    return { rule: "duplicate_key", message: `it is the same as ${where}` };
  const message = `${where} has the same \`kid\` and \`alg\` but another key; the pair must be unique`;
  return { rule: "conflicting_key", message };
}

/** Whether two keys have the same numbers; a kid and an alg say nothing about them. */
export function hasSameMaterial(a: JwtKey, b: JwtKey): boolean {
  if (a.kty === "RSA") return b.kty === "RSA" && a.n === b.n && a.e === b.e;
  if (a.kty === "oct") return b.kty === "oct" && a.k === b.k;
  return b.kty === "EC" && a.x === b.x && a.y === b.y;
}

/** The element as a JWK with a kid, in which numbers that only a certificate has are filled in. */
function rawKey(
  { value, kid }: KeyElement,
  options: KeysFromJwksOptions,
  notes: string[],
): Result<RawKey, RejectedKey> {
  const jwk = typeof value === "string" ? pemKey(value, notes) : objectKey(value);
  if (!jwk.ok) return jwk;
  const own = kid ?? jwk.value["kid"];
  if (own !== undefined || options.kid === undefined) return success(withMembers(jwk.value, { kid: own }));
  notes.push(`\`kid\` was omitted and is ${quote(options.kid)}, as the option says`);
  return success(withMembers(jwk.value, { kid: options.kid }));
}

function objectKey(value: unknown): Result<RawKey, RejectedKey> {
  const raw = readRawKey(value);
  if (raw) return success(raw);
  return failure({ rule: "not_a_key", message: `a key must be an object or PEM; found ${quote(value)}` });
}

function pemKey(text: string, notes: string[]): Result<RawKey, RejectedKey> {
  const [first, ...more] = isPem(text) ? pemBlocks(text) : [];
  if (!first) {
    const message = `a string must be PEM, a whole block; found ${describeText(text)}`;
    return failure({ rule: "not_a_key", message });
  }
  if (more.length > 0) notes.push(`only the first of ${more.length + 1} PEM blocks is read`);
  const jwk = jwkOfPem(first);
  return jwk.ok ? objectKey(jwk.value) : jwk;
}

function readKey(raw: RawKey, options: KeysFromJwksOptions, notes: string[]): Result<JwtKey, RejectedKey> {
  const unsupported = unsupportedJwk(raw, options.sharedSecrets);
  if (unsupported) return failure(unsupported);
  const named = requireKid(raw);
  if (named) return failure(named);
  const complete = fromCertificate(raw, notes);
  if (!complete.ok) return complete;
  return build(withAlgorithm(complete.value, options, notes), notes);
}

function requireKid({ kid }: RawKey): RejectedKey | undefined {
  if (typeof kid === "string" && kid !== "") return undefined;
  const found = kid === undefined ? "it is missing" : `found ${kid === "" ? "an empty string" : quote(kid)}`;
  return { rule: "no_kid", message: `\`kid\` must be the string by which tokens name the key; ${found}` };
}

/** Fills in the numbers of a key that has only its certificate, whose key they must be (RFC 7517, section 4.7). */
function fromCertificate(raw: RawKey, notes: string[]): Result<RawKey, RejectedKey> {
  if (raw["kty"] === "oct") return success(raw);
  const names = raw["kty"] === "RSA" ? ["n", "e"] : ["x", "y"];
  const chain = raw["x5c"];
  if (names.some((name) => raw[name] !== undefined) || !Array.isArray(chain)) return success(raw);
  const [leaf] = chain as readonly unknown[];
  if (typeof leaf !== "string")
    return failure({
      rule: "malformed_key",
      message: `\`x5c\` must have a certificate; found ${quote(leaf)}`,
    });
  const jwk = jwkOfCertificate(leaf);
  if (!jwk.ok) return jwk;
  const { kty, crv, ...numbers } = jwk.value as RawKey;
  if (kty !== raw["kty"] || (raw["crv"] !== undefined && crv !== raw["crv"])) {
    const message = `\`kty\` must be that of the certificate in \`x5c\`, ${quote(kty)}; found ${quote(raw["kty"])}`;
    return failure({ rule: "malformed_key", message });
  }
  notes.push(`${names.map(quote).join(" and ")} were read from the certificate in \`x5c\``);
  return success(withMembers(raw, { ...(crv !== undefined && { crv }), ...numbers }));
}

function withAlgorithm(raw: RawKey, { defaultAlg }: KeysFromJwksOptions, notes: string[]): RawKey {
  const isOther = raw["kty"] === "RSA" && raw["alg"] === undefined && defaultAlg !== undefined;
  if (isOther) {
    notes.push(`\`alg\` was omitted and defaulted to ${quote(defaultAlg)}`);
    return withMembers(raw, { alg: defaultAlg });
  }
  const { raw: complete, filled } = fillOmitted(raw);
  if (filled) notes.push(`\`${filled.member}\` ${filled.text.replaceAll('"', "`")}`);
  return complete;
}

function build(raw: RawKey, notes: string[]): Result<JwtKey, RejectedKey> {
  const problems = keyFormatProblems(raw, "accept");
  const [curve] = problems;
  if (curve?.member === "crv" || curve?.member === "alg")
    return failure({ rule: "unsupported_alg", message: curve.text });
  const built = problems.length > 0 ? undefined : buildKey(raw, "adjust");
  if (built?.ok) {
    notes.push(...built.value.changes.map(({ member, text }) => `\`${member}\` ${text}`));
    return success(built.value.key);
  }
  const all = built ? built.problems : problems;
  return failure({ rule: "malformed_key", message: all.map(({ text }) => text).join("; ") });
}

/** A copy without a prototype; members that are undefined are left out. */
function withMembers(raw: RawKey, members: Readonly<Record<string, unknown>>): RawKey {
  const copy = Object.assign(Object.create(null), raw);
  for (const [name, value] of Object.entries(members)) if (value !== undefined) copy[name] = value;
  return copy;
}

/** Whether a JSON value has the form of a key document: a JWK Set, a JWK, an array of JWKs or `{ kid: PEM }`. */
export function isKeyDocument(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isJwk);
  if (!isJsonObject(value)) return false;
  if (Array.isArray(value["keys"])) return value["keys"].every(isJwk);
  return isJwk(value) || keyElements(value).ok;
}

function isJwk(value: unknown): boolean {
  return isJsonObject(value) && typeof value["kty"] === "string";
}
