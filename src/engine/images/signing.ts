/**
 * Signed delivery addresses (observed): lowercase hex HMAC-SHA256 over `pathname?query` without `sig`, as requested.
 */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  aNumber,
  arrayOf,
  aString,
  objectWith,
  requireArgument,
  requireArguments,
} from "../../core/arguments.ts";
import { type Failure, failure, type Result, success } from "../../core/result.ts";
import { problem, quote } from "../../errors.ts";

/** An address whose signature is valid. */
export interface VerifiedAddress {
  /** Seconds since 1970; absent when the address never expires. */
  readonly expiresAt?: number;
}

/** `missing`: no `sig`; `malformed`: `sig` or `exp` is not as specified; `wrong`: no key matches; `expired`. */
type Reason = "missing" | "malformed" | "wrong" | "expired";

/** An address as requested: neither decoded nor normalized. */
export interface RequestedAddress {
  /** Path, percent-encoded as requested. */
  readonly pathname: string;
  /** Query without its question mark; "" when it is missing. */
  readonly query: string;
}

/** Length of an account hash, in characters (chosen). */
const accountHashLength = 22;

/** The account's part of delivery addresses: the first 22 characters of its id's SHA-256 in base64url. */
export function accountHash(accountId: string): string {
  requireArgument("accountId", accountId, aString);
  return createHash("sha256").update(accountId).digest("base64url").slice(0, accountHashLength);
}

/**
 * Computes the signature of a string with a key's value: 64 lowercase hexadecimal digits.
 *
 * @example
 * ```ts
 * computeSignature("/h/id/public?exp=1631289275", "key").slice(0, 8); // => "fbc091b2"
 * ```
 */
export function computeSignature(text: string, keyValue: string): string {
  requireArguments({ text: [text, aString], keyValue: [keyValue, aString] });
  return createHmac("sha256", keyValue).update(text).digest("hex");
}

/**
 * Signs an absolute address, or a path with its query. An existing `exp` or `sig` is replaced.
 *
 * @param expiresAt seconds since 1970; without it the address never expires
 * @throws {RangeError} when `expiresAt` is not an integer of 0 or more
 * @example
 * ```ts
 * signAddress("/h/id/public", "key", 1631289275).slice(0, 40); // => "/h/id/public?exp=1631289275&sig=fbc091b2"
 * ```
 */
export function signAddress(address: string, keyValue: string, expiresAt?: number): string {
  requireArguments({ address: [address, aString], keyValue: [keyValue, aString] });
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt >= 0)) {
    throw new RangeError(`\`expiresAt\` must be whole seconds since 1970; found ${quote(expiresAt)}`);
  }
  const [beforeFragment = ""] = address.split("#", 1);
  const [base, query] = splitQuery(beforeFragment);
  const kept = parametersOf(query).filter((parameter) => !["sig", "exp"].includes(nameOf(parameter)));
  const signed = (expiresAt === undefined ? kept : [...kept, `exp=${expiresAt}`]).join("&");
  const signature = computeSignature(signedText({ pathname: pathOf(base), query: signed }), keyValue);
  return `${base}?${signed}${signed && "&"}sig=${signature}`;
}

/**
 * Verifies a requested address against every key of the account.
 *
 * @param nowMs milliseconds since 1970; an address is expired from the second `exp` on
 * @returns the expiry, or one problem of code 9425 whose rule is `signature-missing`, `signature-malformed`,
 *   `signature-wrong` or `signature-expired`
 */
export function verifyAddress(
  address: RequestedAddress,
  keyValues: readonly string[],
  nowMs: number,
): Result<VerifiedAddress> {
  requireArguments({
    address: [address, objectWith({ pathname: aString, query: aString })],
    keyValues: [keyValues, arrayOf(aString)],
    nowMs: [nowMs, aNumber],
  });
  const { pathname, query } = address;
  const parameters = parametersOf(query);
  const [signature, ...moreSignatures] = valuesOf(parameters, "sig");
  if (signature === undefined) return reject("missing", "The address must have a signature `sig`");
  if (moreSignatures.length > 0 || !/^[0-9a-f]{64}$/.test(signature)) {
    return reject("malformed", "The signature must be one `sig` of 64 lowercase hexadecimal digits");
  }
  const [expiry, ...moreExpiries] = valuesOf(parameters, "exp");
  if (moreExpiries.length > 0 || (expiry !== undefined && !/^(0|[1-9]\d{0,14})$/.test(expiry))) {
    return reject("malformed", "The expiry must be one `exp` in whole seconds since 1970");
  }
  const signed = parameters.filter((parameter) => nameOf(parameter) !== "sig").join("&");
  if (!isSigned({ pathname, query: signed }, signature, keyValues)) {
    return reject("wrong", "The signature `sig` matches none of the account's keys");
  }
  if (expiry === undefined) return success({});
  const expiresAt = Number(expiry);
  return nowMs >= expiresAt * 1_000
    ? reject("expired", `The address expired at ${expiresAt} seconds since 1970`)
    : success({ expiresAt });
}

/** The string that is signed; without a query it has no question mark. */
function signedText({ pathname, query }: RequestedAddress): string {
  return query === "" ? pathname : `${pathname}?${query}`;
}

/** Compares with every key and every accepted string, so that the time does not depend on which one matches. */
function isSigned(address: RequestedAddress, signature: string, keyValues: readonly string[]): boolean {
  const found = Buffer.from(signature, "hex");
  const texts = [signedText(address)];
  // Client libraries that join the string from parts leave the question mark of an empty query.
  if (address.query === "") texts.push(`${address.pathname}?`);
  let matched = false;
  for (const keyValue of keyValues) {
    for (const text of texts) {
      const expected = Buffer.from(computeSignature(text, keyValue), "hex");
      matched = timingSafeEqual(found, expected) || matched;
    }
  }
  return matched;
}

function splitQuery(address: string): [base: string, query: string] {
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/** The path of an address that may have a scheme and a host. */
function pathOf(base: string): string {
  const path = base.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path === "" ? "/" : path;
}

function parametersOf(query: string): string[] {
  return query === "" ? [] : query.split("&");
}

function nameOf(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  return name;
}

function valuesOf(parameters: readonly string[], name: string): string[] {
  return parameters
    .filter((parameter) => nameOf(parameter) === name)
    .map((parameter) => parameter.slice(name.length + 1));
}

function reject(reason: Reason, message: string): Failure {
  return failure({ ...problem(9425, `${message}.`), rule: `signature-${reason}` });
}
