/** A token whose signature was right: what is known of it for good. Only the clock is left to look at. */

import { quote } from "../../../errors.ts";
import type { TokenCheck } from "../model.ts";
import { checkTimes } from "./claims.ts";
import type { Candidate } from "./token.ts";

export interface SignedToken {
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
  /** The answer whenever the clock has nothing against it. */
  readonly valid: TokenCheck;
}

/** What a verifier finds out about a token text, whatever the time: that it is signed, or why it is refused. */
export type SignatureOutcome = SignedToken | TokenCheck;

export function isSigned(examined: SignatureOutcome): examined is SignedToken {
  return !("reason" in examined);
}

/** The outcome of a signature check. */
export function signatureOutcome(candidate: Candidate<unknown>, verified: boolean): SignatureOutcome {
  const { kid, alg } = candidate.header;
  if (!verified) {
    const detail = `the signature was not made by the key ${quote(kid)} with ${alg}`;
    return { reason: "bad_signature", detail, kid, alg };
  }
  const { object, exp, nbf } = candidate.claims;
  return { exp, nbf, valid: { reason: "valid", kid, alg, claims: object } };
}

/** The answer at one time. */
export function checkValidity(token: SignedToken, nowMs: number, toleranceSeconds: number): TokenCheck {
  const fault = checkTimes(token, nowMs, toleranceSeconds);
  if (fault === undefined) return token.valid;
  return { ...token.valid, ...fault };
}
