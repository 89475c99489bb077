import { createCoverage, mutationReport, suiteFor } from "edgeproof/analysis";
import { compileZone, type Ruleset, type ZoneInput } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { maskText } from "../../../../src/core/text/secrets.ts";
import { mutantKinds } from "../../../../src/engine/tokens/suite/mutants/catalogue.ts";
import { mintKey } from "../../../../src/testing/tokens/mint.ts";

const { jwk } = await mintKey("ES256");
const config = (id: string) => ({
  id,
  token_sources: [`http.request.headers["${id}"][0]`],
  credentials: { keys: [jwk] },
});
const phase = "http_request_firewall_custom";
const role = 'lookup_json_string(http.request.jwt.claims["a"][0], "role")';

const rulesets: readonly Ruleset[] = [
  {
    id: "z",
    kind: "zone",
    phase,
    rules: [
      {
        id: "trusted",
        action: "skip",
        action_parameters: { ruleset: "current" },
        expression: "ip.src in {10.0.0.0/8}",
      },
      {
        id: "admins",
        action: "block",
        expression: `http.request.method in {"DELETE" "PUT"} and not ${role} eq "admin"`,
      },
      { id: "run", action: "execute", action_parameters: { id: "e" }, expression: "true" },
    ],
  },
  {
    id: "e",
    kind: "custom",
    phase,
    rules: [
      { id: "bots", action: "managed_challenge", expression: "cf.bot_management.score lt 30", enabled: true },
    ],
  },
  { id: "unused", kind: "custom", phase, rules: [{ id: "u", action: "block", expression: "ssl" }] },
];

const zone: ZoneInput = { configs: [config("a"), config("b")], rules: [], rulesets };
const request = {
  method: "GET",
  url: "https://api.example.com/",
  ip: "192.0.2.1",
  fields: { "cf.bot_management.score": 50 },
};

test("every part of a custom rule has a mutant, with its place and description", () => {
  const report = mutationReport(zone, [{ request, nowMs: 0 }]);
  expect(
    report.map(
      ({ kind, ruleset, rule, pointer, description, result }) =>
        `${kind} ${ruleset}/${rule} ${pointer}: ${description}: ${result}`,
    ),
  ).toMatchSnapshot();
  expect(report.filter(({ result }) => result === "undecided")).toEqual([]);
  const kinds = new Set(report.map(({ kind }) => kind));
  expect(mutantKinds.filter((kind) => kind.startsWith("custom-") && !kinds.has(kind))).toEqual([]);
});

test("a survivor has the request that would notice it, with claims", () => {
  const report = mutationReport(zone, [{ request, nowMs: 0 }]);
  const claim = report.find(({ kind }) => kind === "claim");
  if (claim?.result !== "survived") throw new Error(claim?.result);
  const { request: noticing, tokens, expected } = claim.noticedBy;
  expect(["DELETE", "PUT"]).toContain(noticing.method);
  expect(tokens.map(({ claims }) => claims)).toEqual([expect.objectContaining({})]);
  expect(expected.action).not.toBe("undecided");
});

test("a request without what a rule needs notices nothing", () => {
  const undecided = { method: "GET", url: "https://api.example.com/" };
  const report = mutationReport(zone, [{ request: undecided, nowMs: 0 }]);
  expect(report.filter(({ result }) => result === "noticed")).toEqual([]);
});

function stringMutants(expression: string) {
  const [entry] = rulesets;
  const rules = [{ id: "r", action: "block" as const, expression }];
  const report = mutationReport({ ...zone, rulesets: [{ ...entry!, rules }] }, []);
  return report.filter(({ kind }) => kind === "string");
}

test("a part without a model leaves its mutants undecided, with the part", () => {
  const found = stringMutants('decode_base64(http.host) eq "b"');
  expect(found.length).toBeGreaterThan(1);
  for (const mutant of found) expect(mutant.result).toBe("undecided");
  const [first] = found;
  expect(first?.result === "undecided" && first.reason).toContain(
    "the function `decode_base64` has no model",
  );
});

test("a request near the compared value shows a mutant of a part without a model", () => {
  const found = stringMutants('substring(http.request.uri.path, 1) eq "a"');
  expect(found.map(({ result }) => result)).toEqual(["survived", "survived"]);
});

test("lists have mutants, which a suite notices", () => {
  const lists = {
    office: { kind: "ip", items: ["10.0.0.0/8", "192.0.2.1"] },
    partners: { kind: "ip", items: ["198.51.100.0/24"] },
    hosts: { kind: "hostname", items: ["*.example.com", "example.org"] },
    networks: { kind: "asn", items: [64512] },
    unused: { kind: "asn", items: [1] },
  } as const;
  const expressions = ["ip.src in $office", "http.host in $hosts", "ip.src.asnum in $networks"];
  const rules = expressions.map((expression, i) => ({ id: `r${i}`, action: "block" as const, expression }));
  const input: ZoneInput = {
    configs: [],
    rules: [],
    lists,
    rulesets: [{ id: "z", kind: "zone", phase, rules }],
  };
  const { requests, mutants } = suiteFor(input);
  expect(mutants.undecided).toEqual([]);
  const report = mutationReport(
    input,
    requests.map((sample) => ({ request: sample.request, nowMs: 0 })),
  );
  const ofLists = report.filter(({ list }) => list !== undefined);
  expect(
    ofLists.map(({ kind, pointer, description, result }) => `${kind} ${pointer}: ${description}: ${result}`),
  ).toMatchSnapshot();
});

test("the coverage has every custom rule that can be evaluated, and what was never seen", async () => {
  const coverage = createCoverage(zone);
  const compiled = await compileZone(zone);
  coverage.add(await compiled.evaluate(request));
  coverage.add(await compiled.evaluate({ ...request, method: "DELETE" }));
  const { custom, missing } = coverage.report();
  expect(
    custom.map(({ ruleset, id, matched, not_matched, not_reached }) => [
      ruleset,
      id,
      matched,
      not_matched,
      not_reached,
    ]),
  ).toEqual([
    ["z", "trusted", 0, 2, 0],
    ["z", "admins", 1, 1, 0],
    ["z", "run", 1, 0, 1],
    ["e", "bots", 0, 1, 1],
  ]);
  expect(missing).toEqual([
    "custom rule `trusted` of ruleset `z` never matched",
    "custom rule `trusted` of ruleset `z`: ip.src in {10.0.0.0/8} was never decisive as true",
    `custom rule \`admins\` of ruleset \`z\`: ${role} eq "admin" was never decisive as true`,
    "custom rule `run` of ruleset `z` matched every request",
    "custom rule `bots` of ruleset `e` never matched",
    "custom rule `bots` of ruleset `e`: cf.bot_management.score lt 30 was never decisive as true",
  ]);
  expect(coverage.print()).toContain("  custom rule `admins` of ruleset `z`: matched 1, not_matched 1\n");
});

/** The counts of the parts of a rule, over requests with these fields. */
async function partsOf(expression: string, ...fields: readonly Readonly<Record<string, unknown>>[]) {
  const rules = [{ id: "r", action: "log", expression }] as const;
  const input: ZoneInput = { configs: [], rules: [], rulesets: [{ id: "z", kind: "zone", phase, rules }] };
  const [coverage, plain] = [createCoverage(input), createCoverage(input)];
  const compiled = await compileZone(input);
  for (const field of fields) {
    const verdict = await compiled.evaluate({ method: "GET", url: "https://example.com/", fields: field });
    plain.add(JSON.parse(JSON.stringify(coverage.add(verdict))));
  }
  const parts = (atoms: readonly { text: string; true: number; false: number }[] = []) =>
    atoms.map((atom) => `${atom.text}: ${atom.true} ${atom.false}`);
  return { all: parts(coverage.report().custom[0]?.atoms), plain: parts(plain.report().custom[0]?.atoms) };
}

test("the coverage counts the parts that decided, each spelling once, also of rules that do not match", async () => {
  const [fr, score] = [{ "ip.src.country": "FR" }, { "cf.bot_management.score": 50 }];
  const de = { "ip.src.country": "DE" };
  const country = 'ip.src.country eq "FR"';
  const low = "cf.bot_management.score lt 30";
  // The second part decides only where the first does not, and nothing where a deciding part is unknown.
  const either = await partsOf(
    `ip.src.country == "FR" or not ${low}`,
    fr,
    { ...fr, ...score },
    { ...de, ...score },
    de,
  );
  expect(either.all).toEqual([`${country}: 2 0`, `${low}: 0 1`]);
  // All matched, so that the JSON has the values, too.
  expect(either.plain).toEqual(either.all);
  const both = await partsOf(`${country} and ${low} and ${country}`, fr, de, { ...fr, ...score });
  expect(both.all).toEqual([`${country}: 0 1`, `${low}: 0 1`]);
  expect(both.plain).toEqual([`${country}: 0 0`, `${low}: 0 0`]);
  const xor = await partsOf(`${country} xor ${low}`, { ...fr, ...score }, fr, { ...de, ...score });
  expect(xor.all).toEqual([`${country}: 1 1`, `${low}: 0 2`]);
  expect((await partsOf("true", fr)).all).toEqual([]);
  const any = 'any(http.request.headers["x"][*] eq "a")';
  expect((await partsOf(any, {})).all).toEqual([`${any}: 0 1`]);
});

test("a custom rule that was only undecided, or never evaluated, is not covered", async () => {
  const coverage = createCoverage(zone);
  coverage.add(await (await compileZone(zone)).evaluate({ method: "GET", url: "https://api.example.com/" }));
  const { missing } = coverage.report();
  expect(missing[0]).toBe("custom rule `trusted` of ruleset `z` was only undecided");
  expect(createCoverage(zone).report().missing[0]).toBe(
    "custom rule `trusted` of ruleset `z` was never evaluated",
  );
});

test("the printed description of a mutant has no secret, also when the name of the secret is left out", () => {
  const value = 'lower(http.request.headers["x-api-key"][0])';
  const secrets = Array.from({ length: 8 }, (_, i) => `"PLANTED-${i}"`).join(" ");
  const secret = {
    id: "z",
    kind: "zone",
    phase,
    rules: [
      { id: "r", action: "block", expression: `${value} in {${secrets}}` },
      { id: "h", action: "log", expression: 'is_timed_hmac_valid_v0("PLANTED", http.request.uri, 60, 1, 8)' },
    ],
  } as const;
  const report = mutationReport({ configs: [], rules: [], rulesets: [secret] }, [{ request, nowMs: 0 }]);
  const descriptions = report.map(({ description }) => maskText(description));
  expect(descriptions.some((description) => description.includes("***"))).toBe(true);
  expect(descriptions.join("\n")).not.toContain("PLANTED");
});
