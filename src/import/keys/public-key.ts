/** Decodes public keys and certificates by OpenSSL. `public-key.browser.ts` has the same functions for other platforms. */
import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { DecodedKey, PemBlock } from "./pem-block.ts";

/** Decodes a block whose label is `PUBLIC KEY`, `RSA PUBLIC KEY` or `CERTIFICATE`. Never throws. */
export function decodePem({ label, text }: PemBlock): DecodedKey {
  return jwkOf(() => (label === "CERTIFICATE" ? new X509Certificate(text).publicKey : createPublicKey(text)));
}

/** Decodes the key of a certificate in DER. Never throws. */
export function decodeCertificate(der: Uint8Array): DecodedKey {
  return jwkOf(() => new X509Certificate(der).publicKey);
}

function jwkOf(read: () => KeyObject): DecodedKey {
  const key = attempt(read);
  if (!key) return undefined;
  const jwk = attempt(() => key.export({ format: "jwk" }));
  return jwk ? { jwk } : { unsupported: String(key.asymmetricKeyType) };
}

/** The value of a call to OpenSSL; undefined when it throws, since its messages depend on its version. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
