/**
 * Custom rules, without the verification of tokens: against a general expression engine with the same rules, whose
 * facts are ready objects, and a zone of many rules against one of the few that the request can match.
 */
import { compileZone, type Ruleset, type Zone } from "edgeproof/tokens";
import { type Contest, measureAll, type Rows } from "./harness.ts";
import { parseCel } from "./peers/tokens.ts";

const phase = "http_request_firewall_custom";

const request = {
  method: "GET",
  url: "https://api.example.com/v1/users/42?expand=roles",
  headers: {
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0",
    referer: "https://www.example.com/start",
    accept: "application/json",
  },
  ip: "192.0.2.44",
  fields: { "ip.src.country": "FR", "ip.src.asnum": 64500 },
};

/** The same request as facts of the general engine. */
const facts = {
  method: "GET",
  host: "api.example.com",
  path: "/v1/users/42",
  query: "expand=roles",
  agent: request.headers["user-agent"],
  country: "FR",
  asnum: 64500n,
};

/** Rules that are all evaluated to the end and false, each as both engines spell it. */
function pairOf(i: number): readonly [ours: string, theirs: string] {
  const pairs = [
    [`http.request.uri.path eq "/admin/${i}"`, `path == "/admin/${i}"`],
    [
      `starts_with(http.request.uri.path, "/v2/${i}/") and http.request.method eq "GET"`,
      `path.startsWith("/v2/${i}/") && method == "GET"`,
    ],
    [`http.user_agent contains "scanner-${i}"`, `agent.contains("scanner-${i}")`],
    [
      `ip.src.country in {"AA" "BB" "C${i % 10}"} and not http.request.uri.query contains "x${i}"`,
      `country in ["AA", "BB", "C${i % 10}"] && !query.contains("x${i}")`,
    ],
    [
      `(http.request.method eq "GET" and ip.src.asnum eq ${i}) or http.request.uri.path eq "/p/${i}"`,
      `(method == "GET" && asnum == ${i}) || path == "/p/${i}"`,
    ],
  ] as const;
  return pairs[i % pairs.length] as readonly [string, string];
}

/** The same rules in a form that cannot be looked up, so that each is evaluated. */
function evaluatedPairOf(i: number): readonly [ours: string, theirs: string] {
  const [ours, theirs] = pairOf(i);
  return [`not (not (${ours}))`, `!(!(${theirs}))`];
}

async function zoneOf(expressions: readonly string[]): Promise<Zone> {
  const rules = expressions.map((expression, i) => ({ id: `r${i}`, action: "log", expression }) as const);
  const entry: Ruleset = { id: "z", kind: "zone", phase, rules };
  return compileZone({ configs: [], rules: [], rulesets: [entry] });
}

const count = 1_000;
const few = 10;

/** `count` rules, of which the first `few` are about the request's host or method. */
function targeted(i: number): string {
  const [condition] = pairOf(i);
  if (i < few / 2) return `http.host eq "api.example.com" and (${condition})`;
  if (i < few) return `http.request.method eq "GET" and (${condition})`;
  return i % 2 === 0
    ? `http.host eq "h${i}.example.com" and (${condition})`
    : `http.request.method in {"DELETE" "PATCH"} and (${condition})`;
}

export async function benchCustomRules(): Promise<Rows> {
  const pairs = Array.from({ length: count }, (_, i) => pairOf(i));
  const zone = await zoneOf(pairs.map(([ours]) => ours));
  const programs = pairs.map(([, theirs]) => parseCel(theirs));
  if (zone.evaluateSync(request).action !== "allow") throw new Error("no rule may match");
  if (programs.some((program) => program(facts) !== false)) throw new Error("no rule of the peer may match");
  const plainPairs = Array.from({ length: count }, (_, i) => evaluatedPairOf(i));
  const plainZone = await zoneOf(plainPairs.map(([ours]) => ours));
  const plainPrograms = plainPairs.map(([, theirs]) => parseCel(theirs));
  const many = await zoneOf(Array.from({ length: count }, (_, i) => targeted(i)));
  const only = await zoneOf(Array.from({ length: few }, (_, i) => targeted(i)));
  const contests: Contest[] = [
    {
      what: `${count} custom rules, all reached / cel-js`,
      ours: () => zone.evaluateSync(request).action,
      peer: () => programs.map((program) => program(facts)).some(Boolean),
      target: { atLeast: 8 },
    },
    {
      what: `${count} custom rules, each evaluated because none can be looked up / cel-js`,
      ours: () => plainZone.evaluateSync(request).action,
      peer: () => plainPrograms.map((program) => program(facts)).some(Boolean),
      target: "report",
    },
    {
      what: `${few} of ${count} custom rules reachable by host or method / a zone of those ${few}`,
      ours: () => many.evaluateSync(request).action,
      peer: () => only.evaluateSync(request).action,
      target: { atMost: 1.5 },
    },
  ];
  return measureAll(contests);
}
