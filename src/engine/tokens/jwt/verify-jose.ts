/** Signatures by jose, asynchronous: the independent verifier, on whatever WebCrypto the platform has. */

import { type CryptoKey, compactVerify, importJWK } from "jose";
import type { JwtKey, TokenCheck } from "../model.ts";
import { createHeaderReader } from "./header.ts";
import { indexKeys } from "./keys/key-index.ts";
import { type SignatureOutcome, signatureOutcome } from "./signed-token.ts";
import { type Candidate, readToken } from "./token.ts";

/** Gives the imported key; it is imported once, when it is first needed. */
type JoseKey = () => Promise<CryptoKey | Uint8Array>;

/** Examines tokens against one key set; `keys` must come from intake. What needs no cryptography is not awaited. */
export function createJoseSignatureCheck(
  keys: readonly JwtKey[],
  maxTokenBytes: number,
): (token: string) => TokenCheck | Promise<SignatureOutcome> {
  const readHeader = createHeaderReader(indexKeys(keys, lazyKey));
  return (token) => {
    const candidate = readToken(token, maxTokenBytes, readHeader);
    if ("reason" in candidate) return candidate;
    return isVerified(candidate).then((verified) => signatureOutcome(candidate, verified));
  };
}

function lazyKey(jwk: JwtKey): JoseKey {
  let imported: ReturnType<JoseKey> | undefined;
  return () => (imported ??= importJWK({ ...jwk }, jwk.alg));
}

/** Whatever the library throws, the signature is not proven. */
async function isVerified({ text, header }: Candidate<JoseKey>): Promise<boolean> {
  try {
    await compactVerify(text, await header.key(), { algorithms: [header.alg] });
    return true;
  } catch {
    return false;
  }
}
