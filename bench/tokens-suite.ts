/**
 * Generation of suites and tests of mutants: the time for a zone of 300 rules and 500 operations.
 *
 * Run alone (`tsx bench/tokens-suite.ts`), it prints the size of a generated suite beside the number of random requests
 * that notice the same mutants.
 */
import { generateKeyPairSync } from "node:crypto";
import { pathToFileURL } from "node:url";
import { mutationReport, suiteFor } from "edgeproof/analysis";
import { mintSuite, type RequestWithTokens } from "edgeproof/testing/tokens";
import type { Operation, SimulatedRequest, TokenRule, ZoneInput } from "edgeproof/tokens";
import type { Es256Key } from "../src/engine/tokens/model.ts";
import type { SuiteTokenState } from "../src/engine/tokens/suite/suite-token.ts";
import type { Rows } from "./harness.ts";

/** Maximum time for 300 rules and 500 operations, in milliseconds: half of an earlier version, measured by processor time. */
const maxMs = { generated: 12_200, tested: 15_200 } as const;

/** Maximum time for 5 custom rules of 48 operands, in milliseconds of processor time. */
const maxCustomMs = 20_000;

const nowMs = Date.UTC(2026, 0, 1);
const sourceNames = ["authorization", "x-token"] as const;

function keyOf(kid: string): Es256Key {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  return { kty: "EC", crv: "P-256", alg: "ES256", kid, x, y };
}

const configs = sourceNames.map((name, i) => ({
  id: "ab"[i] ?? "",
  token_sources: [`http.request.headers["${name}"][0]`, `http.request.cookies["${name}"][0]`],
  credentials: { keys: [keyOf(`key-${i}`)] },
}));

const expressions = [
  'is_jwt_valid("a") or http.request.method eq "OPTIONS"',
  'is_jwt_valid("a") and not is_jwt_present("b")',
  'is_jwt_valid("a") or is_jwt_valid("b") and http.request.headers["x-plan"][0] in {"gold" "silver"}',
  'is_jwt_valid("b") or http.request.uri.path wildcard "/v1/public*"',
  'is_jwt_present("a") and (is_jwt_valid("a") or http.request.headers["x-internal"][0] eq "yes")',
];

const methods = ["GET", "POST", "DELETE", "OPTIONS", "PUT"];

/** Rules on hosts, ten a host; each excludes an operation of its host. */
function zoneOf(rules: number, operations: number): ZoneInput {
  const hosts = Math.max(1, Math.ceil(rules / 10));
  const hostOf = (i: number) => `api-${i % hosts}.example.com`;
  const listed = Array.from({ length: operations }, (_, i): Operation => {
    const area = i % 7 === 0 ? "public" : `area-${Math.floor(i / hosts)}`;
    return {
      operation_id: `operation-${i}`,
      method: methods[i % methods.length] ?? "GET",
      host: hostOf(i),
      endpoint: `/v1/${area}/${i}/{id}`,
    };
  });
  const list = Array.from({ length: rules }, (_, i): TokenRule => {
    const own = listed.filter(({ host }) => host === hostOf(i));
    const excluded = own
      .filter((_, j) => j % 10 !== Math.floor(i / hosts) % 10)
      .map((operation) => operation.operation_id);
    return {
      id: `rule-${i}`,
      action: i % 4 === 0 ? "log" : "block",
      enabled: i % 20 !== 19,
      expression: expressions[i % expressions.length] ?? "",
      selector: { include: [{ host: [hostOf(i)] }], exclude: [{ operation_ids: excluded }] },
    };
  });
  return { configs, rules: list, operations: listed };
}

/** Custom rules with long lists of patterns, as published sets have them. */
function customZone(): ZoneInput {
  const name = (i: number) => `${"abcdefgh"[i % 8]}${i}${"bot crawl scan fetch".split(" ")[i % 4]}`;
  const leaves = [
    (i: number) => `http.user_agent wildcard "*${name(i)}*"`,
    (i: number) => `http.request.uri.path wildcard "*/${name(i)}*"`,
    (i: number) => `http.request.uri.path contains "/${name(i)}" and not http.host contains "cdn."`,
    (i: number) => `http.request.uri.query contains "${name(i)}="`,
    (i: number) => `http.user_agent contains "${name(i)}"`,
  ];
  const rules = leaves.map((leaf, rule) => {
    const operands = Array.from({ length: 48 }, (_, i) => `(${leaf(48 * rule + i)})`);
    return { id: `custom-${rule}`, action: "block", expression: operands.join(" or ") } as const;
  });
  const phase = "http_request_firewall_custom";
  return { configs: [], rules: [], rulesets: [{ id: "z", kind: "zone", phase, rules }] };
}

function timed<T>(work: () => T): readonly [T, number] {
  const from = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(from);
  return [result, (user + system) * 1_000];
}

/** The time for one suite, and for its test with all mutants. */
export async function* benchTokensSuite(): Rows {
  const zone = zoneOf(300, 500);
  const [suite, generating] = timed(() => suiteFor(zone));
  const { zone: minted, requests } = await mintSuite(zone, suite.requests, { nowMs });
  const [tested, testing] = timed(() =>
    mutationReport(
      minted,
      requests.map(({ request }) => ({ request, nowMs })),
    ),
  );
  const each = (ns: number) => `${(ns / 1e6 / tested.length).toFixed(2)} ms a mutant`;
  const about = `300 rules, 500 operations, ${requests.length} requests, ${tested.length} mutants`;
  const row = (what: string, ours: number, limitMs: number) => {
    const peer = limitMs * 1e6;
    return {
      what: `${what} (${each(ours)}): ${about}; the limit`,
      ours,
      peer,
      ratio: ours / peer,
      target: { atMost: 1 },
    };
  };
  yield row("suite generated", generating, maxMs.generated);
  yield row("mutants tested", testing, maxMs.tested);
  const [ofCustom, ours] = timed(() => suiteFor(customZone()));
  const { noticed, equivalent, undecided } = ofCustom.mutants;
  const all = noticed + equivalent + undecided.length;
  const peer = maxCustomMs * 1e6;
  yield {
    what: `suite generated: 5 custom rules of 48 operands, ${ofCustom.requests.length} requests, ${all} mutants; the limit`,
    ours,
    peer,
    ratio: ours / peer,
    target: { atMost: 1 },
  };
}

/** A generator of numbers from 0 to below 1, the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const states: readonly SuiteTokenState[] = ["valid", "expired", "bad_signature", "malformed"];

/** A request as a tester without analysis would draw it: an operation, tokens of any state in any source, headers of rules. */
function randomRequest({ operations = [] }: ZoneInput, random: () => number): RequestWithTokens {
  const pick = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(random() * values.length)] ?? values[0];
  const { method, host, endpoint } = operations[Math.floor(random() * operations.length)] ?? {
    method: "GET",
    host: "api-0.example.com",
    endpoint: "/",
  };
  const headers: [string, string][] = [];
  const tokens = configs.flatMap(({ id, credentials }, i) => {
    if (random() < 0.4) return [];
    const placeholder = `random-token-${i}`;
    const name = sourceNames[i] ?? "";
    headers.push(random() < 0.7 ? [name, `Bearer ${placeholder}`] : ["cookie", `${name}=${placeholder}`]);
    const [{ kid, alg }] = credentials.keys as [Es256Key];
    const state = random() < 0.5 ? "valid" : (states[Math.floor(random() * states.length)] ?? "valid");
    return [{ placeholder, config: id, kid, alg, state }];
  });
  if (random() < 0.5) headers.push(["x-plan", pick(["gold", "silver", "none"])]);
  if (random() < 0.3) headers.push(["x-internal", pick(["yes", "no"])]);
  const path = endpoint.replace("{id}", String(Math.floor(random() * 1_000)));
  const request = {
    method: random() < 0.8 ? method : pick(["GET", "POST"]),
    url: `https://${host}${path}`,
    headers,
  };
  return { request, tokens };
}

/** How many requests of a list notice mutants, and how many of the list that needs. */
function notice(zone: ZoneInput, requests: readonly SimulatedRequest[]) {
  const tested = mutationReport(
    zone,
    requests.map((request) => ({ request, nowMs })),
  );
  const noticed = tested.flatMap((mutant) => (mutant.result === "noticed" ? [mutant.request] : []));
  const survived = tested.filter(({ result }) => result === "survived").length;
  return { noticed: noticed.length, all: noticed.length + survived, last: 1 + Math.max(-1, ...noticed) };
}

/** Prints the size of a suite beside that of random lists of requests. */
async function compareSizes(rules: number, operations: number, limit: number): Promise<void> {
  const zone = zoneOf(rules, operations);
  const suite = await mintSuite(zone, suiteFor(zone).requests, { nowMs });
  const random = randomNumbers(1);
  const drawn = Array.from({ length: limit }, () => randomRequest(zone, random));
  const minted = await mintSuite(zone, drawn, { nowMs });
  const lists: readonly (readonly [string, ZoneInput, readonly SimulatedRequest[]])[] = [
    ["generated suite", suite.zone, suite.requests.map((request) => request.request)],
    ["random requests", minted.zone, minted.requests.map((request) => request.request)],
  ];
  console.log(`${rules} rules, ${operations} operations:`);
  for (const [name, measured, requests] of lists) {
    const { noticed, all, last } = notice(measured, requests);
    console.log(
      `  ${name}: ${requests.length} requests notice ${noticed} of ${all} mutants, the last new one by request ${last}`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await compareSizes(10, 25, 5_000);
}
