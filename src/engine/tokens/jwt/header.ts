/**
 * A token's header: strict reading, and the key that it names.
 *
 * What is not looked at is harmless: `jwk`, `jku`, `x5u` and `x5c` never lead to a key (`chosen`; RFC 8725,
 * section 3.10).
 */

import { quote } from "../../../errors.ts";
import type { Algorithm, TokenCheck } from "../model.ts";
import { copyText, decodeBase64url, explainBase64url } from "./base64url.ts";
import { hasDuplicateMembers, type JsonObject, readJsonObject } from "./json-object.ts";
import { algorithmNames, isAlgorithm } from "./keys/algorithms.ts";
import { explainMissingKey, type KeyIndex } from "./keys/key-index.ts";

/** Most header texts that are remembered for one key set (`chosen`; a key has about one). */
export const maxRememberedHeaders = 128;

/** Longest header text that is remembered, in characters (`chosen`). */
const maxRememberedLength = 512;

/** A header that names a key of the set. */
export interface KnownHeader<Key> {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly key: Key;
}

export type HeaderReader<Key> = (segment: string) => KnownHeader<Key> | TokenCheck;

/**
 * Reads headers against one key set. The same few texts come with every token, so those that name a key are
 * remembered (the last one apart, because a comparison is cheaper than a hash); others are read each time, and too
 * many different ones start the memory afresh.
 */
export function createHeaderReader<Key>(index: KeyIndex<Key>): HeaderReader<Key> {
  const remembered = new Map<string, RememberedHeader<Key>>();
  let last: RememberedHeader<Key> | undefined;

  function remember(segment: string, header: KnownHeader<Key>): void {
    if (segment.length > maxRememberedLength) return;
    if (remembered.size >= maxRememberedHeaders) remembered.clear();
    last = { segment: copyText(segment), header };
    remembered.set(last.segment, last);
  }

  return (segment) => {
    if (last?.segment === segment) return last.header;
    const known = remembered.get(segment);
    if (known !== undefined) {
      last = known;
      return known.header;
    }
    const header = readHeader(index, segment);
    if (!("reason" in header)) remember(segment, header);
    return header;
  };
}

interface RememberedHeader<Key> {
  readonly segment: string;
  readonly header: KnownHeader<Key>;
}

function readHeader<Key>(index: KeyIndex<Key>, segment: string): KnownHeader<Key> | TokenCheck {
  const object = decodeHeader(segment);
  if (typeof object === "string") return { reason: "malformed", detail: `the header ${object}` };
  const kid = stringMember(object, "kid");
  const alg = stringMember(object, "alg");
  const fault = critical(object) ?? algFault(object, alg) ?? kidFault(object, kid);
  if (fault !== undefined) return { reason: "unsupported_header", detail: fault, ...kidAndAlg(kid, alg) };
  const key = index.get(kid as string)?.get(alg as Algorithm);
  if (key === undefined) return explainMissingKey(index, kid as string, alg as Algorithm);
  return { kid: kid as string, alg: alg as Algorithm, key };
}

function decodeHeader(segment: string): JsonObject | string {
  const bytes = decodeBase64url(segment);
  if (bytes === undefined) return explainBase64url(segment);
  const read = readJsonObject(bytes, 0, bytes.length);
  if (typeof read === "string") return read;
  return hasDuplicateMembers(read.text, read.object) ? "has the same member twice" : read.object;
}

/** An own member that is a string. */
function stringMember(header: JsonObject, name: "kid" | "alg"): string | undefined {
  const value = Object.hasOwn(header, name) ? header[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** kid and alg as far as they are known, for a check. */
export function kidAndAlg(kid: string | undefined, alg: string | undefined): { kid?: string; alg?: string } {
  return { ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

function critical(header: JsonObject): string | undefined {
  const name = ["crit", "b64"].find((member) => Object.hasOwn(header, member));
  return name && `the header has \`${name}\`, which is never supported`;
}

function algFault(header: JsonObject, alg: string | undefined): string | undefined {
  if (alg === undefined) return notAString(header, "alg");
  return isAlgorithm(alg) ? undefined : `the alg ${quote(alg)} is not one of ${algorithmNames.join(", ")}`;
}

function kidFault(header: JsonObject, kid: string | undefined): string | undefined {
  return kid === undefined ? notAString(header, "kid") : undefined;
}

function notAString(header: JsonObject, name: string): string {
  if (!Object.hasOwn(header, name)) return `the header has no ${name}`;
  return `the ${name} is ${quote(header[name])}; a string is needed`;
}
