/** The checks of a JWK that come before those of its numbers: what it is for, its type and its algorithm. */

import { nameSome } from "../../engine/tokens/input-problem.ts";
import { algorithmsOf, isAlgorithm } from "../../engine/tokens/jwt/keys/algorithms.ts";
import { type RawKey, type SharedSecrets, strippedMembers } from "../../engine/tokens/jwt/keys/key-format.ts";
import { alternatives, quote } from "../../errors.ts";
import type { RejectedKey } from "./rejected-key.ts";

/** Finds why a JWK cannot be a key of a configuration; undefined when its purpose, type and algorithm are supported. */
export function unsupportedJwk(
  key: RawKey,
  sharedSecrets: SharedSecrets = "reject",
): RejectedKey | undefined {
  if (key.kty === "oct" && sharedSecrets === "reject") return publishedSecret;
  for (const check of checks) {
    const rejected = check(key);
    if (rejected) return rejected;
  }
  return undefined;
}

type Check = (key: RawKey) => RejectedKey | undefined;

/** The first that applies is reported: secrets before everything else. */
const checks: readonly Check[] = [secret, otherUse, otherOperations, type, curve, algorithm];

const publishedSecret: RejectedKey = {
  rule: "symmetric_key",
  message: "it is a shared secret (kty `oct`); a key set must have public keys only",
};

function secret(key: RawKey): RejectedKey | undefined {
  const names = strippedMembers(key).secret;
  if (names.length === 0) return undefined;
  const message = `it has private members (${nameSome(names, 8)}), which must not be published; the key is compromised`;
  return { rule: "private_key", message };
}

function otherUse({ use }: RawKey): RejectedKey | undefined {
  if (use === undefined || use === "sig") return undefined;
  return { rule: "not_for_signatures", message: `\`use\` must be \`sig\` or missing; found ${quote(use)}` };
}

function otherOperations({ key_ops: operations }: RawKey): RejectedKey | undefined {
  if (operations === undefined || (Array.isArray(operations) && operations.includes("verify")))
    return undefined;
  const message = `\`key_ops\` must contain \`verify\` or be missing; found ${quote(operations)}`;
  return { rule: "not_for_signatures", message };
}

function type({ kty, crv }: RawKey): RejectedKey | undefined {
  if (kty === "RSA" || kty === "EC" || kty === "oct") return undefined;
  if (kty === undefined) return { rule: "not_a_key", message: "`kty` must be `RSA` or `EC`; it is missing" };
  const found = typeof crv === "string" ? `${quote(kty)} (${quote(crv)})` : quote(kty);
  return { rule: "unsupported_type", message: `\`kty\` must be \`RSA\` or \`EC\`; found ${found}` };
}

function curve({ kty, crv }: RawKey): RejectedKey | undefined {
  if (kty !== "EC" || crv === undefined || crv === "P-256" || crv === "P-384") return undefined;
  return {
    rule: "unsupported_curve",
    message: `\`crv\` must be \`P-256\` or \`P-384\`; found ${quote(crv)}`,
  };
}

/** Algorithms of key management (RFC 7518, section 4.1; RFC 9278 and others add suffixes). */
const keyManagement = /^(RSA1_5|RSA-OAEP|ECDH-ES|A(128|192|256)(GCM)?KW|dir$|PBES2-)/;

function algorithm({ kty, alg }: RawKey): RejectedKey | undefined {
  const own = algorithmsOf(kty === "EC" || kty === "oct" ? kty : "RSA");
  if ((alg === undefined && kty !== "oct") || (isAlgorithm(alg) && own.includes(alg))) return undefined;
  const message = `\`alg\` must be ${alternatives(own.map(quote))} for kty ${quote(kty)}; ${alg === undefined ? "it is missing" : `found ${quote(alg)}`}`;
  const isEncryption = typeof alg === "string" && keyManagement.test(alg);
  return { rule: isEncryption ? "not_for_signatures" : "unsupported_alg", message };
}
