/** The merge of files of one deployment: cases of plans and states, orders, and ids. */
import { type ImportFile, worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";
import {
  config,
  type Entry,
  entry,
  operation,
  planFile,
  rule,
  stateFile,
  testFile,
  zone,
  zoneId,
} from "../terraform/documents.ts";

const named = { zoneNames: { [zoneId]: "example.com" } };

function change(
  kind: Parameters<typeof entry>[0],
  name: string,
  before: object | null,
  after: object | null,
  more = {},
) {
  return entry(kind, name, after as object, { actions: ["update"], before, ...more });
}

function planOf(...entries: readonly Entry[]): ImportFile {
  return planFile(entries);
}

function saved(name: string, result: unknown, info?: object): ImportFile {
  const envelope = { success: true, errors: [], messages: [], result, ...(info && { result_info: info }) };
  return { name, text: JSON.stringify(envelope) };
}

const expressionOf = (files: readonly ImportFile[]) =>
  worldFrom(files, named).world.zones?.map(({ token_validation }) =>
    token_validation?.rules?.map(({ expression }) => expression),
  );

describe("a plan and a state of one deployment", () => {
  const state = stateFile(entry("zone", "z", zone), entry("config", "c", config), entry("rule", "r", rule));
  const newer = { ...rule, expression: `not ${rule.expression}` };
  const kept = [change("zone", "z", zone, zone), change("config", "c", config, config)];

  test.each([
    ["state, plan", (plan: ImportFile) => [state, plan]],
    ["plan, state", (plan: ImportFile) => [plan, state]],
  ])("the plan counts, and a line says so: %s", (_, order) => {
    const files = order(planOf(...kept, change("rule", "r", rule, newer)));
    expect(expressionOf(files)).toEqual([[newer.expression]]);
    const { report } = worldFrom(files, named);
    expect(report.invalid).toEqual([]);
    expect(report.dropped.map(({ at, message }) => [at.file, message])).toEqual([
      [
        "state.json",
        "The plan plan.json is newer than this state of the same deployment; its values count for 3 resources, those that it deletes included.",
      ],
    ]);
  });

  test("resources that the plan deletes or moves are not those of the state", () => {
    const deleted = planOf(...kept, change("rule", "r", rule, null));
    expect(expressionOf([state, deleted])).toEqual([undefined]);
    const plan = JSON.parse(planOf(...kept, change("rule", "new", rule, newer)).text);
    plan.resource_changes[2].previous_address = "cloudflare_token_validation_rules.r";
    expect(expressionOf([state, { name: "plan.json", text: JSON.stringify(plan) }])).toEqual([
      [newer.expression],
    ]);
  });

  test("a value that is not known until the apply is not that of the state", () => {
    const { expression, ...others } = rule;
    const unknown = { after_unknown: { expression: true } };
    const plan = planOf(...kept, change("rule", "r", rule, others, unknown));
    const { world, report } = worldFrom([state, plan], named);
    expect(world.zones?.[0]?.token_validation?.rules).toBeUndefined();
    expect(report.undecided).toMatchObject([{ about: "rule" }]);
  });

  test("a value that a saved response has stays unknown, too; that of a test of the same resource is known", () => {
    const { expression, ...others } = rule;
    const unknown = { after_unknown: { expression: true } };
    const plan = planOf(...kept, change("rule", "r", rule, others, unknown));
    for (const files of [
      [plan, saved("rules.json", [rule])],
      [saved("rules.json", [rule]), plan],
    ])
      expect(worldFrom(files, named).report.undecided).toMatchObject([{ about: "rule" }]);
    for (const files of [
      [plan, testFile(entry("rule", "r", rule))],
      [testFile(entry("rule", "r", rule)), plan],
    ])
      expect(expressionOf(files)).toEqual([[rule.expression]]);
  });

  test("files of two deployments with the same addresses have nothing in common", () => {
    const other = { ...zone, id: "f".repeat(32), name: "example.net" };
    const id = "11111111-2222-4333-8444-555555555555";
    const plan = planOf(
      entry("zone", "z", other),
      entry("rule", "r", { ...newer, id, zone_id: other.id, expression: "true" }),
    );
    const { report } = worldFrom([state, plan]);
    expect(report.dropped).toEqual([]);
    expect(expressionOf([state, plan])).toEqual([[rule.expression], ["true"]]);
  });
});

describe("one resource in two files", () => {
  const older = { ...operation, operation_id: "older" };

  test("an operation with another id and other names of parameters is the same, and rules name it", () => {
    const named = (id: string, variable: string) => {
      return { ...operation, operation_id: id, endpoint: `/v1/orders/{${variable}}` };
    };
    const excluding = { ...rule, selector: { include: [], exclude: [{ operation_ids: ["newer"] }] } };
    const { world, report } = worldFrom(
      [
        saved("a.json", [named("older", "id")]),
        saved("b.json", [named("newer", "var1")]),
        saved("r.json", [excluding]),
      ],
      { zoneNames: { [zoneId]: "example.com" } },
    );
    expect(report.invalid).toEqual([]);
    const { operations, rules } = world.zones?.[0]?.token_validation ?? {};
    expect(operations?.map(({ operation_id }) => operation_id)).toEqual(["older"]);
    expect(rules?.[0]?.selector).toMatchObject({ exclude: [{ operation_ids: ["older"] }] });
  });

  test("an operation with the same id and another path is an error", () => {
    const { report } = worldFrom(
      [saved("a.json", [older]), saved("b.json", [{ ...older, endpoint: "/v2" }])],
      named,
    );
    expect(report.invalid).toMatchObject([{ rule: "conflict", at: { file: "b.json" } }]);
  });

  test("other titles are no error, and said", () => {
    const { world, report } = worldFrom(
      [saved("a.json", [rule]), saved("b.json", [{ ...rule, title: "Other" }])],
      named,
    );
    expect(world.zones?.[0]?.token_validation?.rules?.[0]?.title).toBe(rule.title);
    expect(report.invalid).toEqual([]);
    expect(report.derived.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The token rule `Enforce` has the `title` of a\.json:1:\d+\.$/),
    );
  });

  test("two applications of one configuration with one name are left for the check of applications", () => {
    const app = (port: number) => ({
      zone_id: zoneId,
      protocol: "tcp/22",
      dns: { type: "CNAME", name: "ssh.example.com" },
      origin_direct: [`tcp://192.0.2.1:${port}`],
    });
    const twice = planOf(entry("app", "a", app(22)), entry("app", "b", app(23)));
    const { world, report } = worldFrom([twice], named);
    expect(report.invalid).toEqual([]);
    expect(world.zones?.[0]?.proxy?.applications).toHaveLength(2);
  });

  test("the keys of a key file belong to a configuration that two files have", () => {
    const jwks = {
      name: "jwks.json",
      text: JSON.stringify({ keys: [{ ...config.credentials.keys[0], kid: "new" }] }),
    };
    const files = [saved("a.json", [config]), saved("b.json", [config]), jwks, jwks];
    const { world, report } = worldFrom(files, { ...named, keysOf: config.id });
    expect([report.undecided, report.invalid]).toEqual([[], []]);
    const [only, ...more] = world.zones?.[0]?.token_validation?.configs ?? [];
    expect(only?.credentials.keys).toMatchObject([{ kid: "new" }]);
    expect(more).toEqual([]);
  });
});

test("a zone without its account is undecided when several accounts have rules that it could have", () => {
  const phase = "http_request_firewall_custom";
  const ruleset = (account_id: string) => {
    const rules = [{ action: "block", expression: "ssl", enabled: true }];
    return { account_id, id: `${account_id}r`, kind: "root", phase, version: "1", rules };
  };
  const files = [saved("r.json", [rule]), saved("a.json", [ruleset("a1")])];
  expect(worldFrom(files, named).report.undecided).toEqual([]);
  const { report } = worldFrom([...files, saved("b.json", [ruleset("a2")])], named);
  expect(report.undecided).toMatchObject([
    { about: "rule", subject: { zone: zoneId }, message: expect.stringContaining("account"), effect: {} },
  ]);
});

describe("lists in several files", () => {
  const ruleOf = (digit: number) => ({ ...rule, id: rule.id.replace(/^./, `${digit}`), title: `${digit}` });
  const list = (name: string, ...digits: readonly number[]) => saved(name, digits.map(ruleOf));
  const titlesOf = (...files: readonly ImportFile[]) =>
    worldFrom(files, named).world.zones?.[0]?.token_validation?.rules?.map(({ title }) => title);

  test.each([
    [[1, 3], [1, 2, 3], "123"],
    [[1, 2, 3], [1, 3], "123"],
    [[2, 3], [1, 2], "123"],
    [[1, 2], [3, 4], "1234"],
    [[2], [1, 2, 3], "123"],
  ])("rules are in the order that both have: %j, %j", (first, other, expected) => {
    expect(titlesOf(list("a.json", ...first), list("b.json", ...other))?.join("")).toBe(expected);
  });

  test("rules in another order are an error that names both files", () => {
    const { report } = worldFrom([list("a.json", 1, 2), list("b.json", 2, 1)], named);
    expect(report.invalid).toMatchObject([
      { rule: "conflict", message: expect.stringMatching(/^The order of .*a\.json:1:.*b\.json:1:/) },
    ]);
  });

  test("a state has no order: that of a saved list counts, whichever file is first", () => {
    const state = stateFile(
      ...[2, 1].map((digit) =>
        entry("rule", `r${digit}`, { ...ruleOf(digit), created_at: `2026-01-0${3 - digit}T00:00:00Z` }),
      ),
    );
    for (const files of [
      [state, list("a.json", 1, 2)],
      [list("a.json", 1, 2), state],
    ])
      expect(titlesOf(...files)).toEqual(["1", "2"]);
  });

  test("a page without its number that is given twice does not stand for another page", () => {
    const page = saved("a.json", [operation], { total_count: 2 });
    for (const files of [[page], [page, page], [page, { ...page, name: "b.json" }]])
      expect(worldFrom(files, named).report.undecided).toMatchObject([
        { message: "The files have 1 of 2 elements of the list of operations." },
      ]);
  });
});
