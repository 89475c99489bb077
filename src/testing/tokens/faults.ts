/** Tokens that are wrong in exactly one way, by the name of what is wrong. */
import type { Algorithm, Reason } from "../../engine/tokens/model.ts";
import { type MintedKey, mintKey } from "./mint.ts";
import { encodePart, replaceSegment, signHmac, signParts, signSegments } from "./token-parts.ts";

/** What a faulty token is made of. */
export interface FaultOptions {
  /** The time at which it will be checked, in milliseconds since 1970. Default now. */
  readonly nowMs?: number;
  /** Members of the payload. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The verifier's limit, which `oversized` goes beyond, in bytes. Default 8,192. */
  readonly maxTokenBytes?: number;
}

interface Making {
  readonly key: MintedKey;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly now: number;
  readonly maxTokenBytes: number;
  /** The token without any fault. */
  readonly good: string;
}

interface Fault {
  /** What the verifier says of it. */
  readonly reason: Exclude<Reason, "valid">;
  /** What is wrong, as a phrase. */
  readonly description: string;
  readonly make: (making: Making) => string | Promise<string>;
}

function fault(reason: Fault["reason"], what: string, make: Fault["make"]): Fault {
  return { reason, description: what, make };
}

/** A day, in seconds: beyond any clock tolerance that makes sense. */
const day = 86_400;

const byteOrderMark = "\ufeff";

function withHeader(more: Readonly<Record<string, unknown>>): Fault["make"] {
  return ({ key, header, claims }) => signParts(key, { header: { ...header, ...more }, payload: claims });
}

function withClaims(more: (now: number) => Readonly<Record<string, unknown>>): Fault["make"] {
  return ({ key, header, claims, now }) => signParts(key, { header, payload: { ...claims, ...more(now) } });
}

/** With the payload's JSON changed as a text. */
function withPayloadText(change: (json: string) => string | Uint8Array): Fault["make"] {
  return ({ key, header, claims }) => signParts(key, { header, payload: change(JSON.stringify(claims)) });
}

function withHeaderText(change: (json: string) => string): Fault["make"] {
  return ({ key, header, claims }) =>
    signParts(key, { header: change(JSON.stringify(header)), payload: claims });
}

/** With a member put before the others, as text that no value has. */
function prepend(member: string): (json: string) => string {
  return (json) => `{${member}${json === "{}" ? "" : ","}${json.slice(1)}`;
}

/** Signed under another pair with the same kid and alg. */
async function signedByAnother({ key, header, claims }: Making): Promise<string> {
  const other = await mintKey(key.jwk.alg, key.jwk.kid);
  return signParts(other, { header, payload: claims });
}

/** Under an algorithm that the kid does not have, rightly signed. */
async function underOtherAlgorithm({ key, claims }: Making): Promise<string> {
  const alg: Algorithm = key.jwk.alg === "ES256" ? "ES384" : "ES256";
  const other = await mintKey(alg, key.jwk.kid);
  return signParts(other, { header: { alg, kid: key.jwk.kid }, payload: claims });
}

function changeLast(segment: string): string {
  const bytes = Buffer.from(segment, "base64url");
  bytes[bytes.length - 1]! ^= 1;
  return bytes.toString("base64url");
}

/** The alphabet of base64url, to set bits that a segment does not use. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A payload whose last character carries bits that no byte has: its length is no multiple of three. */
function withUnusedBits({ key, header, claims }: Making): string {
  const json = JSON.stringify(claims);
  const bytes = Buffer.byteLength(json) % 3 === 0 ? `${json} ` : json;
  const segment = encodePart(bytes);
  const last = alphabet[alphabet.indexOf(segment.at(-1)!) + 1]!;
  return signSegments(key, encodePart(header), segment.slice(0, -1) + last);
}

/** Every fault by its name. */
export const tokenFaults = {
  expired: fault(
    "expired",
    "exp is a day ago",
    withClaims((now) => ({ exp: now - day })),
  ),
  not_yet_valid: fault(
    "not_yet_valid",
    "nbf is in a day",
    withClaims((now) => ({ nbf: now + day, exp: now + 2 * day })),
  ),
  tampered_payload: fault("bad_signature", "the payload was changed after signing", ({ good, claims }) =>
    replaceSegment(good, 1, encodePart({ ...claims, admin: true })),
  ),
  tampered_header: fault("bad_signature", "the header was changed after signing", ({ good, header }) =>
    replaceSegment(good, 0, encodePart({ ...header, typ: "changed" })),
  ),
  tampered_signature: fault("bad_signature", "one bit of the signature was changed", ({ good }) =>
    replaceSegment(good, 2, changeLast(good.split(".")[2]!)),
  ),
  no_signature: fault("bad_signature", "the signature is empty", ({ good }) => replaceSegment(good, 2, "")),
  zero_signature: fault("bad_signature", "the signature is all zero", ({ good }) =>
    replaceSegment(good, 2, encodePart(new Uint8Array(Buffer.from(good.split(".")[2]!, "base64url").length))),
  ),
  other_key: fault("bad_signature", "another key signed under the known kid", signedByAnother),
  alg_none: fault("unsupported_header", "alg is none", ({ header, claims }) => {
    return `${encodePart({ ...header, alg: "none" })}.${encodePart(claims)}.`;
  }),
  alg_hmac: fault(
    "unsupported_header",
    "alg is HS256, with the public key as secret",
    ({ key, header, claims }) =>
      signHmac({ header: { ...header, alg: "HS256" }, payload: claims }, JSON.stringify(key.jwk)),
  ),
  no_alg: fault("unsupported_header", "alg is missing", withHeader({ alg: undefined })),
  no_kid: fault("unsupported_header", "kid is missing", withHeader({ kid: undefined })),
  kid_number: fault("unsupported_header", "kid is a number", withHeader({ kid: 1 })),
  crit: fault("unsupported_header", "crit is in the header", withHeader({ crit: ["exp"] })),
  b64: fault("unsupported_header", "b64 is in the header", withHeader({ b64: false })),
  wrong_kid: fault("unknown_key", "kid is no key's", withHeader({ kid: "no-such-key" })),
  wrong_alg: fault("algorithm_mismatch", "the kid is known under another alg", underOtherAlgorithm),
  duplicate_member: fault("malformed", "the header has alg twice", withHeaderText(prepend('"alg":"none"'))),
  padded: fault("malformed", "the payload is padded with =", ({ key, header, claims }) =>
    signSegments(key, encodePart(header), `${encodePart(claims)}=`),
  ),
  foreign_character: fault("malformed", "the payload has a + of plain base64", ({ key, header, claims }) =>
    signSegments(key, encodePart(header), `+${encodePart(claims)}`),
  ),
  non_canonical: fault("malformed", "the payload's last character has unused bits", withUnusedBits),
  byte_order_mark: fault(
    "malformed",
    "the payload begins with a byte order mark",
    withPayloadText((json) => byteOrderMark + json),
  ),
  not_utf8: fault(
    "malformed",
    "the payload is not UTF-8",
    withPayloadText((json) =>
      Buffer.concat([Buffer.from(prepend('"x":"')(json).slice(0, 6)), Buffer.from([0xff, 0x22, 0x7d])]),
    ),
  ),
  not_json: fault(
    "malformed",
    "the payload is no JSON",
    withPayloadText((json) => json.slice(0, -1)),
  ),
  not_an_object: fault(
    "malformed",
    "the payload is an array",
    withPayloadText((json) => `[${json}]`),
  ),
  exp_text: fault(
    "malformed",
    "exp is a string",
    withClaims((now) => ({ exp: String(now + day) })),
  ),
  exp_infinite: fault("malformed", "exp is 1e400", withPayloadText(prepend('"exp":1e400'))),
  nbf_null: fault(
    "malformed",
    "nbf is null",
    withClaims(() => ({ nbf: null })),
  ),
  two_segments: fault("malformed", "there are two segments", ({ good }) =>
    good.split(".").slice(0, 2).join("."),
  ),
  four_segments: fault("malformed", "there are four segments", ({ good }) => `${good}.x`),
  empty_header: fault("malformed", "the header is empty", ({ good }) => replaceSegment(good, 0, "")),
  oversized: fault("malformed", "it is longer than the limit", ({ key, header, claims, maxTokenBytes }) =>
    signParts(key, { header, payload: { ...claims, padding: "x".repeat(maxTokenBytes) } }),
  ),
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type TokenFault = keyof typeof tokenFaults;

/** Every name. */
export const tokenFaultNames = Object.keys(tokenFaults) as readonly TokenFault[];

/**
 * Mints a token that is right but for one fault. `tokenFaults[fault].reason` is what the verifier says of it.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * const token = await mintFaultyToken(key, "tampered_payload");
 * createVerifier([key.jwk]).check(token, Date.now()).reason; // => "bad_signature"
 * ```
 * @throws {TypeError} for a fault that there is not, and for claims that themselves are `exp` or `nbf`
 */
export async function mintFaultyToken(
  key: MintedKey,
  name: TokenFault,
  { nowMs = Date.now(), claims = {}, maxTokenBytes = 8192 }: FaultOptions = {},
): Promise<string> {
  if (!Object.hasOwn(tokenFaults, name)) {
    throw new TypeError(`There is no fault \`${name}\`; faults are ${tokenFaultNames.join(", ")}.`);
  }
  if ("exp" in claims || "nbf" in claims) {
    throw new TypeError("claims have no exp and nbf: each fault sets those that it needs.");
  }
  const header = { alg: key.jwk.alg, kid: key.jwk.kid };
  const now = Math.floor(nowMs / 1000);
  const good = signParts(key, { header, payload: claims });
  return (tokenFaults[name] as Fault).make({ key, header, claims, now, maxTokenBytes, good });
}
