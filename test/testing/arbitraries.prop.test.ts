/** Generated input is what it promises to be: valid, or wrong in exactly one way. */
import { checkFacts, validateApp } from "edgeproof/proxy";
import {
  brandArbitraries,
  imageArbitraries,
  mintKey,
  mintToken,
  proxyArbitraries,
  tokenArbitraries,
} from "edgeproof/testing";
import { checkRequest, checkZone, compileZone } from "edgeproof/tokens";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const keys = [await mintKey("ES256"), await mintKey("ES384")] as const;
const token = await mintToken(keys[0]);
const tokens = tokenArbitraries(fc, [keys[0].jwk, keys[1].jwk]);
const proxy = proxyArbitraries(fc);

describe("zones", () => {
  test("a valid zone has no problem, and compiles", async () => {
    await fc.assert(
      fc.asyncProperty(tokens.zone, async (zone) => {
        expect(checkZone(zone)).toEqual([]);
        await compileZone(zone);
      }),
      { numRuns: 50 },
    );
  });

  test("a wrong zone has exactly one problem, where it says", () => {
    fc.assert(
      fc.property(tokens.wrongZone, ({ zone, pointer }) => {
        expect(checkZone(zone).map((problem) => problem.pointer)).toEqual([pointer]);
      }),
      { numRuns: 200 },
    );
  });

  test("a wrong request has exactly one problem, where it says", () => {
    fc.assert(
      fc.property(tokens.wrongRequest, ({ request, pointer }) => {
        expect(checkRequest(request).map((problem) => problem.pointer)).toEqual([pointer]);
      }),
    );
  });

  test("requests can be evaluated, and all kinds of verdicts occur", async () => {
    const outcomes = new Set<string>();
    const requests = tokens.zone.chain((zone) => fc.tuple(fc.constant(zone), tokens.request(zone, [token])));
    await fc.assert(
      fc.asyncProperty(requests, async ([input, request]) => {
        expect(checkRequest(request)).toEqual([]);
        const verdict = await (await compileZone(input)).evaluate(request);
        outcomes.add(verdict.outcome).add(verdict.action);
      }),
      { numRuns: 300 },
    );
    const all = ["allow", "block", "fired", "log", "no_rule", "not_an_operation", "passed"];
    expect([...outcomes].sort()).toEqual(all);
  });
});

describe("proxy applications", () => {
  test("a valid application violates nothing", () => {
    fc.assert(
      fc.property(proxy.app, (body) => {
        expect(validateApp(body).violations).toEqual([]);
      }),
    );
  });

  test("a wrong application violates exactly the check that it says", () => {
    fc.assert(
      fc.property(proxy.wrongApp, ({ body, check, code, facts, options }) => {
        const { violations } = validateApp(body, facts, options);
        expect(violations.map((violation) => [violation.check, violation.code])).toEqual([[check, code]]);
      }),
      { numRuns: 300 },
    );
  });

  test("facts can be used, and wrong ones have exactly one problem, where it says", () => {
    fc.assert(
      fc.property(proxy.facts, proxy.wrongFacts, proxy.app, (facts, wrong, body) => {
        expect(checkFacts(facts)).toEqual([]);
        expect(validateApp(body, facts)).toBeDefined();
        expect(checkFacts(wrong.facts).map((problem) => problem.pointer)).toEqual([wrong.pointer]);
      }),
      { numRuns: 300 },
    );
  });
});

test("whoever forgets fast-check, or a key, is told so", () => {
  const forgotten = undefined as unknown as typeof fc;
  expect(() => tokenArbitraries(forgotten, [keys[0].jwk])).toThrow(/Give tokenArbitraries the fast-check/);
  expect(() => proxyArbitraries({} as typeof fc)).toThrow(/Give proxyArbitraries the fast-check/);
  expect(() => brandArbitraries(forgotten)).toThrow(/Give brandArbitraries the fast-check/);
  expect(() => imageArbitraries(forgotten)).toThrow(/Give imageArbitraries the fast-check/);
  expect(() => tokenArbitraries(fc, [] as never)).toThrow(/at least one public key/);
});
