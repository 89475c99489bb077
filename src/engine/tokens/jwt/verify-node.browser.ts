/** In place of `verify-node.ts` on platforms without `node:crypto`: they verify with jose. */
import type { SignatureOutcome } from "./signed-token.ts";

/** The verifier of a zone that names none. */
export const platformVerifier: "node" | "jose" | undefined = "jose";

/** @throws {TypeError} always */
export function createNodeSignatureCheck(): (token: string) => SignatureOutcome {
  throw new TypeError('The verifier `node` needs Node.js; name `verifier: "jose"`, which is asynchronous.');
}
