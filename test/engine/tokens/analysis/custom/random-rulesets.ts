/** Random small zones with custom rules, and requests that state everything their rules read. */

import fc from "fast-check";
import type { SimulatedRequest, TokenConfig, TokenRule } from "../../../../../src/engine/tokens/model.ts";
import type { CustomRule, Ruleset } from "../../../../../src/engine/tokens/rulesets/model.ts";
import type { Verdict } from "../../../../../src/engine/tokens/verdict/verdict.ts";
import { compileZone, type Zone } from "../../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../../src/engine/tokens/zone/zone-input.ts";
import { mintKey, mintToken } from "../../../../../src/testing/tokens/mint.ts";
import { ofAccount } from "../../../../support/account-rules.ts";

export const keys = [await mintKey("ES256", "k1"), await mintKey("ES256", "k2")] as const;
const [first, second] = keys;

const header = 'http.request.headers["authorization"][0]';
const cookie = 'http.request.cookies["t"][0]';

/** Two configurations of one header with other keys, and one with two sources. */
const configs: readonly TokenConfig[] = [
  { id: "C1", token_sources: [header], credentials: { keys: [first.jwk] } },
  { id: "C2", token_sources: [header, cookie], credentials: { keys: [first.jwk, second.jwk] } },
];

const claims = (id: string) => `http.request.jwt.claims["${id}"][0]`;
const text = (id: string, ...path: readonly (string | number)[]) =>
  `lookup_json_string(${[claims(id), ...path.map((key) => JSON.stringify(key))].join(", ")})`;
const integer = (id: string, ...path: readonly (string | number)[]) =>
  text(id, ...path).replace("_string", "_integer");

/** Expressions without a combinator, by what they read. */
export const leafTexts = [
  'http.request.method eq "GET"',
  'http.request.method in {"GET" "POST"}',
  'http.host eq "api.example.com"',
  'ends_with(http.host, ".example.com")',
  "http.host in $hosts",
  'http.request.uri.path eq "/a"',
  'starts_with(http.request.uri.path, "/a")',
  'http.request.uri.path matches "^/a+$"',
  'http.request.uri contains "x=1"',
  'http.request.uri.query eq ""',
  'any(http.request.headers["a"][*] eq "1")',
  'all(http.request.headers["a"][*] ne "2")',
  'any(not lower(http.request.headers["a"][*])[*] eq "x")',
  'all(starts_with(http.request.headers["a"][*], "1"))',
  'http.request.headers["a"][0] matches "^1"',
  'http.request.headers["A"][0] eq "1"',
  'len(http.request.headers["a"][1]) in {0..1}',
  'has_key(http.request.headers, "a")',
  'http.user_agent contains "bot"',
  'http.user_agent eq ""',
  "ssl",
  'http.request.version in {"HTTP/2" "HTTP/3"}',
  "ip.src in {10.0.0.0/8 2001:db8::/32}",
  "ip.src eq 10.1.2.3",
  "ip.src ne 10.1.2.3",
  "ip.src in $addresses",
  "ip.src lt 10.1.2.3",
  "cidr(ip.src, 8, 32) eq 10.0.0.0",
  "cidr(ip.src, 9, 32) in {10.0.0.0/9 2001:db8::/40}",
  "cidr6(ip.src, 24) ne 2001:d00::",
  "cidr(ip.src, 7, 64) lt 10.9.0.0",
  'http.request.uri.path.extension eq "php"',
  'http.request.uri.path.extension in {"" "mp3"}',
  'lower(http.request.uri.path.extension) ne ""',
  'ip.src.country in {"DE" "FR"}',
  'ip.geoip.country ne "DE"',
  "ip.src.asnum in $networks",
  "ip.src.asnum ge 64512",
  "cf.bot_management.score lt 30",
  "cf.bot_management.score in {1..29}",
  "cf.bot_management.verified_bot",
  "http.request.timestamp.sec lt 1000",
  "http.request.body.size gt 3",
  'http.request.body.raw contains "ab"',
  `${text("C1", "role")} eq "admin"`,
  `${text("C1", "role")} ne "admin"`,
  `${text("C2", "role")} eq "admin"`,
  `lower(${text("C1", "role")}) in {"admin" "user"}`,
  `len(${text("C1", "role")}) gt 4`,
  `${integer("C1", "role")} ge 5`,
  `${integer("C1", "level")} lt 5`,
  `${integer("C1", "level")} in {-1..3 7}`,
  `${integer("C2", "exp")} gt 500`,
  `${text("C1", "org", "name")} eq "x"`,
  `${text("C1", "org", 1)} eq "x"`,
  `${text("C1", "org")} eq "x"`,
  `${text("C1", "aud")} eq "a"`,
  `${text("C1", "aud", 0)} eq "a"`,
  `${text("none", "role")} eq "admin"`,
  'http.request.jwt.claims.sub["C1"][0] eq "u"',
  `${text("C1", "sub")} eq "u"`,
  'http.request.jwt.claims.aud["C1"][0] eq "a"',
  'any(http.request.jwt.claims.aud["C1"][*] eq "b")',
  'all(http.request.jwt.claims.aud["C1"][*] eq "b")',
  'has_value(http.request.jwt.claims.aud["C1"], "a")',
  'http.request.jwt.claims.iat.sec["C1"][0] ge 100',
  `${integer("C1", "iat")} ge 100`,
  `${text("C1", "iat", "name")} eq "x"`,
  'http.request.jwt.claims.nbf.sec["C1"][0] le 900',
];

/** Expressions without a model. */
export const freeTexts = [
  'substring(http.request.uri.path, 1) eq "a"',
  // One character, or one byte.
  'http.request.headers["a"][0] matches "^.$"',
  'any(http.request.jwt.claims.sub.names[*] eq "C1")',
];

/** Pairs of expressions that are equal for every request, and look different. */
export const equalTexts: readonly (readonly [string, string])[] = [
  ["cf.bot_management.score lt 30", "not cf.bot_management.score ge 30"],
  ["ip.src in {10.0.0.0/9 10.128.0.0/9}", "ip.src in {10.0.0.0/8}"],
  [`${text("C1", "sub")} eq "u"`, 'any(http.request.jwt.claims.sub["C1"][*] eq "u")'],
  [`${text("C1", "role")} eq "admin" and ${integer("C1", "role")} ge 5`, "ssl and not ssl"],
  [
    'http.request.jwt.claims.aud["C1"][1] eq "b" and not has_value(http.request.jwt.claims.aud["C1"], "b")',
    "false",
  ],
  ["ip.src.asnum in $networks", "ip.src.asnum in {64512 64513}"],
  ["cidr(ip.src, 8, 32) eq 10.0.0.0", "ip.src in {10.0.0.0/8}"],
  ["cidr(ip.src, 8, 32) eq 10.1.0.0", "false"],
  [
    'http.request.uri.path.extension eq "php" and http.request.uri.path contains "."',
    'not http.request.uri.path.extension ne "php"',
  ],
  [`${text("C1", "org", "name")} eq "x" and ${text("C1", "org", 1)} eq "x"`, "false"],
  [`${text("C1", "org", "name")} eq "x" and ${text("C1", "org")} eq "x"`, "false"],
  [`${text("C1", "aud", 0)} eq "a" and ${text("C1", "aud")} eq "a"`, 'http.request.headers["A"][0] eq "1"'],
];

const expressionOf = (texts: readonly string[]): fc.Arbitrary<string> => {
  const leaf = fc.constantFrom(...texts);
  const simple = fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: leaf.map((operand) => `not (${operand})`) },
  );
  return fc.oneof(
    { weight: 2, arbitrary: simple },
    {
      weight: 2,
      arbitrary: fc
        .tuple(simple, fc.constantFrom("and", "or", "xor"), simple)
        .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
    },
  );
};

const actions = [
  { action: "block" },
  { action: "block" },
  { action: "log" },
  { action: "managed_challenge" },
  { action: "skip", action_parameters: { ruleset: "current" } },
  { action: "skip", action_parameters: { phase: "current" } },
  { action: "skip", action_parameters: { rules: { z: ["z2"], e: "e0,e1" } } },
  { action: "skip", action_parameters: { rulesets: ["e"] } },
  { action: "js_challenge" },
  {
    action: "block",
    action_parameters: { response: { status_code: 429, content: "slow", content_type: "text/plain" } },
  },
  { action: "skip", action_parameters: { phases: ["http_request_firewall_managed"] } },
  { action: "skip", action_parameters: { products: ["waf"] }, logging: { enabled: true } },
  { action: "skip", action_parameters: { rules: { managed: ["m1"] } }, logging: { enabled: false } },
] as const satisfies readonly Partial<CustomRule>[];

const rulesOf = (
  expression: fc.Arbitrary<string>,
  id: string,
  maxLength: number,
): fc.Arbitrary<CustomRule[]> =>
  fc
    .array(
      fc.record({
        expression,
        action: fc.constantFrom(...actions),
        enabled: fc.constantFrom(true, true, true, true, false),
      }),
      { maxLength },
    )
    .map((rules) => rules.map(({ action, ...rest }, i) => ({ id: `${id}${i}`, ...rest, ...action })));

const execute: CustomRule = {
  id: "x",
  action: "execute",
  action_parameters: { id: "e" },
  expression: 'http.request.method ne "PUT"',
};

const phase = "http_request_firewall_custom";

const selector = { include: [{ host: ["api.example.com"] }] };
const tokenRule = (id: string, action: "block" | "log", expression: string): TokenRule => ({
  id,
  action,
  enabled: true,
  expression,
  selector,
});

const tokenRules = fc.subarray([
  tokenRule("t1", "block", 'is_jwt_valid("C1")'),
  tokenRule("t2", "log", 'is_jwt_present("C2")'),
  tokenRule("t3", "block", 'not http.request.headers["a"][0] eq "1"'),
]);

const operations = fc.option(
  fc.subarray([
    { operation_id: "o1", method: "GET", host: "api.example.com", endpoint: "/a" },
    { operation_id: "o2", method: "GET", host: "api.example.com", endpoint: "/{x}" },
    { operation_id: "o3", method: "POST", host: "{h}.example.com", endpoint: "/{x}" },
  ]),
  { nil: undefined },
);

const lists = {
  hosts: { kind: "hostname", items: ["other.test", "*.example.com"] },
  addresses: { kind: "ip", items: ["10.0.0.0/9", "10.128.0.0/9", "192.0.2.7"] },
  networks: { kind: "asn", items: [64512, 64513] },
} as const;

/** A zone whose custom rules have the expressions. */
export const zoneOf = (texts: readonly string[]): fc.Arbitrary<ZoneInput> => {
  const expression = expressionOf(texts);
  return fc
    .record({
      account: rulesOf(expression, "a", 2).map((rules) => rules.map(ofAccount)),
      zone: rulesOf(expression, "z", 3),
      executed: rulesOf(expression, "e", 2),
      rules: tokenRules,
      operations,
    })
    .map(({ account, zone, executed, rules, operations }) => ({
      configs,
      rules,
      lists,
      ...(operations && { operations }),
      account_rulesets: [{ id: "a", kind: "root" as const, phase, rules: account }],
      rulesets: [
        { id: "z", kind: "zone" as const, phase, rules: [...zone.slice(0, 1), execute, ...zone.slice(1)] },
        { id: "e", kind: "custom" as const, phase, rules: executed },
      ],
    }));
};

/** Settings of URL normalization, none often. */
export const normalization: fc.Arbitrary<Pick<ZoneInput, "url_normalization">> = fc.constantFrom(
  {},
  { url_normalization: { type: "cloudflare" as const, scope: "none" as const } },
  { url_normalization: { type: "cloudflare" as const, scope: "incoming" as const } },
  { url_normalization: { type: "rfc3986" as const, scope: "both" as const } },
);

/** A zone whose only custom rule blocks where an expression is true. */
export const zoneWith = (expression: string, rules: readonly TokenRule[] = []): ZoneInput => ({
  configs,
  rules,
  lists,
  rulesets: [{ id: "z", kind: "zone", phase, rules: [{ id: "z0", action: "block", expression }] }],
});

/** Another value of one member of one rule, as engineers change rules. */
const edits: readonly ((rule: CustomRule) => CustomRule)[] = [
  (rule) => ({ ...rule, enabled: rule.enabled === false }),
  (rule) => ({ ...rule, expression: `not (${rule.expression})` }),
  (rule) => ({ ...rule, expression: `(${rule.expression}) or false` }).expression === "" ? rule : rule,
  ({ action_parameters, logging, ...rule }) =>
    rule.action === "execute"
      ? { ...rule, ...(action_parameters && { action_parameters }) }
      : { ...rule, action: rule.action === "block" ? "log" : "block" },
  (rule) => (rule.action === "managed_challenge" ? { ...rule, action: "js_challenge" } : rule),
  (rule) => (rule.action === "skip" ? { ...rule, action_parameters: { products: ["waf"] } } : rule),
];

const skips = actions.filter(({ action }) => action === "skip");

/** Two zones; often the second is the first with a change, or does not skip what the first one skips. */
export const zonesOf = (texts: readonly string[]): fc.Arbitrary<readonly [ZoneInput, ZoneInput]> =>
  fc.oneof(
    fc.tuple(zoneOf(texts), zoneOf(texts)),
    fc
      .tuple(zoneOf(texts), fc.constantFrom(...edits), fc.nat(4), expressionOf(texts))
      .map(([zone, edit, position, added]): [ZoneInput, ZoneInput] => [
        zone,
        edited(zone, edit, position, added),
      ]),
    fc
      .tuple(zoneOf(texts), tokenRules)
      .map(([zone, rules]): [ZoneInput, ZoneInput] => [zone, { ...zone, rules }]),
    fc
      .tuple(zoneOf(texts), fc.constantFrom(...skips), expressionOf(texts))
      .map(([zone, skip, expression]): [ZoneInput, ZoneInput] => {
        const rule = { id: "s", expression, ...skip };
        return [withFirst(zone, rule), withFirst(zone, { ...rule, enabled: false })];
      }),
  );

/** The zone with a rule before the others. */
function withFirst(zone: ZoneInput, rule: CustomRule): ZoneInput {
  const [entry, ...others] = zone.rulesets as readonly Ruleset[];
  return { ...zone, rulesets: [{ ...entry!, rules: [rule, ...(entry!.rules ?? [])] }, ...others] };
}

function edited(
  zone: ZoneInput,
  edit: (rule: CustomRule) => CustomRule,
  position: number,
  added: string,
): ZoneInput {
  const [entry, ...others] = zone.rulesets as readonly Ruleset[];
  const { rules = [] } = entry!;
  const changed =
    position < rules.length
      ? rules.map((rule, i) => (i === position ? without(edit(rule)) : rule))
      : [...rules, { id: "added", action: "block" as const, expression: added }];
  return { ...zone, rulesets: [{ ...entry!, rules: changed }, ...others] };
}

/** Parameters belong to one action. */
function without({ action_parameters, ...rule }: CustomRule): CustomRule {
  const keeps = rule.action === "skip" || rule.action === "execute";
  return keeps && action_parameters ? { ...rule, action_parameters } : rule;
}

const payloads: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { role: "admin" },
  { role: "ADMIN", sub: "u" },
  { role: "user", level: 3, exp: 2000 },
  { role: 7, level: -1, sub: 5 },
  { role: 5, level: 7, iat: 100.5 },
  { aud: "a", iat: 99.9, nbf: 10 },
  { aud: ["a", "b"], org: { name: "x" } },
  { aud: ["b"], org: ["y", "x"], iat: 100 },
  { aud: ["b", 7], org: "x" },
  { aud: ["a", 7], role: "é", level: 4.5 },
  { aud: [], sub: "u", role: "admin", level: 5, nbf: 20.5 },
];

const minted = await Promise.all(keys.flatMap((key) => payloads.map((payload) => mintToken(key, payload))));
const expired = await mintToken(first, { role: "admin", exp: 1 });
const tokens = [undefined, undefined, "nonsense", expired, ...minted];

const pools = {
  method: ["GET", "GET", "POST", "PUT"],
  origin: [
    "https://api.example.com",
    "https://api.example.com",
    "http://api.example.com",
    "https://other.test",
    "https://x.example.com",
  ],
  path: [
    "/",
    "/a",
    "/aa",
    "/ab",
    "/b",
    "/a/b",
    "/a.php",
    "/.php",
    "/x.a.PHP",
    "/a.b/c",
    "/a.",
    "/..mp3",
    "/%61",
    "//a",
  ],
  query: ["", "", "?x=1"],
  a: [[], ["1"], ["2"], ["1", "2"], ["X"], ["é"], ["1", ""], [""]],
  agent: ["", "bot", "curl"],
  httpVersion: ["HTTP/1.1", "HTTP/2"],
  ip: ["10.1.2.3", "10.200.0.1", "9.0.0.1", "192.0.2.7", "2001:db8::5", "::1"],
  country: ["DE", "FR", "US"],
  asnum: [64511, 64512, 64513, 64514],
  score: [1, 29, 30, 99],
  flag: [true, false],
  body: ["", "ab", "abcd", "xyz!"],
  token: tokens,
  seconds: [30, 400, 999, 1000],
} as const;

/** A request, and its time. */
export interface TimedRequest {
  readonly request: SimulatedRequest;
  readonly timeMs: number;
}

/** Requests of all values, by a generator of random numbers with a fixed seed. */
export function sampleRequests(count: number): TimedRequest[] {
  let seed = 12345;
  const below = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * limit);
  };
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  return Array.from({ length: count }, () => {
    const [token, cookie] = [pick(pools.token), below(3) === 0 ? pick(pools.token) : undefined];
    const agent = pick(pools.agent);
    const seconds = pick(pools.seconds);
    return {
      timeMs: seconds * 1000,
      request: {
        method: pick(pools.method),
        url: pick(pools.origin) + pick(pools.path) + pick(pools.query),
        headers: [
          ...pick(pools.a).map((value) => ["a", value] as const),
          ...(agent === "" ? [] : [["user-agent", agent] as const]),
          ...(token === undefined ? [] : [["authorization", `Bearer ${token}`] as const]),
          ...(cookie === undefined ? [] : [["cookie", `t=${cookie}`] as const]),
        ],
        httpVersion: pick(pools.httpVersion),
        ip: pick(pools.ip),
        body: pick(pools.body),
        challengePassed: pick(pools.flag),
        fields: {
          "ip.src.country": pick(pools.country),
          "ip.src.asnum": pick(pools.asnum),
          "cf.bot_management.score": pick(pools.score),
          "cf.bot_management.verified_bot": pick(pools.flag),
        },
      },
    };
  });
}

/** A zone with a clock that can be set. */
export async function compileTimed(input: ZoneInput): Promise<(timed: TimedRequest) => Verdict> {
  let nowMs = 0;
  const zone: Zone = await compileZone(input, { clock: () => nowMs });
  return ({ request, timeMs }) => {
    nowMs = timeMs;
    return zone.evaluateSync(request);
  };
}
