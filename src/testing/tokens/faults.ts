/** Tokens with exactly one fault, by the name of the fault. */
import {
  aJsonObject,
  aNumber,
  aString,
  integerFrom,
  optional,
  optionsOf,
  requireArguments,
} from "../../core/arguments.ts";
import { type Kept, keepSuccess } from "../../core/work/keep-success.ts";
import { withoutSecret } from "../../engine/tokens/jwt/keys/key-format.ts";
import { verifierDefaults } from "../../engine/tokens/jwt/verifier.ts";
import type { Algorithm, Reason } from "../../engine/tokens/model.ts";
import { aMintedKey, type MintedKey, mintKey } from "./mint.ts";
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

function headerFault(reason: Fault["reason"], description: string, more: FaultContext["header"]): Fault {
  return fault(reason, description, ({ key, header, claims }) =>
    signParts(key, { header: { ...header, ...more }, payload: claims }),
  );
}

function claimsFault(
  reason: Fault["reason"],
  description: string,
  more: (now: number) => FaultContext["claims"],
): Fault {
  return fault(reason, description, ({ key, header, claims, now }) =>
    signParts(key, { header, payload: { ...claims, ...more(now) } }),
  );
}

/** Changes the JSON of the payload as a string. */
function payloadFault(description: string, change: (json: string) => string | Uint8Array): Fault {
  return fault("malformed", description, ({ key, header, claims }) =>
    signParts(key, { header, payload: change(JSON.stringify(claims)) }),
  );
}

/** Replaces a segment of the valid token. */
function segmentFault(
  reason: Fault["reason"],
  description: string,
  index: 0 | 1 | 2,
  segment: (context: FaultContext) => string,
): Fault {
  return fault(reason, description, (context) => replaceSegment(context.validToken, index, segment(context)));
}

/** Inserts a member before the others, also one that `JSON.stringify` cannot write. */
function prepend(member: string): (json: string) => string {
  return (json) => `{${member}${json === "{}" ? "" : ","}${json.slice(1)}`;
}

/** Keys of other parties by algorithm, generated once: an RSA key takes a second. */
const otherKeys = new Map<Algorithm, Kept<MintedKey>>();

/** A key that no caller has, with another one's `kid`. */
async function otherKey(alg: Algorithm, kid: string): Promise<MintedKey> {
  const minted = otherKeys.get(alg) ?? keepSuccess(() => mintKey(alg));
  otherKeys.set(alg, minted);
  const { jwk, privateKey } = await minted.get();
  return { jwk: { ...jwk, kid }, privateKey };
}

/** Signed with another key that has the same `kid` and `alg`. */
async function signedByAnother({ key, header, claims }: FaultContext): Promise<string> {
  const other = await otherKey(key.jwk.alg, key.jwk.kid);
  return signParts(other, { header, payload: claims });
}

/** Correctly signed with another algorithm than that of the key with this `kid`. */
async function underOtherAlgorithm({ key, claims }: FaultContext): Promise<string> {
  const alg: Algorithm = key.jwk.alg === "ES256" ? "ES384" : "ES256";
  const other = await otherKey(alg, key.jwk.kid);
  return signParts(other, { header: { alg, kid: key.jwk.kid }, payload: claims });
}

/** Under HMAC with what everyone knows of the key; a key of HS256 gets HS384. */
function signedByPublicKey({ key, header, claims }: FaultContext): string {
  const [alg, hash] =
    key.jwk.alg === "HS256" ? (["HS384", "sha384"] as const) : (["HS256", "sha256"] as const);
  const known = JSON.stringify(withoutSecret(key.jwk));
  return signHmac({ header: { ...header, alg }, payload: claims }, hash, known);
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
  expired: claimsFault("expired", "exp is a day ago", (now) => ({ exp: now - secondsPerDay })),
  not_yet_valid: claimsFault("not_yet_valid", "nbf is in a day", (now) => {
    return { nbf: now + secondsPerDay, exp: now + 2 * secondsPerDay };
  }),
  tampered_payload: segmentFault("bad_signature", "the payload was changed after signing", 1, ({ claims }) =>
    encodePart({ ...claims, admin: true }),
  ),
  tampered_header: segmentFault("bad_signature", "the header was changed after signing", 0, ({ header }) =>
    encodePart({ ...header, typ: "changed" }),
  ),
  tampered_signature: segmentFault("bad_signature", "one bit of the signature was changed", 2, (context) =>
    encodePart(flipLastBit(signatureOf(context.validToken))),
  ),
  no_signature: segmentFault("bad_signature", "the signature is empty", 2, () => ""),
  short_signature: segmentFault("bad_signature", "the signature is cut in half", 2, ({ validToken }) => {
    const signature = signatureOf(validToken);
    return encodePart(signature.subarray(0, signature.length / 2));
  }),
  zero_signature: segmentFault("bad_signature", "the signature is all zero", 2, ({ validToken }) =>
    encodePart(new Uint8Array(signatureOf(validToken).length)),
  ),
  other_key: fault("bad_signature", "another key signed under the known kid", signedByAnother),
  alg_none: fault("unsupported_header", "alg is none", ({ header, claims }) => {
    return `${encodePart({ ...header, alg: "none" })}.${encodePart(claims)}.`;
  }),
  alg_hmac: fault("algorithm_mismatch", "alg is HS256, with the public key as secret", signedByPublicKey),
  no_alg: headerFault("unsupported_header", "alg is missing", { alg: undefined }),
  no_kid: headerFault("unsupported_header", "kid is missing", { kid: undefined }),
  kid_number: headerFault("unsupported_header", "kid is a number", { kid: 1 }),
  crit: headerFault("unsupported_header", "crit is in the header", { crit: ["exp"] }),
  b64: headerFault("unsupported_header", "b64 is in the header", { b64: false }),
  wrong_kid: headerFault("unknown_key", "no key has the kid", { kid: "no-such-key" }),
  wrong_alg: fault("algorithm_mismatch", "the kid is known under another alg", underOtherAlgorithm),
  duplicate_member: fault("malformed", "the header has alg twice", ({ key, header, claims }) =>
    signParts(key, { header: prepend('"alg":"none"')(JSON.stringify(header)), payload: claims }),
  ),
  padded: fault("malformed", "the payload is padded with =", ({ key, header, claims }) =>
    signSegments(key, encodePart(header), `${encodePart(claims)}=`),
  ),
  foreign_character: fault("malformed", "the payload has a + of plain base64", ({ key, header, claims }) =>
    signSegments(key, encodePart(header), `+${encodePart(claims)}`),
  ),
  non_canonical: fault("malformed", "the payload's last character has unused bits", withUnusedBits),
  byte_order_mark: payloadFault("the payload begins with a byte order mark", (json) => byteOrderMark + json),
  not_utf8: payloadFault("the payload is not UTF-8", (json) =>
    Buffer.concat([Buffer.from(prepend('"x":"')(json).slice(0, 6)), Buffer.from([0xff, 0x22, 0x7d])]),
  ),
  not_json: payloadFault("the payload is not JSON", (json) => json.slice(0, -1)),
  not_an_object: payloadFault("the payload is an array", (json) => `[${json}]`),
  exp_text: claimsFault("malformed", "exp is a string", (now) => ({ exp: String(now + secondsPerDay) })),
  exp_infinite: payloadFault("exp is 1e400", prepend('"exp":1e400')),
  nbf_null: claimsFault("malformed", "nbf is null", () => ({ nbf: null })),
  two_segments: fault("malformed", "there are two segments", ({ validToken }) =>
    validToken.split(".").slice(0, 2).join("."),
  ),
  four_segments: fault("malformed", "there are four segments", ({ validToken }) => `${validToken}.x`),
  empty_header: segmentFault("malformed", "the header is empty", 0, () => ""),
  oversized: fault("malformed", "the token is longer than the limit", (context) => {
    const { key, header, claims, maxTokenBytes } = context;
    return signParts(key, { header, payload: { ...claims, padding: "x".repeat(maxTokenBytes) } });
  }),
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
 * @throws {TypeError} when the fault or an option does not exist, or `claims` has `exp` or `nbf`
 */
export async function mintFaultyToken(
  key: MintedKey,
  name: TokenFault,
  options: FaultOptions = {},
): Promise<string> {
  requireArguments({
    key: [key, aMintedKey],
    name: [name, aString],
    options: [
      options,
      optionsOf<FaultOptions>("mintFaultyToken", {
        nowMs: optional(aNumber),
        claims: optional(aJsonObject),
        maxTokenBytes: optional(integerFrom(1)),
      }),
    ],
  });
  const { nowMs = Date.now(), claims = {}, maxTokenBytes = verifierDefaults.maxTokenBytes } = options;
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
