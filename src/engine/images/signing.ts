/**
 * Signed delivery addresses (observed): lowercase hex HMAC-SHA256 over `pathname?query` without `sig`, as requested.
 */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Problem } from "../../errors.ts";

/** Outcome of a verification; `expiresAt` is in seconds since 1970 and absent when the address never expires. */
export type SignatureVerdict =
  | { readonly ok: true; readonly expiresAt?: number }
  | {
      readonly ok: false;
      readonly reason: "missing" | "malformed" | "wrong" | "expired";
      readonly problem: Problem;
    };

/** An address as requested: nothing decoded, nothing normalised. */
export interface RequestedAddress {
  readonly pathname: string;
  /** Query without its question mark; "" when there is none. */
  readonly query: string;
}

/** Characters of an account hash (chosen). */
const accountHashLength = 22;

/** The part of delivery addresses that stands for an account. */
export function accountHash(accountId: string): string {
  return createHash("sha256").update(accountId).digest("base64url").slice(0, accountHashLength);
}

/**
 * Signs a text with a key's value.
 *
 * @example
 * ```ts
 * signText("/h/id/public?exp=1631289275", "key").slice(0, 8); // => "fbc091b2"
 * ```
 */
export function signText(text: string, keyValue: string): string {
  return createHmac("sha256", keyValue).update(text).digest("hex");
}

/**
 * Signs an address, absolute or from its path on. An `exp` or `sig` that it has is replaced.
 *
 * @param expiresAt seconds since 1970; without it the address never expires
 * @example
 * ```ts
 * signAddress("/h/id/public", "key", 1631289275).slice(0, 40); // => "/h/id/public?exp=1631289275&sig=fbc091b2"
 * ```
 */
export function signAddress(address: string, keyValue: string, expiresAt?: number): string {
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt >= 0)) {
    throw new RangeError(`expiresAt is ${expiresAt}, it must be whole seconds since 1970`);
  }
  const [beforeHash = ""] = address.split("#", 1);
  const [base, given] = splitQuery(beforeHash);
  const kept = parametersOf(given).filter((parameter) => !["sig", "exp"].includes(nameOf(parameter)));
  const query = (expiresAt === undefined ? kept : [...kept, `exp=${expiresAt}`]).join("&");
  const signature = signText(canonicalText({ pathname: pathOf(base), query }), keyValue);
  return `${base}?${query}${query && "&"}sig=${signature}`;
}

/**
 * Verifies a requested address against every live key.
 *
 * @param nowMs milliseconds since 1970; an address is expired from the second `exp` on
 */
export function verifyAddress(
  { pathname, query }: RequestedAddress,
  keyValues: readonly string[],
  nowMs: number,
): SignatureVerdict {
  const parameters = parametersOf(query);
  const signatures = valuesOf(parameters, "sig");
  if (signatures.length === 0)
    return refuse("missing", "The address has no signature, this image requires one");
  const expiries = valuesOf(parameters, "exp");
  if (signatures.length > 1 || !/^[0-9a-f]{64}$/.test(signatures[0]!)) {
    return refuse("malformed", "The signature must be one `sig` of 64 lowercase hexadecimal digits");
  }
  if (expiries.length > 1 || (expiries[0] !== undefined && !/^\d{1,15}$/.test(expiries[0]))) {
    return refuse("malformed", "The expiry must be one `exp` in whole seconds since 1970");
  }
  const signed = parameters.filter((parameter) => nameOf(parameter) !== "sig").join("&");
  if (!isSigned({ pathname, query: signed }, signatures[0]!, keyValues)) {
    return refuse("wrong", "The signature matches none of the account's keys");
  }
  if (expiries[0] === undefined) return { ok: true };
  const expiresAt = Number(expiries[0]);
  return nowMs >= expiresAt * 1_000
    ? refuse("expired", `The address expired at ${expiresAt} seconds since 1970`)
    : { ok: true, expiresAt };
}

/** The text that is signed; without a query there is no question mark. */
function canonicalText({ pathname, query }: RequestedAddress): string {
  return query === "" ? pathname : `${pathname}?${query}`;
}

/** Compares with every key and every accepted text, so that the time tells nothing about which one failed. */
function isSigned(address: RequestedAddress, signature: string, keyValues: readonly string[]): boolean {
  const given = Buffer.from(signature, "hex");
  const texts = [canonicalText(address)];
  // Client libraries that build the text from parts leave the question mark of an empty query.
  if (address.query === "") texts.push(`${address.pathname}?`);
  let matched = false;
  for (const keyValue of keyValues) {
    for (const text of texts) {
      const expected = Buffer.from(signText(text, keyValue), "hex");
      matched = timingSafeEqual(given, expected) || matched;
    }
  }
  return matched;
}

function splitQuery(address: string): [base: string, query: string] {
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/** The path of an address that may have a scheme and a host before it. */
function pathOf(base: string): string {
  const path = base.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path === "" ? "/" : path;
}

function parametersOf(query: string): string[] {
  return query === "" ? [] : query.split("&");
}

function nameOf(parameter: string): string {
  return parameter.split("=", 1)[0]!;
}

function valuesOf(parameters: readonly string[], name: string): string[] {
  return parameters
    .filter((parameter) => nameOf(parameter) === name)
    .map((parameter) => parameter.slice(name.length + 1));
}

function refuse(reason: "missing" | "malformed" | "wrong" | "expired", message: string): SignatureVerdict {
  return { ok: false, reason, problem: { code: 9425, message: `${message}.` } };
}
