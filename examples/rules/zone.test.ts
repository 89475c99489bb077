/** The verdicts of the rules in `zone.json`. */
import { analyze, createCoverage } from "edgeproof/analysis";
import {
  mintFaultyToken,
  mintKey,
  mintToken,
  type VerdictMatchers,
  verdictMatchers,
} from "edgeproof/testing";
import { compileZone, type ZoneInput } from "edgeproof/tokens";
import { afterAll, expect, test } from "vitest";
import world from "./zone.json" with { type: "json" };

declare global {
  namespace Chai {
    interface Assertion extends VerdictMatchers<void> {}
  }
}

expect.extend(verdictMatchers);

const json = world.zones[0]!.token_validation;
const ruleIds = new Map(json.rules.map(({ title, id }) => [title, id]));
const orders = ruleIds.get("Orders need a user") ?? "";
const staleSessions = ruleIds.get("Count readers with a stale session") ?? "";

/** The zone with a key that the tests can sign with. */
const key = await mintKey("ES256", "test-key");
const input = {
  ...json,
  configs: json.configs.map((config) => ({ ...config, credentials: { keys: [key.jwk] } })),
} as ZoneInput;

const zone = await compileZone(input);
const coverage = createCoverage(input);

/** The verdict on a request, counted in the coverage. */
async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const verdict = await zone.evaluate({ method, url: `https://api.shop.example${path}`, headers });
  coverage.add(verdict);
  return verdict;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("an order with a valid token in the header or the cookie is allowed", async () => {
  const token = await mintToken(key);
  expect(await send("POST", "/v1/orders", bearer(token))).toAllow({ operation: "place-order" });
  expect(await send("GET", "/v1/orders/17", { cookie: `session=${token}` })).toAllow();
});

test("an order without a valid token is blocked by the rule orders", async () => {
  expect(await send("POST", "/v1/orders")).toBlock({ rule: orders, reason: "missing" });
  for (const fault of ["expired", "tampered_payload", "other_key", "alg_none"] as const) {
    const token = await mintFaultyToken(key, fault);
    expect(await send("POST", "/v1/orders", bearer(token))).toBlock({ rule: orders });
  }
});

test("a preflight request without a token is allowed", async () => {
  expect(await send("OPTIONS", "/v1/orders")).toAllow({ operation: "preflight" });
});

test("a request for products is allowed without a token, and logged with an expired one", async () => {
  const stale = await mintFaultyToken(key, "expired");
  expect(await send("GET", "/v1/products")).toAllow();
  expect(await send("GET", "/v1/products", bearer(await mintToken(key)))).toAllow();
  expect(await send("GET", "/v1/products", bearer(stale))).toLog({
    rule: staleSessions,
    reason: "expired",
  });
});

test("the analysis of the deployed rules has no findings", () => {
  expect(analyze(json)).toEqual([]);
});

afterAll(() => {
  console.log(coverage.print());
  expect(coverage.report().missing).toEqual([]);
});
