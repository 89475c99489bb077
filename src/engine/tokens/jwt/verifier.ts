/**
 * Verifies tokens against one key set, from string to reason.
 *
 * Two verifiers with the same outcomes: `node` (synchronous, the default) and `jose` (asynchronous when a signature
 * is checked). Everything but the signature itself is shared. A verifier belongs to its key set: changed credentials
 * need a new one, which starts with an empty cache.
 */

import { createNodeSignatureCheck } from "#verify-node";
import { anyValue, eachMember, type KindsOf, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { InvalidInputError, quote } from "../../../errors.ts";
import type { JwtKey, TokenCheck } from "../model.ts";
import { importKeys } from "./keys/key-set.ts";
import { checkValidity, isSigned } from "./signed-token.ts";
import { createVerifiedTokenCache } from "./verified-token-cache.ts";
import { createJoseSignatureCheck } from "./verify-jose.ts";

/** Options of a verifier. */
export interface VerifierOptions {
  /** The library that verifies signatures (default `node`). */
  readonly verifier?: "node" | "jose";
  /** Tolerance for exp and nbf, in seconds, from 0 (default 0). */
  readonly clockToleranceSeconds?: number;
  /** Maximum length of a token, in bytes, from 1 (default 8,192). */
  readonly maxTokenBytes?: number;
  /** Maximum number of verified tokens in the cache, from 0 (default 1,000; 0 turns the cache off). */
  readonly cacheEntries?: number;
  /** Maximum memory of the cache, in bytes, from 0, estimated as eight for each character (default 32 MiB). */
  readonly cacheBytes?: number;
}

/** Defaults of `VerifierOptions` (the maximum length as in the interface; the cache is `chosen`). */
export const verifierDefaults = {
  verifier: "node",
  clockToleranceSeconds: 0,
  maxTokenBytes: 8192,
  cacheEntries: 1000,
  cacheBytes: 32 * 1024 * 1024,
} as const satisfies Required<VerifierOptions>;

/** The members of `VerifierOptions`; the values are checked by `prepare`. */
export const verifierMembers: KindsOf<VerifierOptions> = eachMember(verifierDefaults, anyValue);

/** The synchronous verifier. */
export interface NodeVerifier {
  /** Distinguishes the two verifiers. */
  readonly kind: "node";
  /**
   * Checks one token at one time, in milliseconds since 1970. An invalid token is a value, not an exception.
   *
   * @throws RangeError when `nowMs` is not a finite number.
   */
  check(token: string, nowMs: number): TokenCheck;
}

/** The asynchronous verifier; returns without a promise when no signature has to be checked. */
export interface JoseVerifier {
  /** Distinguishes the two verifiers. */
  readonly kind: "jose";
  /**
   * Checks one token at one time, in milliseconds since 1970. Never rejects.
   *
   * @throws RangeError when `nowMs` is not a finite number.
   */
  check(token: string, nowMs: number): TokenCheck | Promise<TokenCheck>;
}

/** Either verifier. */
export type Verifier = NodeVerifier | JoseVerifier;

/**
 * Creates a verifier for a key set.
 *
 * @throws InvalidInputError when {@link importKeys} rejects the keys: no unsafe key is ever used.
 * @throws RangeError when an option is out of its range.
 * @example
 * ```ts
 * const { jwk } = await mintKey("ES256");
 * const verifier = createVerifier([jwk]);
 * verifier.check("not a token", 0);
 * // => { reason: "malformed", detail: "the token has fewer than three segments separated by dots" }
 * ```
 */
export function createVerifier(
  keys: readonly JwtKey[],
  options?: VerifierOptions & { verifier?: "node" },
): NodeVerifier;
export function createVerifier(
  keys: readonly JwtKey[],
  options: VerifierOptions & { verifier: "jose" },
): JoseVerifier;
export function createVerifier(keys: readonly JwtKey[], options?: VerifierOptions): Verifier;
export function createVerifier(keys: readonly JwtKey[], options: VerifierOptions = {}): Verifier {
  requireArgument("options", options, optionsOf<VerifierOptions>("createVerifier", verifierMembers));
  return verifierOf(keys, options);
}

/** `createVerifier` without a check of the names of options. */
export function verifierOf(keys: readonly JwtKey[], options: VerifierOptions): Verifier {
  return options.verifier === "jose" ? joseVerifier(keys, options) : nodeVerifier(keys, options);
}

/** Creates the synchronous verifier; see {@link createVerifier}. */
export function createNodeVerifier(keys: readonly JwtKey[], options: VerifierOptions = {}): NodeVerifier {
  requireArgument("options", options, optionsOf<VerifierOptions>("createNodeVerifier", verifierMembers));
  return nodeVerifier(keys, options);
}

/** `createNodeVerifier` without a check of the names of options. */
export function nodeVerifier(keys: readonly JwtKey[], options: VerifierOptions): NodeVerifier {
  const { maxTokenBytes, clockToleranceSeconds, cache } = prepare(options);
  const verifySignature = createNodeSignatureCheck(safeKeys(keys), maxTokenBytes);
  return {
    kind: "node",
    check(token, nowMs) {
      checkNow(nowMs);
      const known = typeof token === "string" ? cache.get(token) : undefined;
      if (known !== undefined) return checkValidity(known, nowMs, clockToleranceSeconds);
      const outcome = verifySignature(token);
      if (!isSigned(outcome)) return outcome;
      cache.set(token, outcome);
      return checkValidity(outcome, nowMs, clockToleranceSeconds);
    },
  };
}

/** Creates the asynchronous verifier; see {@link createVerifier}. */
export function createJoseVerifier(keys: readonly JwtKey[], options: VerifierOptions = {}): JoseVerifier {
  requireArgument("options", options, optionsOf<VerifierOptions>("createJoseVerifier", verifierMembers));
  return joseVerifier(keys, options);
}

function joseVerifier(keys: readonly JwtKey[], options: VerifierOptions): JoseVerifier {
  const { maxTokenBytes, clockToleranceSeconds, cache } = prepare(options);
  const verifySignature = createJoseSignatureCheck(safeKeys(keys), maxTokenBytes);
  return {
    kind: "jose",
    check(token, nowMs) {
      checkNow(nowMs);
      const known = typeof token === "string" ? cache.get(token) : undefined;
      if (known !== undefined) return checkValidity(known, nowMs, clockToleranceSeconds);
      const verification = verifySignature(token);
      if (!(verification instanceof Promise)) return verification;
      return verification.then((outcome) => {
        if (!isSigned(outcome)) return outcome;
        cache.set(token, outcome);
        return checkValidity(outcome, nowMs, clockToleranceSeconds);
      });
    },
  };
}

/** Imports the keys again, so that no unsafe key is used when a caller did not check them. */
function safeKeys(keys: readonly JwtKey[]): readonly JwtKey[] {
  const imported = importKeys(keys, {
    mode: "reject",
    sharedSecrets: "accept",
    maxKeys: Number.MAX_SAFE_INTEGER,
  });
  if (!imported.ok) throw new InvalidInputError("keys", imported.problems);
  return imported.value.keys;
}

function prepare(options: VerifierOptions) {
  const { cacheEntries, cacheBytes, maxTokenBytes, clockToleranceSeconds } = withDefaults(options);
  checkOption("clockToleranceSeconds", clockToleranceSeconds, clockToleranceSeconds >= 0);
  checkOption("maxTokenBytes", maxTokenBytes, maxTokenBytes >= 1, "a finite number from 1");
  const isCount = Number.isInteger(cacheEntries) && cacheEntries >= 0;
  checkOption("cacheEntries", cacheEntries, isCount, "an integer from 0");
  checkOption("cacheBytes", cacheBytes, cacheBytes >= 0);
  const cache = createVerifiedTokenCache({ entries: cacheEntries, bytes: cacheBytes });
  return { maxTokenBytes, clockToleranceSeconds, cache };
}

function withDefaults(options: VerifierOptions): Required<VerifierOptions> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...verifierDefaults, ...Object.fromEntries(given) };
}

function checkOption(
  name: string,
  value: number,
  inRange: boolean,
  allowed = "a finite number that is not negative",
): void {
  if (Number.isFinite(value) && inRange) return;
  throw new RangeError(`\`${name}\` must be ${allowed}; found ${quote(value)}.`);
}

function checkNow(nowMs: number): void {
  if (Number.isFinite(nowMs)) return;
  const allowed = "a time in milliseconds since 1970, as `Date.now()` returns";
  throw new RangeError(`\`nowMs\` must be ${allowed}; found ${quote(nowMs)}.`);
}
