/** HMAC tokens against jose, called by itself: whatever jose's `jwtVerify` accepts or rejects, both verifiers do. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { base64url, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import type { HmacAlgorithm, SecretKey } from "../../../../src/engine/tokens/model.ts";
import { encode, replaceSegment } from "../minting.ts";

const hmacAlgorithm = fc.constantFrom<HmacAlgorithm>("HS256", "HS384", "HS512");
const secret = fc.uint8Array({ minLength: 64, maxLength: 200 });
const nowMs = 1_700_000_000_000;
const times = fc.integer({ min: nowMs / 1000 - 2, max: nowMs / 1000 + 2 });
const payload = fc.record(
  { sub: fc.string({ unit: "grapheme" }), exp: times, nbf: times, more: fc.jsonValue({ maxDepth: 2 }) },
  { requiredKeys: [] },
);

type Change = (token: string) => string;
const change = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Change>((token) => token) },
  fc.nat().map<Change>((at) => (token) => {
    const [, , signature = ""] = token.split(".");
    const bytes = Buffer.from(signature, "base64url");
    bytes[at % bytes.length]! ^= 1 << (at & 7);
    return replaceSegment(token, 2, bytes.toString("base64url"));
  }),
  fc.nat({ max: 63 }).map<Change>((length) => (token) => {
    const bytes = Buffer.from(token.split(".")[2] ?? "", "base64url");
    return replaceSegment(token, 2, bytes.subarray(0, length).toString("base64url"));
  }),
  payload.map<Change>((other) => (token) => replaceSegment(token, 1, encode(other))),
);

/** Mostly the right algorithm and secret: about every eighth token is valid, so both answers are met in each run. */
const keys = fc
  .record({
    alg: hmacAlgorithm,
    other: fc.option(hmacAlgorithm, { freq: 1 }),
    isOther: fc.constantFrom(false, false, true),
  })
  .map(({ alg, other, isOther }) => ({ alg, signedAs: other ?? alg, isOther }));

test("both verifiers and jose agree on each token", async () => {
  const seen = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.tuple(secret, secret),
      payload,
      change,
      async ({ alg, signedAs, isOther }, [own, other], claims, changed) => {
        const input = `${encode({ alg: signedAs, kid: "s" })}.${encode(claims)}`;
        const hash = `sha${signedAs.slice(2)}`;
        const by = isOther ? other : own;
        const token = changed(`${input}.${createHmac(hash, by).update(input).digest("base64url")}`);
        const expected = await jwtVerify(token, own, {
          algorithms: [alg],
          currentDate: new Date(nowMs),
        }).then(
          () => true,
          () => false,
        );
        const key: SecretKey = { kty: "oct", alg, kid: "s", k: base64url.encode(own) };
        for (const verifier of [createNodeVerifier([key]), createJoseVerifier([key])])
          for (let round = 0; round < 2; round++)
            expect((await verifier.check(token, nowMs)).reason === "valid").toBe(expected);
        seen.add(expected);
      },
    ),
    { numRuns: 500 },
  );
  expect(seen.size).toBe(2);
});
