/**
 * Both verifiers give the same outcome for any text: valid, expired, tampered, wrongly keyed and malformed tokens of
 * all eight algorithms, and the outcome is the one that a plain reading of the rules gives.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJoseVerifier, createNodeVerifier } from "../../../../src/engine/tokens/jwt/verifier.ts";
import { type Algorithm, reasons } from "../../../../src/engine/tokens/model.ts";
import { runs } from "../../../support/runs.ts";
import { allAlgorithms, encode, type Minted, mint, mintKeys, replaceSegment } from "../minting.ts";

const minted = mintKeys();
const strangers = mintKeys();
const keys = allAlgorithms.map((alg) => minted[alg].jwk);
const options = { clockToleranceSeconds: 10, cacheEntries: 0 };
const node = createNodeVerifier(keys, options);
const jose = createJoseVerifier(keys, options);
const nowMs = 1_000_000_000_000;
const now = nowMs / 1000;

async function bothSay(token: string) {
  const outcome = node.check(token, nowMs);
  expect(await jose.check(token, nowMs)).toEqual(outcome);
  expect(reasons).toContain(outcome.reason);
  return outcome;
}

const algorithm = fc.constantFrom(...allAlgorithms);
const time = fc.oneof(
  fc.integer({ min: now - 20, max: now + 20 }),
  fc.double({ noNaN: true, min: now - 12, max: now + 12 }),
);
const payload = fc.record(
  { sub: fc.string(), exp: time, nbf: time, extra: fc.jsonValue() },
  { requiredKeys: [] },
);

/** The plain twin of the time rules. */
function expectedReason({ exp, nbf }: { exp?: number; nbf?: number }) {
  if (exp !== undefined && exp <= now - options.clockToleranceSeconds) return "expired";
  return nbf !== undefined && nbf > now + options.clockToleranceSeconds ? "not_yet_valid" : "valid";
}

describe.each(allAlgorithms)("%s", (alg) => {
  test("the times decide on a correctly signed token", async () => {
    await fc.assert(
      fc.asyncProperty(payload, async (claims) => {
        const outcome = await bothSay(mint(minted[alg], claims));
        expect(outcome).toMatchObject({ reason: expectedReason(claims), kid: minted[alg].kid, alg });
        expect(outcome.claims).toEqual(JSON.parse(JSON.stringify(claims)));
      }),
      { numRuns: runs(15) },
    );
  });

  test("a token signed by another key has the reason bad_signature", async () => {
    const forged = mint(strangers[alg], { sub: "eve" }, { alg, kid: minted[alg].kid });
    expect((await bothSay(forged)).reason).toBe("bad_signature");
  });

  test("one changed character anywhere makes it invalid", async () => {
    const token = mint(minted[alg], { sub: "ada", exp: now + 100 });
    const character = fc.constantFrom(..."AQgwZ09-_.+/= \0é\u0141");
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), character, async (index, replacement) => {
        fc.pre(token[index] !== replacement);
        const { reason } = await bothSay(token.slice(0, index) + replacement + token.slice(index + 1));
        expect(reason).not.toBe("valid");
        expect(reason).not.toBe("expired");
      }),
      { numRuns: runs(40) },
    );
  });

  test("one changed bit of the signature makes it invalid", async () => {
    const token = mint(minted[alg], { sub: "ada" });
    const signature = Buffer.from(token.split(".")[2]!, "base64url");
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(signature);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const { reason } = await bothSay(replaceSegment(token, 2, changed.toString("base64url")));
        expect(reason).toBe("bad_signature");
      }),
      { numRuns: runs(15) },
    );
  });
});

test("random signature bytes are rejected under any alg and kid of the set", async () => {
  const size = fc.constantFrom(0, 1, 63, 64, 65, 72, 95, 96, 97, 255, 256, 257, 384);
  const bytes = size.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  await fc.assert(
    fc.asyncProperty(algorithm, algorithm, bytes, async (alg, of, signature) => {
      const input = `${encode({ alg, kid: minted[of].kid })}.${encode({ sub: "eve" })}`;
      const { reason } = await bothSay(`${input}.${Buffer.from(signature).toString("base64url")}`);
      expect(reason).toBe(alg === of ? "bad_signature" : "algorithm_mismatch");
    }),
    { numRuns: runs(150) },
  );
});

test("any header with a correct signature is handled the same by both verifiers", async () => {
  const member = fc.oneof(algorithm, fc.constantFrom(...keys.map((key) => key.kid)), fc.jsonValue());
  const name = fc.constantFrom("alg", "kid", "crit", "b64", "typ", "jwk", "__proto__");
  await fc.assert(
    fc.asyncProperty(algorithm, fc.array(fc.tuple(name, member), { maxLength: 4 }), async (alg, members) => {
      const base: [string, unknown][] = [
        ["alg", alg],
        ["kid", minted[alg].kid],
      ];
      const text = `{${[...base, ...members].map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`).join(",")}}`;
      const { reason } = await bothSay(mint(minted[alg], {}, text));
      const names = members.map(([n]) => n);
      const repeated = new Set([...names, "alg", "kid"]).size < names.length + 2;
      const critical = names.includes("crit") || names.includes("b64");
      expect(reason).toBe(repeated ? "malformed" : critical ? "unsupported_header" : "valid");
    }),
    { numRuns: runs(150) },
  );
});

test("any string is handled the same by both verifiers", async () => {
  const segment = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.jsonValue().map(encode),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
    algorithm.map((alg: Algorithm) => encode({ alg, kid: minted[alg].kid })),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(segment, { maxLength: 5 }).map((segments) => segments.join(".")),
  );
  await fc.assert(
    fc.asyncProperty(text, async (token) => {
      const { reason, detail, claims } = await bothSay(token);
      expect(reason).not.toBe("valid");
      expect(detail).toMatch(/./);
      expect(claims).toBeUndefined();
    }),
    { numRuns: runs(500) },
  );
});

test("recombined parts of valid tokens are not valid", async () => {
  const parts = allAlgorithms.map((alg) => mint(minted[alg] as Minted, { sub: alg }).split("."));
  const pick = fc.nat(parts.length - 1);
  await fc.assert(
    fc.asyncProperty(pick, pick, pick, async (a, b, c) => {
      const { reason } = await bothSay([parts[a]![0], parts[b]![1], parts[c]![2]].join("."));
      expect(reason).toBe(a === b && b === c ? "valid" : "bad_signature");
    }),
    { numRuns: runs(150) },
  );
});
