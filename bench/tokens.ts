/**
 * Whole evaluations, from request to verdict, tokens remembered: against fast-jwt's remembered verification alone,
 * against ourselves with more rules, and against general engines that were given the same rules.
 *
 * How far the job of the general engines is the same: each is handed the host, the method, and whether each
 * configuration's token is valid as ready facts, and says which action results. Finding the token, checking it,
 * routing, the order of rules and the reason are part of edgeproof only. In these rows neither side rebuilds its input:
 * they get the same facts object, and we the same request object and time, each time.
 */

import { generateKeyPairSync, sign } from "node:crypto";
import { type CompileZoneOptions, compileZone, type JwtKey, type TokenRule } from "edgeproof/tokens";
import { type Contest, measureAll, type Row, type Rows, timeOf } from "./harness.ts";
import { createFastJwt, JsonRules, newEnforcer, newModelFromString, parseCel } from "./peers/tokens.ts";

const nowSeconds = Math.floor(Date.now() / 1000);
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...pair.publicKey.export({ format: "jwk" }), alg: "RS256", kid: "key-1" } as JwtKey;
const publicPem = pair.publicKey.export({ format: "pem", type: "spki" });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function mint(): string {
  const claims = {
    sub: "user-0123456789",
    iat: nowSeconds,
    exp: nowSeconds + 36_000,
    scope: "read:users write:users",
  };
  const input = `${encode({ alg: "RS256", typ: "JWT", kid: "key-1" })}.${encode(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), pair.privateKey).toString("base64url")}`;
}

const token = mint();
const bearer = Buffer.from(`Bearer ${token}`);

/** The header's value as a string without a cached hash, as it comes from a socket. */
const freshBearer = () => bearer.toString("latin1");

const url = "https://api.example.com/v1/users/42?expand=roles";

const plainRequest = () => ({
  method: "GET",
  url,
  headers: { host: "api.example.com", accept: "application/json", authorization: freshBearer() },
});

/** `n` rules in a zone with four configurations; `hostOf` says which host a rule is on. */
async function zoneOf(n: number, hostOf: (i: number) => string, options: CompileZoneOptions = {}) {
  const configs = ["a", "b", "c", "d"].map((id) => ({
    id,
    token_sources: ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'],
    credentials: { keys: [jwk] },
  }));
  const rules = Array.from({ length: n }, (_, i): TokenRule => ruleOn(i, hostOf(i)));
  const operations = [...new Set(rules.flatMap((rule) => rule.selector.include?.[0]?.host ?? []))].flatMap(
    (host) => [
      { operation_id: `${host} list`, method: "GET", host, endpoint: "/v1/users" },
      { operation_id: `${host} one`, method: "GET", host, endpoint: "/v1/users/{id}" },
      { operation_id: `${host} create`, method: "POST", host, endpoint: "/v1/users" },
    ],
  );
  return compileZone({ configs, rules, operations }, options);
}

function ruleOn(i: number, host: string): TokenRule {
  const expression = `is_jwt_valid("${"abcd"[i % 4]}") or http.request.method eq "OPTIONS"`;
  return {
    id: `rule-${i}`,
    action: "block",
    enabled: true,
    expression,
    selector: { include: [{ host: [host] }] },
  };
}

/** One rule on the host that is asked; the others on hosts of their own. */
const mostlyElsewhere = (i: number) => (i < 1 ? "api.example.com" : `h${i}.example.com`);

const here = () => "api.example.com";

async function againstFastJwt(): Promise<Contest[]> {
  const zone = await zoneOf(10, mostlyElsewhere);
  const verify = createFastJwt({ key: publicPem, algorithms: ["RS256"], cache: true });
  const peer = () => verify(freshBearer().slice(7));
  return [
    {
      what: "evaluate, plain object / fast-jwt's cached verify alone",
      ours: () => zone.evaluateSync(plainRequest()).action,
      peer,
      target: { atMost: 1.2 },
    },
    {
      what: "evaluate, WHATWG Request (rebuilt) / the same",
      ours: () => zone.evaluateSync(new Request(url, { headers: { authorization: freshBearer() } })).action,
      peer,
    },
    {
      what: "evaluate, WHATWG Request / making the Request alone",
      ours: () => zone.evaluateSync(new Request(url, { headers: { authorization: freshBearer() } })).action,
      peer: () =>
        new Request(url, { headers: { authorization: freshBearer() } }).headers.get("authorization"),
    },
    {
      what: "evaluate and read all of the verdict / evaluate",
      ours: () => JSON.stringify(zone.evaluateSync(plainRequest())),
      peer: () => zone.evaluateSync(plainRequest()).action,
    },
  ];
}

async function againstFewerRules(): Promise<Contest[]> {
  const few = await zoneOf(10, mostlyElsewhere);
  const many = await zoneOf(1000, mostlyElsewhere);
  const first = { precedence: "first" } as const;
  const fewHere = await zoneOf(10, here, first);
  const manyHere = await zoneOf(1000, here, first);
  const target = { atMost: 1.5 };
  return [
    {
      what: "1,000 rules / 10 rules, one of them covering",
      ours: () => many.evaluateSync(plainRequest()).action,
      peer: () => few.evaluateSync(plainRequest()).action,
      target,
    },
    {
      what: "1,000 rules / 10 rules, all covering, precedence first",
      ours: () => manyHere.evaluateSync(plainRequest()).action,
      peer: () => fewHere.evaluateSync(plainRequest()).action,
      target,
    },
  ];
}

/** All of the evaluation, divided by the number of rules; the peer is the target, not a measurement. */
async function aRule(): Promise<Row> {
  const n = 1000;
  const zone = await zoneOf(n, here);
  const ours = (await timeOf(() => zone.evaluateSync(plainRequest()).action)) / n;
  const what = "a rule, when all of 1,000 cover and pass / 20 ns";
  return { what, ours, peer: nsARule, ratio: ours / nsARule, target: "report" };
}

/** The allowed cost of a matching rule, as an order of magnitude. */
const nsARule = 20;

const facts = {
  host: "api.example.com",
  method: "GET",
  valid_a: true,
  valid_b: true,
  valid_c: true,
  valid_d: true,
};

async function againstGeneralEngines(): Promise<Contest[]> {
  const n = 1000;
  const zone = await zoneOf(n, mostlyElsewhere, { clock: () => nowSeconds * 1000 });
  const request = plainRequest();
  const ours = () => zone.evaluateSync(request).action;
  const target = { atLeast: 100 };
  return [
    { what: "cel-js, 1,000 compiled expressions one by one / evaluate", ours, peer: celOf(n), target },
    { what: "json-rules-engine, 1,000 rules / evaluate", ours, peer: jsonRulesOf(n), target },
    { what: "casbin, 1,000 policies / evaluate", ours, peer: await casbinOf(n), target },
  ];
}

function celOf(n: number): () => unknown {
  const rules = Array.from({ length: n }, (_, i) =>
    parseCel(`host == "${mostlyElsewhere(i)}" && !(valid_${"abcd"[i % 4]} || method == "OPTIONS")`),
  );
  return () => rules.some((rule) => rule(facts));
}

function jsonRulesOf(n: number): () => Promise<unknown> {
  const engine = new JsonRules();
  for (let i = 0; i < n; i++) {
    engine.addRule({
      conditions: {
        all: [
          { fact: "host", operator: "equal", value: mostlyElsewhere(i) },
          { fact: `valid_${"abcd"[i % 4]}`, operator: "equal", value: false },
          { fact: "method", operator: "notEqual", value: "OPTIONS" },
        ],
      },
      event: { type: "block" },
    });
  }
  return async () => (await engine.run(facts)).events.length;
}

async function casbinOf(n: number): Promise<() => Promise<boolean>> {
  const model = newModelFromString(`
[request_definition]
r = host, method, valid_a, valid_b, valid_c, valid_d
[policy_definition]
p = host, config, eft
[policy_effect]
e = !some(where (p.eft == deny))
[matchers]
m = r.host == p.host && r.method != "OPTIONS" && ((p.config == "a" && !r.valid_a) || (p.config == "b" && !r.valid_b) || (p.config == "c" && !r.valid_c) || (p.config == "d" && !r.valid_d))
`);
  const enforcer = await newEnforcer(model);
  for (let i = 0; i < n; i++) await enforcer.addPolicy(mostlyElsewhere(i), "abcd"[i % 4] as string, "deny");
  return () => enforcer.enforce("api.example.com", "GET", true, true, true, true);
}

/** Measures everything; takes about a minute. */
export async function* benchTokens(): Rows {
  yield* measureAll([...(await againstFastJwt()), ...(await againstFewerRules())]);
  yield aRule();
  yield* measureAll(await againstGeneralEngines());
}
