/** Rules of the playground in other formats than JSON: YAML, Terraform, saved responses; and what is not read. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readWorld } from "../../../src/import/world-from.ts";
import type { ComparisonView, EvaluationView, ZoneView } from "../../../src/workbench/messages.ts";
import type { RulesMark, RulesZones, SuiteFile } from "../../../src/workbench/playground-messages.ts";
import { askEngines } from "../../support/playground.ts";

const fixture = (name: string) => readFileSync(`fixtures/own-configuration/${name}`, "utf8");
const zones = async (text: string) => (await askEngines<RulesZones>(text, "zones")).result;
const findings = async (text: string) =>
  (await askEngines<readonly RulesMark[]>(text, "report", { zone: "" })).result;

const yaml = `# The shop.
zones:
  - id: z1
    name: shop.example
    rulesets:
      - kind: zone
        phase: http_request_firewall_custom
        rules:
          - action: block
            expression: ip.src in {192.0.2.0/24}
          - action: block
            expression: ip.src contains "1"
`;

test("a world in YAML is evaluated, and its findings have lines", async () => {
  expect(await zones(yaml)).toMatchObject({ format: "YAML", isEditable: false, zones: [{ id: "z1" }] });
  const line = yaml.split("\n").findIndex((text) => text.includes("contains")) + 1;
  expect(await findings(yaml)).toContainEqual(expect.objectContaining({ level: "error", line }));
  const valid = yaml.replace("contains", "eq").replace('"1"', "192.0.2.1");
  const request = { method: "GET", url: "https://shop.example/", headers: [], ip: "192.0.2.9" };
  const { result } = await askEngines<EvaluationView>(valid, "evaluate", { zone: "z1", request });
  expect(result.verdict).toMatchObject({ action: "block" });
  const draft = { zone: "z1", expression: 'http.host eq "a"', selector: { hosts: ["a"], excluded: [] } };
  await expect(askEngines(valid, "rule/save", draft)).rejects.toThrow(/not JSON \(YAML\)/);
});

test("a text of another format is replaced by the world that the command line makes of it", async () => {
  const { text } = (await askEngines<{ text: string }>(yaml, "convert")).result;
  expect(await zones(text)).toMatchObject({ format: "JSON", isEditable: true });
  const plan = fixture("plan-v5-modules.json");
  const converted = (await askEngines<{ text: string }>(plan, "convert")).result.text;
  const read = readWorld([{ name: "plan.json", text: plan }]);
  const { undecided = [], ...world } = JSON.parse(converted);
  expect(read.ok && read.value.world).toEqual(world);
  expect(read.ok && read.value.report.undecided.length).toBe(undecided.length);
  // Undecided parts stay undecided.
  const before = (await findings(plan)).filter(({ rule }) => rule === "undecided");
  const after = (await findings(converted)).filter(({ rule }) => rule === "undecided");
  expect(after.map(({ message }) => message)).toEqual(before.map(({ message }) => message));
});

test.each([
  ["show-state-v5.json", "Terraform state", true],
  // The rules are known after `apply`, which findings say, or there are none.
  ["plan-v5-modules.json", "Terraform plan", false],
  ["raw-state.tfstate", "Terraform state file", false],
])("%s is read as a %s, with the profile of the real service", async (name, format, hasRules) => {
  const read = await zones(fixture(name));
  expect(read).toMatchObject({ format, profile: "provider", isEditable: false });
  const all: ZoneView[] = [];
  for (const { id } of read.zones)
    all.push((await askEngines<ZoneView>(fixture(name), "zone", { zone: id })).result);
  expect(all.some(({ rules }) => rules.length > 0)).toBe(hasRules);
});

test("a saved response of rules is read, and a suite of it has its world", async () => {
  const text = fixture("show-state-v5.json");
  const zone = (await zones(text)).zones[0]!.id;
  const choice = { zone, format: "vitest", operations: "classes" };
  const { result } = await askEngines<SuiteFile>(text, "suite", choice);
  expect(JSON.parse(result.world!).zones.map(({ id }: { id: string }) => id)).toContain(zone);
  expect(await zones(fixture("api-token-rules.json"))).toMatchObject({ isEditable: false });
});

test("undecided parts leave verdicts and comparisons undecided, and a suite says that it is without them", async () => {
  const text = (
    await askEngines<{ text: string }>(yaml.replace("contains", "eq").replace('"1"', "192.0.2.1"), "convert")
  ).result.text;
  const part = {
    about: "rule",
    zone: "z1",
    message: "A rule is left out.",
    run: "terraform apply",
    effect: {},
  };
  const partial = JSON.stringify({ ...JSON.parse(text), undecided: [part] });
  expect(await findings(partial)).toContainEqual(
    expect.objectContaining({ level: "warning", message: "A rule is left out." }),
  );
  const compare = async (before: string) =>
    (await askEngines<ComparisonView>(partial, "compare", { before, zone: "z1" })).result;
  expect(await compare(text)).toEqual({
    result: "undecided",
    reason: "a version has an undecided part. A rule is left out",
  });
  const request = { method: "GET", url: "https://api.example.com/", headers: [], ip: "192.0.2.1" };
  const evaluate = async (rules: string, url = request.url) => {
    const asked = { zone: "z1", request: { ...request, url } };
    return (await askEngines<EvaluationView>(rules, "evaluate", asked)).result;
  };
  const { verdict, copies } = await evaluate(partial);
  const { action } = (await evaluate(text)).verdict;
  expect(action).not.toBe("undecided");
  expect(verdict).toMatchObject({
    action: "undecided",
    because: `Not everything of the rules is known. A rule is left out. Without it: ${action}.`,
  });
  expect(copies.test).toContain('toBe("undecided")');
  const elsewhere = JSON.stringify({
    ...JSON.parse(text),
    undecided: [{ ...part, effect: { hosts: ["other.example.com"] } }],
  });
  expect((await evaluate(elsewhere)).verdict.action).toBe(action);
  expect((await evaluate(elsewhere, "https://other.example.com/")).verdict.action).toBe("undecided");
  const choice = { zone: "z1", format: "vitest", operations: "each" };
  const { result } = await askEngines<SuiteFile>(partial, "suite", choice);
  expect(result.summary.at(-1)).toMatch(
    /without a part that the text does not decide. A rule is left out\.$/,
  );
  expect(result.text).toContain("--partial");
  expect((await askEngines<SuiteFile>(text, "suite", choice)).result.text).not.toContain("--partial");
});

test.each<readonly [string, string, RegExp]>([
  ["Terraform's language", fixture("main.tf"), /terraform show -json plan\.bin > plan\.json/],
  ["a saved plan", "PK\u0003\u0004", /terraform show -json/],
  ["YAML that is not complete", "zones: [", /./],
  [
    "YAML with an alias of aliases",
    `a: &a [x]\nb: &b [${"*a,".repeat(2000)}]\nc: [${"*b,".repeat(2000)}]`,
    /./,
  ],
  ["a word", "hello", /must be an object/],
  ["HTML", "<!doctype html>", /object|format/],
  ["nothing", " ", /empty/],
])("%s is an error with a sentence and a line", async (_name, text, message) => {
  const [first] = await findings(text);
  expect(first).toMatchObject({ level: "error", message: expect.stringMatching(message) });
  await expect(askEngines(text, "convert")).rejects.toThrow(/has no world/);
});
