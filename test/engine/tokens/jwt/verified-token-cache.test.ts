import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SignedToken } from "../../../../src/engine/tokens/jwt/signed-token.ts";
import { createVerifiedTokenCache } from "../../../../src/engine/tokens/jwt/verified-token-cache.ts";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import type { JwtKey } from "../../../../src/engine/tokens/model.ts";
import { runs } from "../../../support/runs.ts";
import { allAlgorithms, encode, mint, mintKeys, replaceSegment } from "../minting.ts";

const megabyte = 1024 * 1024;

function signed(name: string): SignedToken {
  return { exp: undefined, nbf: undefined, valid: { reason: "valid", kid: name, alg: "ES256", claims: {} } };
}

/** Token texts of equal length; a few share their last 24 characters. */
function text(i: number): string {
  return `${String(i).padStart(8, "0")}.${"x".repeat(40)}${String(i % 50).padStart(4, "0")}`;
}

describe("the cache", () => {
  test("returns the entry of the same token, and nothing for another token", () => {
    const cache = createVerifiedTokenCache({ entries: 100, bytes: megabyte });
    const token = signed("one");
    cache.set(text(1), token);
    expect(cache.get(text(1))).toBe(token);
    expect(cache.get(text(51))).toBeUndefined();
    expect(cache.get(text(2))).toBeUndefined();
    expect(cache.get("")).toBeUndefined();
  });

  test("never returns another token's entry, and never exceeds its limit", () => {
    const step = fc.record({ id: fc.nat(60), put: fc.boolean() });
    fc.assert(
      fc.property(fc.nat(12), fc.array(step, { maxLength: 200 }), (entries, steps) => {
        const cache = createVerifiedTokenCache({ entries, bytes: megabyte });
        for (const { id, put } of steps) {
          if (put) cache.set(text(id), signed(text(id)));
          const found = cache.get(text(id));
          if (found) expect(found.valid.kid).toBe(text(id));
          if (put) expect(found !== undefined).toBe(entries > 0);
          expect(cache.size).toBeLessThanOrEqual(entries);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("keeps repeated tokens, and drops others", () => {
    const cache = createVerifiedTokenCache({ entries: 40, bytes: megabyte });
    cache.set(text(0), signed("regular"));
    cache.set(text(1), signed("once"));
    for (let i = 2; i < 1000; i++) {
      cache.set(`${text(i)}${i}`, signed("passing"));
      expect(cache.get(text(0))).toBeDefined();
    }
    expect(cache.get(text(1))).toBeUndefined();
    expect(cache.size).toBeLessThanOrEqual(40);
  });

  test("keeps at least half of its limit, whatever was stored before", () => {
    const cache = createVerifiedTokenCache({ entries: 40, bytes: megabyte });
    const recent = Array.from({ length: 20 }, (_, i) => `${text(i)}-${i}`);
    for (let i = 0; i < 500; i++) cache.set(`${text(i)}+${i}`, signed("before"));
    for (const token of recent) cache.set(token, signed(token));
    expect(recent.every((token) => cache.get(token)?.valid.kid === token)).toBe(true);
  });

  test("is limited in bytes", () => {
    const cache = createVerifiedTokenCache({ entries: 1000, bytes: 100_000 });
    for (let i = 0; i < 500; i++) cache.set(`${i}.${"y".repeat(990)}${i}`, signed("large"));
    expect(cache.size).toBeGreaterThan(5);
    expect(cache.size * 1000 * 8).toBeLessThanOrEqual(110_000);
    cache.set("z".repeat(10_000), signed("too large"));
    expect(cache.get("z".repeat(10_000))).toBeUndefined();
  });

  test("is off with 0 entries", () => {
    const cache = createVerifiedTokenCache({ entries: 0, bytes: megabyte });
    cache.set(text(1), signed("one"));
    expect([cache.get(text(1)), cache.size]).toEqual([undefined, 0]);
  });
});

const minted = mintKeys();
const keys = allAlgorithms.map((alg) => minted[alg].jwk);
const ES256 = minted.ES256;

/** Another string with the same characters, as a request brings it. */
function fresh(token: string): string {
  return Buffer.from(`Bearer ${token}`).toString("latin1").slice("Bearer ".length);
}

describe("a verifier with a cache", () => {
  test("verifies a repeated token once", async () => {
    const token = mint(ES256, { sub: "ada" });
    const node = createNodeVerifier(keys);
    expect(node.check(fresh(token), 0).claims).toBe(node.check(fresh(token), 1e12).claims);
    const jose = createJoseVerifier(keys);
    const first = await jose.check(fresh(token), 0);
    const second = jose.check(fresh(token), 1e12);
    expect(second).not.toBeInstanceOf(Promise);
    expect((second as typeof first).claims).toBe(first.claims);
    const forgetful = createNodeVerifier(keys, { cacheEntries: 0 });
    expect(forgetful.check(token, 0).claims).not.toBe(forgetful.check(token, 0).claims);
  });

  test("checks exp and nbf on each use", () => {
    const token = mint(ES256, { nbf: 100, exp: 200 });
    const { check } = createNodeVerifier(keys);
    const reasons = [150, 99, 100, 199, 200, 150, 1e9, 150].map(
      (second) => check(fresh(token), second * 1000).reason,
    );
    expect(reasons).toEqual([
      "valid",
      "not_yet_valid",
      "valid",
      "valid",
      "expired",
      "valid",
      "expired",
      "valid",
    ]);
  });

  test("a token that is expired on first use is cached as signed, not as expired", () => {
    const token = mint(ES256, { exp: 200 });
    const { check } = createNodeVerifier(keys);
    expect(check(token, 300_000).reason).toBe("expired");
    expect(check(token, 100_000)).toMatchObject({ reason: "valid", claims: { exp: 200 } });
  });

  test("an invalid token is never cached, and evicts nothing", () => {
    const good = mint(ES256, { sub: "ada" });
    const { check } = createNodeVerifier(keys, { cacheEntries: 4 });
    const { claims } = check(good, 0);
    for (let i = 0; i < 200; i++) {
      expect(check(replaceSegment(good, 1, encode({ sub: i })), 0).reason).toBe("bad_signature");
      expect(check(mint(ES256, { sub: i }, { alg: "ES256", kid: `k${i}` }), 0).reason).toBe("unknown_key");
    }
    expect(check(fresh(good), 0).claims).toBe(claims);
  });

  test("a forged token with the signature of a cached one is rejected", () => {
    const good = mint(ES256, { sub: "ada" });
    const forged = replaceSegment(good, 1, encode({ sub: "eve" }));
    const { check } = createNodeVerifier(keys);
    expect([good, forged, good, forged].map((token) => check(token, 0).reason)).toEqual([
      "valid",
      "bad_signature",
      "valid",
      "bad_signature",
    ]);
  });

  test("changed credentials start with an empty cache", () => {
    const token = mint(ES256, { sub: "ada" });
    const other = { ...mintKeys().ES256.jwk, kid: ES256.kid } as JwtKey;
    expect(createNodeVerifier([ES256.jwk]).check(token, 0).reason).toBe("valid");
    expect(createNodeVerifier([other]).check(token, 0).reason).toBe("bad_signature");
  });

  test("returns the same results as one without a cache, in any order of tokens and times", () => {
    const tokens = [
      mint(ES256, {}),
      mint(ES256, { exp: 100 }),
      mint(ES256, { nbf: 50, exp: 150 }),
      mint(ES256, { nbf: 100 }),
      mint(minted.RS256, { exp: 120 }),
      replaceSegment(mint(ES256, { exp: 100 }), 1, encode({ exp: 1000 })),
      "no token",
    ];
    const plain = createNodeVerifier(keys, { cacheEntries: 0, clockToleranceSeconds: 5 });
    const step = fc.record({
      token: fc.constantFrom(...tokens),
      nowMs: fc.integer({ min: 40_000, max: 160_000 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 30 }),
        (cacheEntries, steps) => {
          const remembering = createNodeVerifier(keys, { cacheEntries, clockToleranceSeconds: 5 });
          for (const { token, nowMs } of steps) {
            expect(remembering.check(fresh(token), nowMs)).toEqual(plain.check(token, nowMs));
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
