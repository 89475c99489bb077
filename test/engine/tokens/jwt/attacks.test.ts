/**
 * Known attacks on JWT verifiers, by name (RFC 8725; the JWT attack literature). Each must fail for both verifiers,
 * with the same reason, from a cold start and again after a good token was remembered.
 */

import { constants, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { importKeys } from "../../../../src/engine/tokens/jwt/keys/key-set.ts";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import type { JwtKey, TokenCheck } from "../../../../src/engine/tokens/model.ts";
import {
  allAlgorithms,
  encode,
  type Minted,
  mint,
  mintHmac,
  mintKeys,
  replaceSegment,
  signatureOf,
  signSegments,
  toJwk,
} from "../minting.ts";

const minted = mintKeys();
const attacker = mintKeys("attacker");
const keys = allAlgorithms.map((alg) => minted[alg].jwk);
const { ES256, ES384, RS256, PS256 } = minted;
const nowMs = 1_700_000_000_000;
const claims = { sub: "ada", admin: true };
const body = encode(claims);

async function attack(token: string, set: readonly JwtKey[] = keys): Promise<TokenCheck> {
  const node = createNodeVerifier(set);
  const jose = createJoseVerifier(set);
  const outcome = node.check(token, nowMs);
  expect(await jose.check(token, nowMs)).toEqual(outcome);
  const good = mint(ES256, claims);
  if (set === keys) expect(node.check(good, nowMs).reason).toBe("valid");
  expect(node.check(token, nowMs)).toEqual(outcome);
  return outcome;
}

async function expectReason(token: string, reason: TokenCheck["reason"]): Promise<void> {
  expect((await attack(token)).reason).toBe(reason);
}

describe("alg none in any spelling", () => {
  test.each(["none", "None", "NONE", "nOnE", "none ", "", "\u0000none"])("%j", async (alg) => {
    const header = encode({ alg, kid: RS256.kid });
    await expectReason(`${header}.${body}.`, "unsupported_header");
    await expectReason(replaceSegment(mint(RS256, claims), 0, header), "unsupported_header");
  });

  test("a missing signature", async () => {
    for (const alg of allAlgorithms)
      await expectReason(replaceSegment(mint(minted[alg], claims), 2, ""), "bad_signature");
  });
});

describe("RSA public key as HMAC secret", () => {
  const spki = RS256.publicKey.export({ format: "pem", type: "spki" }) as string;
  test.each([
    ["PEM", spki],
    ["PEM without its last line end", spki.trimEnd()],
    ["DER", RS256.publicKey.export({ format: "der", type: "spki" })],
    ["modulus", Buffer.from((RS256.jwk as { n: string }).n, "base64url")],
    ["modulus as text", (RS256.jwk as { n: string }).n],
  ])("%s", async (_, secret) => {
    await expectReason(mintHmac({ alg: "HS256", kid: RS256.kid }, claims, secret), "algorithm_mismatch");
    await expectReason(mintHmac({ alg: "RS256", kid: RS256.kid }, claims, secret), "bad_signature");
  });
});

describe("keys inside the token", () => {
  const jwk = attacker.RS256.publicKey.export({ format: "jwk" });
  test.each([
    ["embedded jwk", { jwk: { ...jwk, kid: RS256.kid, alg: "RS256" } }],
    ["jku", { jku: "https://attacker.example/jwks.json" }],
    ["x5u", { x5u: "https://attacker.example/cert.pem" }],
    ["x5c", { x5c: ["MIIB"] }],
  ])("%s", async (_, extra) => {
    const forged = mint(attacker.RS256, claims, { alg: "RS256", kid: RS256.kid, ...extra });
    await expectReason(forged, "bad_signature");
    const harmless = mint(RS256, claims, { alg: "RS256", kid: RS256.kid, ...extra });
    await expectReason(harmless, "valid");
  });

  test("under a kid of the attacker's own", async () => {
    const forged = mint(attacker.RS256, claims, { alg: "RS256", kid: "mine", jwk });
    await expectReason(forged, "unknown_key");
  });
});

describe("critical headers", () => {
  test.each([
    ["unknown crit", { crit: ["exp"], exp: 1 }],
    ["empty crit", { crit: [] }],
    ["crit that is null", { crit: null }],
    ["b64 false", { b64: false, crit: ["b64"] }],
    ["b64 without crit", { b64: false }],
    ["b64 true", { b64: true }],
  ])("%s", async (_, extra) => {
    await expectReason(mint(RS256, claims, { alg: "RS256", kid: RS256.kid, ...extra }), "unsupported_header");
  });

  test("a payload that is not encoded (b64)", async () => {
    const header = encode({ alg: "RS256", kid: RS256.kid, b64: false, crit: ["b64"] });
    await expectReason(signSegments(RS256, header, JSON.stringify(claims)), "malformed");
  });
});

describe("duplicate header members", () => {
  test.each([
    ["alg twice", `{"alg":"none","alg":"RS256","kid":"${RS256.kid}"}`],
    ["alg twice, once escaped", `{"al\\u0067":"none","alg":"RS256","kid":"${RS256.kid}"}`],
    ["kid twice", `{"alg":"RS256","kid":"x","kid":"${RS256.kid}"}`],
    ["another member twice", `{"alg":"RS256","kid":"${RS256.kid}","typ":"JWT","typ":"JWT"}`],
  ])("%s", async (_, header) => {
    await expectReason(signSegments(RS256, encode(header), body), "malformed");
  });
});

describe("weak keys are rejected", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  test.each([
    ["e = 1", { ...RS256.jwk, e: "AQ" }],
    ["1,024-bit RSA", toJwk(weak.publicKey, "RS256", "weak")],
  ])("%s", (_, key) => {
    expect(importKeys([key], { mode: "reject" })).toMatchObject({ ok: false, problems: [{}] });
    expect(importKeys([key], { mode: "adjust" })).toMatchObject({ ok: false, problems: [{}] });
    expect(() => createNodeVerifier([key as JwtKey])).toThrow("keys: ");
    expect(() => createJoseVerifier([key as JwtKey])).toThrow("keys: ");
  });
});

describe("ECDSA signatures", () => {
  const input = (by: Minted) => `${encode({ alg: by.alg, kid: by.kid })}.${body}`;
  const withSignature = (by: Minted, signature: Buffer) => `${input(by)}.${signature.toString("base64url")}`;
  const order = Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex");

  test.each([
    ["ES256", ES256, 64],
    ["ES384", ES384, 96],
  ] as const)("zero signature, %s", async (_, by, length) => {
    await expectReason(withSignature(by, Buffer.alloc(length)), "bad_signature");
    await expectReason(withSignature(by, Buffer.alloc(length, 0xff)), "bad_signature");
  });

  test("r or s equal to the order of the group", async () => {
    await expectReason(withSignature(ES256, Buffer.concat([order, order])), "bad_signature");
    await expectReason(withSignature(ES256, Buffer.concat([order, Buffer.alloc(32, 1)])), "bad_signature");
  });

  test("DER signature", async () => {
    const raw = signatureOf(ES256, input(ES256));
    await expectReason(withSignature(ES256, raw), "valid");
    await expectReason(withSignature(ES256, toDer(raw)), "bad_signature");
  });

  test("a valid signature with bytes added or removed", async () => {
    const raw = signatureOf(ES384, input(ES384));
    await expectReason(withSignature(ES384, raw), "valid");
    await expectReason(withSignature(ES384, Buffer.concat([raw, Buffer.alloc(1)])), "bad_signature");
    await expectReason(withSignature(ES384, Buffer.concat([Buffer.alloc(2), raw])), "bad_signature");
    await expectReason(withSignature(ES384, raw.subarray(0, 95)), "bad_signature");
  });
});

/** r and s as a DER sequence, as other protocols write a signature. */
function toDer(raw: Buffer): Buffer {
  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, bytes.length + 1, 0]), bytes]);
  const content = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}

describe("RSA signatures", () => {
  test("a PKCS #1 v1.5 signature under PS256, and the other way round", async () => {
    const asPss = `${encode({ alg: "PS256", kid: PS256.kid })}.${body}`;
    const asPkcs1 = `${encode({ alg: "RS256", kid: RS256.kid })}.${body}`;
    await expectReason(`${asPss}.${signatureOf(RS256, asPss).toString("base64url")}`, "bad_signature");
    await expectReason(`${asPkcs1}.${signatureOf(PS256, asPkcs1).toString("base64url")}`, "bad_signature");
  });

  test("a PSS signature with a salt of another length than the hash", async () => {
    const input = `${encode({ alg: "PS256", kid: PS256.kid })}.${body}`;
    for (const saltLength of [0, 20, 31, 33, constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
      const key = { key: PS256.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
      const signature = sign("sha256", Buffer.from(input), key);
      await expectReason(`${input}.${signature.toString("base64url")}`, "bad_signature");
    }
  });

  test("the kid of one alg under another alg of the same key", async () => {
    await expectReason(mint(PS256, claims, { alg: "PS256", kid: RS256.kid }), "algorithm_mismatch");
  });

  test("zero, short and long signatures", async () => {
    for (const length of [0, 1, 255, 256, 257, 512]) {
      await expectReason(
        replaceSegment(mint(RS256, claims), 2, Buffer.alloc(length).toString("base64url")),
        "bad_signature",
      );
    }
  });
});

describe("other encodings of the same token", () => {
  const good = mint(ES256, claims);
  test.each([
    ["padded", `${good}==`],
    [
      "padded in every segment",
      good
        .split(".")
        .map((segment) => `${segment}=`)
        .join("."),
    ],
    ["white space", ` ${good}`],
    ["a line end", `${good}\r\n`],
    ["a NUL", `${good}\0`],
    ["a dot more", `${good}.`],
  ])("%s", async (_, token) => {
    await expectReason(token, "malformed");
  });

  test("non-canonical base64url: unused bits at the end of the signature", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const value = alphabet.indexOf(good.at(-1)!);
    const variant = good.slice(0, -1) + alphabet[value | 1];
    expect(Buffer.from(variant.split(".")[2]!, "base64url")).toEqual(
      Buffer.from(good.split(".")[2]!, "base64url"),
    );
    expect(variant).not.toBe(good);
    await expectReason(variant, "malformed");
  });

  test("a byte order mark before header or payload", async () => {
    const header = JSON.stringify({ alg: "RS256", kid: RS256.kid });
    await expectReason(signSegments(RS256, encode(`\uFEFF${header}`), body), "malformed");
    await expectReason(
      signSegments(RS256, encode(header), encode(`\uFEFF${JSON.stringify(claims)}`)),
      "malformed",
    );
  });
});

describe("times that are not numbers", () => {
  test.each(["1e400", "-1e400", '"9999999999"', "null", "true", "[9999999999]", "{}"])(
    "exp %s",
    async (exp) => {
      await expectReason(mint(RS256, `{"exp":${exp}}`), "malformed");
      await expectReason(mint(RS256, `{"nbf":${exp}}`), "malformed");
    },
  );
});

/** How many arrays lie in one another. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth++;
  return depth;
}

describe("size and depth", () => {
  test("one-megabyte token", async () => {
    await expectReason(mint(RS256, { filler: "x".repeat(1_000_000) }), "malformed");
    await expectReason("a".repeat(1_000_000), "malformed");
    await expectReason(".".repeat(1_000_000), "malformed");
  });

  test("a megabyte is verified when the limit allows it", async () => {
    const token = mint(RS256, { filler: "x".repeat(1_000_000) });
    const options = { maxTokenBytes: 2_000_000 };
    expect(createNodeVerifier(keys, options).check(token, nowMs).reason).toBe("valid");
    expect((await createJoseVerifier(keys, options).check(token, nowMs)).reason).toBe("valid");
    expect(createNodeVerifier(keys, options).check(".".repeat(1_000_000), nowMs).reason).toBe("malformed");
  });

  test("a payload as deep as the limit allows", async () => {
    const token = mint(ES256, `{"a":${"[".repeat(2900)}${"]".repeat(2900)}}`);
    // No `toEqual`, which calls itself once or more a level and so may run out of stack itself.
    for (const verifier of [createNodeVerifier(keys), createJoseVerifier(keys)]) {
      for (const round of ["cold", "remembered"]) {
        const { reason, claims: found } = await verifier.check(token, nowMs);
        expect([round, reason, depthOf(found?.["a"])]).toEqual([round, "valid", 2900]);
      }
    }
    await expectReason(mint(ES256, `{"a":${"[".repeat(5900)}`), "malformed");
  });
});

describe("kid", () => {
  test.each([1, null, true, {}, ["key-RS256"], [["key-RS256"]]])("of another type: %j", async (kid) => {
    await expectReason(mint(RS256, claims, { alg: "RS256", kid }), "unsupported_header");
  });

  test.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "../../etc/passwd",
    "' or 1=1 --",
  ])("%j as kid is unknown, unless a key has it", async (kid) => {
    const token = signSegments(RS256, encode(`{"alg":"RS256","kid":${JSON.stringify(kid)}}`), body);
    await expectReason(token, "unknown_key");
    expect((await attack(token, [{ ...RS256.jwk, kid } as JwtKey])).reason).toBe("valid");
  });

  test("a member named __proto__ in the token's header is not the kid", async () => {
    const header = `{"__proto__":{"kid":"${RS256.kid}","alg":"RS256"}}`;
    await expectReason(signSegments(RS256, encode(header), body), "unsupported_header");
  });

  test("of an object whose prototype was polluted elsewhere", async () => {
    const prototype = Object.prototype as Record<string, unknown>;
    const token = mint(RS256, claims, { alg: "RS256" });
    prototype["kid"] = RS256.kid;
    try {
      await expectReason(token, "unsupported_header");
    } finally {
      delete prototype["kid"];
    }
  });
});
