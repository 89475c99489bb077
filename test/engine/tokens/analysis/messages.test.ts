/** The messages of the analysis as a user reads them: one row each, with its pointer. */

import { InvalidInputError } from "edgeproof";
import { analyze, compareExpressions, compareZones, implies } from "edgeproof/analysis";
import { fillPlaceholderTokens, mintFaultyToken, mintKey, tokenArbitraries } from "edgeproof/testing";
import type { TokenConfig, TokenRule } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";

const key = await mintKey("ES256", "k1");
const source = 'http.request.headers["authorization"][0]';

function config(id: string, sources: readonly string[] = [source]): TokenConfig {
  return { id, token_sources: sources, credentials: { keys: [key.jwk] } };
}

function rule(id: string, expression: string, more: Partial<TokenRule> = {}): TokenRule {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id, action: "block", enabled: true, expression, selector, ...more };
}

const operations = [{ operation_id: "list", method: "GET", host: "api.example.com", endpoint: "/orders" }];
const valid = 'is_jwt_valid("a")';

const findings: readonly (readonly [rules: readonly TokenRule[], expected: readonly string[]])[] = [
  [
    [rule("r", `${valid} or not ${valid}`)],
    [
      "/rules/0/expression: The expression is true for every request that the rule covers, so the rule never acts.",
    ],
  ],
  [
    [rule("r", `${valid} and not ${valid}`)],
    [
      "/rules/0/expression: The expression is false for every request that the rule covers, so the rule acts on all of them.",
    ],
  ],
  [
    [rule("r", `${valid} or http.request.method eq "PUT"`)],
    ['/rules/0/expression: `http.request.method eq "PUT"` is false for every request that the rule covers.'],
  ],
  [
    [rule("r", `${valid} or ${valid}`)],
    ['/rules/0/expression: `is_jwt_valid("a")` occurs more than once among the operands of one `or`.'],
  ],
  [
    [rule("r", `${valid} or is_jwt_present("a")`)],
    [
      '/rules/0/expression: `is_jwt_valid("a")` has no effect in its `or`: the result is the same without it.',
    ],
  ],
  [
    [rule("r", valid, { selector: {} })],
    ["/rules/0/selector: The rule includes no host, so it covers no request."],
  ],
  [
    [rule("r", valid, { selector: { include: [{ host: ["api.example.com", "old.example.com"] }] } })],
    ["/rules/0/selector: The host `old.example.com` has no operations."],
  ],
  [
    [
      rule("r", valid, {
        selector: {
          include: [{ host: ["api.example.com"] }],
          exclude: [{ operation_ids: ["list", "lost"] }],
        },
      }),
    ],
    [
      "/rules/0/selector: The excluded operation `lost` does not exist.",
      "/rules/0/selector: The rule excludes every operation of `api.example.com`.",
    ],
  ],
  [
    [rule("r", valid, { enabled: false })],
    [
      "/rules/0: The rule is disabled, so it never acts.",
      "/configs/0: No enabled rule references the configuration `a`.",
    ],
  ],
  [
    [rule("r", valid), rule("s", 'is_jwt_present("a")')],
    ["/rules/1: Whenever the rule would act, an earlier rule has already blocked: `r`."],
  ],
  [
    [rule("r", 'is_jwt_valid("lost")')],
    ["/rules/0/expression: At line 1, column 14 of the expression: There is no token configuration `lost`."],
  ],
];

test.each(findings)("the messages for %j", (rules, expected) => {
  const found = analyze({ configs: [config("a")], rules, operations });
  expect(found.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual(expected);
});

test("the messages of precedence first, of the limit and of token sources", () => {
  const messages = (input: unknown, options = {}) =>
    analyze(input, options).map(({ pointer, message }) => `${pointer}: ${message}`);
  const many = Array.from({ length: 8 }, (_, i) => rule(`r${i}`, valid));
  expect(messages({ configs: [config("a")], rules: many, operations }, { precedence: "first" }).at(-1)).toBe(
    "/rules/7: Earlier rules decide about every request that the rule covers: `r0`.",
  );
  const path = 'http.request.uri.path contains "abc"';
  expect(
    messages(
      { configs: [config("a")], rules: [rule("r", `${valid} or ${path}`)], operations },
      { maxSteps: 50 },
    ),
  ).toEqual([
    "/rules/0: The analysis of the rule is not complete: the question needs more than the allowed number of steps (`maxSteps`).",
  ]);
  const twice = config("a", [source, 'http.request.headers["Authorization"][0]']);
  expect(messages({ configs: [twice], rules: [rule("r", valid)], operations })).toEqual([
    '/configs/0/token_sources/1: The token source `http.request.headers["Authorization"][0]` is listed twice.',
    "/configs/0/token_sources/1: The header name `Authorization` has upper-case letters.",
  ]);
});

test("the reason of an undecided comparison", () => {
  const many = Array.from({ length: 14 }, (_, i) => `http.request.uri.path contains "a${i}b"`).join(" or ");
  expect(implies(many, `${many} or http.host eq "x"`, { maxSteps: 100 })).toEqual({
    result: "undecided",
    reason: "the question needs more than the allowed number of steps (`maxSteps`)",
  });
  const unsendable = 'http.request.headers["accept"][0] eq " a"';
  expect(compareExpressions(unsendable, 'http.request.method eq "get"')).toEqual({
    result: "undecided",
    reason: "only a request with a value that clients may not be able to send could show it",
  });
});

const zone = { configs: [], rules: [] };
const errors: readonly (readonly [call: () => unknown, message: string])[] = [
  [
    () => compareExpressions(valid, valid, { maxSteps: 0 }),
    "`maxSteps` must be a positive integer; found `0`",
  ],
  [
    () => tokenArbitraries(fc, [] as never),
    "`keys` must be a list of at least one public key: `tokenArbitraries(fc, [key.jwk])`.",
  ],
  [
    () => tokenArbitraries({} as never, [key.jwk]),
    'The first argument of tokenArbitraries must be fast-check: `import fc from "fast-check"`, then `tokenArbitraries(fc)`.',
  ],
];

test.each(errors)("an invalid argument is named: %s", (call, message) => {
  expect(call).toThrow(message);
});

test("invalid input of comparisons is an InvalidInputError that names the side", () => {
  expect(() => compareExpressions("maybe", valid)).toThrow(InvalidInputError);
  expect(() => compareExpressions("maybe", valid)).toThrow(/^The expressions cannot be compared/);
  expect(() => implies(valid, valid, { configs: [config("a", ["x"])] })).toThrow(
    /^The configurations cannot be used/,
  );
  const invalid = { configs: [], rules: [rule("r", valid)] };
  expect(() => compareZones(invalid, zone)).toThrow(/^The first zone is invalid/);
  expect(() => compareZones(zone, invalid)).toThrow(/^The second zone is invalid/);
});

test("messages of tokens name the argument and the allowed values", async () => {
  await expect(mintFaultyToken(key, "odd" as never)).rejects.toThrow(
    /^There is no fault `odd`; the faults are expired, /,
  );
  await expect(mintFaultyToken(key, "padded", { claims: { exp: 1 } })).rejects.toThrow(
    "`claims` must not have `exp` or `nbf`: each fault sets those that it needs.",
  );
  const request = { method: "GET", url: "https://h/", headers: [] };
  const placeholderTokens = [{ value: "t", kid: "k2", alg: "ES384", configs: [] }];
  await expect(fillPlaceholderTokens({ request, placeholderTokens }, [key])).rejects.toThrow(
    "`keys` must have the key with kid `k2` and alg `ES384`.",
  );
});
