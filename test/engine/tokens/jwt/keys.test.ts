import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importKeys, type KeyImportOptions } from "../../../../src/engine/tokens/jwt/keys/key-set.ts";
import { createVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import type { JwtKey } from "../../../../src/engine/tokens/model.ts";
import { noteCodes } from "../../../../src/errors.ts";
import { runs } from "../../../support/runs.ts";
import { allAlgorithms, mintKeys } from "../minting.ts";

const minted = mintKeys();
const rsa = minted.RS256.jwk as Extract<JwtKey, { kty: "RSA" }>;
const es256 = minted.ES256.jwk as Extract<JwtKey, { crv: "P-256" }>;
const es384 = minted.ES384.jwk as Extract<JwtKey, { crv: "P-384" }>;

/** The members of both outcomes; those of the other outcome are empty. */
function importAll(keys: unknown, options: KeyImportOptions) {
  const imported = importKeys(keys, options);
  return imported.ok
    ? { keys: imported.value.keys, notes: imported.value.notes, problems: [] }
    : { keys: [], notes: [], problems: imported.problems };
}

function reject(...keys: unknown[]) {
  return importAll(keys, { mode: "reject" });
}

function adjust(...keys: unknown[]) {
  return importAll(keys, { mode: "adjust" });
}

/** A clause as the message of a problem. */
function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function without(key: object, ...members: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(key).filter(([name]) => !members.includes(name)));
}

/** A number of so many bits, odd, in base64url. */
function modulus(bits: number): string {
  const hex = ((1n << BigInt(bits - 1)) | 1n).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
}

function withLeadingZero(text: string): string {
  return Buffer.concat([Buffer.alloc(1), Buffer.from(text, "base64url")]).toString("base64url");
}

describe.each(["reject", "adjust"] as const)("in mode %s", (mode) => {
  const importInMode = (...keys: unknown[]) => importAll(keys, { mode });

  test("keys with one of the three formats are kept unchanged", () => {
    const keys = allAlgorithms.map((alg) => minted[alg].jwk);
    expect(importInMode(...keys)).toEqual({ keys, problems: [], notes: [] });
  });

  test("the same kid under two algs is legal", () => {
    const keys = [rsa, { ...rsa, alg: "PS256" }];
    expect(importInMode(...keys)).toEqual({ keys, problems: [], notes: [] });
  });

  test("a repeated pair of alg and kid is a problem", () => {
    const { keys, problems } = importInMode(rsa, es256, { ...rsa });
    expect(keys).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 10400,
        pointer: "/2/kid",
        message: "The pair of kid `key-RS256` and alg `RS256` must be unique; key 0 has it already.",
      },
    ]);
  });

  test("`__proto__` is a kid like any other", () => {
    const key = { ...rsa, kid: "__proto__" };
    expect(importInMode(key).keys).toEqual([key]);
    expect(importInMode(key, key).problems).toHaveLength(1);
  });

  test("private members are never kept, and a note says so without their values", () => {
    const secret = minted.RS256.privateKey.export({ format: "jwk" });
    const { keys, problems, notes } = importInMode({ ...rsa, ...secret });
    expect(problems).toEqual([]);
    expect(keys).toEqual([rsa]);
    expect(notes).toMatchObject([
      {
        code: noteCodes.keyAdjusted,
        pointer: "/0",
        message:
          'keys[0] had private members (`d`, `p`, `q`, `dp`, `dq`, `qi`), which were dropped and not stored (kid "key-RS256")',
      },
    ]);
    expect(JSON.stringify(notes)).not.toContain(secret.d!.slice(0, 8));
  });

  test("unknown members are ignored, with a note", () => {
    const { keys, notes } = importInMode({
      ...rsa,
      use: "sig",
      key_ops: ["verify"],
      x5c: ["..."],
      crv: "P-256",
    });
    expect(keys).toEqual([rsa]);
    expect(notes).toMatchObject([
      {
        code: noteCodes.memberIgnored,
        pointer: "/0",
        message:
          "keys[0] has members that a key does not have here (`use`, `key_ops`, `x5c`, `crv`); they were ignored",
      },
    ]);
  });

  test("a thousand unknown members make one short note", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`m${i}`, i]));
    const { notes } = importInMode({ ...rsa, ...many });
    expect(notes).toHaveLength(1);
    expect(notes[0]!.message).toContain("and 992 more");
  });

  test("an own member named __proto__ is an unknown member", () => {
    const { keys, notes } = importInMode(
      JSON.parse(JSON.stringify(rsa).replace("{", '{"__proto__":{"alg":"none"},')),
    );
    expect(keys).toEqual([rsa]);
    expect(notes[0]!.message).toContain("`__proto__`");
  });

  test.each([
    ["not an array", { 0: rsa }, "`keys` must be an array of 1 to 64 keys; found an object"],
    ["missing", undefined, "`keys` must be an array of 1 to 64 keys; it is missing"],
    ["empty", [], "`keys` must have 1 to 64 keys; it has 0"],
    [
      "too many",
      Array.from({ length: 65 }, (_, i) => ({ ...rsa, kid: `${i}` })),
      "`keys` must have 1 to 64 keys; it has 65",
    ],
  ])("a set that is %s is a problem", (_, keys, message) => {
    const imported = importAll(keys, { mode, pointer: "/credentials/keys" });
    expect(imported).toMatchObject({
      keys: [],
      notes: [],
      problems: [{ code: 10400, pointer: "/credentials/keys", message: sentence(message) }],
    });
  });

  test("the limit of keys is an option, and 64 are enough by default", () => {
    const keys = Array.from({ length: 64 }, (_, i) => ({ ...rsa, kid: `${i}` }));
    expect(importAll(keys, { mode }).keys).toHaveLength(64);
    expect(importAll(keys.slice(0, 5), { mode, maxKeys: 4 }).problems[0]!.message).toContain(
      "must have 1 to 4 keys",
    );
  });

  test.each([
    [
      "a 1,024-bit modulus",
      { ...rsa, n: modulus(1024) },
      "n",
      "the modulus must have 2048 to 16384 bits; it has 1024",
    ],
    [
      "a 2,047-bit modulus",
      { ...rsa, n: modulus(2047) },
      "n",
      "the modulus must have 2048 to 16384 bits; it has 2047",
    ],
    [
      "a 16,385-bit modulus",
      { ...rsa, n: modulus(16385) },
      "n",
      "the modulus must have 2048 to 16384 bits; it has 16385",
    ],
    [
      "a huge modulus",
      { ...rsa, n: "_".repeat(1_000_000) },
      "n",
      "the modulus must have 2048 to 16384 bits; it has 6000000",
    ],
    [
      "an even modulus",
      { ...rsa, n: evenModulus() },
      "n",
      "the modulus must be odd, as a product of two large primes is; it is even",
    ],
    ["e = 1", { ...rsa, e: "AQ" }, "e", "the exponent must be an odd number from 3 to 2^64 - 1; it is 1"],
    ["e = 2", { ...rsa, e: "Ag" }, "e", "the exponent must be an odd number from 3 to 2^64 - 1; it is 2"],
    [
      "e = 65,536",
      { ...rsa, e: "AQAA" },
      "e",
      "the exponent must be an odd number from 3 to 2^64 - 1; it is 65536",
    ],
    [
      "e of 65 bits",
      { ...rsa, e: "AQAAAAAAAAAB" },
      "e",
      "the exponent must be an odd number from 3 to 2^64 - 1; it has 65 bits",
    ],
    ["an empty exponent", { ...rsa, e: "" }, "e", "`e` is empty; it must be base64url"],
    ["padding", { ...rsa, e: "AQAB=" }, "e", "`e` has padding, which is not allowed"],
    [
      "base64 instead of base64url",
      { ...rsa, n: `${rsa.n.slice(0, -1)}+` },
      "n",
      "`n` has the character `+`, which is not base64url",
    ],
    [
      "unused bits",
      { ...rsa, e: "AR" },
      "e",
      "`e` is not canonical base64url: its last character has bits that are not used and not zero",
    ],
    [
      "a short coordinate",
      { ...es256, x: "AQAB" },
      "x",
      "`x` must have 32 bytes, as a coordinate of P-256; it has 3",
    ],
    [
      "a coordinate with a zero before it",
      { ...es384, y: withLeadingZero(es384.y) },
      "y",
      "`y` must have 48 bytes, as a coordinate of P-384; it has 49",
    ],
    [
      "a point off the curve",
      { ...es256, y: es256.x },
      "x",
      "`x` and `y` must be a point on `P-256`; they are not",
    ],
  ])("%s is rejected for safety", (_, key, member, message) => {
    const { keys, problems } = importInMode(es384, key);
    expect(keys).toEqual([]);
    expect(problems).toMatchObject([{ code: 10400, pointer: `/1/${member}`, message: sentence(message) }]);
  });

  test("e = 3 and e = 2^64 - 1 are odd and allowed", () => {
    expect(importInMode({ ...rsa, e: "Aw" }, { ...rsa, kid: "large", e: "__________8" }).problems).toEqual(
      [],
    );
  });
});

function evenModulus(): string {
  const bytes = Buffer.from(rsa.n, "base64url");
  bytes[bytes.length - 1]! &= 0xfe;
  return bytes.toString("base64url");
}

/** Keys of none of the three kinds: the member at fault, and the message. */
const unsupported: [string, unknown, string, string][] = [
  ["null", null, "", "the key must be an object; found `null`"],
  ["an array", [rsa], "", "the key must be an object; found an array of 1 element"],
  ["a string", "key", "", "the key must be an object; found the string `key`"],
  ["another kty", { ...rsa, kty: "OKP" }, "/kty", "`kty` must be `RSA` or `EC`; found the string `OKP`"],
  [
    "a symmetric key",
    { kty: "oct", kid: "s", k: "c2VjcmV0", alg: "HS256" },
    "/kty",
    "`kty` must be `RSA` or `EC`; found the string `oct`, a shared secret, which profile `provider` accepts (`sharedSecrets`)",
  ],
  ["no kty", without(rsa, "kty"), "/kty", "`kty` must be `RSA` or `EC`; it is missing"],
  ["no kid", without(rsa, "kid"), "/kid", "`kid` must be a string; it is missing"],
  ["a kid that is a number", { ...rsa, kid: 1 }, "/kid", "`kid` must be a string; found `1`"],
  [
    "alg none",
    { ...rsa, alg: "none" },
    "/alg",
    "`alg` must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512` for kty `RSA`; found the string `none`",
  ],
  [
    "alg in another case",
    { ...es256, alg: "es256" },
    "/alg",
    "`alg` must be `ES256` or `ES384` for kty `EC`; found the string `es256`",
  ],
  [
    "an EC alg on an RSA key",
    { ...rsa, alg: "ES256" },
    "/alg",
    "`alg` must be `RS256`, `RS384`, `RS512`, `PS256`, `PS384` or `PS512` for kty `RSA`; found the string `ES256`",
  ],
  [
    "ES512",
    { ...es256, alg: "ES512", crv: "P-521" },
    "/alg",
    "`alg` must be `ES256` or `ES384` for kty `EC`; found the string `ES512`",
  ],
  [
    "alg and crv that do not fit",
    { ...es256, alg: "ES384" },
    "/crv",
    "`crv` must be `P-384` for alg `ES384`; found the string `P-256`",
  ],
  ["a modulus that is a number", { ...rsa, n: 7 }, "/n", "`n` must be a string; found `7`"],
  ["no exponent", without(rsa, "e"), "/e", "`e` must be a string; it is missing"],
  ["no y", without(es256, "y"), "/y", "`y` must be a string; it is missing"],
];

describe("a key without one of the three formats", () => {
  test.each(unsupported)("%s is rejected, and no key is imported", (_, key, member, message) => {
    expect(reject(es384, key)).toMatchObject({
      keys: [],
      notes: [],
      problems: [{ code: 10400, pointer: `/1${member}`, message: sentence(message) }],
    });
  });

  test.each(unsupported)("%s is dropped with one note in mode adjust", (_, key, _member, message) => {
    const { keys, problems, notes } = adjust(es384, key);
    expect({ keys, problems }).toEqual({ keys: [es384], problems: [] });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({ code: noteCodes.keyAdjusted, pointer: "/1" });
    expect(notes[0]!.message.startsWith(`keys[1] was dropped: ${message}`)).toBe(true);
  });

  test("every problem of every key is reported separately", () => {
    const pointers = reject({ kty: "RSA" }, {}).problems.map((problem) => problem.pointer);
    expect(pointers).toEqual(["/0/alg", "/0/kid", "/0/e", "/0/n", "/1/kty"]);
  });

  test("when no key is left, the problem has the reasons", () => {
    const { keys, problems } = adjust({ kty: "OKP", kid: "ed" }, null);
    expect(keys).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toBe(
      'No supported key is left: keys[0] was dropped: `kty` must be `RSA` or `EC`; found the string `OKP` (kid "ed"); ' +
        "keys[1] was dropped: the key must be an object; found `null`.",
    );
  });

  test("the documented example is correct", () => {
    expect(reject({ kty: "OKP", kid: "ed" }).problems).toMatchObject([
      { code: 10400, pointer: "/0/kty", message: "`kty` must be `RSA` or `EC`; found the string `OKP`." },
    ]);
  });
});

describe("omitted members", () => {
  const omitted: [string, object, JwtKey, string, string][] = [
    [
      "RSA without alg",
      { ...without(rsa, "alg"), kid: "key-1" },
      { ...rsa, kid: "key-1" },
      "/alg",
      'keys[0].alg was omitted and defaulted to "RS256" (kid "key-1")',
    ],
    [
      "P-256 without alg",
      without(es256, "alg"),
      es256,
      "/alg",
      'keys[0].alg was omitted and inferred from crv as "ES256" (kid "key-ES256")',
    ],
    [
      "P-384 without alg",
      without(es384, "alg"),
      es384,
      "/alg",
      'keys[0].alg was omitted and inferred from crv as "ES384" (kid "key-ES384")',
    ],
    [
      "ES256 without crv",
      without(es256, "crv"),
      es256,
      "/crv",
      'keys[0].crv was omitted and inferred from alg as "P-256" (kid "key-ES256")',
    ],
    [
      "ES384 without crv",
      without(es384, "crv"),
      es384,
      "/crv",
      'keys[0].crv was omitted and inferred from alg as "P-384" (kid "key-ES384")',
    ],
  ];

  test.each(omitted)("%s is filled in with a note in mode adjust", (_, given, kept, member, message) => {
    expect(adjust(given)).toMatchObject({
      keys: [kept],
      problems: [],
      notes: [{ code: 110003, pointer: `/0${member}`, message }],
    });
  });

  test.each(omitted)("%s is rejected in mode reject", (_, given, _kept, member) => {
    expect(reject(given).problems.map((problem) => problem.pointer)).toEqual([`/0${member}`]);
  });

  test("an EC key without both is dropped", () => {
    const { notes, problems } = adjust(rsa, without(es256, "alg", "crv"));
    expect(problems).toEqual([]);
    expect(notes[0]!.message).toContain(
      "keys[1] was dropped: `alg` must be `ES256` or `ES384` for kty `EC`; it is missing",
    );
  });

  test("a key that was filled in can be a duplicate", () => {
    expect(adjust(rsa, without(rsa, "alg")).problems).toMatchObject([{ pointer: "/1/kid" }]);
  });
});

describe("leading zero bytes of RSA numbers", () => {
  const padded = { ...rsa, n: withLeadingZero(rsa.n), e: withLeadingZero(rsa.e) };

  test("are rejected in mode reject", () => {
    const text = "must be in the shortest form (RFC 7518); it starts with a zero byte.";
    expect(reject(padded).problems).toMatchObject([
      { code: 10400, pointer: "/0/n", message: `\`n\` ${text}` },
      { code: 10400, pointer: "/0/e", message: `\`e\` ${text}` },
    ]);
  });

  test("are removed with a note in mode adjust", () => {
    const { keys, notes } = adjust(padded);
    expect(keys).toEqual([rsa]);
    expect(notes.map((note) => note.pointer)).toEqual(["/0/n", "/0/e"]);
  });

  test("do not make a small modulus large", () => {
    const small = Buffer.concat([Buffer.alloc(200), Buffer.alloc(128, 0xff)]).toString("base64url");
    expect(adjust({ ...rsa, n: small }).problems).toMatchObject([{ pointer: "/0/n" }]);
  });
});

describe("any input", () => {
  const member = fc.oneof(fc.constantFrom(...Object.values(rsa), ...Object.values(es256)), fc.jsonValue());
  const names = [...Object.keys(rsa), ...Object.keys(es256), "d", "use", "__proto__"];
  const key = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), member),
    fc
      .tuple(fc.constantFrom(rsa, es256, es384), fc.constantFrom(...names), member)
      .map(([base, name, value]) => ({ ...base, [name]: value })),
    fc.jsonValue(),
  );
  const mode = fc.constantFrom("reject", "adjust") as fc.Arbitrary<"reject" | "adjust">;

  test("returns keys or problems, never both or neither, and imports its own keys unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(key, { maxLength: 4 }), fc.jsonValue()), mode, (keys, how) => {
        const imported = importAll(keys, { mode: how });
        expect(imported.keys.length > 0).toBe(imported.problems.length === 0);
        if (imported.keys.length === 0) return;
        expect(importAll(imported.keys, { mode: "reject" })).toEqual({
          keys: imported.keys,
          problems: [],
          notes: [],
        });
        expect(() => createVerifier(imported.keys)).not.toThrow();
      }),
      { numRuns: runs(1000) },
    );
  });
});
