import {
  type CompileZoneOptions,
  checkZone,
  compileZone,
  type Operation,
  type TokenRule,
} from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../../../../src/errors.ts";
import { configs, host, nowMs, request, rule, tokens } from "../zone-fixture.ts";

const clock = () => nowMs;

const operations: readonly Operation[] = [
  { operation_id: "users", method: "GET", host, endpoint: "/users/{id}" },
  { operation_id: "login", method: "POST", host, endpoint: "/login" },
];

async function evaluate(
  rules: readonly TokenRule[],
  given: ReturnType<typeof request>,
  options: CompileZoneOptions = {},
) {
  const zone = await compileZone({ configs, rules, operations }, { clock, ...options });
  return zone.evaluate(given);
}

const results = (verdict: { rules: readonly { id: string; result: string }[] }) =>
  verdict.rules.map(({ id, result }) => `${id} ${result}`);

const users = request("/users/7", { a: tokens.valid, b: tokens.expired });
const a = 'is_jwt_valid("a")';
const b = 'is_jwt_valid("b")';

describe("precedence all", () => {
  test("when every rule passes, the request is allowed and no rule decided", async () => {
    const verdict = await evaluate([rule("1", a), rule("2", `${b} or ${a}`, { action: "log" })], users);
    expect(verdict).toMatchObject({ action: "allow", outcome: "passed" });
    expect(verdict.rule).toBeUndefined();
    expect(results(verdict)).toEqual(["1 passed", "2 passed"]);
  });

  test("evaluation continues after a failing log and ends at a failing block; the strongest action wins", async () => {
    const rules = [
      rule("1", b, { action: "log" }),
      rule("2", a),
      rule("3", b, { enabled: false }),
      rule("4", b, { title: "Four" }),
      rule("5", a),
      rule("6", b, { enabled: false }),
    ];
    const verdict = await evaluate(rules, users);
    expect(verdict).toMatchObject({
      action: "block",
      outcome: "fired",
      rule: { id: "4", title: "Four", action: "block" },
    });
    expect(results(verdict)).toEqual([
      "1 fired",
      "2 passed",
      "3 disabled",
      "4 fired",
      "5 shadowed",
      "6 disabled",
    ]);
  });

  test("of several failing logs the first one decided", async () => {
    const log = { action: "log" } as const;
    const verdict = await evaluate([rule("1", a, log), rule("2", b, log), rule("3", b, log)], users);
    expect(verdict).toMatchObject({ action: "log", rule: { id: "2" } });
    expect(results(verdict)).toEqual(["1 passed", "2 fired", "3 fired"]);
  });
});

describe("precedence first", () => {
  const first = { precedence: "first" } as const;

  test("the first enabled rule decides when it passes", async () => {
    const verdict = await evaluate(
      [rule("1", b, { enabled: false }), rule("2", a), rule("3", b)],
      users,
      first,
    );
    expect(verdict).toMatchObject({ action: "allow", outcome: "passed", rule: { id: "2" } });
    expect(results(verdict)).toEqual(["1 disabled", "2 passed", "3 shadowed"]);
  });

  test("the first enabled rule decides when it fails", async () => {
    const verdict = await evaluate([rule("1", b, { action: "log" }), rule("2", b)], users, first);
    expect(verdict).toMatchObject({ action: "log", outcome: "fired", rule: { id: "1" } });
    expect(results(verdict)).toEqual(["1 fired", "2 shadowed"]);
  });

  test("a rule that excludes the operation neither decides nor is listed", async () => {
    const selector = { include: [{ host: [host] }], exclude: [{ operation_ids: ["users"] }] };
    const verdict = await evaluate([rule("1", b, { selector }), rule("2", a), rule("3", b)], users, first);
    expect(verdict).toMatchObject({ action: "allow", rule: { id: "2" } });
    expect(results(verdict)).toEqual(["2 passed", "3 shadowed"]);
  });
});

describe("operations", () => {
  test("a request that matches no operation is allowed without evaluating rules", async () => {
    for (const given of [
      request("/other"),
      request("/users/7", {}, "POST"),
      { method: "GET", url: "https://b.example/users/7" },
    ]) {
      const verdict = await evaluate([rule("1", a)], given);
      expect(verdict).toMatchObject({ action: "allow", outcome: "not_an_operation", rules: [] });
      expect(verdict.operation).toBeUndefined();
    }
  });

  test("a request without matching rules is allowed with the outcome no_rule", async () => {
    const elsewhere = { selector: { include: [{ host: ["b.example"] }] } };
    const verdict = await evaluate(
      [rule("1", a, elsewhere), rule("2", a, { enabled: false })],
      request("/users/7"),
    );
    expect(verdict).toMatchObject({
      action: "allow",
      outcome: "no_rule",
      operation: { operation_id: "users" },
    });
    expect(results(verdict)).toEqual(["2 disabled"]);
  });

  test("without an operation list each request is its own operation; with an empty one none is", async () => {
    const rules = [rule("1", a)];
    const open = await compileZone({ configs, rules }, { clock });
    expect(open.evaluateSync(request("/anything", {}, "purge"))).toMatchObject({
      action: "block",
      operation: { operation_id: `PURGE ${host}/anything`, method: "PURGE", host, endpoint: "/anything" },
    });
    expect(open.evaluateSync({ method: "GET", url: "https://b.example/" })).toMatchObject({
      outcome: "no_rule",
    });
    const closed = await compileZone({ configs, rules, operations: [] }, { clock });
    expect(closed.evaluateSync(request("/anything"))).toMatchObject({ outcome: "not_an_operation" });
  });
});

describe("the trace", () => {
  test("a configuration is verified only when the expression needs it", async () => {
    const verdict = await evaluate(
      [rule("1", `${a} or ${b}`), rule("2", 'is_jwt_present("c") or not is_jwt_valid("d")')],
      users,
    );
    expect(verdict.trace.tokens).toEqual([
      {
        configId: "a",
        present: true,
        source: 'http.request.headers["x-a"][0]',
        reason: "valid",
        kid: "k1",
        alg: "ES256",
      },
      { configId: "c", present: false },
      { configId: "d", present: false, reason: "missing" },
    ]);
    expect(verdict.trace.expressions).toEqual([
      {
        ruleId: "1",
        value: true,
        decidedBy: [{ text: a, span: { start: 0, end: 17 }, value: true, config: "a", reason: "valid" }],
        tree: {
          operator: "or",
          span: { start: 0, end: 38 },
          value: true,
          operands: [
            { text: a, span: { start: 0, end: 17 }, value: true, config: "a", reason: "valid" },
            { text: b, span: { start: 21, end: 38 }, config: "b", reason: "short_circuit" },
          ],
        },
      },
      {
        ruleId: "2",
        value: true,
        decidedBy: [
          {
            text: 'is_jwt_valid("d")',
            span: { start: 27, end: 44 },
            value: false,
            config: "d",
            reason: "missing",
          },
        ],
        tree: {
          operator: "or",
          span: { start: 0, end: 44 },
          value: true,
          operands: [
            { text: 'is_jwt_present("c")', span: { start: 0, end: 19 }, value: false, config: "c" },
            {
              operator: "not",
              span: { start: 23, end: 44 },
              value: true,
              operands: [
                {
                  text: 'is_jwt_valid("d")',
                  span: { start: 27, end: 44 },
                  value: false,
                  config: "d",
                  reason: "missing",
                },
              ],
            },
          ],
        },
      },
    ]);
  });

  test("configurations with equal sources each check the token that was found once", async () => {
    const sources = ['http.request.headers["authorization"][0]'];
    const same = configs.slice(0, 2).map((config) => ({ ...config, token_sources: sources }));
    const zone = await compileZone({ configs: same, rules: [rule("1", `not ${a} or ${b}`)] }, { clock });
    let reads = 0;
    const headers = {
      get authorization() {
        reads++;
        return tokens.valid;
      },
    };
    const verdict = zone.evaluateSync({ method: "GET", url: `https://${host}/`, headers });
    expect(verdict.trace.tokens).toMatchObject([
      { configId: "a", source: sources[0], reason: "valid" },
      { configId: "b", source: sources[0], reason: "valid" },
    ]);
    expect(reads).toBe(1);
  });

  test("presence is tested without verifying the token", async () => {
    const verdict = await evaluate(
      [rule("1", 'is_jwt_present("a") and is_jwt_present("b")')],
      request("/users/1", { a: "x", b: "y" }),
    );
    expect(verdict.action).toBe("allow");
    expect(verdict.trace.tokens.map(({ reason }) => reason)).toEqual([undefined, undefined]);
  });

  test.each([
    [`${a} and ${b}`, [b]],
    [`${b} and ${a}`, [b]],
    [`${b} or is_jwt_valid("c")`, [b, 'is_jwt_valid("c")']],
    [`not (${a} or ${b})`, [a]],
    [`${a} xor not ${b}`, [a, b]],
    [
      `${a} and (http.host eq "x" or http.request.method eq "POST")`,
      ['http.host eq "x"', 'http.request.method eq "POST"'],
    ],
  ])("%s is false because of %j", async (expression, parts) => {
    const verdict = await evaluate([rule("1", expression)], users);
    expect(verdict.trace.expressions[0]).toMatchObject({ value: false });
    expect(verdict.trace.expressions[0]?.decidedBy.map((part) => part.text)).toEqual(parts);
  });

  test("claims are those of valid tokens only", async () => {
    const verdict = await evaluate([rule("1", `${b} or ${a}`)], users);
    expect({ ...verdict.claims }).toEqual({ a: { sub: "u1", exp: nowMs / 1000 + 60 } });
    expect(Object.getPrototypeOf(verdict.claims)).toBeNull();
  });

  test("time comes from the clock and tolerance from the option", async () => {
    const given = request("/users/1", { a: tokens.expired });
    expect((await evaluate([rule("1", a)], given)).action).toBe("block");
    expect((await evaluate([rule("1", a)], given, { clockToleranceSeconds: 61 })).action).toBe("allow");
    expect((await evaluate([rule("1", a)], given, { clock: () => nowMs - 61_000 })).action).toBe("allow");
  });
});

describe("a verdict", () => {
  test("does not change with the request, and nothing in it can be changed", async () => {
    const headers = { "x-a": tokens.valid, "x-tag": "t" };
    const given = { method: "GET", url: `https://${host}/users/1`, headers };
    const rules = [rule("1", `${a} and http.request.headers["x-tag"][0] eq "t"`)];
    const verdict = await evaluate(rules, given);
    const before = JSON.stringify(await evaluate(rules, { ...given, headers: { ...headers } }));
    headers["x-a"] = "other";
    headers["x-tag"] = "other";
    given.url = "https://b.example/";
    expect(JSON.stringify(verdict)).toBe(before);
    expect(Object.isFrozen(verdict.rules) && Object.isFrozen(verdict.rules[0])).toBe(true);
    expect(Object.isFrozen(verdict.trace) && Object.isFrozen(verdict.trace.expressions)).toBe(true);
    expect(Object.isFrozen(verdict.claims) && Object.isFrozen(verdict.operation)).toBe(true);
  });

  test("is a plain object in JSON", async () => {
    const verdict = await evaluate([rule("1", b)], users);
    expect(JSON.parse(JSON.stringify(verdict))).toEqual({
      action: "block",
      outcome: "fired",
      operation: operations[0],
      rule: { id: "1", action: "block" },
      rules: [{ id: "1", action: "block", result: "fired" }],
      trace: {
        tokens: [expect.objectContaining({ configId: "b", reason: "expired" })],
        expressions: [
          {
            ruleId: "1",
            value: false,
            decidedBy: [
              { text: b, span: { start: 0, end: 17 }, value: false, config: "b", reason: "expired" },
            ],
            tree: { text: b, span: { start: 0, end: 17 }, value: false, config: "b", reason: "expired" },
          },
        ],
      },
      claims: {},
    });
  });

  test("explains itself", async () => {
    const rules = [rule("r1", a, { action: "log" }), rule("r2", b, { title: "Partners" }), rule("r3", a)];
    const text = (await evaluate(rules, users)).explain();
    const lines = text.split("\n");
    expect(lines.slice(0, 9)).toEqual([
      `BLOCK  GET https://${host}/users/7`,
      `operation  users  GET ${host}/users/{id}`,
      'rule       "Partners" (r2)  block',
      'because    is_jwt_valid("b") is false: expired',
      "",
      "rules",
      '  1.  passed    log    r1               is_jwt_valid("a") is true',
      '  2.  fired     block  "Partners" (r2)  is_jwt_valid("b") is false: expired',
      "  3.  shadowed  block  r3",
    ]);
    expect(lines.slice(9, 11)).toEqual(["", "tokens"]);
    expect(lines[11]).toMatch(/^ {2}a {2}valid {4}http.request.headers\["x-a"\]\[0\] {2}kid k1, alg ES256$/);
    expect(lines[12]).toMatch(/^ {2}b {2}expired {2}.*kid k1, alg ES256 {2}\S/);
  });

  test("explains every part of an expression, with titles and reasons", async () => {
    const absent = 'http.request.headers["x-tag"][0] eq "t"';
    const text = `${b} and is_jwt_present("d") or not (${a} xor len(http.request.headers["x"][0]) gt 1) or not ${absent}`;
    const titled = configs.map((config) => ({ ...config, title: `The ${config.id}s` }));
    const zone = await compileZone({ configs: titled, rules: [rule("r", text)], operations }, { clock });
    const verdict = await zone.evaluate(users);
    expect(verdict.explain().split("\n").slice(3)).toEqual([
      "",
      "rules",
      "  1.  passed  block  r  the expression is true",
      "        or is true",
      "          and is false",
      '            is_jwt_valid("b") "The bs" is false: expired',
      '            is_jwt_present("d") is not evaluated',
      "          not is false",
      "            xor is true",
      '              is_jwt_valid("a") "The as" is true',
      '              len(http.request.headers["x"][0]) gt 1 is false: no value to compare',
      `          not ${absent} is true: no value to compare`,
      "",
      "tokens",
      expect.stringMatching(/^ {2}"The bs" \(b\) {2}expired /),
      expect.stringMatching(/^ {2}"The as" \(a\) {2}valid /),
    ]);
  });

  test("explains at most 60 lines of expressions", async () => {
    const parts = Array.from({ length: 100 }, (_, i) => `http.host eq "${i}"`);
    const lines = (
      await evaluate([rule("1", parts.join(" or ")), rule("2", `${a} or ${b}`)], users)
    ).explain();
    expect(
      lines.split("\n").filter((line) => /^ {8,}/.test(line) && !line.startsWith("           ")),
    ).toHaveLength(61);
    expect(lines).toContain("        ... and 41 more lines");
  });

  test("explains requests without operation, and shortens a long list of rules", async () => {
    const none = await evaluate([rule("1", a)], request("/other"));
    expect(none.explain()).toContain("operation  none\nbecause    the request matches no operation");
    const many = await evaluate(
      Array.from({ length: 30 }, (_, i) => rule(`${i}`, a)),
      users,
    );
    expect(many.explain()).toContain("  ... and 10 more");
  });

  test("explains hostile names on one line without control characters", async () => {
    const verdict = await evaluate([rule("1", a, { title: "x\n\u001b[31m\u202e" })], users);
    expect(verdict.explain()).toContain("x\\u{a}\\u{1b}[31m\\u{202e}");
  });
});

describe("jose", () => {
  const jose = { verifier: "jose" } as const;

  test("returns the same verdicts, asynchronously", async () => {
    const rules = [
      rule("1", `${a} and (${b} or is_jwt_valid("c"))`, { action: "log" }),
      rule("2", `${a} xor ${b}`),
    ];
    const given = request("/users/7", {
      a: tokens.valid,
      b: tokens.unknownKey,
      c: tokens.malformed,
      d: tokens.valid,
    });
    const [verdict, other] = [await evaluate(rules, given, jose), await evaluate(rules, given)];
    expect(verdict.toJSON()).toEqual(other.toJSON());
  });

  test("reads the request when it is given", async () => {
    const zone = await compileZone(
      { configs, rules: [rule("1", `${a} and ${b}`)], operations },
      { clock, ...jose },
    );
    const headers: [string, string][] = [
      ["x-a", tokens.valid],
      ["x-b", tokens.valid],
    ];
    const evaluating = zone.evaluate({ method: "GET", url: `https://${host}/users/1`, headers });
    headers.length = 0;
    expect((await evaluating).action).toBe("allow");
  });

  test("cannot evaluate synchronously", async () => {
    const zone = await compileZone({ configs, rules: [] }, jose);
    expect(() => zone.evaluateSync(request("/"))).toThrow("await zone.evaluate(request)");
  });
});

describe("misuse", () => {
  test("an invalid request rejects, or throws, with its problems", async () => {
    const zone = await compileZone({ configs, rules: [] });
    const wrong = { method: "GET", url: "/users" };
    await expect(zone.evaluate(wrong)).rejects.toMatchObject({ problems: [{ pointer: "/url" }] });
    expect(() => zone.evaluateSync(wrong)).toThrow(InvalidInputError);
  });

  test("invalid options are rejected", async () => {
    await expect(compileZone({ configs, rules: [] }, { precedence: "last" as never })).rejects.toThrow(
      RangeError,
    );
    await expect(compileZone({ configs, rules: [] }, { verifier: "other" as never })).rejects.toThrow(
      RangeError,
    );
    await expect(compileZone({ configs, rules: [] }, { limits: { maxLength: 0 } })).rejects.toThrow(
      RangeError,
    );
  });

  test("a zone with problems is not compiled", async () => {
    await expect(compileZone({ configs, rules: [rule("1", "nonsense")] })).rejects.toMatchObject({
      name: "InvalidInputError",
      problems: [{ pointer: "/rules/0/expression" }],
    });
  });
});

describe("checkZone", () => {
  test("finds every problem, each with its pointer", () => {
    const [config] = configs;
    const problems = checkZone({
      configs: [
        config,
        config,
        { id: "", token_sources: ["x"], credentials: { keys: [{}] } },
        null,
        { id: "z" },
      ],
      rules: [
        rule("1", 'is_jwt_valid("a") or\nis_jwt_valid("nope")'),
        { id: "1", action: "allow", enabled: "yes", expression: 4, selector: [] },
        7,
      ],
      operations: [
        operations[0],
        { ...operations[0], host: "API.example.com:443", endpoint: "/users/{other}" },
        { operation_id: "x", method: 5, host: 4 },
        { operation_id: "y", method: "GET", host, endpoint: "users" },
      ],
    });
    const pointers = new Set(problems.map((problem) => problem.pointer));
    for (const at of [
      "/configs/1/id",
      "/configs/2/id",
      "/configs/2/token_sources/0",
      "/configs/3",
      "/configs/4/token_sources",
      "/configs/4/credentials/keys",
      "/rules/0/expression",
      "/rules/1/id",
      "/rules/1/action",
      "/rules/1/enabled",
      "/rules/1/expression",
      "/rules/1/selector",
      "/rules/2",
      "/operations/1/operation_id",
      "/operations/1",
      "/operations/2/method",
      "/operations/2/host",
      "/operations/2/endpoint",
      "/operations/3/endpoint",
    ]) {
      expect(pointers, at).toContain(at);
    }
    expect(problems.find((p) => p.pointer === "/rules/0/expression")?.message).toBe(
      "At line 2, column 14 of the expression: There is no token configuration `nope`.",
    );
  });

  test.each([[null], ["x"], [[]], [{}], [{ configs: {}, rules: [], operations: 4 }]])(
    "%j is not a zone",
    (input) => {
      expect(checkZone(input).length).toBeGreaterThan(0);
    },
  );

  test("finds very many problems without throwing", () => {
    const many = Array.from({ length: 150_000 }, () => 0);
    const config = { id: "a", token_sources: many, credentials: { keys: [0] } };
    const selecting = { ...rule("1", 'http.host eq "a"'), selector: { include: [{ host: many }] } };
    expect(checkZone({ configs: [config], rules: [selecting] })).toHaveLength(2 * many.length + 1);
  });

  test("unknown members of a selector need not be data", () => {
    const selector = { include: [{ host: [host], label: () => "" }], exclude: [{}], note: Symbol("x") };
    expect(checkZone({ configs, rules: [rule("1", a, { selector })] })).toEqual([]);
  });

  test("finds no problem in a valid zone, and its documented example is correct", () => {
    expect(checkZone({ configs, rules: [rule("1", a)], operations })).toEqual([]);
    const operation = { operation_id: "a", method: "GET", host: "h", endpoint: "x" };
    expect(checkZone({ configs: [], rules: [], operations: [operation] })).toMatchObject([
      {
        code: 10400,
        pointer: "/operations/0/endpoint",
        message: "`endpoint` must be a path that starts with `/`; found the string `x`.",
      },
    ]);
  });
});

test("the documented example of compileZone is correct", async () => {
  const zone = await compileZone({ configs: [], rules: [], operations: [] });
  const verdict = await zone.evaluate({ method: "GET", url: "https://api.example.com/users" });
  expect(verdict.outcome).toBe("not_an_operation");
});
