/** Tokens with a valid signature: everything about them that does not depend on the time. */

import { quote } from "../../../errors.ts";
import type { TokenCheck } from "../model.ts";
import { checkTimes } from "./claims.ts";
import type { Candidate } from "./token.ts";

/** A token with a valid signature, and its times of validity in seconds since 1970. */
export interface SignedToken {
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
  /** The result at a time when the token is valid. */
  readonly valid: TokenCheck;
}

/** The result of verifying a token independently of the time: a signed token, or the rejection. */
export type SignatureOutcome = SignedToken | TokenCheck;

/** Whether the signature was valid. */
export function isSigned(outcome: SignatureOutcome): outcome is SignedToken {
  return !("reason" in outcome);
}

/** The outcome for a token whose signature was checked. */
export function signatureOutcome(candidate: Candidate<unknown>, verified: boolean): SignatureOutcome {
  const { kid, alg } = candidate.header;
  if (!verified) {
    const detail = `the signature was not made by the key ${quote(kid)} with ${alg}`;
    return { reason: "bad_signature", detail, kid, alg };
  }
  const { object, exp, nbf } = candidate.claims;
  return { exp, nbf, valid: { reason: "valid", kid, alg, claims: object } };
}

/** Checks a signed token at one time, in milliseconds since 1970. */
export function checkValidity(token: SignedToken, nowMs: number, toleranceSeconds: number): TokenCheck {
  const rejection = checkTimes(token, nowMs, toleranceSeconds);
  return rejection === undefined ? token.valid : { ...token.valid, ...rejection };
}
