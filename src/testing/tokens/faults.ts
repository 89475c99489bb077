/** Tokens with exactly one fault, by the name of the fault. */
import { verifierDefaults } from "../../engine/tokens/jwt/verifier.ts";
import type { Algorithm, Reason } from "../../engine/tokens/model.ts";
import { type MintedKey, mintKey } from "./mint.ts";
import { encodePart, replaceSegment, signHmac, signParts, signSegments } from "./token-parts.ts";

/** Options of a token with a fault. */
export interface FaultOptions {
  /** The time at which the token will be verified, in milliseconds since 1970. Default: now. */
  readonly nowMs?: number;
  /** Members of the payload, except `exp` and `nbf`. Default: none. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The verifier's limit, which `oversized` exceeds, in bytes. Default 8,192. */
  readonly maxTokenBytes?: number;
}

/** The parts of the token to create. */
interface FaultContext {
  readonly key: MintedKey;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly now: number;
  readonly maxTokenBytes: number;
  /** The token without the fault. */
  readonly validToken: string;
}

interface Fault {
  /** The reason for which verifiers reject the token. */
  readonly reason: Exclude<Reason, "valid">;
  /** The fault in one clause. */
  readonly description: string;
  readonly make: (context: FaultContext) => string | Promise<string>;
}

function fault(reason: Fault["reason"], description: string, make: Fault["make"]): Fault {
  return { reason, description, make };
}

/** Longer than any reasonable clock tolerance. */
const secondsPerDay = 86_400;

const byteOrderMark = "\ufeff";

function withHeader(more: Readonly<Record<string, unknown>>): Fault["make"] {
  return ({ key, header, claims }) => signParts(key, { header: { ...header, ...more }, payload: claims });
}

function withClaims(more: (now: number) => Readonly<Record<string, unknown>>): Fault["make"] {
  return ({ key, header, claims, now }) => signParts(key, { header, payload: { ...claims, ...more(now) } });
}

/** Changes the JSON of the payload as a string. */
function withPayloadJson(change: (json: string) => string | Uint8Array): Fault["make"] {
  return ({ key, header, claims }) => signParts(key, { header, payload: change(JSON.stringify(claims)) });
}

function withHeaderJson(change: (json: string) => string): Fault["make"] {
  return ({ key, header, claims }) =>
    signParts(key, { header: change(JSON.stringify(header)), payload: claims });
}

/** Inserts a member before the others, also one that `JSON.stringify` cannot write. */
function prepend(member: string): (json: string) => string {
  return (json) => `{${member}${json === "{}" ? "" : ","}${json.slice(1)}`;
}

/** Signed with another key that has the same `kid` and `alg`. */
async function signedByAnother({ key, header, claims }: FaultContext): Promise<string> {
  const other = await mintKey(key.jwk.alg, key.jwk.kid);
  return signParts(other, { header, payload: claims });
}

/** Correctly signed with another algorithm than that of the key with this `kid`. */
async function underOtherAlgorithm({ key, claims }: FaultContext): Promise<string> {
  const alg: Algorithm = key.jwk.alg === "ES256" ? "ES384" : "ES256";
  const other = await mintKey(alg, key.jwk.kid);
  return signParts(other, { header: { alg, kid: key.jwk.kid }, payload: claims });
}

/** The signature segment of a compact JWS. */
function signatureOf(token: string): Buffer {
  return Buffer.from(token.split(".")[2] ?? "", "base64url");
}

function flipLastBit(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]);
}

/** The characters of base64url, by value. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Sets unused bits in the last character of the payload; its length is not a multiple of three bytes. */
function withUnusedBits({ key, header, claims }: FaultContext): string {
  const json = JSON.stringify(claims);
  const bytes = Buffer.byteLength(json) % 3 === 0 ? `${json} ` : json;
  const segment = encodePart(bytes);
  const last = alphabet.charAt(alphabet.indexOf(segment.slice(-1)) + 1);
  return signSegments(key, encodePart(header), segment.slice(0, -1) + last);
}

/** Every fault by its name: the reason for the rejection, a description, and the function that adds it. */
export const tokenFaults = {
  expired: fault(
    "expired",
    "exp is a day ago",
    withClaims((now) => ({ exp: now - secondsPerDay })),
  ),
  not_yet_valid: fault(
    "not_yet_valid",
    "nbf is in a day",
    withClaims((now) => ({ nbf: now + secondsPerDay, exp: now + 2 * secondsPerDay })),
  ),
  tampered_payload: fault(
    "bad_signature",
    "the payload was changed after signing",
    ({ validToken, claims }) => replaceSegment(validToken, 1, encodePart({ ...claims, admin: true })),
  ),
  tampered_header: fault("bad_signature", "the header was changed after signing", ({ validToken, header }) =>
    replaceSegment(validToken, 0, encodePart({ ...header, typ: "changed" })),
  ),
  tampered_signature: fault("bad_signature", "one bit of the signature was changed", ({ validToken }) =>
    replaceSegment(validToken, 2, encodePart(flipLastBit(signatureOf(validToken)))),
  ),
  no_signature: fault("bad_signature", "the signature is empty", ({ validToken }) =>
    replaceSegment(validToken, 2, ""),
  ),
  zero_signature: fault("bad_signature", "the signature is all zero", ({ validToken }) =>
    replaceSegment(validToken, 2, encodePart(new Uint8Array(signatureOf(validToken).length))),
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
  wrong_kid: fault("unknown_key", "no key has the kid", withHeader({ kid: "no-such-key" })),
  wrong_alg: fault("algorithm_mismatch", "the kid is known under another alg", underOtherAlgorithm),
  duplicate_member: fault("malformed", "the header has alg twice", withHeaderJson(prepend('"alg":"none"'))),
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
    withPayloadJson((json) => byteOrderMark + json),
  ),
  not_utf8: fault(
    "malformed",
    "the payload is not UTF-8",
    withPayloadJson((json) =>
      Buffer.concat([Buffer.from(prepend('"x":"')(json).slice(0, 6)), Buffer.from([0xff, 0x22, 0x7d])]),
    ),
  ),
  not_json: fault(
    "malformed",
    "the payload is not JSON",
    withPayloadJson((json) => json.slice(0, -1)),
  ),
  not_an_object: fault(
    "malformed",
    "the payload is an array",
    withPayloadJson((json) => `[${json}]`),
  ),
  exp_text: fault(
    "malformed",
    "exp is a string",
    withClaims((now) => ({ exp: String(now + secondsPerDay) })),
  ),
  exp_infinite: fault("malformed", "exp is 1e400", withPayloadJson(prepend('"exp":1e400'))),
  nbf_null: fault(
    "malformed",
    "nbf is null",
    withClaims(() => ({ nbf: null })),
  ),
  two_segments: fault("malformed", "there are two segments", ({ validToken }) =>
    validToken.split(".").slice(0, 2).join("."),
  ),
  four_segments: fault("malformed", "there are four segments", ({ validToken }) => `${validToken}.x`),
  empty_header: fault("malformed", "the header is empty", ({ validToken }) =>
    replaceSegment(validToken, 0, ""),
  ),
  oversized: fault(
    "malformed",
    "the token is longer than the limit",
    ({ key, header, claims, maxTokenBytes }) =>
      signParts(key, { header, payload: { ...claims, padding: "x".repeat(maxTokenBytes) } }),
  ),
} as const satisfies Record<string, Fault>;

/** The name of a fault. */
export type TokenFault = keyof typeof tokenFaults;

/** The names of all faults. */
export const tokenFaultNames = Object.keys(tokenFaults) as readonly TokenFault[];

/**
 * Mints a token with exactly one fault. Verifiers reject it for `tokenFaults[fault].reason`.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * const token = await mintFaultyToken(key, "tampered_payload");
 * createVerifier([key.jwk]).check(token, Date.now()).reason; // => "bad_signature"
 * ```
 * @throws {TypeError} when the fault does not exist, or `claims` has `exp` or `nbf`
 */
export async function mintFaultyToken(
  key: MintedKey,
  name: TokenFault,
  { nowMs = Date.now(), claims = {}, maxTokenBytes = verifierDefaults.maxTokenBytes }: FaultOptions = {},
): Promise<string> {
  if (!Object.hasOwn(tokenFaults, name)) {
    throw new TypeError(`There is no fault \`${name}\`; the faults are ${tokenFaultNames.join(", ")}.`);
  }
  if ("exp" in claims || "nbf" in claims) {
    throw new TypeError("`claims` must not have `exp` or `nbf`: each fault sets those that it needs.");
  }
  const header = { alg: key.jwk.alg, kid: key.jwk.kid };
  const now = Math.floor(nowMs / 1000);
  const validToken = signParts(key, { header, payload: claims });
  return (tokenFaults[name] as Fault).make({ key, header, claims, now, maxTokenBytes, validToken });
}
