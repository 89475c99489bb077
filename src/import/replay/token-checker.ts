/** Checks the tokens of recorded traffic: each distinct token is verified once, valid or not. */
import { createLruCache } from "../../core/lru-cache.ts";
import { createNodeVerifier, type VerifierOptions } from "../../engine/tokens/jwt/verifier.ts";
import type { JwtKey, TokenCheck } from "../../engine/tokens/model.ts";

/** Maximum number of remembered tokens of a configuration, valid ones and rejected ones each (`chosen`). */
const maxTokens = 20_000;

/** Maximum memory of the remembered valid tokens of a configuration, in bytes (`chosen`). */
const maxTokenBytes = 64 * 1024 * 1024;

/** Maximum length of all rejected tokens that are remembered, in characters (`chosen`). */
const maxRejectedLength = 8 * 1024 * 1024;

interface Rejection {
  readonly check: TokenCheck;
  readonly length: number;
}

/** Outcomes that another time would change; the verifier remembers these tokens itself. */
const timed: ReadonlySet<TokenCheck["reason"]> = new Set(["valid", "expired", "not_yet_valid"]);

/** Creates the checker of one configuration. */
export function createTrafficChecker(
  keys: readonly JwtKey[],
  options: Pick<VerifierOptions, "clockToleranceSeconds">,
): { check(token: string, nowMs: number): TokenCheck } {
  const verifier = createNodeVerifier(keys, {
    ...options,
    cacheEntries: maxTokens,
    cacheBytes: maxTokenBytes,
  });
  const rejections = createLruCache<Rejection>(maxRejectedLength, ({ length }) => length);
  return {
    check(token, nowMs) {
      const known = rejections.size > 0 ? rejections.get(token) : undefined;
      if (known !== undefined) return known.check;
      const check = verifier.check(token, nowMs);
      if (!timed.has(check.reason)) rejections.set(token, { check, length: token.length });
      return check;
    },
  };
}
