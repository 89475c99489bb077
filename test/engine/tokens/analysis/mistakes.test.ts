/** The mistakes in expressions: the examples of each row, and public expressions with and without them. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/core/json/patch.ts";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import {
  findMistakes,
  type Mistake,
  type MistakeKind,
  mistakes,
} from "../../../../src/engine/tokens/analysis/findings/mistakes/mistakes.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { configs, rule } from "../zone-fixture.ts";

const rows = Object.entries<Mistake>(mistakes) as [MistakeKind, Mistake][];

function treeOf(text: string) {
  const parsed = parseExpression(text, { rules: "custom" });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problems[0].message}`);
  return parsed.value;
}

const mistakesIn = (text: string) => findMistakes({ text, tree: treeOf(text), rejects: true });
const kindsIn = (text: string) => mistakesIn(text).map(({ kind }) => kind);

describe.each(rows)("%s", (kind, { examples: [wrong, right] }) => {
  test("is found in its example, at a part of it", () => {
    const found = mistakesIn(wrong).filter((mistake) => mistake.kind === kind);
    expect(found).not.toEqual([]);
    for (const { message, span } of found) {
      expect(message).toMatch(/\.$/);
      expect(0 <= span.start && span.start < span.end && span.end <= wrong.length).toBe(true);
    }
  });

  test("is not found in the similar expression, nor is another mistake", () => {
    expect(kindsIn(right)).toEqual([]);
  });
});

const zoneOf = (expression: string, more: Partial<ZoneInput> = {}): ZoneInput => ({
  configs,
  rules: [],
  rulesets: [
    {
      id: "z",
      kind: "zone",
      phase: "http_request_firewall_custom",
      rules: [{ id: "r", action: "block", expression }],
    },
  ],
  ...more,
});

interface PublicExpression {
  readonly expression: string;
  readonly source: string;
}

const publicExpressions = (name: string): readonly PublicExpression[] =>
  JSON.parse(
    readFileSync(new URL(`../../../../fixtures/custom-rules/${name}.json`, import.meta.url), "utf8"),
  );

/** The findings that say that an expression is wrong. */
const isAbout = (check: string) =>
  check in mistakes ||
  ["invalid", "never-matches", "always-matches", "constant-comparison", "header-key-case"].includes(check);

test("mistakes that the public names as such are found", () => {
  const missed = publicExpressions("mistakes").filter(
    ({ expression }) => !analyze(zoneOf(expression)).some(({ rule: check }) => isAbout(check)),
  );
  expect(missed.map(({ expression }) => expression)).toEqual([
    'substring(http.request.uri.path, 10, 5) eq "/api"',
  ]);
});

test("expressions that the public uses have none", () => {
  const correct = publicExpressions("correct");
  expect(correct.length).toBeGreaterThan(200);
  for (const { expression } of correct) expect([expression, kindsIn(expression)]).toEqual([expression, []]);
});

test("a correction is an expression without the mistake at its place", () => {
  const texts = [
    ...rows.map(([, { examples }]) => examples[0]),
    ...publicExpressions("mistakes").map(({ expression }) => expression),
  ];
  const corrections = texts.flatMap((text) =>
    parseExpression(text, { rules: "custom" }).ok
      ? mistakesIn(text).flatMap(({ corrected, kind, span }) =>
          corrected === undefined ? [] : { corrected, kind, span },
        )
      : [],
  );
  expect(corrections.length).toBeGreaterThan(30);
  for (const { corrected, kind, span } of corrections) {
    const same = mistakesIn(corrected).filter(
      (mistake) => mistake.kind === kind && mistake.span.start === span.start,
    );
    expect([corrected, same]).toEqual([corrected, []]);
  }
});

const corrected: Record<string, readonly [before: string, after: string]> = {
  "a host with scheme and port": ['http.host eq "https://Example.com:8443/"', 'http.host eq "example.com"'],
  "an item of a set": ['http.request.method in {"GET" "post"}', 'http.request.method in {"GET" "POST"}'],
  "a country": ['ip.geoip.country eq "uk"', 'ip.geoip.country eq "GB"'],
  "a network in another one": ["ip.src in {10.1.0.0/16 10.0.0.0/8}", "ip.src in {10.0.0.0/8}"],
  "a star": ['ssl and http.host ne "*.a.example"', 'ssl and not http.host wildcard "*.a.example"'],
  "a glob": ['http.request.uri.path matches "/a/*"', 'http.request.uri.path wildcard "/a/*"'],
  "dots of a host": ['http.host ~ r"^www.a\\.b.example"', 'http.host ~ r"^www\\.a\\.b\\.example"'],
  "`and` beside `or`": ["ssl or ssl and cf.client.bot", "ssl or (ssl and cf.client.bot)"],
  "all of IPv4": ["ip.src in {0.0.0.0/1 128.0.0.0/1}", "ip.src in {0.0.0.0/1 128.0.0.0/1 ::/0}"],
};

test.each(Object.entries(corrected))("the fix of %s", (_, [before, after]) => {
  const input = zoneOf(before);
  const [found] = analyze(input).filter(({ fix, rule: check }) => fix !== undefined && check in mistakes);
  expect(applyPatch(input, found?.fix ?? [])).toEqual(zoneOf(after));
});

test.each([
  'http.host eq "[::1]"',
  'http.host wildcard "*.EXAMPLE.com"',
  'upper(http.host) eq "EXAMPLE.COM"',
  'url_decode(http.request.uri.path) contains "?"',
  'http.request.uri.path matches "^/admin/*$"',
  'http.request.uri.path matches "^[^/]*/a"',
  'http.request.uri.query contains "a?b"',
  'http.request.headers["accept"][0] eq "*/*"',
  'http.host matches "^.+\\.example\\.com$"',
  'http.host matches "^[.]example"',
  '(ssl and cf.client.bot) or (http.host eq "a.example" and ssl)',
  '(http.host eq "a.example") and (ssl) or (http.request.uri.path eq "/a")',
  "not ip.src in {0.0.0.0/0}",
  "(ip.src in {0.0.0.0/0} or ip.src in {::/0})",
  "cf.bot_management.score lt 100",
  "cf.waf.score le 100",
  'http.request.method eq "OPTIONS"',
  'http.request.uri.path eq "/a" and http.request.method eq "POST"',
  'not http.request.method in {"GET" "HEAD"}',
  'not http.request.method in {"GET" "POST" "OPTIONS"}',
  'not http.cookie contains "session="',
])("has no mistake: %s", (expression) => {
  expect(kindsIn(expression)).toEqual([]);
});

test("a list of all IPv4 addresses is found by its name", () => {
  const lists = { deny: { kind: "ip", items: ["0.0.0.0/0"] } } as const;
  const found = analyze(zoneOf("ip.src in $deny", { lists })).map(({ rule: check }) => check);
  expect(found).toContain("all-of-ipv4");
});

test("only a rule that rejects requests rejects preflights", () => {
  const [text] = mistakes["blocked-preflight"].examples;
  expect(findMistakes({ text, tree: treeOf(text) })).toEqual([]);
});

const operation = (method: string) => ({
  operation_id: method.toLowerCase(),
  method,
  host: "api.example.com",
  endpoint: "/orders",
});

const tokenFindings = (expression: string, methods: readonly string[]) =>
  analyze({ configs, rules: [rule("r", expression)], operations: methods.map(operation) })
    .filter(({ rule: check }) => check in mistakes)
    .map(({ rule: check, pointer, message }) => [check, pointer, message]);

test("token rules have the same mistakes", () => {
  expect(tokenFindings('is_jwt_valid("a") or http.request.method eq "get"', ["GET"])).toEqual([
    [
      "method-format",
      "/rules/0/expression",
      '`http.request.method` never is `get`: it is in capital letters; write "GET".',
    ],
  ]);
});

test("a token rule rejects the preflights of the operations with OPTIONS that it covers", () => {
  const [[check, pointer, message] = []] = tokenFindings('is_jwt_valid("a")', ["GET", "OPTIONS"]);
  expect([check, pointer]).toEqual(["blocked-preflight", "/rules/0/expression"]);
  expect(message).toContain('add `or http.request.method eq "OPTIONS"`');
  expect(tokenFindings('is_jwt_valid("a")', ["GET"])).toEqual([]);
  const exempt = 'is_jwt_valid("a") or http.request.method eq "OPTIONS"';
  expect(tokenFindings(exempt, ["GET", "OPTIONS"])).toEqual([]);
});

test.each(['ip.src eq "192.0.2.1"', 'not ip.src in {"192.0.2.10" "203.0.113.25"}', 'ip.src.asnum in {"1"}'])(
  "a value in quotation marks is an error that says so: %s",
  (expression) => {
    const [found] = analyze(zoneOf(expression));
    expect(found).toMatchObject({ rule: "invalid" });
    expect(found?.message).toContain("without quotation marks");
  },
);

test("a string is corrected where it is compared, and not in the value on the left", () => {
  const text = 'lower(http.request.headers["AB"][0]) in {"x" "AB"}';
  const corrected = mistakesIn(text).flatMap((mistake) => mistake.corrected ?? []);
  expect(corrected).toContain('lower(http.request.headers["AB"][0]) in {"x" "ab"}');
});

describe("lists that were written without knowledge of the checks, on which nothing was tuned", () => {
  const url = new URL("../../../../fixtures/custom-rules/held-out.json", import.meta.url);
  const { mistakes: wrong, correct } = JSON.parse(readFileSync(url, "utf8")) as {
    readonly mistakes: readonly { readonly expression: string }[];
    readonly correct: readonly string[];
  };

  test("at least 45 of 52 mistakes are found", () => {
    const found = wrong.filter(({ expression }) =>
      analyze(zoneOf(expression)).some(({ rule: check }) => isAbout(check)),
    );
    expect(wrong).toHaveLength(52);
    expect(found.length).toBeGreaterThanOrEqual(45);
  });

  test("no mistake is found in correct expressions", () => {
    expect(correct.filter((expression) => kindsIn(expression).length > 0)).toEqual([]);
  });
});
