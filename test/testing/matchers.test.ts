/** The matchers of verdicts in `expect`, and the messages of their failures. */
import {
  mintFaultyToken,
  mintKey,
  mintToken,
  type VerdictMatchers,
  verdictMatchers,
} from "edgeproof/testing";
import { compileZone, type SimulatedRequest } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";

declare global {
  namespace Chai {
    interface Assertion extends VerdictMatchers<void> {}
  }
}

expect.extend(verdictMatchers);

const key = await mintKey("ES256");
const nowMs = Date.UTC(2026, 0, 1);
const source = 'http.request.headers["authorization"][0]';
const selector = { include: [{ host: ["api.example.com"] }] };
const zone = await compileZone(
  {
    configs: [{ id: "idp", token_sources: [source], credentials: { keys: [key.jwk] } }],
    rules: [
      {
        id: "guard",
        action: "block",
        enabled: true,
        expression: 'is_jwt_valid("idp")',
        selector: { ...selector, exclude: [{ operation_ids: ["other", "items"] }] },
      },
      {
        id: "count",
        action: "log",
        enabled: true,
        expression: 'http.request.method ne "PUT"',
        selector: { ...selector, exclude: [{ operation_ids: ["items"] }] },
      },
      {
        id: "off",
        action: "block",
        enabled: false,
        expression: 'is_jwt_valid("idp")',
        selector: { include: [{ host: ["off.example.com"] }] },
      },
    ],
    operations: [
      { operation_id: "get", method: "GET", host: "api.example.com", endpoint: "/" },
      { operation_id: "put", method: "PUT", host: "api.example.com", endpoint: "/" },
      { operation_id: "other", method: "GET", host: "api.example.com", endpoint: "/other" },
      { operation_id: "items", method: "POST", host: "api.example.com", endpoint: "/orders/{id}/items" },
      { operation_id: "free", method: "GET", host: "free.example.com", endpoint: "/" },
      { operation_id: "off", method: "GET", host: "off.example.com", endpoint: "/" },
    ],
  },
  { clock: () => nowMs },
);
const request = (token: string, method = "GET") => {
  return { method, url: "https://api.example.com/", headers: { authorization: `Bearer ${token}` } };
};
const expired = zone.evaluateSync(request(await mintFaultyToken(key, "expired", { nowMs })));
const valid = zone.evaluateSync(request(await mintToken(key)));
const logged = zone.evaluateSync(request(await mintToken(key), "PUT"));
const other = zone.evaluateSync({ method: "GET", url: "https://api.example.com/other" });
const elsewhere = zone.evaluateSync({ method: "GET", url: "https://www.example.com/" });

describe("a matcher passes when the verdict meets the expectation", () => {
  test("toBlock, toAllow and toLog match the action", () => {
    expect(expired).toBlock();
    expect(valid).toAllow();
    expect(logged).toLog();
    expect(elsewhere).toAllow({ outcome: "not_an_operation" });
    expect(valid).toAllow({ outcome: "passed" });
  });

  test("the rule, the reason, the configuration and the operation are matched", () => {
    expect(expired).toBlock({ reason: "expired", config: "idp", rule: "guard", operation: "get" });
    expect(valid).toAllow({ reason: "valid", operation: "get" });
    expect(logged).toLog({ rule: "count", operation: "put" });
    expect(valid).toBeCoveredBy("count");
  });

  test("matchers can be negated, and applied to promises with resolves", async () => {
    expect(expired).not.toAllow();
    expect(expired).not.toBlock({ reason: "bad_signature" });
    expect(elsewhere).not.toBlock({ outcome: "not_an_operation" });
    expect(elsewhere).not.toAllow({ outcome: "no_rule" });
    await expect(zone.evaluate({ method: "GET", url: "https://www.example.com/" })).resolves.not.toAllow({
      outcome: "passed",
    });
  });
});

describe("a failure has a message with the mismatch and the explanation of the verdict", () => {
  const failure = (assert: () => void): string => {
    try {
      assert();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("The matcher passed.");
  };

  test.each<[string, () => void, RegExp]>([
    [
      "the action differs",
      () => expect(expired).toAllow(),
      /action allow was expected, but it is block\n\nBLOCK {2}GET/,
    ],
    ["the reason differs", () => expect(expired).toBlock({ reason: "missing" }), /tokens were expired/],
    [
      "another rule decided",
      () => expect(expired).toBlock({ rule: "count" }),
      /rule count was expected to decide, but guard did/,
    ],
    [
      "no rule decided",
      () => expect(elsewhere).toAllow({ rule: "guard", outcome: "not_an_operation" }),
      /^rule guard was expected to decide, but no rule did/,
    ],
    [
      "the outcome differs",
      () => expect(valid).toAllow({ outcome: "no_rule" }),
      /outcome no_rule was expected, but it is passed/,
    ],
    [
      "the operation differs",
      () => expect(elsewhere).toAllow({ operation: "get" }),
      /operation get was expected, but it is none/,
    ],
    [
      "no rule references the configuration",
      () => expect(elsewhere).toAllow({ config: "idp" }),
      /no rule references the configuration idp/,
    ],
    [
      "the rule does not cover the operation",
      () => expect(other).toBeCoveredBy("guard"),
      /the covering rules are count; rule guard was expected/,
    ],
    [
      "the matcher is negated",
      () => expect(expired).not.toBlock({ reason: "expired" }),
      /"reason":"expired"} was not expected/,
    ],
  ])("%s", (_name, assert, message) => {
    expect(failure(assert)).toMatch(message);
  });

  test.each<[string, SimulatedRequest, string]>([
    [
      "a host with a mistake",
      { method: "GET", url: "https://apii.example.com/" },
      "no operation has the host `apii.example.com`; did you mean `api.example.com`? If that is meant, expect the outcome `not_an_operation`",
    ],
    [
      "a path with a mistake",
      { method: "PUT", url: "https://api.example.com/orders/7/item" },
      "no operation of the host `api.example.com` matches `PUT /orders/7/item`; the closest is `items`, `POST api.example.com/orders/{id}/items`. If that is meant, expect the outcome `not_an_operation`",
    ],
    [
      "a host without rules",
      { method: "GET", url: "https://free.example.com/" },
      "no rule includes the host `free.example.com`. If that is meant, expect the outcome `no_rule`",
    ],
    [
      "an operation that is excluded",
      { method: "POST", url: "https://api.example.com/orders/7/items" },
      "the rules for the host `api.example.com` exclude the operation. If that is meant, expect the outcome `no_rule`",
    ],
    [
      "a host whose rules are disabled",
      { method: "GET", url: "https://off.example.com/" },
      "every rule that matches is disabled: `off`. If that is meant, expect the outcome `no_rule`",
    ],
  ])("no rule was evaluated for %s, with every matcher and its negation", (_name, given, message) => {
    const verdict = zone.evaluateSync(given);
    const start = `no rule was evaluated: ${message}\n\nALLOW`;
    expect(failure(() => expect(verdict).toAllow())).toContain(start);
    expect(failure(() => expect(verdict).not.toAllow())).toContain(start);
    expect(failure(() => expect(verdict).not.toBlock())).toContain(start);
    expect(failure(() => expect(verdict).not.toLog({ reason: "expired" }))).toContain(start);
    expect(failure(() => expect(verdict).toBlock())).toContain(start);
    if (verdict.outcome === "not_an_operation") {
      expect(failure(() => expect(verdict).toBeCoveredBy("guard"))).toContain(start);
      expect(failure(() => expect(verdict).not.toBeCoveredBy("guard"))).toContain(start);
    } else expect(verdict).not.toBeCoveredBy("guard");
    expect(verdict).toAllow({ outcome: verdict.outcome });
  });

  test("a value that is not a verdict is a TypeError", () => {
    expect(() => expect(Promise.resolve(1)).toBlock()).toThrow(/await it first/);
    expect(() => expect(undefined).toBlock()).toThrow(/expects the verdict/);
  });
});

describe("an expectation about a rule looks at the checks that decided this rule", () => {
  const sources = ["a", "b"].map((name) => `http.request.headers["${name}"][0]`);
  const configs = sources.map((own, i) => {
    return { id: `c${i}`, token_sources: [own], credentials: { keys: [key.jwk] } };
  });
  const rule = (id: string, action: "log" | "block", expression: string) => {
    return { id, action, enabled: true, expression, selector };
  };
  const rules = [
    rule("count", "log", 'is_jwt_valid("c0")'),
    rule("guard", "block", 'is_jwt_valid("c1") and is_jwt_present("c0")'),
  ];

  test("not at the token of another rule", async () => {
    const both = await compileZone({ configs, rules }, { clock: () => nowMs });
    const token = await mintFaultyToken(key, "expired", { nowMs });
    const verdict = both.evaluateSync({
      method: "GET",
      url: "https://api.example.com/",
      headers: { a: token },
    });
    expect(verdict).toBlock({ reason: "expired" });
    expect(verdict).toBlock({ rule: "guard", reason: "missing" });
    expect(verdict).toBlock({ rule: "guard", reason: "missing", config: "c1" });
    expect(verdict).not.toBlock({ rule: "guard", reason: "expired" });
    expect(verdict).not.toBlock({ rule: "guard", config: "c0" });
    expect(() => expect(verdict).toBlock({ rule: "guard", reason: "expired" })).toThrow(
      /reason expired was expected, but in rule guard tokens were missing/,
    );
    expect(() => expect(verdict).toBlock({ rule: "guard", config: "c0" })).toThrow(
      /rule guard was not decided by a token of the configuration c0/,
    );
  });
});

test.each<[string, object, RegExp]>([
  ["a mistyped member", { rul: "guard" }, /`rul` is not an option of toBlock; did you mean `rule`\?/],
  ["an unknown member", { because: 1 }, /the options are rule, reason, config, operation/],
  ["a mistyped reason", { reason: "expird" }, /found `expird`; did you mean `expired`\?/],
  [
    "an object for a reason",
    { reason: Object.create(null) as never },
    /`reason` must be .*; found an object$/,
  ],
  ["a string", "guard" as never, /`expected` must be an object; found `guard`/],
])("%s is a TypeError, also when negated", (_, expected, message) => {
  expect(() => expect(expired).toBlock(expected)).toThrow(message);
  expect(() => expect(valid).not.toBlock(expected)).toThrow(message);
  expect(() => expect(expired).toBlock({ rule: undefined as never })).not.toThrow();
});

describe("an id that the zone does not have is an Error, also of the negated matcher", () => {
  const expectations = [
    [
      { rule: "gaurd" },
      "`rule` must be one of the zone's rules, guard, count, off; found `gaurd`; did you mean `guard`?",
    ],
    [
      { config: "ipd" },
      "`config` must be one of the zone's configurations, idp; found `ipd`; did you mean `idp`?",
    ],
    [
      { operation: "nothing" },
      "`operation` must be one of the zone's operations, get, put, other, items, free, off; found `nothing`.",
    ],
  ] as const;
  const matchers = ["toBlock", "toLog", "toAllow"] as const;
  const cases = matchers.flatMap((matcher) =>
    expectations.map(([ids, message]) => [matcher, ids, message] as const),
  );

  test.each(cases)("%s(%j)", (matcher, ids, message) => {
    for (const verdict of [expired, valid, logged, elsewhere]) {
      expect(() => expect(verdict)[matcher](ids)).toThrow(new Error(message));
      expect(() => expect(verdict).not[matcher](ids)).toThrow(new Error(message));
    }
  });

  test("toBeCoveredBy", () => {
    const [, message] = expectations[0];
    expect(() => expect(valid).toBeCoveredBy("gaurd")).toThrow(new Error(message));
    expect(() => expect(valid).not.toBeCoveredBy("gaurd")).toThrow(new Error(message));
  });

  test("a zone without rules, and one with many, are described in short", async () => {
    const at = { method: "GET", url: "https://api.example.com/" };
    const empty = (await compileZone({ configs: [], rules: [] })).evaluateSync(at);
    expect(() => expect(empty).not.toBeCoveredBy("guard")).toThrow(
      "the zone's rules, of which it has none; found `guard`.",
    );
    const rules = Array.from({ length: 12 }, (_, i) => {
      return {
        id: `r${i}`,
        action: "block",
        enabled: true,
        expression: 'http.host eq "a"',
        selector,
      } as const;
    });
    const many = (await compileZone({ configs: [], rules })).evaluateSync(at);
    expect(() => expect(many).toBeCoveredBy("another")).toThrow("r8, r9 and 2 more; found `another`.");
  });

  test("without a list of operations, the operation must be named like that of a request", async () => {
    const zone = await compileZone({ configs: [], rules: [] });
    const verdict = zone.evaluateSync({ method: "GET", url: "https://api.example.com/v1" });
    const outcome = "no_rule";
    expect(verdict).toAllow({ operation: "GET api.example.com/v1", outcome });
    expect(verdict).not.toAllow({ operation: "POST api.example.com/v1", outcome });
    expect(() => expect(verdict).not.toAllow({ operation: "get" })).toThrow(
      "the zone's operations, which are named like `GET api.example.com/`; found `get`.",
    );
  });
});
