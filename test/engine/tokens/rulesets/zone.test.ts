import { verdictMatchers } from "edgeproof/testing";
import { compileZone, type Ruleset, type SimulatedRequest, type ZoneInput } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { configs, host, nowMs, request, rule, tokens } from "../zone-fixture.ts";

const phase = "http_request_firewall_custom";
const clock = () => nowMs;

type Rule = NonNullable<Ruleset["rules"]>[number];

const custom = (expression: string, more: Partial<Rule> = {}): Rule => ({
  id: "c",
  action: "block",
  expression,
  ...more,
});

const entry = (...rules: readonly Rule[]): Ruleset => ({
  id: "z",
  kind: "zone",
  phase,
  rules: rules.map((rule, i) => ({ ...rule, id: rule.id === "c" ? `c${i}` : rule.id })),
});

const accountEntry = (...rules: readonly Rule[]): Ruleset => ({ ...entry(...rules), id: "a", kind: "root" });

const evaluate = async (
  input: Partial<ZoneInput>,
  asked: Partial<SimulatedRequest> = {},
  verifier?: "jose",
) => {
  const zone = await compileZone({ configs, rules: [], ...input }, { clock, ...(verifier && { verifier }) });
  return zone.evaluate({ ...request("/a"), ...asked });
};

const sub = 'lookup_json_string(http.request.jwt.claims["a"][0], "sub")';
const tokenRule = rule("t", 'is_jwt_valid("a")');

describe("a zone with custom rules", () => {
  test("a zone without rulesets has no custom part", async () => {
    const verdict = await evaluate({ rules: [tokenRule] });
    expect(verdict.custom).toBeUndefined();
    expect("custom" in verdict.toJSON()).toBe(false);
  });

  test("a custom rule that blocks ends the evaluation; token rules are not reached", async () => {
    const verdict = await evaluate({ rules: [tokenRule], rulesets: [entry(custom("true"))] });
    expect(verdict).toMatchObject({ action: "block", outcome: "custom_rule" });
    expect(verdict.rule).toBeUndefined();
    expect(verdict.rules.map(({ result }) => result)).toEqual(["not_reached"]);
    expect(verdict.trace.expressions).toEqual([]);
    expect(verdict.custom).toMatchObject({
      action: "block",
      response: { status_code: 403 },
      rule: { ruleset: "z", rule: "c0", action: "block" },
      rules: [{ result: "matched" }],
      needs: [],
    });
  });

  test("token rules decide after custom rules that do not end the evaluation", async () => {
    const rulesets = [entry(custom("true", { action: "log" }))];
    const blocked = await evaluate({ rules: [tokenRule], rulesets });
    expect(blocked).toMatchObject({ action: "block", outcome: "fired", rule: { id: "t" } });
    const logged = await evaluate({ rules: [tokenRule], rulesets }, request("/a", { a: tokens.valid }));
    expect(logged).toMatchObject({ action: "log", outcome: "custom_rule" });
  });

  test("the account's rules are evaluated before the zone's", async () => {
    const verdict = await evaluate({
      account_rulesets: [accountEntry(custom("true", { action: "managed_challenge" }))],
      rulesets: [entry(custom("true"))],
    });
    expect(verdict).toMatchObject({ action: "challenge", custom: { kind: "managed_challenge" } });
    expect(verdict.custom?.rules.map(({ ruleset, result }) => [ruleset, result])).toEqual([
      ["a", "matched"],
      ["z", "not_reached"],
    ]);
  });

  test("a challenge that was passed does not fire", async () => {
    const rulesets = [entry(custom("true", { action: "challenge" }))];
    expect((await evaluate({ rulesets })).action).toBe("challenge");
    expect((await evaluate({ rulesets }, { challengePassed: true })).action).toBe("allow");
  });

  test("the response of a rule that blocks", async () => {
    const response = { status_code: 451, content: "no", content_type: "text/plain" } as const;
    const verdict = await evaluate({
      rulesets: [entry(custom("true", { action_parameters: { response } }))],
    });
    expect(verdict.custom?.response).toEqual(response);
  });
});

describe("claims", () => {
  const rulesets = [entry(custom(`not (${sub} eq "u1")`))];

  test.each(["node", "jose"] as const)("only those of valid tokens are read (%s)", async (verifier) => {
    const action = async (token?: string) =>
      (
        await evaluate(
          { rulesets },
          request("/a", token === undefined ? {} : { a: token }),
          verifier === "jose" ? verifier : undefined,
        )
      ).action;
    expect(await action(tokens.valid)).toBe("allow");
    expect(await action(tokens.expired)).toBe("block");
    expect(await action(tokens.unknownKey)).toBe("block");
    expect(await action()).toBe("block");
  });

  test("a rule with `ne` lets requests without a valid token pass", async () => {
    const open = [entry(custom(`${sub} ne "u1"`))];
    expect((await evaluate({ rulesets: open }, request("/a", { a: tokens.expired }))).action).toBe("allow");
  });

  test("the explanation has the reason of a missing claim, and never the token", async () => {
    const verdict = await evaluate({ rulesets }, request("/a", { a: tokens.expired }));
    const text = verdict.explain();
    expect(text).toContain("custom     block  c0  status 403");
    expect(text).toContain(`${sub} eq "u1" is false: missing: expired`);
    expect(text).not.toContain(tokens.expired);
  });

  test("the explanation names the rule that decided, and the parts that decided with what they found", async () => {
    const expression = `http.request.method in {"PUT" "DELETE"} and ip.src ne 192.0.2.1 or http.host eq "x" or not ${sub} eq "u1"`;
    const rules = [custom('http.host contains "www"'), custom(expression, { description: "Users" })];
    const verdict = await evaluate({ rulesets: [entry(...rules)] }, request("/a", { a: tokens.expired }));
    const lookup = `${sub} eq "u1"`;
    expect(verdict.explain().split("\n").slice(1, -2)).toEqual([
      "operation  GET api.example.com/a  (no operations given)",
      'custom     block  "Users" (c1)  status 403',
      `because    ${lookup} is false: missing: expired`,
      "",
      "custom rules  (1 matched, 1 not_matched)",
      '  1.  not_matched  block  z c0            http.host contains "www" is false: "api.example.com"',
      '  2.  matched      block  "Users" (z c1)  the expression is true',
      "        or is true",
      "          and is false",
      '            http.request.method in {"PUT" "DELETE"} is false: "GET"',
      "            ip.src ne 192.0.2.1 is not evaluated",
      '          http.host eq "x" is false: "api.example.com"',
      `          not ${lookup} is true: missing: expired`,
      "",
    ]);
  });

  test("the explanation of a rule that was found not to match adds no token to the trace", async () => {
    const expression = `${sub} eq "u1" and http.host eq "www.example.com"`;
    const explained = await evaluate(
      { rulesets: [entry(custom(expression))] },
      request("/a", { a: tokens.valid }),
    );
    expect(explained.explain()).toContain(`${sub} eq "u1" is true`);
    expect(explained.toJSON()).toMatchObject({
      trace: { tokens: [] },
      claims: {},
      custom: { expressions: [] },
    });
  });

  test("a token in a compared value is masked in the trace", async () => {
    const expression = 'http.request.headers["x-a"][0] contains "Bearer"';
    const asked = request("/a", { a: tokens.valid });
    const verdict = await evaluate(
      { rules: [rule("t", expression)], rulesets: [entry(custom(expression, { action: "log" }))] },
      asked,
    );
    for (const trace of [verdict.trace.expressions[0], verdict.custom?.expressions[0]])
      expect(trace?.decidedBy).toMatchObject([{ value: true, found: '"Bearer ***"' }]);
  });

  test("a value of more than 1,000 characters is shortened in the trace", async () => {
    const url = `https://${host}/${"a".repeat(5_000)}`;
    const rulesets = [entry(custom('http.request.uri.path contains "a"'))];
    const verdict = await evaluate({ rulesets }, { url });
    const [part] = verdict.custom?.expressions[0]?.decidedBy ?? [];
    expect(part?.found).toBe(`"/${"a".repeat(998)}...`);
  });

  test("the explanation of many rules has those that are not false, and the number of each result", async () => {
    const many = Array.from({ length: 30 }, (_, i) => custom(`http.host eq "h${i}"`));
    const rules = [...many, custom("cf.client.bot", { action: "log" }), custom("ssl")];
    const verdict = await evaluate({ rulesets: [entry(...rules)] });
    expect(verdict.explain().split("\n").slice(2)).toEqual([
      "custom     block  c31  status 403",
      "because    ssl is true",
      "",
      "custom rules  (1 matched, 30 not_matched, 1 undecided)",
      "  31.  undecided  log    z c30  cf.client.bot is unknown",
      "  32.  matched    block  z c31  ssl is true",
    ]);
  });

  test.each([
    [
      "more than 65,536 bytes",
      `{"a":"b","c":"${"x".repeat(65_536)}"}`,
      "JSON of more than 65536 bytes is not read",
    ],
    [
      "more than 64 levels",
      `{"a":"b","c":${"[".repeat(64)}${"]".repeat(64)}}`,
      "JSON nested more than 64 deep is not read",
    ],
  ])("of JSON of %s are missing, with the limit in the explanation", async (_, body, limit) => {
    const text = 'lookup_json_string(http.request.body.raw, "a") eq "b"';
    const verdict = await evaluate({ rulesets: [entry(custom(`not ${text}`))] }, { body });
    const part = { text, span: { start: 4, end: 4 + text.length }, value: false, reason: "missing_value" };
    expect(verdict.custom?.expressions[0]?.decidedBy).toEqual([{ ...part, found: `missing: ${limit}` }]);
    expect(verdict.explain()).toContain(`${text} is false: missing: ${limit}`);
  });

  test("of JSON at the limits are read", async () => {
    const rulesets = [entry(custom('lookup_json_string(http.request.body.raw, "a") eq "b"'))];
    const deep = `{"a":"b","c":${"[".repeat(63)}${"]".repeat(63)}}`;
    const long = `{"a":"b","c":"${"x".repeat(65_536 - 16)}"}`;
    expect(long).toHaveLength(65_536);
    for (const body of [deep, long]) expect((await evaluate({ rulesets }, { body })).action).toBe("block");
  });

  test("of a token that is nested too deep are missing, with the limit", async () => {
    const verdict = await evaluate({ rulesets }, request("/a", { a: tokens.nested }));
    expect(verdict.action).toBe("block");
    expect(verdict.explain()).toContain("missing: JSON nested more than 64 deep is not read");
  });

  test("each token is verified once for both kinds of rules", async () => {
    const verdict = await evaluate({ rulesets, rules: [tokenRule] }, request("/a", { a: tokens.valid }));
    expect(verdict.trace.tokens.map(({ configId, reason }) => [configId, reason])).toEqual([["a", "valid"]]);
    expect(verdict.claims["a"]).toMatchObject({ sub: "u1" });
  });
});

describe("unknown values", () => {
  const rulesets = [entry(custom("ip.src in {10.0.0.0/8}"))];

  test("a rule that needs one makes the verdict undecided, which no matcher accepts", async () => {
    const verdict = await evaluate({ rulesets });
    expect(verdict).toMatchObject({
      action: "undecided",
      outcome: "undecided",
      custom: { needs: ["ip.src"] },
    });
    for (const matcher of ["toAllow", "toBlock", "toLog", "toChallenge"] as const) {
      for (const isNot of [false, true]) {
        const result = verdictMatchers[matcher].call({ isNot }, verdict);
        expect(result.pass).toBe(isNot);
        expect(result.message()).toContain("Undecided: the custom rules need `ip` of the request.");
      }
    }
  });

  test("given values decide", async () => {
    expect((await evaluate({ rulesets }, { ip: "10.1.2.3" })).action).toBe("block");
    expect((await evaluate({ rulesets }, { ip: "192.0.2.1" })).action).toBe("allow");
  });

  test("a verdict is decided when both values lead to it", async () => {
    const verdict = await evaluate({ rulesets: [entry(custom("ip.src eq 10.0.0.1"), custom("true"))] });
    expect(verdict).toMatchObject({ action: "block", custom: { action: "block", needs: [] } });
    expect(verdict.custom?.rule).toBeUndefined();
    expect(verdict.custom?.rules.map(({ result }) => result)).toEqual(["undecided", "undecided"]);
  });

  test("a token rule that blocks decides, whatever a custom rule would", async () => {
    const verdict = await evaluate({ rulesets, rules: [tokenRule] });
    expect(verdict).toMatchObject({ action: "block", outcome: "fired", custom: { action: "undecided" } });
  });

  test("a list that is not given is unknown and noted; a given one is searched", async () => {
    const input: ZoneInput = { configs, rules: [], rulesets: [entry(custom("ip.src in $office"))] };
    const zone = await compileZone(input, { clock });
    expect(zone.notes.map(({ pointer }) => pointer)).toEqual(["/rulesets/0/rules/0/expression"]);
    const asked = { ...request("/a"), ip: "192.0.2.9" };
    const verdict = await zone.evaluate(asked);
    expect(verdict.custom?.needs).toEqual(["$office"]);
    const lists = { office: { kind: "ip", items: ["192.0.2.0/24"] } } as const;
    const given = await compileZone({ ...input, lists }, { clock });
    expect([given.notes, (await given.evaluate(asked)).action]).toEqual([[], "block"]);
  });

  test("a rule that an import could not read is unknown, with its reason", async () => {
    const verdict = await evaluate({ rulesets: [entry(custom("", { undecided: "known after apply" }))] });
    expect(verdict.custom?.needs).toEqual(["rule c0: known after apply"]);
  });

  test("exposed credentials are not simulated: the rule may match", async () => {
    const checked = { exposed_credential_check: { username_expression: "a", password_expression: "b" } };
    const matching = await evaluate({ rulesets: [entry(custom("true", checked))] });
    expect(matching.custom?.needs).toEqual(["rule c0: exposed credentials are not simulated"]);
    expect((await evaluate({ rulesets: [entry(custom("false", checked))] })).action).toBe("allow");
    const rewriting = await evaluate({ rulesets: [entry(custom("true", { action: "rewrite" }))] });
    expect(rewriting).toMatchObject({ action: "allow", custom: { rules: [{ result: "undecided" }] } });
  });
});

describe("matchers", () => {
  test("an evaluated custom rule counts as evaluated", async () => {
    const verdict = await evaluate({ rulesets: [entry(custom("false"))] });
    expect(verdict.outcome).toBe("no_rule");
    expect(verdictMatchers.toAllow(verdict).pass).toBe(true);
    const disabled = await evaluate({ rulesets: [entry(custom("false", { enabled: false }))] });
    expect(verdictMatchers.toAllow(disabled).pass).toBe(false);
  });

  test("a custom rule is expected by its id, and an unknown id is an error", async () => {
    const verdict = await evaluate({ rulesets: [entry(custom("true", { action: "js_challenge" }))] });
    expect(verdictMatchers.toChallenge(verdict, { rule: "c0" }).pass).toBe(true);
    expect(verdictMatchers.toChallenge(verdict, { rule: "c0", outcome: "custom_rule" }).pass).toBe(true);
    expect(() => verdictMatchers.toChallenge(verdict, { rule: "c9" })).toThrow("did you mean `c0`");
  });
});

describe("bad input", () => {
  test("an error of an expression has the pointer of the rule and the position in the text", async () => {
    const rulesets = [entry(custom("ssl eq true"))];
    await expect(compileZone({ configs, rules: [], rulesets }, { clock })).rejects.toThrow(
      /\/rulesets\/0\/rules\/0\/expression: At line 1, column \d+ of the expression/,
    );
  });

  // Position, what was found, and the next step.
  test.each([
    [
      "a field of another phase",
      "http.response.code eq 200",
      "column 1 of the expression: `http.response.code` is not available in custom rules; it exists in counting expressions of `http_ratelimit`, conditions of `http_response_headers_transform`",
    ],
    [
      "a function of another phase",
      'sha256(http.host) eq "a"',
      "column 1 of the expression: `sha256` is not available in custom rules; it exists in conditions of `http_request_late_transform`",
    ],
    [
      "an unsupported field",
      'cf.colo.region eq "a"',
      "column 1 of the expression: `cf.colo.region` is not a field of custom rules; docs/reference.md lists",
    ],
    [
      "a mistyped field",
      'http.hots eq "a"',
      "column 1 of the expression: `http.hots` is an unknown field; did you mean `http.host`?",
    ],
    ["a very long name", `${"a".repeat(4000)} eq "a"`, "column 1 of the expression: `aaaa"],
    [
      "a wrong type",
      'ssl and ip.src contains "1"',
      "column 16 of the expression: `ip.src` is an IP, which has no operator `contains`; it has `eq`",
    ],
    [
      "4,097 characters",
      `http.host eq "${"a".repeat(4082)}"`,
      "column 4097 of the expression: An expression must have at most 4096 characters; this one has 4097. Divide it into several rules.",
    ],
    [
      "129 parentheses",
      `${"(".repeat(129)}ssl${")".repeat(129)}`,
      "column 129 of the expression: An expression must be nested at most 128 levels deep. Remove parentheses, or divide it into several rules.",
    ],
    [
      "10,000 parentheses",
      `${"(".repeat(10_000)}ssl${")".repeat(10_000)}`,
      "column 4097 of the expression: An expression must have at most 4096 characters; this one has 20003.",
    ],
    [
      "65 regular expressions",
      Array(65).fill('http.host ~ "a"').join(" or "),
      "column 1229 of the expression: An expression must have at most 64 regular expressions; this is number 65. Join patterns with `|`",
    ],
    [
      "4,096 characters of `[*]`",
      "[*]".repeat(1365),
      "column 1 of the expression: Expected a field, a call, `any(...)`, `all(...)`, `not` or `(`, but found `[`.",
    ],
    [
      "a field with `[*]` up to 4,096 characters",
      `http.request.headers${"[*]".repeat(1358)}`,
      "column 27 of the expression: `http.request.headers[*][*]` is a String, which has no index; only an Array and a Map have one.",
    ],
  ])("an expression with %s is rejected", async (_, expression, message) => {
    const rulesets = [entry(custom("ssl"), custom(expression))];
    const compiled = compileZone({ configs, rules: [], rulesets }, { clock });
    await expect(compiled).rejects.toThrow(`/rulesets/0/rules/1/expression: At line 1, ${message}`);
  });

  test.each([
    [
      "a configuration that the zone lacks",
      'lookup_json_string(http.request.jwt.claims["ab"][0], "sub") eq "a"',
      "column 44 of the expression: There is no token configuration `ab`: its claims are always missing; did you mean `a`?",
    ],
    [
      "a configuration with another name",
      'lookup_json_string(http.request.jwt.claims["staging"][0], "sub") eq "a"',
      "column 44 of the expression: There is no token configuration `staging`: its claims are always missing.",
    ],
    [
      "a list that was not given",
      "ssl or ip.src in $office",
      'column 18 of the expression: There is no list `$office`: whether it has a value is unknown; add `{ "name": "office", "kind": "ip", "items": [...] }` to `accounts[].lists` of a world, or `"office": { "kind": "ip", "items": [...] }` to `lists` of a zone.',
    ],
  ])("an expression with %s is noted", async (_, expression, message) => {
    const zone = await compileZone({ configs, rules: [], rulesets: [entry(custom(expression))] }, { clock });
    expect(zone.notes.map(({ pointer }) => pointer)).toEqual(["/rulesets/0/rules/0/expression"]);
    expect(zone.notes[0]?.message).toContain(`At line 1, ${message}`);
  });

  test.each<[string, object, string]>([
    ["lists of another type", [], "/lists: `lists` must be an object"],
    [
      "a name with an upper-case letter",
      { A: { kind: "ip", items: [] } },
      "/lists/A: The name of a list must have",
    ],
    [
      "another kind",
      { a: { kind: "cidr", items: [] } },
      "/lists/a/kind: `kind` must be `ip`, `hostname` or `asn`",
    ],
    ["no items", { a: { kind: "ip" } }, "/lists/a/items: `items` must be an array"],
    ["an invalid address", { a: { kind: "ip", items: ["10.0.0.0/8", "x"] } }, "/lists/a/items/1: "],
  ])("rejected: %s", async (_, lists, message) => {
    const input = { configs, rules: [], rulesets: [], lists } as unknown as ZoneInput;
    await expect(compileZone(input, { clock })).rejects.toThrow(message);
  });

  test("a request with a wrong address", async () => {
    await expect(evaluate({ rulesets: [entry(custom("true"))] }, { ip: "10.0.0.256" })).rejects.toThrow(
      "/ip",
    );
  });
});

test("rules of other hosts and methods are not evaluated, with the same verdict", async () => {
  const rules = Array.from({ length: 100 }, (_, i) =>
    custom(`http.host eq "h${i}.example.com" and ip.src eq 10.0.0.1`, { id: `r${i}` }),
  );
  const zone = await compileZone({ configs, rules: [], rulesets: [entry(...rules)] }, { clock });
  const other = await zone.evaluate({ method: "GET", url: `https://${host}/` });
  expect(other.action).toBe("allow");
  expect(other.custom?.rules.every(({ result }) => result === "not_matched")).toBe(true);
  const seventh = await zone.evaluate({ method: "GET", url: "https://h7.example.com/", ip: "10.0.0.1" });
  expect(seventh.custom?.rule?.rule).toBe("r7");
});
