/** Verifies signatures with jose, asynchronously: the independent verifier, on the WebCrypto of the platform. */

import type { CryptoKey } from "jose";
import { keepSuccess } from "../../../core/work/keep-success.ts";
import { DependencyUnavailableError } from "../../../errors.ts";
import type { JwtKey, TokenCheck } from "../model.ts";
import { createHeaderReader } from "./header.ts";
import { indexKeys } from "./keys/key-index.ts";
import { type SignatureOutcome, signatureOutcome } from "./signed-token.ts";
import { type Candidate, readToken } from "./token.ts";

/** Returns the imported key; it is imported on first use. */
type JoseKey = () => Promise<CryptoKey | Uint8Array>;

let joseModule: typeof import("jose") | undefined;

/** jose, loaded with the first signature: an import of the engine does not wait for it. @throws {DependencyUnavailableError} */
async function loadJose(): Promise<typeof import("jose")> {
  try {
    joseModule ??= await import("jose");
    return joseModule;
  } catch (cause) {
    throw new DependencyUnavailableError("the package jose cannot be loaded", { cause, packages: "jose" });
  }
}

/** Verifies tokens against one imported key set. A token that needs no cryptography is rejected synchronously. */
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
  return keepSuccess(() => importKey(jwk)).get;
}

async function importKey(jwk: JwtKey): ReturnType<JoseKey> {
  const { importJWK } = joseModule ?? (await loadJose());
  return importJWK({ ...jwk }, jwk.alg);
}

/** An error of the library counts as an invalid signature. */
async function isVerified({ text, header }: Candidate<JoseKey>): Promise<boolean> {
  const { compactVerify } = joseModule ?? (await loadJose());
  try {
    const key = await header.key();
    await compactVerify(text, key, { algorithms: [header.alg] });
    return true;
  } catch {
    return false;
  }
}
