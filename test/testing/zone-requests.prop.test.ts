/** Requests that are generated for a zone make each of its rules act, and pass, whenever some request can. */

import { compareZones } from "edgeproof/analysis";
import { mintKey, mintToken, tokenArbitraries } from "edgeproof/testing";
import { compileZone, type Operation, type TokenRule, type ZoneInput } from "edgeproof/tokens";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support/runs.ts";

const keys = [await mintKey("ES256", "one"), await mintKey("ES256", "two")] as const;
const minted = [await mintToken(keys[0]), await mintToken(keys[1])];
const configs = keys.map(({ jwk }, i) => ({
  id: `c${i}`,
  token_sources: [`http.request.headers["x-token"][${i}]`, `http.request.cookies["T k"][${i}]`],
  credentials: { keys: [jwk] },
}));

const hosts = ["api.shop.test", "other.shop.test", "{tenant}.shop.test"];
const operations: Operation[] = [
  { operation_id: "a", method: "GET", host: "api.shop.test", endpoint: "/orders/{id}" },
  { operation_id: "b", method: "POST", host: "{tenant}.shop.test", endpoint: "/orders" },
  { operation_id: "c", method: "PURGE", host: "other.shop.test", endpoint: "/v2/{kind}/{id}" },
];
const leaf = fc.constantFrom(
  'is_jwt_valid("c0")',
  'is_jwt_valid("c1")',
  'is_jwt_present("c0")',
  'http.request.headers["x-plan"][2] eq "gold"',
  'http.request.headers["x-plan"][0] wildcard "g*d"',
  'http.request.cookies["seen"][1] contains "yes"',
  'http.request.method eq "PURGE"',
  'http.host eq "api.shop.test"',
  'http.request.uri.path strict wildcard "/orders/1*"',
  'http.request.uri.path in {"/orders/7" "/orders"}',
);
const withFunctions = fc.constantFrom(
  'starts_with(lower(http.request.headers["x-plan"][0]), "pre-")',
  'ends_with(upper(http.request.uri.path), "/SEVEN")',
  "len(http.request.uri.query) gt 12",
  'any(http.request.cookies["seen"][*] matches "^[a-f]{4}-[0-9]+$")',
  'all(http.request.headers["x-plan"][*] in {"gold" "silver"})',
  'http.request.uri.query contains "debug=1"',
);

/** Zones of up to 12 rules that compare anything. */
function zones(leaves: fc.Arbitrary<string>): fc.Arbitrary<ZoneInput> {
  const expression = fc.oneof(
    leaves,
    leaves.map((operand) => `not ${operand}`),
    fc.tuple(leaves, fc.constantFrom("and", "or", "xor"), leaves).map((parts) => parts.join(" ")),
  );
  const rule = fc.record({
    action: fc.constantFrom("log" as const, "log" as const, "block" as const),
    enabled: fc.constantFrom(true, true, true, false),
    expression,
    selector: fc.record({
      include: fc.subarray(hosts, { minLength: 1 }).map((host) => [{ host }]),
      exclude: fc.subarray(["a", "b"]).map((operation_ids) => [{ operation_ids }]),
    }),
  });
  const rules = fc
    .array(rule, { minLength: 1, maxLength: 12 })
    .map((list) => list.map((rule, i): TokenRule => ({ id: `r${i}`, ...rule })));
  return fc
    .tuple(rules, fc.boolean())
    .map(([list, isListed]) => ({ configs, rules: list, ...(isListed && { operations }) }));
}

type Precedence = "all" | "first";

/** The results of each rule over many generated requests. */
async function resultsOf(zone: ZoneInput, precedence: Precedence, seed: number) {
  const { request } = tokenArbitraries(fc, [keys[0].jwk], { precedence });
  const compiled = await compileZone(zone, { precedence });
  const results = new Set<string>();
  for (const sample of fc.sample(request(zone, minted), { numRuns: 500, seed }))
    for (const { id, result } of compiled.evaluateSync(sample).rules) results.add(`${id} ${result}`);
  return results;
}

/** Whether some request gives a rule a result: then a zone that blocks it differs from one without the rule. */
function isPossible(
  zone: ZoneInput,
  precedence: Precedence,
  id: string,
  result: "fired" | "passed",
): boolean {
  const index = zone.rules.findIndex((rule) => rule.id === id);
  const [rule, earlier] = [zone.rules[index], zone.rules.slice(0, index)];
  if (rule === undefined) return false;
  const expression = result === "fired" ? rule.expression : `not (${rule.expression})`;
  // A logged request can be blocked later; with precedence `first` a rule that logs decides.
  const before = earlier.filter(({ action }) => precedence === "first" || action === "block");
  const shown = { ...zone, rules: [...before, { ...rule, action: "block" as const, expression }] };
  return compareZones(shown, { ...zone, rules: before }, { precedence }).result === "different";
}

describe.each(["all", "first"] as const)("precedence %s", (precedence) => {
  test("each rule acts on some of 500 requests and passes on others, except where the analysis finds none", async () => {
    await fc.assert(
      fc.asyncProperty(zones(leaf), fc.nat(), async (zone, seed) => {
        const results = await resultsOf(zone, precedence, seed);
        const missing = zone.rules
          .filter(({ enabled }) => enabled)
          .flatMap(({ id }) => [[id, "fired"] as const, [id, "passed"] as const])
          .filter(([id, result]) => !results.has(`${id} ${result}`));
        expect(missing.filter(([id, result]) => isPossible(zone, precedence, id, result))).toEqual([]);
      }),
      { numRuns: runs(12) },
    );
  });
});

describe("a single rule", () => {
  test("acts and passes whatever function it compares", async () => {
    await fc.assert(
      fc.asyncProperty(withFunctions, fc.nat(), async (expression, seed) => {
        const selector = { include: [{ host: ["api.shop.test"] }] };
        const rule = { id: "r", action: "block", enabled: true, expression, selector } as const;
        const listed = await resultsOf({ configs, rules: [rule], operations }, "all", seed);
        expect([...listed].sort()).toEqual(["r fired", "r passed"]);
        const unlisted = await resultsOf({ configs, rules: [rule] }, "all", seed);
        expect([...unlisted].sort()).toEqual(["r fired", "r passed"]);
      }),
      { numRuns: runs(12) },
    );
  });
});

describe("an invalid zone", () => {
  test("is rejected with its problems", () => {
    const zone = { configs: [], rules: [], operations: [{ ...operations[0], endpoint: "x" }] } as ZoneInput;
    const { request } = tokenArbitraries(fc, [keys[0].jwk]);
    expect(() => request(zone)).toThrow("must be a path that starts with `/`");
  });
});

describe("without tokens", () => {
  const selector = { include: [{ host: ["api.shop.test"] }] };
  const rule = (id: string, expression: string, enabled = true): TokenRule => {
    return { id, action: "block", enabled, expression, selector };
  };
  const { request } = tokenArbitraries(fc, [keys[0].jwk]);

  test("a rule that acts only on requests with valid tokens is rejected, and named", () => {
    const zone = {
      configs,
      rules: [
        rule("guard", 'is_jwt_valid("c0")'),
        rule("guests", 'not is_jwt_valid("c0")'),
        rule("off", 'not is_jwt_valid("c0")', false),
      ],
    };
    expect(() => request(zone)).toThrow(
      "The rule `guests` acts only on requests with a valid token, and no tokens were passed. Pass tokens that the keys of the zone sign, or the option `allowUnreachable: true`.",
    );
    expect(fc.sample(request(zone, [], { allowUnreachable: true }), 1)).toHaveLength(1);
    expect(fc.sample(request(zone, minted), 1)).toHaveLength(1);
    expect(() => request(zone, [], { allowUnreachabel: true } as object)).toThrow(
      /did you mean `allowUnreachable`/,
    );
  });

  test("rules that act on other requests, or on none, are accepted", () => {
    const rules = [
      rule("present", 'not is_jwt_present("c1")'),
      rule("either", 'not (is_jwt_valid("c0") or http.request.method eq "PURGE")'),
      rule("never", 'is_jwt_valid("c0") or not is_jwt_valid("c0")'),
      rule("guard", 'is_jwt_valid("c0")'),
    ];
    expect(fc.sample(request({ configs, rules }), 1)).toHaveLength(1);
    // An earlier rule blocks all requests without a valid token.
    expect(() => request({ configs, rules: rules.toReversed() })).toThrow(/The rule `either` acts only/);
  });
});
