/** The plans of zones: each row of the table, and the messages about a plan that lacks something. */

import { analyze } from "edgeproof/analysis";
import { checkZone, compileZone, type ZoneInput } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { knownFields } from "../../../../src/engine/tokens/expression/language/fields.ts";
import {
  planFeatures,
  planFieldOf,
  planMaxima,
  planOrder,
} from "../../../../src/engine/tokens/rulesets/plans/plan-table.ts";
import { configs } from "../zone-fixture.ts";

const phase = "http_request_firewall_custom";
type Plan = NonNullable<ZoneInput["plan"]>;
type Rule = Readonly<Record<string, unknown>>;

const zoneWith = (rules: readonly Rule[], plan?: Plan, more: object = {}): ZoneInput =>
  ({
    configs: [],
    rules: [],
    rulesets: [
      {
        id: "e",
        kind: "zone",
        phase,
        rules: rules.map((rule, i) => ({ id: `r${i}`, action: "block", expression: "ssl", ...rule })),
      },
    ],
    ...(plan && { plan }),
    ...more,
  }) as ZoneInput;

const messagesOf = (zone: ZoneInput) =>
  checkZone(zone, { restrictions: "enforce" }).map(({ pointer, message }) => `${pointer}: ${message}`);

const response = { status_code: 403, content: "no", content_type: "text/plain" };

test.each<[string, Rule, Plan, string, string]>([
  [
    "the action `log`",
    { action: "log" },
    "business",
    "/action",
    "The action `log` needs the plan Enterprise; the zone has Business.",
  ],
  [
    "`matches`",
    { expression: 'ssl and http.host matches "a" or http.host matches "b"' },
    "pro",
    "/expression",
    "`matches` needs the plan Business or Enterprise; the zone has Pro.",
  ],
  [
    "a response",
    { action_parameters: { response } },
    "free",
    "/action_parameters/response",
    "A response of the rule needs the plan Pro, Business or Enterprise; the zone has Free.",
  ],
  [
    "a managed list",
    { expression: "ip.src in $cf.malware" },
    "business",
    "/expression",
    "The list `$cf.malware` needs the plan Enterprise; the zone has Business.",
  ],
  [
    "a field, also by its former name and in `any`",
    { expression: "ip.geoip.is_in_european_union" },
    "pro",
    "/expression",
    "`ip.geoip.is_in_european_union` needs the plan Business or Enterprise; the zone has Pro.",
  ],
  [
    "a field of an add-on",
    { expression: "any(cf.bot_management.detection_ids[*] eq 1)" },
    "business",
    "/expression",
    "`cf.bot_management.detection_ids` needs the plan Enterprise with an add-on; the zone has Business.",
  ],
])("%s is a problem of each lower plan, at its rule", (_name, rule, plan, member, message) => {
  const above = planOrder.slice(planOrder.indexOf(plan) + 1);
  expect(messagesOf(zoneWith([{}, rule], plan))).toEqual([`/rulesets/0/rules/1${member}: ${message}`]);
  for (const higher of above) expect(messagesOf(zoneWith([{}, rule], higher))).toEqual([]);
  expect(messagesOf(zoneWith([{}, rule]))).toEqual([]);
});

test("fields with a longer name than a row have the row of the longest prefix", () => {
  const planOf = (name: string) => planFieldOf(name)?.from;
  expect(planOf("cf.waf.score.class")).toBe("business");
  expect(planOf("cf.waf.score.xss")).toBe("enterprise");
  expect(planOf("http.request.body.mime")).toBe("free");
  expect(planOf("http.request.body.form.names")).toBe("enterprise");
  expect(planOf("cf.waf.credential_check.password_leaked")).toBeUndefined();
  expect(planOf("http.request.headers")).toBeUndefined();
  expect([...knownFields.keys()].filter((name) => planOf(name) === "pro")).toContain(
    "http.request.cookies.names",
  );
});

test.each<[Plan, number]>([
  ["free", 5],
  ["pro", 20],
  ["business", 100],
  ["enterprise", 1_000],
])("a zone of the plan %s has at most %i custom rules, disabled ones included", (plan, max) => {
  const rules = (count: number) => Array.from({ length: count }, (_, i) => ({ enabled: i > 0 }));
  expect(messagesOf(zoneWith(rules(max), plan))).toEqual([]);
  const [found, ...more] = messagesOf(zoneWith(rules(max + 1), plan));
  expect(more).toEqual([]);
  expect(found).toMatch(
    new RegExp(`^/rulesets/0/rules/${max}: The zone has ${(max + 1).toLocaleString("en-US")} custom rules; `),
  );
  expect(found).toMatch(
    plan === "enterprise"
      ? /; no plan has more than 1,000\.$/
      : /; its plan \w+ has at most [\d,]+, and \w+ [\d,]+\.$/,
  );
});

test("rules of executed custom rulesets count, and their number has a limit of its own", () => {
  const executed = (id: string, count: number) => ({
    id,
    kind: "custom",
    phase,
    rules: Array.from({ length: count }, (_, i) => ({ id: `${id}${i}`, action: "block", expression: "ssl" })),
  });
  const entry = zoneWith([{}, {}], "free").rulesets ?? [];
  const zone = (...custom: readonly object[]) => zoneWith([], "free", { rulesets: [...entry, ...custom] });
  expect(messagesOf(zone(executed("a", 3)))).toEqual([]);
  expect(messagesOf(zone(executed("a", 2), executed("b", 2)))).toEqual([
    "/rulesets/0/rules/1: The zone has 6 custom rules; its plan Free has at most 5, and Pro 20.",
    "/rulesets/2: The zone has 2 custom rulesets; its plan Free has at most 1, and Pro 2.",
  ]);
});

test("rules of other phases have numbers and expressions of plans, and those of an account none of a zone", () => {
  const other = (of: string, count: number, more: object = {}) => ({
    id: of,
    kind: "zone",
    phase: of,
    rules: Array.from({ length: count }, (_, i) => ({
      id: `${i}`,
      action: "rewrite",
      expression: "ssl",
      ...more,
    })),
  });
  const transform = other("http_request_transform", 6);
  const late = other("http_request_late_transform", 6);
  const messages = (...rulesets: readonly object[]) => messagesOf(zoneWith([], "free", { rulesets }));
  expect(messages(transform, late)).toEqual([
    "/rulesets/1/rules/4: The zone has 12 enabled transform rules; its plan Free has at most 10, and Pro 25.",
  ]);
  expect(messages(transform, other("http_request_late_transform", 6, { enabled: false }))).toEqual([]);
  expect(messages(other("http_custom_errors", 1, { expression: 'http.host matches "a"' }))).toEqual([
    "/rulesets/0/rules/0/expression: `matches` needs the plan Business or Enterprise; the zone has Free.",
    "/rulesets/0/rules/0: The zone has 1 custom error rule; its plan Free has at most 0, and Pro 25.",
  ]);
  const account_rulesets = [
    {
      id: "a",
      kind: "root",
      phase,
      rules: [{ id: "r", action: "log", expression: 'http.host matches "a"' }],
    },
  ];
  const ofAccount = [...account_rulesets, { ...other("http_request_cache_settings", 11), kind: "root" }];
  expect(messagesOf(zoneWith([], "free", { account_rulesets: ofAccount }))).toEqual([]);
});

test("token configurations need the highest plan", () => {
  expect(messagesOf({ configs, rules: [], plan: "business" })).toEqual([
    "/configs/0: A token configuration needs the plan Enterprise with an add-on; the zone has Business.",
  ]);
  expect(messagesOf({ configs, rules: [], plan: "enterprise" })).toEqual([]);
});

test("what the plan lacks is a note where restrictions are not enforced, and the zone works", async () => {
  const zone = await compileZone(zoneWith([{ action: "log" }], "free"));
  expect(zone.notes.map(({ message }) => message)).toEqual([
    "The action `log` needs the plan Enterprise; the zone has Free.",
  ]);
});

test.each<[string, readonly Rule[], string | undefined]>([
  ["nothing", [{}], undefined],
  ["`matches`", [{ expression: 'http.host matches "a"' }, {}], "Business or Enterprise, for `matches`."],
  [
    "several features, of which the highest decides",
    [{ expression: 'http.host matches "a"', action: "log" }, { expression: "cf.waf.score lt 9" }],
    "Enterprise, for the action `log`, `cf.waf.score`.",
  ],
  ["6 rules", [{}, {}, {}, {}, {}, {}], "Pro, Business or Enterprise, for 6 custom rules."],
])("a zone whose plan is unknown has one note about the plan that it needs: %s", (_name, rules, needed) => {
  const found = analyze(zoneWith(rules)).filter(({ rule }) => rule.startsWith("plan-"));
  const message = needed && `The rules of the zone need the plan ${needed}`;
  expect(found).toEqual(
    message === undefined ? [] : [{ rule: "plan-needed", level: "note", message, pointer: "/rulesets/0" }],
  );
});

test("more rules than any plan has are a finding with an unknown plan, too", () => {
  const found = analyze(zoneWith(Array.from({ length: 1_001 }, () => ({}))));
  expect(found.filter(({ rule }) => rule.startsWith("plan-")).map(({ message }) => message)).toEqual([
    "The zone has 1,001 custom rules; no plan has more than 1,000.",
  ]);
});

test("a rule that an import could not read counts, and its action is not known", () => {
  const undecided = { action: "log", undecided: "unknown", expression: undefined };
  expect(messagesOf(zoneWith([undecided], "free"))).toEqual([]);
  const six = Array.from({ length: 6 }, () => undecided);
  expect(messagesOf(zoneWith(six, "free"))).toHaveLength(1);
});

test("every row has its source, the page and the day on which it was read", () => {
  for (const { source, page, read } of [...Object.values(planFeatures), ...planMaxima]) {
    expect(["spec", "observed", "chosen"]).toContain(source);
    expect(page).toMatch(/^[a-z-]+(?:\/[a-z-]+)*$/);
    expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
  for (const { max } of planMaxima) {
    const numbers = planOrder.map((plan) => max[plan]);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  }
});
