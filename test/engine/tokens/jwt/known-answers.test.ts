/** RFC 7515, appendices A.2 (RS256) and A.3 (ES256). */

import { createPrivateKey } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import { importNodeKey, verifySignature } from "../../../../src/engine/tokens/jwt/verify-node.ts";
import type { JwtKey } from "../../../../src/engine/tokens/model.ts";
import { allAlgorithms, encode, mintKeys, signSegments } from "../minting.ts";

const payload =
  "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
const claims = { iss: "joe", exp: 1300819380, "http://example.com/is_root": true };

const rsa = {
  kty: "RSA",
  alg: "RS256",
  kid: "a2",
  n: "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
  e: "AQAB",
} as const satisfies JwtKey;

const ec = {
  kty: "EC",
  alg: "ES256",
  crv: "P-256",
  kid: "a3",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
} as const satisfies JwtKey;

const a2 = `eyJhbGciOiJSUzI1NiJ9.${payload}.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw`;
const a3 = `eyJhbGciOiJFUzI1NiJ9.${payload}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`;

const ecPrivate = createPrivateKey({
  format: "jwk",
  key: { ...ec, d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI" },
});

const beforeExpiryMs = 1_300_819_379_000;

describe.each([
  ["A.2", a2, rsa],
  ["A.3", a3, ec],
] as const)("RFC 7515 %s", (_, token, jwk) => {
  const dot = token.lastIndexOf(".");
  const signed = Buffer.from(token.slice(0, dot));
  const signature = Buffer.from(token.slice(dot + 1), "base64url");

  test("the signature is right, and with one bit changed it is not", () => {
    const key = importNodeKey(jwk);
    expect(verifySignature(key, signed, signature)).toBe(true);
    signature[10]! ^= 1;
    expect(verifySignature(key, signed, signature)).toBe(false);
  });

  test("the token itself is rejected, because its header names no kid", async () => {
    const rejected = { reason: "unsupported_header", detail: "the token's header has no kid", alg: jwk.alg };
    expect(createNodeVerifier([jwk]).check(token, beforeExpiryMs)).toEqual(rejected);
    expect(await createJoseVerifier([jwk]).check(token, beforeExpiryMs)).toEqual(rejected);
  });
});

test("the example of A.3 with a kid is valid until the second of its exp", async () => {
  const by = { alg: "ES256", kid: "a3", privateKey: ecPrivate } as Parameters<typeof signSegments>[0];
  const token = signSegments(by, encode({ alg: "ES256", kid: "a3" }), payload);
  for (const verifier of [createNodeVerifier([rsa, ec]), createJoseVerifier([rsa, ec])]) {
    expect(await verifier.check(token, beforeExpiryMs)).toEqual({
      reason: "valid",
      kid: "a3",
      alg: "ES256",
      claims,
    });
    expect(await verifier.check(token, beforeExpiryMs + 1000)).toEqual({
      reason: "expired",
      detail: "expired 0 s ago, at 2011-03-22T18:43:00Z",
      kid: "a3",
      alg: "ES256",
      claims,
    });
  }
});

describe("tokens that jose made", () => {
  const minted = mintKeys();
  const keys = allAlgorithms.map((alg) => minted[alg].jwk);
  const node = createNodeVerifier(keys);
  const jose = createJoseVerifier(keys);

  test.each(allAlgorithms)("%s is valid for both verifiers", async (alg) => {
    const { privateKey, kid } = minted[alg];
    const key = await importJWK({ ...privateKey.export({ format: "jwk" }), alg }, alg);
    const token = await new SignJWT({ sub: "ada", exp: 2000 })
      .setProtectedHeader({ alg, kid, typ: "JWT" })
      .sign(key);
    const valid = { reason: "valid", kid, alg, claims: { sub: "ada", exp: 2000 } };
    expect(node.check(token, 1_000_000)).toEqual(valid);
    expect(await jose.check(token, 1_000_000)).toEqual(valid);
  });
});
