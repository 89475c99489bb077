/** Replaying recorded requests: states of tokens, changes, and the answers of the edge. */
import { beforeAll, describe, expect, test } from "vitest";
import type { JwtKey, TokenConfig, TokenRule } from "../../../src/engine/tokens/model.ts";
import type { ZoneInput } from "../../../src/engine/tokens/zone/zone-input.ts";
import { createReplay, type ReplayOptions } from "../../../src/import/replay/replay.ts";
import type { ReplayCounts } from "../../../src/import/replay/replay-report.ts";
import { createTrafficReader } from "../../../src/import/traffic/reader.ts";
import { type MintedKey, mintKey, mintToken } from "../../../src/testing/tokens/mint.ts";

const header = 'http.request.headers["authorization"][0]';
const cookie = 'http.request.cookies["session"][0]';
const nowMs = Date.UTC(2026, 10, 22, 10);

let key: MintedKey;
let token: string;
let expired: string;

beforeAll(async () => {
  key = await mintKey("ES256", "key-1");
  token = await mintToken(key, { sub: "ada" });
  expired = await mintToken(key, { exp: nowMs / 1000 - 60 });
});

function config(id: string, ...sources: string[]): TokenConfig {
  return { id, token_sources: sources, credentials: { keys: [key.jwk as JwtKey] } };
}

function rule(expression: string, more: Partial<TokenRule> = {}): TokenRule {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id: "r1", action: "block", enabled: true, expression, selector, ...more };
}

const operation = { operation_id: "orders", method: "GET", host: "api.example.com", endpoint: "/orders" };

/** A zone in which a valid token in the header is required. */
const strict = (expression = 'is_jwt_valid("web")'): ZoneInput => ({
  configs: [config("web", header), config("app", cookie)],
  rules: [rule(expression)],
  operations: [operation],
});

const zone = (input: ZoneInput, id = "z1", name?: string) => ({ id, ...(name && { name }), input });

const open: ZoneInput = { configs: [], rules: [], operations: [operation] };

function record(fields: object = {}): object {
  return {
    ClientRequestMethod: "GET",
    ClientRequestHost: "api.example.com",
    ClientRequestURI: "/orders",
    EdgeStartTimestamp: nowMs / 1000,
    ...fields,
  };
}

const withHeaders = (RequestHeaders: object, more: object = {}) => record({ RequestHeaders, ...more });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

function replay(records: readonly object[], options: Partial<ReplayOptions> = {}): ReplayCounts {
  const running = createReplay({ zones: [zone(strict())], nowMs, ...options });
  const file = running.startFile("log");
  const reader = createTrafficReader(file, { format: "logpush" });
  reader.push(Buffer.from(records.map((line) => JSON.stringify(line)).join("\n")));
  reader.end();
  file.end();
  return running.report();
}

const tokens = (present: number, absent: number, redacted = 0, stripped = 0) => ({
  present,
  absent,
  redacted,
  stripped,
});

describe("the state of a token", () => {
  test("present and absent ones are evaluated", () => {
    const report = replay([withHeaders(bearer(token)), withHeaders(bearer(expired)), withHeaders({})]);
    expect(report).toMatchObject({
      tokens: tokens(2, 1),
      evaluated: 3,
      notEvaluated: 0,
      verdicts: { allow: 1, log: 0, block: 2 },
    });
  });

  test("a redacted one is not evaluated, and not taken as missing", () => {
    const report = replay([withHeaders(bearer("***"))]);
    expect(report).toMatchObject({ tokens: tokens(0, 0, 1), evaluated: 0, notEvaluated: 1 });
    expect(report.verdicts).toMatchObject({ allow: 0, log: 0, block: 0 });
  });

  test("one of a record without the custom field is stripped", () => {
    expect(replay([record(), withHeaders(bearer(token))])).toMatchObject({
      tokens: tokens(1, 0, 0, 1),
      notEvaluated: 1,
    });
  });

  test("a header that no record of the file has is stripped, because it may not be configured", () => {
    expect(replay([withHeaders({ "x-a": "1" }), withHeaders({})])).toMatchObject({
      tokens: tokens(0, 0, 0, 2),
    });
  });

  test("a header that only a later record of the file has is absent in the earlier ones", () => {
    const report = replay([withHeaders({}), withHeaders({}), withHeaders(bearer(token))]);
    expect(report).toMatchObject({ tokens: tokens(1, 2), verdicts: { allow: 1, log: 0, block: 2 } });
  });

  test("what one file has says nothing about another file", () => {
    const running = createReplay({ zones: [zone(strict())], nowMs });
    for (const line of [withHeaders(bearer(token)), withHeaders({})]) {
      const file = running.startFile("log");
      const reader = createTrafficReader(file);
      reader.push(Buffer.from(JSON.stringify(line)));
      reader.end();
      file.end();
    }
    expect(running.report().tokens).toEqual(tokens(1, 0, 0, 1));
  });
});

describe("a verdict that does not depend on what is unknown is given", () => {
  test.each<[string, string, object, boolean]>([
    ["the other side of `or` is true", 'is_jwt_valid("app") or is_jwt_valid("web")', {}, true],
    ["the other side of `and` is false", 'is_jwt_valid("app") and http.request.method eq "POST"', {}, true],
    ["`not` of the other side decides", 'not is_jwt_valid("app") or not is_jwt_valid("web")', {}, false],
    ["`and` needs it", 'is_jwt_valid("web") and is_jwt_valid("app")', {}, false],
    ["`not` needs it", 'not is_jwt_valid("app")', {}, false],
    ["presence needs it", 'is_jwt_present("app")', {}, false],
    [
      "a comparison needs it",
      'http.request.headers["x-key"][0] eq "1"',
      { RequestHeaders: undefined },
      false,
    ],
    ["a comparison needs a stripped cookie", 'http.request.cookies["a"][0] ne "1"', {}, false],
    ["no rule matches the operation", 'is_jwt_valid("app")', { ClientRequestURI: "/other" }, true],
  ])("%s", (_why, expression, more, evaluated) => {
    const report = replay([withHeaders(bearer(token), more)], { zones: [zone(strict(expression))] });
    expect(report.evaluated).toBe(evaluated ? 1 : 0);
    expect(report.notEvaluated).toBe(evaluated ? 0 : 1);
  });

  test("an earlier source that is unknown makes the token of a later one unknown", () => {
    const input: ZoneInput = { ...strict(), configs: [config("web", cookie, header)] };
    expect(replay([withHeaders(bearer(token))], { zones: [zone(input)] }).notEvaluated).toBe(1);
    const other: ZoneInput = { ...strict(), configs: [config("web", header, cookie)] };
    expect(replay([withHeaders(bearer(token))], { zones: [zone(other)] }).evaluated).toBe(1);
  });

  test("the old configuration may depend on it too", () => {
    const options = { zones: [zone(strict())], against: [zone(strict('is_jwt_valid("app")'))] };
    expect(replay([withHeaders(bearer(token))], options)).toMatchObject({ evaluated: 0, notEvaluated: 1 });
  });
});

describe("assumed tokens", () => {
  const both = 'is_jwt_valid("web") and is_jwt_valid("app")';
  const records = () => [
    withHeaders(bearer("[redacted]")),
    record({ Cookies: { theme: "dark", session: "<token>" } }),
    withHeaders(bearer(expired), { Cookies: { session: token } }),
  ];

  test.each<[string, (valid: string) => string | undefined, number, number]>([
    ["a valid one passes", (valid) => valid, 2, 1],
    ["none is missing", () => undefined, 0, 3],
    ["an invalid one is rejected", () => "x", 0, 3],
  ])("%s, and recorded tokens stay", (_what, choose, allow, block) => {
    const report = replay(records(), { zones: [zone(strict(both))], assumed: { token: choose(token) } });
    expect(report).toMatchObject({ evaluated: 3, assumed: 2, verdicts: { allow, log: 0, block } });
    expect(report.tokens.redacted + report.tokens.stripped).toBe(2);
  });

  test("do not help when the verdict depends on another unknown value", () => {
    const expression = 'is_jwt_valid("web") and http.request.cookies["team"][0] eq "a"';
    const report = replay([withHeaders(bearer("***"))], {
      zones: [zone(strict(expression))],
      assumed: { token },
    });
    expect(report).toMatchObject({ evaluated: 0, notEvaluated: 1 });
  });

  test("are not compared with the edge", () => {
    const report = replay([withHeaders(bearer("***"), { SecuritySources: [], SecurityActions: [] })], {
      assumed: { token: undefined },
    });
    expect(report.edge).toBeUndefined();
  });
});

describe("changes between two configurations", () => {
  const records = () => [withHeaders(bearer(token)), withHeaders(bearer(expired)), withHeaders({})];

  test("are counted by rule, operation and host, with reasons and examples", () => {
    const { changes, unexpected } = replay(records(), { against: [zone(open)] });
    expect(changes).toMatchObject({
      total: 2,
      unexpected: 2,
      byRule: { r1: 2 },
      byOperation: { orders: 2 },
      byHost: { "api.example.com": 2 },
      others: 0,
    });
    expect(unexpected).toBe(2);
    const [first, second] = changes!.differences;
    expect(first).toMatchObject({
      zone: "z1",
      host: "api.example.com",
      operation: "orders",
      from: { action: "allow", reason: "no enabled rule matches" },
      to: { action: "block", rule: "r1", reason: "expired" },
      count: 1,
      expected: false,
      examples: [{ request: "line 2", file: "log", position: 2, token: { kid: "key-1", claims: ["exp"] } }],
    });
    expect(second?.to.reason).toBe("missing");
    expect(second?.examples[0]).not.toHaveProperty("token");
  });

  test("do not exist between equal configurations", () => {
    expect(replay(records(), { against: [zone(strict())] })).toMatchObject({
      changes: { total: 0 },
      unexpected: 0,
    });
  });

  test("that are expected do not count as unexpected, and expectations without a change are listed", () => {
    const seen = { rule: "r1", from: "allow", to: "block" } as const;
    const unseen = { host: "api.example.com", from: "block", to: "allow" } as const;
    const report = replay(records(), { against: [zone(open)], expected: [seen, unseen] });
    expect(report.unexpected).toBe(0);
    expect(report.changes?.differences.every(({ expected }) => expected)).toBe(true);
    expect(report.unseen).toEqual([unseen]);
  });

  test("of a zone that only the old configuration has are those of a zone without rules", () => {
    const report = replay(records(), {
      zones: [zone(open, "z2", "example.org")],
      against: [zone(strict(), "z1", "example.com")],
    });
    expect(report.changes).toMatchObject({ total: 2, byRule: { r1: 2 } });
  });

  test("have at most 3 examples and 1,000 differences, and count the rest", () => {
    const input: ZoneInput = { configs: [], rules: [], operations: [] };
    const hosts = Array.from({ length: 1200 }, (_, i) => `h${i}.example.com`);
    const selector = { include: [{ host: hosts }] };
    const strictEverywhere = { configs: [], rules: [rule('http.host eq ""', { selector })] };
    const many = hosts.flatMap((ClientRequestHost) => [
      record({ ClientRequestHost }),
      record({ ClientRequestHost }),
    ]);
    const many4 = [...many, ...Array.from({ length: 3 }, () => record({ ClientRequestHost: hosts[0] }))];
    const { changes, unexpected } = replay(many4, {
      zones: [zone(strictEverywhere)],
      against: [zone(input)],
    });
    expect(changes).toMatchObject({ total: 2403, others: 400 });
    expect(changes?.differences).toHaveLength(1000);
    expect(changes?.differences[0]).toMatchObject({ count: 5, examples: [{}, {}, {}] });
    expect(unexpected).toBe(2403);
  });
});

describe("the answers of the edge", () => {
  const answered = (action: string | undefined, RequestHeaders: object, more: object = {}) =>
    withHeaders(RequestHeaders, {
      SecuritySources: action === undefined ? [] : ["apiShieldTokenValidation"],
      SecurityActions: action === undefined ? [] : [action],
      SecurityRuleIDs: action === undefined ? [] : ["r1"],
      WebAssetsOperationID: "orders",
      ...more,
    });

  test("are compared, and each difference is a change that is not expected", () => {
    const report = replay([
      answered(undefined, bearer(token)),
      answered("block", bearer(expired)),
      answered(undefined, {}),
    ]);
    expect(report.edge).toMatchObject({ compared: 3, same: 2, total: 1, otherRule: 0, otherOperation: 0 });
    expect(report.edge?.differences).toMatchObject([
      { from: { action: "allow" }, to: { action: "block", rule: "r1", reason: "missing" }, count: 1 },
    ]);
    expect(report.unexpected).toBe(1);
  });

  test("are compared with the old configuration when there is one, and do not count as changes", () => {
    const report = replay([answered(undefined, {}), answered(undefined, bearer(token))], {
      zones: [zone(strict())],
      against: [zone(open)],
    });
    expect(report.edge).toMatchObject({ compared: 2, same: 2, total: 0 });
    expect(report.changes?.total).toBe(1);
  });

  test("by another rule or for another operation of the configuration are counted", () => {
    const input = {
      ...strict(),
      rules: [rule('is_jwt_valid("web")'), rule('http.host eq ""', { id: "r2" })],
    };
    const operations = [operation, { ...operation, operation_id: "other", endpoint: "/other" }];
    const report = replay(
      [
        answered("block", bearer(expired), { SecurityRuleIDs: ["r2"] }),
        answered("block", bearer(expired), { SecurityRuleIDs: ["unknown"], WebAssetsOperationID: "other" }),
        answered("block", bearer(expired), { WebAssetsOperationID: "unknown" }),
      ],
      { zones: [zone({ ...input, operations })] },
    );
    expect(report.edge).toMatchObject({ compared: 3, same: 3, otherRule: 1, otherOperation: 1, total: 0 });
  });

  test("are not compared when another product ended the request", () => {
    const more = { SecuritySources: ["waf"], SecurityActions: ["block"] };
    expect(replay([answered(undefined, {}, more), answered(undefined, bearer(token))]).edge).toMatchObject({
      compared: 1,
      same: 1,
      endedByOther: 1,
    });
  });

  test("of requests that are settled at the end of the file are compared", () => {
    const report = replay([answered(undefined, {}), answered(undefined, bearer(token))]);
    expect(report.edge).toMatchObject({ compared: 2, same: 1, total: 1 });
    expect(report.edge?.differences[0]?.examples).toHaveLength(1);
  });
});

describe("zones", () => {
  const zones = () => [zone(strict(), "z1", "example.com"), zone(open, "z2", "shop.example.com")];
  const host = (ClientRequestHost: string, more: object = {}) =>
    withHeaders(bearer("x"), { ClientRequestHost, ...more });

  test("are found by the longest name that the host ends with, or by the record", () => {
    const report = replay(
      [
        host("api.example.com"),
        host("a.shop.example.com"),
        host("api.example.com", { ZoneName: "shop.example.com" }),
        host("api.example.net"),
      ],
      { zones: zones() },
    );
    expect(report.verdicts).toMatchObject({ allow: 2, log: 0, block: 1 });
    expect(report.files).toMatchObject([{ requests: 4, outside: 1 }]);
  });

  test("that cannot be compiled are an exception with every problem", () => {
    expect(() => createReplay({ zones: [zone(strict("broken("))], nowMs })).toThrow(/cannot be compiled/);
  });
});

test("the clock is the time of the record, else the given one", () => {
  const records = [
    withHeaders(bearer(expired), { EdgeStartTimestamp: nowMs / 1000 - 3600 }),
    withHeaders(bearer(expired), { EdgeStartTimestamp: undefined }),
  ];
  expect(replay(records)).toMatchObject({ verdicts: { allow: 1, block: 1 }, files: [{ untimed: 1 }] });
});

test("the settings of the profile apply", () => {
  const settings = { precedence: "first", clockToleranceSeconds: 61, headerCase: "lower" } as const;
  expect(replay([withHeaders(bearer(expired))], { settings }).verdicts.allow).toBe(1);
});

test("requests with an invalid method or URL are rejected with their position and without their values", () => {
  const secret = "eyJhbGciOiJFUzI1NiJ9.e30.c2VjcmV0";
  const report = replay([
    withHeaders({}, { ClientRequestMethod: `GET ${secret}` }),
    withHeaders({}, { ClientRequestHost: `a b${secret}` }),
  ]);
  expect(report.files[0]?.rejected).toEqual({
    count: 2,
    listed: [
      { position: 1, reason: "the method is not a method name" },
      { position: 2, reason: "the URL is not an absolute http or https URL" },
    ],
  });
});

test("a token that is rejected again and again is verified once", () => {
  const other = token.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
  const started = performance.now();
  const report = replay(Array.from({ length: 3000 }, () => withHeaders(bearer(other))));
  expect(report.verdicts.block).toBe(3000);
  expect(performance.now() - started).toBeLessThan(1500);
});
