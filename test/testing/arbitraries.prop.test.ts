/** Generated input is valid, or has exactly the fault that it declares. */
import { checkFacts, validateApp } from "edgeproof/proxy";
import {
  brandArbitraries,
  createTestEdge,
  imageArbitraries,
  mintKey,
  mintToken,
  proxyArbitraries,
  tokenArbitraries,
} from "edgeproof/testing";
import { checkRequest, checkZone, compileZone } from "edgeproof/tokens";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientOf, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";
import { runs } from "../support/runs.ts";

const keys = [await mintKey("ES256"), await mintKey("ES384")] as const;
const token = await mintToken(keys[0]);
const tokens = tokenArbitraries(fc, [keys[0].jwk, keys[1].jwk]);
const proxy = proxyArbitraries(fc);

describe("zones", () => {
  test("a valid zone has no problems and compiles", async () => {
    await fc.assert(
      fc.asyncProperty(tokens.zone, async (zone) => {
        expect(checkZone(zone)).toEqual([]);
        await compileZone(zone);
      }),
      { numRuns: runs(50) },
    );
  });

  test("an invalid zone has exactly one problem, at the declared pointer", () => {
    fc.assert(
      fc.property(tokens.invalidZone, ({ zone, ...expected }) => {
        expect(checkZone(zone)).toMatchObject([expected]);
      }),
      { numRuns: runs(200) },
    );
  });

  test("an invalid request has exactly one problem, at the declared pointer", () => {
    fc.assert(
      fc.property(tokens.invalidRequest, ({ request, ...expected }) => {
        expect(checkRequest(request)).toMatchObject([expected]);
      }),
    );
  });

  test("requests can be evaluated, and every kind of verdict occurs", async () => {
    const outcomes = new Set<string>();
    const requests = tokens.zone.chain((zone) => fc.tuple(fc.constant(zone), tokens.request(zone, [token])));
    await fc.assert(
      fc.asyncProperty(requests, async ([input, request]) => {
        expect(checkRequest(request)).toEqual([]);
        const verdict = await (await compileZone(input)).evaluate(request);
        outcomes.add(verdict.outcome).add(verdict.action);
      }),
      { numRuns: runs(100, 100) },
    );
    const all = ["allow", "block", "fired", "log", "no_rule", "not_an_operation", "passed"];
    expect([...outcomes].sort()).toEqual(all);
  });
});

describe("bodies of configurations and rules", () => {
  const zone = "/zones/z1/token_validation";

  /** A client of a zone with one configuration. */
  async function fresh() {
    const edge = createTestEdge();
    const client = clientOf(edge, zone);
    const [body] = fc.sample(tokens.configBody, 1);
    const { result } = await client.ok("POST", "/config", body);
    return { client, id: result.id as string };
  }

  test("valid bodies are accepted without messages", async () => {
    await fc.assert(
      fc.asyncProperty(tokens.configBody, fc.nat(), async (body, seed) => {
        const { client, id } = await fresh();
        expect((await client.ok("POST", "/config", body)).messages).toEqual([]);
        const [rule] = fc.sample(tokens.ruleBody([id]), { numRuns: 1, seed });
        expect((await client.ok("POST", "/rules", rule)).messages).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });

  test("invalid bodies are rejected with the declared code and pointer as their only error", async () => {
    const { client, id } = await fresh();
    const wrong = fc.oneof(
      tokens.invalidConfigBody.map((fault) => ["/config", fault] as const),
      tokens.invalidRuleBody([id]).map((fault) => ["/rules", fault] as const),
    );
    await fc.assert(
      fc.asyncProperty(wrong, async ([path, { body, code, pointer }]) => {
        const response = await client("POST", path, body);
        expect((await jsonOf(response.clone())).errors).toHaveLength(1);
        await expectFailure(response, { status: 400, code, pointer });
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("proxy applications", () => {
  test("a valid application has no violations and no warnings", () => {
    fc.assert(
      fc.property(proxy.app, (body) => {
        expect(validateApp(body, {}, { restrictions: "enforce" })).toMatchObject({
          violations: [],
          warnings: [],
        });
      }),
    );
  });

  test("a restricted application is rejected with its code when restrictions are enforced, and otherwise has a warning", () => {
    fc.assert(
      fc.property(proxy.restrictedApp, ({ body, check, code, facts, options }) => {
        const enforced = validateApp(body, facts, options).violations;
        expect(enforced.map((violation) => [violation.rule, violation.code])).toEqual([[check, code]]);
        const { violations, warnings } = validateApp(body, facts);
        expect(violations).toEqual([]);
        expect(warnings.map((warning) => [warning.rule, warning.level])).toEqual([[check, "warning"]]);
      }),
      { numRuns: runs(200) },
    );
  });

  test("an invalid application violates exactly the declared check", () => {
    fc.assert(
      fc.property(proxy.wrongApp, ({ body, check, code, facts, options }) => {
        const { violations } = validateApp(body, facts, options);
        expect(violations.map((violation) => [violation.rule, violation.code])).toEqual([[check, code]]);
      }),
      { numRuns: runs(300) },
    );
  });

  test("valid facts are accepted, and invalid ones have exactly one problem, at the declared pointer", () => {
    fc.assert(
      fc.property(proxy.facts, proxy.wrongFacts, proxy.app, (facts, { facts: wrong, ...expected }, body) => {
        expect(checkFacts(facts)).toEqual([]);
        expect(validateApp(body, facts)).toBeDefined();
        expect(checkFacts(wrong)).toMatchObject([expected]);
      }),
      { numRuns: runs(300) },
    );
  });
});

test("a missing fast-check or key is a TypeError", () => {
  const forgotten = undefined as unknown as typeof fc;
  expect(() => tokenArbitraries(forgotten, [keys[0].jwk])).toThrow(
    /first argument of tokenArbitraries must be fast-check/,
  );
  expect(() => proxyArbitraries({} as typeof fc)).toThrow(
    /first argument of proxyArbitraries must be fast-check/,
  );
  expect(() => brandArbitraries(forgotten)).toThrow(/argument of brandArbitraries must be fast-check/);
  expect(() => imageArbitraries(forgotten)).toThrow(/argument of imageArbitraries must be fast-check/);
  expect(() => tokenArbitraries(fc, [] as never)).toThrow(/at least one public key/);
});
