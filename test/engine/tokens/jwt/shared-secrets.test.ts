/** Shared secrets: their import, RFC 7515 A.1, and every confusion of an algorithm with a key of another type. */
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { algorithmNames, algorithms } from "../../../../src/engine/tokens/jwt/keys/algorithms.ts";
import { importKeys, type KeyImportOptions } from "../../../../src/engine/tokens/jwt/keys/key-set.ts";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import { importNodeKey, verifySignature } from "../../../../src/engine/tokens/jwt/verify-node.ts";
import type { Algorithm, HmacAlgorithm, JwtKey, SecretKey } from "../../../../src/engine/tokens/model.ts";
import { encode, type Minted, mintKeys, signatureOf } from "../minting.ts";

const lengths: readonly (readonly [HmacAlgorithm, number])[] = [
  ["HS256", 32],
  ["HS384", 48],
  ["HS512", 64],
];

function secretKey(alg: HmacAlgorithm, bytes = 64, kid: string = alg): SecretKey {
  return { alg, kty: "oct", kid, k: randomBytes(bytes).toString("base64url") };
}

const accept = { mode: "reject", sharedSecrets: "accept" } as const satisfies KeyImportOptions;

describe("import", () => {
  test.each(lengths)("%s needs a secret of %i bytes", (alg, bytes) => {
    const key = secretKey(alg, bytes);
    expect(importKeys([key], accept)).toMatchObject({ ok: true, value: { keys: [key], notes: [] } });
    for (const mode of ["reject", "adjust"] as const) {
      const short = importKeys([secretKey(alg, bytes - 1)], { ...accept, mode });
      const message = `The secret \`k\` must be base64url without padding of at least ${bytes} bytes, as the hash of ${alg} has; it has ${bytes - 1}.`;
      expect(short).toMatchObject({ ok: false, problems: [{ pointer: "/0/k", message, code: 10400 }] });
    }
  });

  const { k } = secretKey("HS256", 64);
  test.each([
    ["padding", `${k}==`, "it is not base64url in its one form"],
    ["plain base64", `+/${k}`, "it is not base64url in its one form"],
    ["unused bits", `${k.slice(0, -1)}${k.endsWith("B") ? "C" : "B"}`, "it is not base64url in its one form"],
    ["white space", `${k}\n`, "it is not base64url in its one form"],
    ["nothing", "", "it has 0"],
    ["no member", undefined, "it is missing: no answer has it"],
    ["an array", [k], "it is not a string"],
    ["an object", { k }, "it is not a string"],
  ])("a secret with %s is a problem, whose message has no part of it", (_what, value, found) => {
    const imported = importKeys([{ ...secretKey("HS256"), k: value }], accept);
    const [only, ...more] = imported.ok ? [] : imported.problems;
    expect(more).toEqual([]);
    expect(only).toMatchObject({ pointer: "/0/k" });
    expect(only?.message.endsWith(`; ${found}.`)).toBe(true);
    expect(JSON.stringify(imported)).not.toContain(k.slice(4, 16));
  });

  test("without the option a shared secret is no key, and the message names the profile that accepts it", () => {
    const key = secretKey("HS256");
    const text =
      "`kty` must be `RSA` or `EC`; found the string `oct`, a shared secret, which profile `provider` accepts (`sharedSecrets`)";
    expect(importKeys([key], { mode: "reject" })).toMatchObject({
      ok: false,
      problems: [{ pointer: "/0/kty", message: `${text}.` }],
    });
    const other = mintKeys().ES256.jwk;
    const adjusted = importKeys([key, other], { mode: "adjust" });
    expect(adjusted).toMatchObject({ ok: true, value: { keys: [other], notes: [{ pointer: "/0" }] } });
    expect(JSON.stringify(adjusted)).not.toContain(key.k);
  });

  test.each(["RS256", "ES256", "none", undefined, "hs256"])(
    "a secret with the alg %s is not a key",
    (alg) => {
      expect(importKeys([{ ...secretKey("HS256"), alg }], accept)).toMatchObject({
        ok: false,
        problems: [{ pointer: "/0/alg" }],
      });
    },
  );

  test("a public key with an alg of secrets is not a key, and a `k` of it is not kept", () => {
    const { RS256, ES256 } = mintKeys();
    for (const { jwk } of [RS256, ES256]) {
      const wrong = importKeys([{ ...jwk, alg: "HS256" }], accept);
      expect(wrong).toMatchObject({ ok: false, problems: [{ pointer: "/0/alg" }] });
      const { k } = secretKey("HS256");
      const kept = importKeys([{ ...jwk, k }], accept);
      expect(kept).toMatchObject({ ok: true, value: { keys: [jwk] } });
      expect(JSON.stringify(kept)).not.toContain(k);
    }
  });
});

test("RFC 7515 A.1: the signature is valid, and with any bit changed or a byte less it is not", () => {
  const k = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
  const signed = Buffer.from(
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
  );
  const signature = Buffer.from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "base64url");
  const key = importNodeKey({ kty: "oct", alg: "HS256", kid: "a1", k });
  expect(verifySignature(key, signed, signature)).toBe(true);
  for (let bit = 0; bit < 256; bit++) {
    const changed = Buffer.from(signature);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(verifySignature(key, signed, changed)).toBe(false);
  }
  for (const length of [0, 1, 16, 31])
    expect(verifySignature(key, signed, signature.subarray(0, length))).toBe(false);
  expect(verifySignature(key, signed, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false);
});

/** A key of the zone, with everything that could be taken for a secret or a private key of it. */
interface Subject {
  readonly key: JwtKey;
  /** Signs as the owner of the key would under an algorithm of its type; undefined for other types. */
  readonly sign: (alg: Algorithm, input: string) => Buffer | undefined;
  /** Values that an attacker knows, under which an HMAC could be made. */
  readonly known: readonly (readonly [string, string | Buffer])[];
}

const hashOf = (alg: Algorithm) => algorithms[alg].hash;
const hmac = (alg: Algorithm, secret: string | Buffer, input: string) =>
  createHmac(hashOf(alg), secret).update(input).digest();

function knownOf(jwk: JwtKey, publicKey: KeyObject): Subject["known"] {
  const numbers = Object.entries(jwk).filter(([name]) => ["n", "e", "x", "y"].includes(name));
  const pem = publicKey.export({ format: "pem", type: "spki" }) as string;
  return [
    ["PEM", pem],
    ["PEM without its last line end", pem.trimEnd()],
    ["DER", publicKey.export({ format: "der", type: "spki" })],
    ["JWK", JSON.stringify(jwk)],
    ["JWK without kid and alg", JSON.stringify(publicKey.export({ format: "jwk" }))],
    ...numbers.flatMap(([name, value]) => [
      [`${name} as text`, value as string] as const,
      [name, Buffer.from(value as string, "base64url")] as const,
    ]),
    ...(jwk.kty === "RSA"
      ? ([["PKCS #1 PEM", publicKey.export({ format: "pem", type: "pkcs1" }) as string]] as const)
      : []),
  ];
}

const minted = mintKeys("same");
const curves = { ES256: "P-256", ES384: "P-384" } as const;

function subjectOf(alg: Algorithm): Subject {
  if (algorithms[alg].kty === "oct") {
    const key = secretKey(alg as HmacAlgorithm, 64, "same");
    const secret = Buffer.from(key.k, "base64url");
    return {
      key,
      sign: (other, input) => (algorithms[other].kty === "oct" ? hmac(other, secret, input) : undefined),
      known: [
        ["the secret as text", key.k],
        ["JWK", JSON.stringify({ ...key, k: undefined })],
        ["the kid", key.kid],
        ["nothing", ""],
        ["zeros", Buffer.alloc(64)],
      ],
    };
  }
  const own = minted[alg as keyof typeof minted] as Minted;
  const key = { ...own.jwk, kid: "same" } as JwtKey;
  return {
    key,
    sign: (other, input) => {
      const facts = algorithms[other];
      if (facts.kty !== key.kty) return undefined;
      if (facts.kty === "EC" && facts.crv !== curves[alg as keyof typeof curves]) return undefined;
      return signatureOf({ ...own, alg: other }, input);
    },
    known: knownOf(key, own.publicKey),
  };
}

const subjects = algorithmNames.map(subjectOf);

describe.each(subjects.map((subject) => [subject.key.alg, subject] as const))(
  "a zone with a key of %s",
  (alg, { key, sign, known }) => {
    const nowMs = 1_700_000_000_000;
    const verifiers = [createNodeVerifier([key]), createJoseVerifier([key])];
    // The same kid under every algorithm: the right key must be found by both.
    const all = subjects.map((subject) => subject.key);
    const together = [createNodeVerifier(all), createJoseVerifier(all)];
    const inputOf = (name: string) => `${encode({ alg: name, kid: key.kid })}.${encode({ sub: "ada" })}`;
    const attempts = algorithmNames.flatMap((name) => {
      const input = inputOf(name);
      const own = sign(name, input);
      return [
        ...(own && name !== alg ? [[`${name} by its owner`, input, own] as const] : []),
        ...algorithmNames
          .filter((other) => other !== name)
          .flatMap((other) => {
            const signature = sign(other, input);
            return signature
              ? [[`${name} in the header, signed as ${other}`, input, signature] as const]
              : [];
          }),
        ...known.flatMap(([what, secret]) =>
          lengths.map(
            ([hmacAlg]) => [`${name}, ${hmacAlg} with ${what}`, input, hmac(hmacAlg, secret, input)] as const,
          ),
        ),
      ];
    });
    const none = ["none", "None", "NONE", ""].map(
      (name) => [`alg ${name}`, inputOf(name), Buffer.alloc(0)] as const,
    );

    test("only alg, kid and key together are accepted: no confusion of all attempts", async () => {
      const good = `${inputOf(alg)}.${sign(alg, inputOf(alg))?.toString("base64url")}`;
      const accepted: string[] = [];
      for (const verifier of [...verifiers, ...together]) {
        const isTogether = together.includes(verifier as never);
        for (const round of ["cold", "after a valid token"]) {
          for (const [what, input, signature] of [...attempts, ...none]) {
            // With all keys a token of another algorithm by its own key is valid, and by this one it never is.
            if (isTogether && key.kty === "RSA" && / by its owner$/.test(what) && !what.startsWith("ES"))
              continue;
            const { reason } = await verifier.check(`${input}.${signature.toString("base64url")}`, nowMs);
            if (reason === "valid") accepted.push(`${round}: ${what}`);
          }
          expect((await verifier.check(good, nowMs)).reason).toBe("valid");
        }
      }
      expect(accepted).toEqual([]);
      expect(attempts.length).toBeGreaterThan(150);
    });
  },
);

test("a secret that is the text of a public key does not make that key a secret", async () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ format: "pem", type: "spki" }) as string;
  const keys = [
    { ...publicKey.export({ format: "jwk" }), alg: "ES256", kid: "public" } as unknown as JwtKey,
    { kty: "oct", alg: "HS256", kid: "secret", k: Buffer.from(pem).toString("base64url") } as const,
  ];
  for (const [kid, reason] of [
    ["public", "algorithm_mismatch"],
    ["secret", "valid"],
  ] as const) {
    const input = `${encode({ alg: "HS256", kid })}.${encode({})}`;
    const token = `${input}.${hmac("HS256", pem, input).toString("base64url")}`;
    for (const verifier of [createNodeVerifier(keys), createJoseVerifier(keys)])
      expect((await verifier.check(token, 0)).reason).toBe(reason);
  }
});
