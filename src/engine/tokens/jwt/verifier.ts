/**
 * Verifies tokens against one key set, from text to reason.
 *
 * Two verifiers with the same outcomes: `node` (synchronous, the default) and `jose` (asynchronous when there is
 * cryptography to do). Everything but the signature itself is shared. A verifier belongs to its key set: changed
 * credentials need a new one, which begins with nothing remembered.
 */

import { InvalidInputError } from "../../../errors.ts";
import type { JwtKey, TokenCheck } from "../model.ts";
import { importKeys } from "./keys/key-set.ts";
import { checkValidity, isSigned } from "./signed-token.ts";
import { createVerifiedTokenCache } from "./verified-token-cache.ts";
import { createJoseSignatureCheck } from "./verify-jose.ts";
import { createNodeSignatureCheck } from "./verify-node.ts";

export interface VerifierOptions {
  /** Which library verifies signatures (default `node`). */
  readonly verifier?: "node" | "jose";
  /** Tolerance for exp and nbf, in seconds (default 0). */
  readonly clockToleranceSeconds?: number;
  /** Longest token, in bytes (default 8,192). */
  readonly maxTokenBytes?: number;
  /** Most verified tokens that are remembered (default 1,000; 0 turns it off). */
  readonly cacheEntries?: number;
  /** Most memory for remembered tokens, in bytes as charged: eight for each character (default 32 MiB). */
  readonly cacheBytes?: number;
}

/** Defaults of `VerifierOptions` (tokenBytes as decided for the interface; the cache is `chosen`). */
export const verifierDefaults = {
  verifier: "node",
  clockToleranceSeconds: 0,
  maxTokenBytes: 8192,
  cacheEntries: 1000,
  cacheBytes: 32 * 1024 * 1024,
} as const satisfies Required<VerifierOptions>;

/** The synchronous verifier. */
export interface NodeVerifier {
  readonly kind: "node";
  /**
   * Checks one token at one time, in milliseconds since 1970. Every outcome is a value.
   *
   * @throws RangeError when `nowMs` is not a finite number.
   */
  check(token: string, nowMs: number): TokenCheck;
}

/** The asynchronous verifier; answers at once when it needs no cryptography. */
export interface JoseVerifier {
  readonly kind: "jose";
  /**
   * Checks one token at one time, in milliseconds since 1970. Never rejects.
   *
   * @throws RangeError when `nowMs` is not a finite number.
   */
  check(token: string, nowMs: number): TokenCheck | Promise<TokenCheck>;
}

export type Verifier = NodeVerifier | JoseVerifier;

/**
 * Makes a verifier for a key set.
 *
 * @throws InvalidInputError when the keys would be refused on intake: no unsafe key is ever used.
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
  return options.verifier === "jose" ? createJoseVerifier(keys, options) : createNodeVerifier(keys, options);
}

/** Makes the synchronous verifier; see `createVerifier`. */
export function createNodeVerifier(keys: readonly JwtKey[], options: VerifierOptions = {}): NodeVerifier {
  const { maxTokenBytes, clockToleranceSeconds, cache } = prepare(options);
  const examine = createNodeSignatureCheck(safeKeys(keys), maxTokenBytes);
  return {
    kind: "node",
    check(token, nowMs) {
      checkNow(nowMs);
      const known = typeof token === "string" ? cache.get(token) : undefined;
      if (known !== undefined) return checkValidity(known, nowMs, clockToleranceSeconds);
      const examined = examine(token);
      if (!isSigned(examined)) return examined;
      cache.set(token, examined);
      return checkValidity(examined, nowMs, clockToleranceSeconds);
    },
  };
}

/** Makes the asynchronous verifier; see `createVerifier`. */
export function createJoseVerifier(keys: readonly JwtKey[], options: VerifierOptions = {}): JoseVerifier {
  const { maxTokenBytes, clockToleranceSeconds, cache } = prepare(options);
  const examine = createJoseSignatureCheck(safeKeys(keys), maxTokenBytes);
  return {
    kind: "jose",
    check(token, nowMs) {
      checkNow(nowMs);
      const known = typeof token === "string" ? cache.get(token) : undefined;
      if (known !== undefined) return checkValidity(known, nowMs, clockToleranceSeconds);
      const examining = examine(token);
      if (!(examining instanceof Promise)) return examining;
      return examining.then((examined) => {
        if (!isSigned(examined)) return examined;
        cache.set(token, examined);
        return checkValidity(examined, nowMs, clockToleranceSeconds);
      });
    },
  };
}

/** Intake again, so that nothing unsafe is used even by those who skipped it. */
function safeKeys(keys: readonly JwtKey[]): JwtKey[] {
  const intake = importKeys(keys, { mode: "reject", maxKeys: Number.MAX_SAFE_INTEGER });
  if (intake.problems.length > 0) throw new InvalidInputError("keys", intake.problems);
  return intake.keys;
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
  throw new RangeError(`${name} is ${value}; give ${allowed}`);
}

function checkNow(nowMs: number): void {
  if (Number.isFinite(nowMs)) return;
  throw new RangeError(`nowMs is ${nowMs}; give a time in milliseconds since 1970, as Date.now() does`);
}
