/** The keys of issuers as keys of a configuration: the documents of real providers, and every reason to drop a key. */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { importKeys } from "../../../src/engine/tokens/jwt/keys/key-set.ts";
import type { JwtKey } from "../../../src/engine/tokens/model.ts";
import { keysFromJwks } from "../../../src/import/keys/keys-from-jwks.ts";
import { mintKey } from "../../../src/testing/tokens/mint.ts";
import { type TestKeys, testKeys } from "../../support/keys.ts";

let keys: TestKeys;
/** Another key for RS256. */
let other: JwtKey;
beforeAll(async () => {
  keys = await testKeys();
  other = (await mintKey("RS256")).jwk;
});

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/own-configuration/${name}`, import.meta.url), "utf8");
const jwksOf = (name: string) => JSON.parse(fixture(name)) as { keys: Record<string, unknown>[] };

const reasons = (document: unknown, options = {}) =>
  keysFromJwks(document, options).dropped.map(({ pointer, rule }) => [pointer, rule]);

describe("the documents of providers", () => {
  test("of Keycloak's set the encryption key is dropped with its reason, and the signing key is ready", () => {
    const read = keysFromJwks(jwksOf("jwks-keycloak.json"));
    expect(read.keys.map(({ kid, alg }) => [kid, alg])).toEqual([
      ["YtzKq0v8hLw3s5w0n2u8ZkQm4r1Jc7pXo9aVbNe6T2E", "RS256"],
    ]);
    expect(read.dropped).toEqual([
      {
        pointer: "/keys/0",
        subject: { kid: "mR4cX7pVbN2eT9aYtzKq0v8hLw3s5w0n2u8ZkQ1Jo6A" },
        rule: "not_for_signatures",
        level: "note",
        message: "`use` must be `sig` or missing; found `enc`.",
      },
    ]);
    expect(read.notes).toEqual([]);
    expect(Object.keys(read.keys[0]!)).toEqual(["alg", "kty", "kid", "e", "n"]);
  });

  test("Entra's keys without alg become RS256 with a note", () => {
    const read = keysFromJwks(jwksOf("jwks-entra.json"));
    expect(read.keys.map(({ alg }) => alg)).toEqual(["RS256", "RS256"]);
    expect(read.dropped).toEqual([]);
    expect(read.notes).toEqual([
      {
        rule: "completed_key",
        level: "note",
        pointer: "/keys/0",
        subject: { kid: "MyKX4YfZE4zMCTzYc5EJMnLHkFk" },
        message: "`alg` was omitted and defaulted to `RS256`.",
      },
      {
        rule: "completed_key",
        level: "note",
        pointer: "/keys/1",
        subject: { kid: "I7FKNXG1rcuPglzpJ2JnvzjDOEQ" },
        message: "`alg` was omitted and defaulted to `RS256`.",
      },
    ]);
  });

  test("defaultAlg is the algorithm of RSA keys without alg, and of no other", () => {
    const { alg, ...rsa } = keys.rs256.jwk;
    const { alg: _, ...ec } = keys.es256.jwk;
    const read = keysFromJwks([rsa, ec, keys.ps256.jwk], { defaultAlg: "PS384" });
    expect(read.keys.map((key) => key.alg)).toEqual(["PS384", "ES256", "PS256"]);
  });

  test("a defaultAlg that is not an RSA algorithm is a TypeError", () => {
    expect(() => keysFromJwks([], { defaultAlg: "ES256" as never })).toThrow(
      "defaultAlg must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512`; found `ES256`",
    );
  });

  test("every accepted key is one that the strictest profile imports", () => {
    for (const name of ["jwks-keycloak.json", "jwks-entra.json"]) {
      const read = keysFromJwks(jwksOf(name));
      expect(importKeys(read.keys, { mode: "reject" })).toEqual({
        ok: true,
        value: { keys: read.keys, notes: [] },
      });
    }
  });
});

describe("the forms of documents", () => {
  const pem = (pair: { publicKey: { export(options: object): string | Buffer } }) =>
    String(pair.publicKey.export({ type: "spki", format: "pem" }));
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

  test("a set, an array, one key, and JSON text of each are the same", () => {
    const { jwk } = keys.rs256;
    for (const document of [{ keys: [jwk] }, [jwk], jwk])
      for (const given of [document, JSON.stringify(document)])
        expect(keysFromJwks(given)).toEqual({ keys: [jwk], dropped: [], notes: [] });
  });

  test("an object of PEM public keys has the kids as names", () => {
    const read = keysFromJwks({ a: pem(rsa), __proto__x: pem(ec), b: "no PEM" });
    expect(read.keys.map(({ kid, alg }) => [kid, alg])).toEqual([
      ["a", "RS256"],
      ["__proto__x", "ES256"],
    ]);
    expect(read.keys[0]).toMatchObject(rsa.publicKey.export({ format: "jwk" }));
    expect(read.dropped).toMatchObject([{ pointer: "/b", subject: { kid: "b" }, rule: "not_a_key" }]);
  });

  test("kids that are names of prototypes are ordinary", () => {
    const document = JSON.parse(
      `{"__proto__": ${JSON.stringify(pem(ec))}, "constructor": ${JSON.stringify(pem(rsa))}}`,
    );
    expect(keysFromJwks(document).keys.map(({ kid }) => kid)).toEqual(["__proto__", "constructor"]);
  });

  test("a certificate has the key of its subject", () => {
    const [first] = jwksOf("jwks-keycloak.json").keys.slice(1);
    const [der] = first!["x5c"] as string[];
    const certificate = `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
    const read = keysFromJwks({ robot: certificate });
    expect(read.keys).toMatchObject([{ kid: "robot", alg: "RS256", n: first!["n"] }]);
  });

  test("PEM text needs a kid, which an option gives", () => {
    const text = `# issuer\n${pem(ec)}`;
    expect(reasons(text)).toEqual([["", "no_kid"]]);
    const read = keysFromJwks(text, { kid: "mobile" });
    expect(read.keys).toMatchObject([{ kid: "mobile", alg: "ES256" }]);
    expect(read.notes.map(({ message }) => message)).toEqual([
      "`kid` was omitted and is `mobile`, as the option says.",
      "`alg` was omitted and inferred from crv as `ES256`.",
    ]);
  });

  test("the option kid does not rename a key, and a second key cannot have it too", () => {
    const { kid, ...nameless } = keys.rs256.jwk;
    const { kid: _, ...second } = other;
    const read = keysFromJwks([keys.es256.jwk, nameless, second], { kid: "k" });
    expect(read.keys.map((key) => key.kid)).toEqual([keys.es256.jwk.kid, "k"]);
    expect(read.dropped.map(({ rule }) => rule)).toEqual(["conflicting_key"]);
  });

  test("a key that has only its certificate gets the numbers of the certificate, with a note", () => {
    const { n, e, ...rest } = jwksOf("jwks-keycloak.json").keys[1]!;
    const read = keysFromJwks({ keys: [rest] });
    expect(read.keys).toMatchObject([{ n, e }]);
    expect(read.notes.map(({ message }) => message)).toEqual([
      "`n` and `e` were read from the certificate in `x5c`.",
    ]);
    expect(reasons({ keys: [{ ...rest, x5c: ["AAAA"] }] })).toEqual([["/keys/0", "malformed_key"]]);
    expect(reasons({ keys: [{ ...rest, x5c: [] }] })).toEqual([["/keys/0", "malformed_key"]]);
    expect(reasons({ keys: [{ ...rest, kty: "EC", alg: "ES256", crv: "P-256" }] })).toEqual([
      ["/keys/0", "malformed_key"],
    ]);
  });

  test.each([
    [null, "found `null`"],
    [7, "found `7`"],
    ["", "found the string ``"],
    ["{", "found the string `{`"],
    ['"{}"', "found the string"],
    [{}, "found an object with no members"],
    [{ keys: {} }, "found an object with the members `keys`"],
    [{ issuer: "https://a.example", jwks_uri: "https://a.example/keys" }, "found a discovery document"],
    ["-----BEGIN PUBLIC KEY-----\nAAAA", "has a PEM block without its end"],
  ])("%j is no key document, and the message says what was found", (document, message) => {
    const read = keysFromJwks(document);
    expect(read.keys).toEqual([]);
    expect(read.dropped).toMatchObject([{ pointer: "", rule: "not_a_key" }]);
    expect(read.dropped[0]!.message).toContain(message);
  });

  test("an empty set has no keys, and nothing is dropped", () => {
    expect(keysFromJwks({ keys: [] })).toEqual({ keys: [], dropped: [], notes: [] });
  });
});

describe("dropped keys", () => {
  const imported = (change: object, of: keyof TestKeys = "rs256") => {
    const read = keysFromJwks([{ ...keys[of].jwk, ...change }]);
    return read.dropped.map(({ rule, message }) => `${rule}: ${message}`).join("\n");
  };

  test.each([
    [
      { kty: "oct", k: "c2VjcmV0" },
      "symmetric_key: It is a shared secret (kty `oct`); a key set must have public keys only.",
    ],
    [
      { d: "c2VjcmV0" },
      "private_key: It has private members (`d`), which must not be published; the key is compromised.",
    ],
    [{ use: "enc" }, "not_for_signatures: `use` must be `sig` or missing; found `enc`."],
    [{ use: 1 }, "not_for_signatures: `use` must be `sig` or missing; found `1`."],
    [
      { key_ops: ["encrypt"] },
      "not_for_signatures: `key_ops` must contain `verify` or be missing; found an array of 1 element.",
    ],
    [
      { key_ops: "verify" },
      "not_for_signatures: `key_ops` must contain `verify` or be missing; found `verify`.",
    ],
    [{ kty: undefined }, "not_a_key: `kty` must be `RSA` or `EC`; it is missing."],
    [
      { kty: "OKP", crv: "Ed25519" },
      "unsupported_type: `kty` must be `RSA` or `EC`; found `OKP` (`Ed25519`).",
    ],
    [{ kty: "AKP" }, "unsupported_type: `kty` must be `RSA` or `EC`; found `AKP`."],
    [
      { kty: "EC", crv: "P-521", alg: "ES512" },
      "unsupported_curve: `crv` must be `P-256` or `P-384`; found `P-521`.",
    ],
    [
      { kty: "EC", crv: "secp256k1", alg: "ES256K" },
      "unsupported_curve: `crv` must be `P-256` or `P-384`; found `secp256k1`.",
    ],
    [
      { alg: "RSA-OAEP-256" },
      "not_for_signatures: `alg` must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512` for kty `RSA`; found `RSA-OAEP-256`.",
    ],
    [
      { alg: "rs256" },
      "unsupported_alg: `alg` must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512` for kty `RSA`; found `rs256`.",
    ],
    [
      { alg: "none" },
      "unsupported_alg: `alg` must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512` for kty `RSA`; found `none`.",
    ],
    [{ kid: undefined }, "no_kid: `kid` must be the string by which tokens name the key; it is missing."],
    [{ kid: "" }, "no_kid: `kid` must be the string by which tokens name the key; found an empty string."],
    [{ kid: 7 }, "no_kid: `kid` must be the string by which tokens name the key; found `7`."],
    [{ e: "AQ" }, "malformed_key: The exponent must be an odd number from 3 to 2^64 - 1; it is 1."],
    [{ n: "AQAB" }, "malformed_key: The modulus must have 2048 to 16384 bits; it has 17."],
    [{ n: undefined }, "malformed_key: `n` must be a string; it is missing."],
    [{ n: "a+b" }, "malformed_key: `n`"],
  ])("%j", (change, expected) => {
    expect(imported(change)).toContain(expected);
  });

  test("a curve that does not fit the algorithm, and a point that is not on its curve", () => {
    expect(imported({ alg: "ES384" }, "es256")).toBe(
      "unsupported_alg: `crv` must be `P-384` for alg `ES384`; found the string `P-256`.",
    );
    expect(imported({ crv: undefined, alg: undefined }, "es256")).toContain(
      "unsupported_alg: `alg` must be `ES256` or `ES384`",
    );
    const { x } = keys.es256.jwk as { x: string };
    expect(imported({ y: x }, "es256")).toBe(
      "malformed_key: `x` and `y` must be a point on `P-256`; they are not.",
    );
  });

  test("a key that is there twice is a duplicate, and another key of the same kid and alg a conflict", () => {
    const { jwk } = keys.rs256;
    const conflicting = { ...other, kid: jwk.kid };
    const read = keysFromJwks({ keys: [jwk, { ...jwk, use: "sig" }, conflicting, { ...jwk, alg: "RS512" }] });
    expect(read.keys.map(({ alg }) => alg)).toEqual(["RS256", "RS512"]);
    expect(read.dropped.map(({ pointer, rule, message }) => [pointer, rule, message])).toEqual([
      ["/keys/1", "duplicate_key", "It is the same as the key at `/keys/0`."],
      [
        "/keys/2",
        "conflicting_key",
        "The key at `/keys/0` has the same `kid` and `alg` but another key; the pair must be unique.",
      ],
    ]);
  });

  test("elements that are not keys do not hide the others", () => {
    expect(reasons([null, 3, [], "x", keys.rs256.jwk, {}])).toEqual([
      ["/0", "not_a_key"],
      ["/1", "not_a_key"],
      ["/2", "not_a_key"],
      ["/3", "not_a_key"],
      ["/5", "not_a_key"],
    ]);
  });

  test("private keys in PEM, other blocks and keys of other types are distinguished", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    const ofType = (pair: { publicKey: { export(options: object): string | Buffer } }) =>
      String(pair.publicKey.export({ type: "spki", format: "pem" }));
    const read = keysFromJwks({
      secret,
      ed: ofType(generateKeyPairSync("ed25519")),
      k1: ofType(generateKeyPairSync("ec", { namedCurve: "secp256k1" })),
      p521: ofType(generateKeyPairSync("ec", { namedCurve: "P-521" })),
      pss: ofType(generateKeyPairSync("rsa-pss", { modulusLength: 2048 })),
      request: "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----",
      broken: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
    });
    expect(read.keys).toEqual([]);
    expect(read.dropped.map(({ subject, rule }) => [subject?.["kid"], rule])).toEqual([
      ["secret", "private_key"],
      ["ed", "unsupported_type"],
      ["k1", "unsupported_curve"],
      ["p521", "unsupported_curve"],
      ["pss", "unsupported_type"],
      ["request", "not_a_key"],
      ["broken", "malformed_key"],
    ]);
  });

  test("no message repeats a private member", () => {
    const read = keysFromJwks([
      { ...keys.rs256.jwk, d: "c2VjcmV0" },
      { kty: "oct", kid: "h", k: "c2VjcmV0" },
    ]);
    expect(JSON.stringify(read)).not.toContain("c2VjcmV0");
  });
});

describe("limits", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...keys.es256.jwk, kid: `k${i}` }));

  test("more keys than a configuration can have are reported, none is chosen", () => {
    expect(keysFromJwks(many(4)).notes).toEqual([]);
    expect(keysFromJwks(many(5)).notes.map(({ message }) => message)).toEqual([
      "The set has 5 keys; older text about the service allows 4 in a configuration.",
    ]);
    const read = keysFromJwks(many(65));
    expect(read.keys).toHaveLength(65);
    expect(read.notes.map(({ message }) => message)).toEqual([
      "A configuration must have at most 64 keys; the set has 65.",
    ]);
  });

  test("a set of more than 1,000 keys is read to the limit, and the rest is reported", () => {
    const read = keysFromJwks(many(1_200));
    expect(read.keys).toHaveLength(1_000);
    expect(read.dropped).toEqual([
      {
        pointer: "",
        rule: "unread_keys",
        level: "error",
        message: "A set must have at most 1000 keys; it has 1200, and only the first are read.",
      },
    ]);
  });
});
