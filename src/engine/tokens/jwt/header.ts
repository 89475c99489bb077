/**
 * A token's header: strict parsing, and the key that it names.
 *
 * `jwk`, `jku`, `x5u` and `x5c` are ignored and never lead to a key (`chosen`; RFC 8725, section 3.10).
 */

import { copyLatin1 } from "#bytes";
import type { JsonObject } from "../../../core/json-value.ts";
import { ownMember } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import { mustBe } from "../input-problem.ts";
import type { Algorithm, TokenCheck } from "../model.ts";
import { decodeBase64url, explainBase64url } from "./base64url.ts";
import { hasDuplicateMembers, readJsonObject } from "./json-object.ts";
import { algorithmNames, isAlgorithm } from "./keys/algorithms.ts";
import { explainMissingKey, type KeyIndex } from "./keys/key-index.ts";

/** Maximum number of headers that are cached for one key set (`chosen`; a key has about one). */
export const maxCachedHeaders = 128;

/** Maximum length of a header that is cached, in characters (`chosen`). */
const maxCachedLength = 512;

/** A header that names a key of the set. */
export interface KnownHeader<Key> {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly key: Key;
}

/** Reads the first segment of a token. */
export type HeaderReader<Key> = (segment: string) => KnownHeader<Key> | TokenCheck;

/**
 * Creates a reader of headers against one key set. Most tokens have one of a few headers, so headers that name a key
 * are cached (the latest one separately, because a comparison is cheaper than a hash). Others are parsed each time. A
 * full cache is cleared.
 */
export function createHeaderReader<Key>(index: KeyIndex<Key>): HeaderReader<Key> {
  const cached = new Map<string, CachedHeader<Key>>();
  let latest: CachedHeader<Key> | undefined;

  function store(segment: string, header: KnownHeader<Key>): void {
    if (segment.length > maxCachedLength) return;
    if (cached.size >= maxCachedHeaders) cached.clear();
    latest = { segment: copyLatin1(segment), header };
    cached.set(latest.segment, latest);
  }

  return (segment) => {
    if (latest?.segment === segment) return latest.header;
    const known = cached.get(segment);
    if (known !== undefined) {
      latest = known;
      return known.header;
    }
    const header = readHeader(index, segment);
    if (!("reason" in header)) store(segment, header);
    return header;
  };
}

interface CachedHeader<Key> {
  readonly segment: string;
  readonly header: KnownHeader<Key>;
}

function readHeader<Key>(index: KeyIndex<Key>, segment: string): KnownHeader<Key> | TokenCheck {
  const decoded = decodeHeader(segment);
  if (!decoded.ok) return { reason: "malformed", detail: `the token's header ${decoded.problems[0]}` };
  const header = decoded.value;
  const kid = ownMember(header, "kid");
  const alg = ownMember(header, "alg");
  const critical = ["crit", "b64"].find((member) => Object.hasOwn(header, member));
  if (critical !== undefined) {
    return unsupported(kid, alg, `the token's header has \`${critical}\`, which is never supported`);
  }
  if (!isAlgorithm(alg)) return unsupported(kid, alg, explainAlgorithm(alg));
  if (typeof kid !== "string") return unsupported(kid, alg, notAString("kid", kid));
  const key = index.get(kid)?.get(alg);
  return key === undefined ? explainMissingKey(index, kid, alg) : { kid, alg, key };
}

function decodeHeader(segment: string): Result<JsonObject, string> {
  const bytes = decodeBase64url(segment);
  if (bytes === undefined) return failure(explainBase64url(segment));
  const read = readJsonObject(bytes, 0, bytes.length);
  if (!read.ok) return read;
  const { text, object } = read.value;
  return hasDuplicateMembers(text, object) ? failure("has the same member twice") : success(object);
}

function unsupported(kid: unknown, alg: unknown, detail: string): TokenCheck {
  return { reason: "unsupported_header", detail, ...kidAndAlg(kid, alg) };
}

/** kid and alg, as far as they are strings, for a check. */
export function kidAndAlg(kid: unknown, alg: unknown): { kid?: string; alg?: string } {
  return { ...(typeof kid === "string" && { kid }), ...(typeof alg === "string" && { alg }) };
}

function explainAlgorithm(alg: unknown): string {
  if (typeof alg !== "string") return notAString("alg", alg);
  return `the alg ${quote(alg)} is not one of ${algorithmNames.join(", ")}`;
}

function notAString(name: string, value: unknown): string {
  return value === undefined ? `the token's header has no ${name}` : mustBe(`the ${name}`, "a string", value);
}
