/** The name and the plan of a zone, and the port of the URL, in the expressions of custom rules. */

import { analyze, compareZones, suiteFor } from "edgeproof/analysis";
import { compileZone, type Ruleset, type ZoneInput } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";

const phase = "http_request_firewall_custom";

function accountWith(expression: string): readonly Ruleset[] {
  return [{ id: "r", kind: "root", phase, rules: [{ id: "rule", action: "block", expression }] }];
}

const zoneWith = (expression: string, facts: Pick<ZoneInput, "name" | "plan"> = {}): ZoneInput => ({
  configs: [],
  rules: [],
  account_rulesets: accountWith(expression),
  ...facts,
});

interface Case {
  readonly expression: string;
  readonly facts?: Pick<ZoneInput, "name" | "plan">;
  readonly url?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

async function actionOf({ expression, facts = {}, url = "https://example.com/", fields }: Case) {
  const zone = await compileZone(zoneWith(expression, facts));
  return zone.evaluateSync({ method: "GET", url, headers: [], ...(fields && { fields }) }).action;
}

const enterprise = { name: "Example.com", plan: "enterprise" } as const;
const documented = 'cf.zone.name eq "example.com" and cf.zone.plan eq "ENT"';

test.each<[string, Case, string]>([
  ["the name and the plan of the zone", { expression: documented, facts: enterprise }, "block"],
  ["another name", { expression: documented, facts: { ...enterprise, name: "example.org" } }, "allow"],
  ["another plan", { expression: documented, facts: { ...enterprise, plan: "free" } }, "allow"],
  ["a zone that says nothing", { expression: documented }, "undecided"],
  ["another name decides", { expression: documented, facts: { name: "example.org" } }, "allow"],
  ["another operand decides", { expression: `${documented} and http.host eq "a.b"` }, "allow"],
  [
    "the test says otherwise",
    { expression: documented, facts: enterprise, fields: { "cf.zone.plan": "PRO" } },
    "allow",
  ],
  ["the port of https", { expression: "cf.edge.server_port eq 443" }, "block"],
  ["the port of http", { expression: "cf.edge.server_port eq 80", url: "http://example.com/" }, "block"],
  [
    "the port of the URL",
    { expression: "not cf.edge.server_port in {80 443}", url: "https://example.com:8443/" },
    "block",
  ],
  [
    "an address as the host",
    { expression: "cf.edge.server_port eq 443", url: "https://[2001:db8::1]/" },
    "block",
  ],
  [
    "a port of an address",
    { expression: "cf.edge.server_port eq 8080", url: "http://[2001:db8::1]:8080/" },
    "block",
  ],
])("%s: %o is %s", async (_, sample, action) => {
  expect(await actionOf(sample)).toBe(action);
});

test.each([
  [
    { plan: "ENT" },
    "/plan: `plan` must be `free`, `pro`, `business` or `enterprise`; found the string `ENT`",
  ],
  [{ name: "" }, "`name` must be the domain of the zone"],
])("%o is invalid", async (facts, message) => {
  await expect(compileZone(zoneWith("ssl", facts as never))).rejects.toThrow(message);
});

describe("the analysis", () => {
  const other = zoneWith(`http.request.uri.path eq "/a" and ${documented}`, { ...enterprise, name: "a.org" });

  test("knows what the zone says", () => {
    expect(compareZones(other, zoneWith("false", other)).result).toBe("equivalent");
    const own = { ...other, name: "example.com" };
    expect(compareZones(own, zoneWith('http.request.uri.path eq "/a"', own)).result).toBe("equivalent");
  });

  test("does not report a rule of an account that is for other zones", () => {
    expect(analyze(other).filter(({ rule }) => rule === "never-matches")).toEqual([]);
    const never = analyze(zoneWith('cf.zone.name eq "a" and cf.zone.name eq "b"', enterprise));
    expect(never.map(({ rule }) => rule)).toContain("never-matches");
  });

  test("makes a suite whose requests do not say what the zone says", () => {
    const { requests, mutants } = suiteFor({ ...other, name: "example.com" });
    expect(requests.map(({ expected }) => expected.action)).toContain("block");
    expect(requests.flatMap(({ request }) => Object.keys(request.fields ?? {}))).toEqual([]);
    expect(mutants.undecided).toEqual([]);
  });

  test("makes a suite that says it where the zone does not", () => {
    const { requests } = suiteFor(zoneWith(documented));
    const blocked = requests.find(({ expected }) => expected.action === "block");
    expect(blocked?.request.fields).toEqual({ "cf.zone.name": "example.com", "cf.zone.plan": "ENT" });
  });
});
