import { describe, expect, test } from "vitest";
import {
  createJoseVerifier,
  createNodeVerifier,
  createVerifier,
  type VerifierOptions,
} from "../../../../src/engine/tokens/jwt/verifier.ts";
import type { JwtKey, TokenCheck } from "../../../../src/engine/tokens/model.ts";
import { InvalidInputError } from "../../../../src/errors.ts";
import { encode, mint, mintKeys, replaceSegment, signSegments } from "../minting.ts";

const minted = mintKeys();
const { ES256, RS256 } = minted;
const keys = [ES256.jwk, RS256.jwk, { ...RS256.jwk, alg: "PS384" } as JwtKey];
const nowMs = 1_700_000_000_000;
const now = nowMs / 1000;
const good = mint(ES256, { sub: "ada" });

/** The outcome, which both verifiers must share. */
async function check(token: string, options: VerifierOptions = {}, atMs = nowMs): Promise<TokenCheck> {
  const outcome = createNodeVerifier(keys, options).check(token, atMs);
  expect(await createJoseVerifier(keys, options).check(token, atMs)).toEqual(outcome);
  return outcome;
}

const bytes = (...values: number[]) => Buffer.from(values).toString("base64url");

const encrypted =
  "the token has five segments, so it is encrypted (a JWE); only signed tokens, with three segments, can be checked";
const otherScheme = (name: string) =>
  `the value has the scheme \`${name}\`: only \`Bearer\` is removed before a token`;

describe("malformed", () => {
  const head = encode({ alg: "ES256", kid: ES256.kid });
  const body = encode({ sub: "ada" });
  test.each([
    ["an empty text", "", "the token has fewer than three segments separated by dots"],
    ["one segment", "abc", "the token has fewer than three segments separated by dots"],
    ["two segments", `${head}.${body}`, "the token has fewer than three segments separated by dots"],
    ["four segments", `${good}.AA`, "the token has more than three segments separated by dots"],
    ["five segments, as in JWE", "a.b.c.d.e", encrypted],
    ["a JWE without an encrypted key", `${encode({ alg: "dir", enc: "A128GCM" })}..a.b.c`, encrypted],
    ["credentials of Basic", "Basic dXNlcjpwYXNz", otherScheme("Basic")],
    ["a token of DPoP", `DPoP ${good}`, otherScheme("DPoP")],
    ["a token after Bearer twice", `Bearer ${good}`, "the value has the scheme `Bearer` twice"],
    ["words with dots", "abc.def.ghi", "the token's header is not JSON: it is not UTF-8"],
    ["an empty header", `.${body}.AA`, "the token's header is empty"],
    ["an empty payload", `${head}..AA`, "the payload is empty"],
    [
      "a header with a foreign character",
      `${head}*.${body}.AA`,
      "the token's header has the character `*`, which is not base64url",
    ],
    [
      "a payload with a foreign character",
      `${head}.${body} .AA`,
      "the payload has the character U+0020, which is not base64url",
    ],
    [
      "a signature with a foreign character",
      `${good}\n`,
      "the signature has the character U+000A, which is not base64url",
    ],
    [
      "a character whose low byte is base64url",
      `${good.slice(0, -1)}\u0141`,
      "the signature has the character U+0141, which is not base64url",
    ],
    [
      "base64 characters",
      replaceSegment(good, 2, "A+/A"),
      "the signature has the character `+`, which is not base64url",
    ],
    [
      "a header that is not UTF-8",
      `${bytes(0x7b, 0xff, 0x7d)}.${body}.AA`,
      "the token's header is not JSON: it is not UTF-8",
    ],
    [
      "a payload that is not UTF-8",
      `${head}.${bytes(0x7b, 0xff, 0x7d)}.AA`,
      "the payload is not JSON: it is not UTF-8",
    ],
    ["a header that is not JSON", `${encode("{alg}")}.${body}.AA`, "the token's header is not JSON"],
    ["a payload that is not JSON", `${head}.${encode("hello")}.AA`, "the payload is not JSON"],
    [
      "a header that is an array",
      `${encode("[]")}.${body}.AA`,
      "the token's header is JSON, but not an object",
    ],
    ["a payload that is null", `${head}.${encode("null")}.AA`, "the payload is JSON, but not an object"],
    [
      "an exp that is a string",
      `${head}.${encode({ exp: "soon" })}.AA`,
      "the claim `exp` must be a finite number of seconds; found the string `soon`",
    ],
    [
      "an exp that is null",
      `${head}.${encode({ exp: null })}.AA`,
      "the claim `exp` must be a finite number of seconds; found `null`",
    ],
    [
      "an nbf that is true",
      `${head}.${encode({ nbf: true })}.AA`,
      "the claim `nbf` must be a finite number of seconds; found `true`",
    ],
  ])("%s", async (_, token, detail) => {
    const outcome = await check(token);
    expect({ reason: outcome.reason, detail: outcome.detail }).toEqual({ reason: "malformed", detail });
  });

  test("a token longer than the limit is malformed; one of exactly the limit is read", async () => {
    const tooLong = {
      reason: "malformed",
      detail: `the token must have at most ${good.length - 1} characters; it has ${good.length}`,
    };
    expect(await check(good, { maxTokenBytes: good.length - 1 })).toEqual(tooLong);
    expect((await check(good, { maxTokenBytes: good.length })).reason).toBe("valid");
  });

  test("a value that is not a string", async () => {
    for (const value of [undefined, null, 7, {}, ["a.b.c"]]) {
      expect(await check(value as unknown as string)).toEqual({
        reason: "malformed",
        detail: "the token is not a string",
      });
    }
  });

  test("kid and alg are reported as soon as they are known", async () => {
    const outcome = await check(mint(ES256, "null"));
    expect(outcome).toMatchObject({ reason: "malformed", kid: ES256.kid, alg: "ES256" });
  });
});

describe("unsupported_header", () => {
  test.each([
    ["no alg", { kid: "k" }, "the token's header has no alg"],
    ["an alg that is a number", { kid: "k", alg: 256 }, "the alg must be a string; found `256`"],
    [
      "an alg that is a list",
      { kid: "k", alg: ["ES256"] },
      "the alg must be a string; found an array of 1 element",
    ],
    [
      "EdDSA",
      { kid: "k", alg: "EdDSA" },
      "the alg `EdDSA` is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, HS256, HS384, HS512",
    ],
    [
      "an alg from Object.prototype",
      { kid: "k", alg: "constructor" },
      "the alg `constructor` is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, HS256, HS384, HS512",
    ],
    ["no kid", { alg: "ES256" }, "the token's header has no kid"],
    ["a kid that is null", { alg: "ES256", kid: null }, "the kid must be a string; found `null`"],
  ])("%s", async (_, header, detail) => {
    const outcome = await check(mint(ES256, {}, header));
    expect({ reason: outcome.reason, detail: outcome.detail }).toEqual({
      reason: "unsupported_header",
      detail,
    });
  });

  test("malformed has precedence, whichever segment it is in", async () => {
    expect((await check(mint(ES256, "null", { alg: "none" }))).reason).toBe("malformed");
    expect((await check(replaceSegment(mint(ES256, {}, { alg: "none" }), 2, "A"))).reason).toBe("malformed");
  });
});

test("unknown_key names the kid", async () => {
  expect(await check(mint(ES256, {}, { alg: "ES256", kid: "other" }))).toEqual({
    reason: "unknown_key",
    detail: "the kid `other` is not in the key set",
    kid: "other",
    alg: "ES256",
  });
});

test("algorithm_mismatch names the algs under which the kid is known", async () => {
  expect(await check(mint(RS256, {}, { alg: "RS384", kid: RS256.kid }))).toEqual({
    reason: "algorithm_mismatch",
    detail: "the kid `key-RS256` is known, but only under RS256 and PS384, not RS384",
    kid: RS256.kid,
    alg: "RS384",
  });
});

test("bad_signature names the key", async () => {
  expect(await check(replaceSegment(good, 1, encode({ sub: "eve" })))).toEqual({
    reason: "bad_signature",
    detail: "the signature was not made by the key `key-ES256` with ES256",
    kid: ES256.kid,
    alg: "ES256",
  });
});

describe("times", () => {
  const at = (payload: object, options: VerifierOptions = {}, ms = nowMs) =>
    check(mint(ES256, payload), options, ms);

  test("a token without exp is valid at any time", async () => {
    expect((await at({ sub: "ada" }, {}, 0)).reason).toBe("valid");
    expect((await at({ sub: "ada" }, {}, 8.64e15)).reason).toBe("valid");
  });

  test("expired when exp <= now - t", async () => {
    expect((await at({ exp: now + 1 })).reason).toBe("valid");
    expect(await at({ exp: now })).toMatchObject({
      reason: "expired",
      detail: "expired 0 s ago, at 2023-11-14T22:13:20Z",
      claims: { exp: now },
    });
    expect((await at({ exp: now - 59 }, { clockToleranceSeconds: 60 })).reason).toBe("valid");
    expect(await at({ exp: now - 60 }, { clockToleranceSeconds: 60 })).toMatchObject({
      reason: "expired",
      detail: "expired 60 s ago, at 2023-11-14T22:12:20Z (tolerance 60 s)",
    });
  });

  test("not yet valid when nbf > now + t", async () => {
    expect((await at({ nbf: now })).reason).toBe("valid");
    expect(await at({ nbf: now + 1 })).toMatchObject({
      reason: "not_yet_valid",
      detail: "valid only in 1 s, from 2023-11-14T22:13:21Z",
      claims: { nbf: now + 1 },
    });
    expect((await at({ nbf: now + 60 }, { clockToleranceSeconds: 60 })).reason).toBe("valid");
    expect((await at({ nbf: nowMs })).detail).toMatch(
      /`nbf` must be in seconds; 1700000000000 looks like milliseconds, 2023-11-14T22:13:20Z$/,
    );
    expect((await at({ nbf: now + 61 }, { clockToleranceSeconds: 60 })).reason).toBe("not_yet_valid");
  });

  test("now is rounded down to whole seconds", async () => {
    expect((await at({ exp: now + 1 }, {}, nowMs + 999)).reason).toBe("valid");
    expect((await at({ nbf: now + 1 }, {}, nowMs + 999)).reason).toBe("not_yet_valid");
    expect((await at({ exp: now + 1 }, {}, nowMs + 1000)).reason).toBe("expired");
  });

  test("exp comes before nbf, and the signature before both", async () => {
    expect((await at({ exp: now - 5, nbf: now + 5 })).reason).toBe("expired");
    const forged = replaceSegment(mint(ES256, { sub: "ada" }), 1, encode({ exp: 1 }));
    expect((await check(forged)).reason).toBe("bad_signature");
  });

  test("times beyond any date are printed as numbers", async () => {
    expect((await at({ exp: -1e300 })).detail).toContain("at -1e+300 s since 1970");
    expect((await at({ nbf: 1e300 })).detail).toContain("from 1e+300 s since 1970");
  });

  test("iss, aud, iat and typ are ignored", async () => {
    expect((await at({ iss: 1, aud: {}, iat: now + 1e6, typ: [] })).reason).toBe("valid");
  });
});

test("the detail never repeats the token or a segment of it", async () => {
  const tokens = [good, `${good}A`, `${good}.x`, replaceSegment(good, 0, "AAAA"), mint(ES256, { exp: 1 })];
  for (const token of tokens) {
    const { detail = "" } = await check(token);
    for (const segment of token.split(".").filter((text) => text.length > 8))
      expect(detail).not.toContain(segment);
  }
});

describe("claims", () => {
  test("are present when the signature is valid, and only then", async () => {
    expect((await check(mint(ES256, { a: 1, exp: 1 }))).claims).toEqual({ a: 1, exp: 1 });
    expect((await check(replaceSegment(good, 2, "AAAA"))).claims).toBeUndefined();
  });

  test("are deeply frozen, because they are shared", () => {
    const { claims, reason } = createVerifier(keys).check(mint(ES256, { roles: [{ name: "admin" }] }), nowMs);
    expect(reason).toBe("valid");
    const roles = claims!["roles"] as { name: string }[];
    expect([claims, roles, roles[0]].every(Object.isFrozen)).toBe(true);
  });

  test("with names of Object.prototype are ordinary", async () => {
    const text = '{"__proto__":{"exp":1,"polluted":true},"constructor":1,"toString":null,"hasOwnProperty":2}';
    const { reason, claims } = await check(
      signSegments(ES256, encode({ alg: "ES256", kid: ES256.kid }), encode(text)),
    );
    expect(reason).toBe("valid");
    expect(Object.keys(claims!)).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
    expect(Object.getPrototypeOf(claims)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("createVerifier", () => {
  test("is synchronous by default, and its documented example is correct", () => {
    const verifier = createVerifier(keys);
    expect(verifier.kind).toBe("node");
    expect(verifier.check("not a token", nowMs)).toEqual({
      reason: "malformed",
      detail: "the token has fewer than three segments separated by dots",
    });
  });

  test("with jose awaits only cryptography", async () => {
    const verifier = createVerifier(keys, { verifier: "jose" });
    expect(verifier.kind).toBe("jose");
    expect(verifier.check("a.b.c", nowMs)).not.toBeInstanceOf(Promise);
    const first = verifier.check(good, nowMs);
    expect(first).toBeInstanceOf(Promise);
    expect((await first).reason).toBe("valid");
    expect(verifier.check(good, nowMs)).toMatchObject({ reason: "valid" });
  });

  test("rejects keys that importKeys rejects", () => {
    expect(() => createVerifier([{ ...RS256.jwk, e: "AQ" } as JwtKey])).toThrow(InvalidInputError);
    expect(() => createVerifier([])).toThrow(InvalidInputError);
    expect(() => createVerifier(undefined as unknown as JwtKey[], { verifier: "jose" })).toThrow(
      InvalidInputError,
    );
  });

  test.each([
    [{ clockToleranceSeconds: -1 }],
    [{ clockToleranceSeconds: Number.POSITIVE_INFINITY }],
    [{ maxTokenBytes: 0 }],
    [{ cacheEntries: 1.5 }],
    [{ cacheEntries: -1 }],
    [{ cacheBytes: Number.NaN }],
  ])("rejects the options %j", (options) => {
    expect(() => createVerifier(keys, options)).toThrow(RangeError);
    expect(() => createVerifier(keys, { ...options, verifier: "jose" })).toThrow(RangeError);
  });

  test("the message of a rejected option says what is allowed", () => {
    expect(() => createVerifier(keys, { maxTokenBytes: 0 })).toThrow("a finite number from 1");
    expect(() => createVerifier(keys, { cacheEntries: 1.5 })).toThrow("an integer from 0");
  });

  test("an option that is undefined has its default", () => {
    expect(
      createVerifier(keys, { maxTokenBytes: undefined } as unknown as object).check(good, nowMs).reason,
    ).toBe("valid");
  });

  test("a time that is not a number throws a RangeError, and is never valid", () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, undefined as unknown as number]) {
      expect(() => createNodeVerifier(keys).check(good, time)).toThrow(RangeError);
      expect(() => createJoseVerifier(keys).check(good, time)).toThrow(RangeError);
    }
  });

  test("changing options and keys afterwards has no effect", () => {
    const mine = keys.map((key) => ({ ...key }));
    const verifier = createVerifier(mine, { cacheEntries: 0 });
    for (const key of mine) key.kid = "gone";
    mine.length = 0;
    expect(verifier.check(good, nowMs).reason).toBe("valid");
  });
});

describe("repeated headers", () => {
  test("many different headers for one key are all read correctly", () => {
    const verifier = createVerifier(keys, { cacheEntries: 0 });
    for (let i = 0; i < 300; i++) {
      const by = i % 2 ? ES256 : RS256;
      const token = mint(by, {}, { alg: by.alg, kid: by.kid, n: i % 150 });
      expect(verifier.check(token, nowMs)).toMatchObject({ reason: "valid", kid: by.kid });
    }
  });

  test("a cached header does not skip the checks of payload and signature", () => {
    const verifier = createVerifier(keys, { cacheEntries: 0 });
    expect(verifier.check(good, nowMs).reason).toBe("valid");
    expect(verifier.check(replaceSegment(good, 1, "AAAA"), nowMs).reason).toBe("malformed");
    expect(verifier.check(replaceSegment(good, 1, encode({})), nowMs).reason).toBe("bad_signature");
  });
});
