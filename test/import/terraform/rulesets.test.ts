/** Rulesets and lists of plans and states, of both versions of the provider. */
import { createEdge } from "edgeproof";
import { worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";
import { problemsOf } from "../problems-of.ts";
import { type Entry, entry, planFile, stateFile, testFile, zone, zoneId } from "./documents.ts";

const phase = "http_request_firewall_custom";
const accountId = zone.account.id;
const named = entry("zone", "main", zone);

const ids = { entry: "4814384a9e5d4991b9815dcfc25d2f1f", shared: "70339d97bdb34195bbf054b1ebe81f76" };
const ruleId = "fb7bbd3e6b8a4c0a8a5c5f1e8c7f5b11";

/** A ruleset of version 5: attributes, with nulls for everything that is not set. */
function ruleset(name: string, rules: readonly object[], more: object = {}): Entry {
  const values = {
    id: ids.entry,
    zone_id: zoneId,
    account_id: null,
    name,
    kind: "zone",
    phase,
    description: "",
  };
  return ["cloudflare_ruleset", name, { ...values, rules, ...more }];
}

const nulls = { overrides: null, phases: null, products: null, ruleset: null, rulesets: null, rules: null };
const block = {
  id: ruleId,
  ref: ruleId,
  version: "1",
  last_updated: "2026-01-01T00:00:00Z",
  action: "block",
  action_parameters: {
    ...nulls,
    id: null,
    response: { status_code: 429, content: "no", content_type: "text/plain" },
  },
  categories: null,
  description: "Blocks deletes.",
  enabled: true,
  exposed_credential_check: null,
  expression: 'http.request.method eq "DELETE"',
  logging: null,
  ratelimit: null,
};

/** The same of version 4: blocks are lists of at most one element, and what is not set is empty. */
const blockOf4 = {
  ...block,
  action_parameters: [
    {
      ...nulls,
      id: "",
      phases: [],
      products: [],
      rules: {},
      ruleset: "",
      response: [{ status_code: 429, content: "no", content_type: "text/plain" }],
    },
  ],
  exposed_credential_check: [],
  logging: [],
  ratelimit: [],
};

const list = { id: "2c0fc9fa937b11eaa1b71c4d701ab86e", account_id: accountId, name: "office", kind: "ip" };

const rulesetsOf = (...files: Parameters<typeof worldFrom>[0]) => worldFrom(files).world.zones?.[0]?.rulesets;

async function verdictOf(files: Parameters<typeof worldFrom>[0], method: string, ip = "192.0.2.1") {
  const { world } = worldFrom(files);
  const request = { method, url: "https://example.com/", ip };
  return createEdge({ world }).tokens.evaluate(zoneId, request);
}

describe("rulesets", () => {
  test("of both versions of the provider are the same ruleset of the zone", async () => {
    const expected = [
      {
        id: ids.entry,
        name: "custom",
        kind: "zone",
        phase,
        description: "",
        rules: [
          {
            id: ruleId,
            ref: ruleId,
            action: "block",
            action_parameters: { response: { status_code: 429, content: "no", content_type: "text/plain" } },
            description: "Blocks deletes.",
            enabled: true,
            expression: 'http.request.method eq "DELETE"',
          },
        ],
      },
    ];
    const of5 = stateFile(named, ruleset("custom", [block]));
    const of4 = stateFile(named, ruleset("custom", [blockOf4]));
    expect(rulesetsOf(of5)).toEqual(expected);
    expect(rulesetsOf(of4)).toEqual(expected);
    expect(worldFrom([of4]).report).toMatchObject({ undecided: [], dropped: [] });
    expect((await verdictOf([of4], "DELETE")).custom?.response?.status_code).toBe(429);
    const { sources } = worldFrom([of4]);
    const at = "/zones/0/rulesets/0/rules/0/action_parameters/response/content";
    const line = of4.text.split("\n").findIndex((text) => text.includes('"content": "no"')) + 1;
    expect(sources.locate(at)?.start.line).toBe(line);
  });

  test("of releases of version 4 with products in lower case, a status of logging, and zeros", async () => {
    // The names are those of the provider's page of the resource in that version.
    const parameters = {
      products: ["zonelockdown", "uablock", "bic", "hot", "securityLevel", "ratelimit", "waf"],
      rules: { [ids.shared]: `${ruleId},${ids.entry}` },
      increment: 0,
      version: "",
      cache: false,
      matched_data: [],
    };
    const logging = [{ enabled: null, status: "disabled" }];
    const skip = { ...blockOf4, action: "skip", action_parameters: [parameters], logging };
    const files = [stateFile(named, ruleset("custom", [skip]))];
    expect(worldFrom(files).report).toMatchObject({ undecided: [], dropped: [] });
    expect(rulesetsOf(...files)?.[0]?.rules?.[0]).toMatchObject({
      action_parameters: {
        products: ["zoneLockdown", "uaBlock", "bic", "hot", "securityLevel", "rateLimit", "waf"],
        rules: parameters.rules,
      },
      logging: { enabled: false },
    });
    expect((await verdictOf(files, "DELETE")).custom?.skipped.products).toContain("zoneLockdown");
  });

  test("of version 5 have names in any letter case, and nulls for what other actions have", async () => {
    const others = { vary: null, max_age: null, values: null, operation: null, raw_response_fields: null };
    const skip = {
      ...block,
      action: "Skip",
      action_parameters: {
        ...nulls,
        ...others,
        ruleset: "Current",
        phases: ["HTTP_Ratelimit"],
        products: ["WAF", "ratelimit", "UABlock"],
      },
      expression: 'http.request.method eq "GET"',
    };
    const after = { ...block, id: undefined, ref: undefined, action: "Block", expression: "true" };
    const custom = ruleset("custom", [skip, after], { kind: "Zone", phase: phase.toUpperCase() });
    const files = [stateFile(named, custom)];
    expect(worldFrom(files).report).toMatchObject({ undecided: [], dropped: [] });
    expect(rulesetsOf(...files)?.[0]).toMatchObject({
      kind: "zone",
      phase,
      rules: [
        {
          action: "skip",
          action_parameters: {
            ruleset: "current",
            phases: ["http_ratelimit"],
            products: ["waf", "rateLimit", "uaBlock"],
          },
        },
        { action: "block" },
      ],
    });
    expect((await verdictOf(files, "GET")).action).toBe("allow");
    expect((await verdictOf(files, "POST")).action).toBe("block");
  });

  test("of version 5 without rules, which are null, have none", async () => {
    const [type, name, values] = ruleset("custom", []);
    const files = [stateFile(named, [type, name, { ...values, rules: null }])];
    expect(worldFrom(files).report).toMatchObject({ undecided: [], dropped: [] });
    expect(rulesetsOf(...files)).toMatchObject([{ id: ids.entry, rules: [] }]);
    expect((await verdictOf(files, "GET")).action).toBe("allow");
  });

  test("of an account belong to it, and execute those of the same plan whose ids are not known", async () => {
    const execute = { ...block, action: "execute", action_parameters: { ...nulls }, expression: "true" };
    const custom = ruleset("shared", [block], {
      id: undefined,
      zone_id: null,
      account_id: accountId,
      kind: "custom",
    });
    const root = ruleset("root", [execute], {
      id: undefined,
      zone_id: null,
      account_id: accountId,
      kind: "root",
    });
    const [type, name, values] = root;
    const unknown = { id: true, rules: [{ id: true, ref: true, action_parameters: { id: true } }] };
    const plan = planFile([named, custom, [type, name, values, { after_unknown: unknown }]], {
      configuration: {
        root_module: {
          resources: [
            {
              address: "cloudflare_ruleset.root",
              expressions: {
                rules: { references: ["cloudflare_ruleset.shared.id", "cloudflare_ruleset.shared"] },
              },
            },
          ],
        },
      },
    });
    const { world, report } = worldFrom([plan]);
    expect(report.undecided).toEqual([]);
    expect(world.accounts?.[0]?.rulesets?.map(({ kind }) => kind)).toEqual(["custom", "root"]);
    expect((await verdictOf([plan], "DELETE")).action).toBe("block");
    expect((await verdictOf([plan], "GET")).action).toBe("allow");
  });

  test("have the random ids of a mocked provider replaced, those of configurations in claims included", () => {
    const config = { id: "k3v9t0qa", zone_id: zoneId, title: "Web", description: "", token_type: "JWT" };
    const sources = ['http.request.headers["authorization"][0]'];
    const keys = { token_sources: sources, credentials: { keys: [] } };
    const expression = 'lookup_json_string(http.request.jwt.claims["k3v9t0qa"][0], "role") eq "admin"';
    const mocked = { ...block, id: "rnd1", expression };
    const files = [
      testFile(named, entry("config", "web", { ...config, ...keys }), ruleset("a", [mocked], { id: "rnd2" })),
    ];
    const { world } = worldFrom(files);
    const [{ token_validation, rulesets } = {}] = world.zones ?? [];
    const id = token_validation?.configs?.[0]?.id;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(rulesets?.[0]?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(rulesets?.[0]?.rules?.[0]).not.toHaveProperty("id");
    expect(rulesets?.[0]?.rules?.[0]?.expression).toContain(`claims["${id}"]`);
  });

  test("of other phases are in the world when their phase is known", () => {
    const counted = { ratelimit: { period: 60, counting_expression: "http.response.code eq 401" } };
    const limits = ruleset("limits", [{ ...block, ...counted }], { phase: "http_ratelimit" });
    const floods = ruleset("floods", [{ ...block, expression: "(" }], { phase: "ddos_l4", id: "d4" });
    const { world, report } = worldFrom([stateFile(named, limits, floods)]);
    expect(world.zones?.[0]?.rulesets?.map(({ phase }) => phase)).toEqual(["http_ratelimit", "ddos_l4"]);
    expect([report.undecided, problemsOf(world)]).toEqual([[], []]);
  });

  test("of an unknown phase are left out", () => {
    const { world, report } = worldFrom([stateFile(named, ruleset("a", [block], { phase: "http_new" }))]);
    expect(world.zones?.[0]).not.toHaveProperty("rulesets");
    expect(report.dropped.map(({ message }) => message)).toContain(
      "The ruleset `a` is left out. The rules of the phase `http_new` are not evaluated.",
    );
  });

  test("a wrong expression of another phase is an error at its place, also within blocks of version 4", () => {
    const headers = [{ name: "x-score", operation: "set", expression: "cf.bot_management.score", value: "" }];
    const rewrite = { action: "rewrite", expression: "true", action_parameters: [{ headers }] };
    const late = ruleset("late", [rewrite], { phase: "http_request_late_transform" });
    const { world } = worldFrom([stateFile(named, late)]);
    expect(problemsOf(world)).toEqual([
      expect.stringMatching(/^\/zones\/0\/rulesets\/0\/rules\/0\/action_parameters\/headers\S+: .*to_string/),
    ]);
  });

  test("of a new zone belong to the zone that the plan refers to", () => {
    const two = ["a", "b"].map((name): Entry => {
      const values = { name: `${name}.example`, account: { id: accountId } };
      return ["cloudflare_zone", name, values, { after_unknown: { id: true } }];
    });
    const [type, name, values] = ruleset("custom", [block], { zone_id: undefined, id: undefined });
    const expressions = { zone_id: { references: ["cloudflare_zone.b.id", "cloudflare_zone.b"] } };
    const plan = planFile([...two, [type, name, values, { after_unknown: { id: true, zone_id: true } }]], {
      configuration: { root_module: { resources: [{ address: "cloudflare_ruleset.custom", expressions }] } },
    });
    const { world, report } = worldFrom([plan]);
    expect(report.undecided).toEqual([]);
    expect(world.zones?.map((zone) => [zone.name, zone.rulesets?.length])).toEqual([
      ["a.example", undefined],
      ["b.example", 1],
    ]);
  });
});

test.each<[string, unknown, string]>([
  ["a string of version 4", "enterprise", "block"],
  ["an object of version 5", { legacy_id: "enterprise" }, "block"],
  ["another plan", "pro", "allow"],
  ["a plan that is not known", "partners_ent", "undecided"],
])("the plan of a zone is read: %s", async (_, plan, action) => {
  const expression = `cf.zone.name eq "${zone.name}" and cf.zone.plan eq "ENT"`;
  const files = [
    stateFile(entry("zone", "main", { ...zone, plan }), ruleset("custom", [{ ...block, expression }])),
  ];
  expect((await verdictOf(files, "GET")).action).toBe(action);
});

describe("unknown values", () => {
  const planOf = (rules: readonly object[], after_unknown: object) => {
    const [type, name, values] = ruleset("custom", rules, { id: undefined });
    return planFile([named, [type, name, values, { after_unknown }]]);
  };

  test("of an expression make its rule undecided, with its place; other rules decide", async () => {
    const { expression, ...open } = block;
    const plan = planOf(
      [open, { ...block, id: undefined, ref: undefined, action: "log", action_parameters: null }],
      {
        id: true,
        rules: [{ expression: true }, {}],
      },
    );
    const { report } = worldFrom([plan]);
    expect(report.undecided).toMatchObject([
      {
        about: "rule",
        message: "A custom rule is undecided: `expression` is not known.",
        effect: { hosts: [] },
      },
    ]);
    const lines = plan.text.split("\n");
    const { line } = report.undecided[0]?.at.start ?? { line: 0 };
    expect(lines.slice(line - 1, line + 30).join("\n")).toContain('"description": "Blocks deletes."');
    expect(await verdictOf([plan], "GET")).toMatchObject({
      action: "undecided",
      custom: { needs: [`rule ${ruleId}: \`expression\` is not known`] },
    });
    const first = { ...block, id: undefined, ref: undefined, expression: "true" };
    expect(
      (await verdictOf([planOf([first, open], { rules: [{}, { expression: true }] })], "GET")).action,
    ).toBe("block");
  });

  test.each<readonly [string, object, object]>([
    ["an action", { action: undefined }, { action: true }],
    [
      "the ruleset that is executed",
      { action: "execute", action_parameters: {} },
      { action_parameters: { id: true } },
    ],
    ["what is skipped", { action: "skip", action_parameters: {} }, { action_parameters: { ruleset: true } }],
  ])("of %s leave no verdict decided", async (_, values, mask) => {
    const plan = planOf([{ ...block, expression: "true", ...values }], { rules: [mask] });
    expect((await verdictOf([plan], "GET")).action).toBe("undecided");
  });

  test.each<readonly [string, object]>([
    ["rules", { rules: true }],
    ["an element of the rules", { rules: [true] }],
    ["the phase", { phase: true }],
  ])("of %s leave the ruleset out, and every answer of the zone undecided", (_, mask) => {
    const { world, report } = worldFrom([planOf([block], mask)]);
    expect(world.zones?.[0]).not.toHaveProperty("rulesets");
    expect(report.undecided).toMatchObject([{ about: "rule", subject: { zone: zoneId }, effect: {} }]);
  });

  test("of a disabled rule, and those that only people read, change nothing", async () => {
    const { expression, description, ...open } = block;
    const rules = [
      { ...open, enabled: false },
      { ...block, id: undefined, ref: undefined, description: undefined, logging: undefined },
    ];
    const mask = {
      rules: [
        { expression: true, id: true },
        { description: true, logging: true, ref: true, id: true },
      ],
    };
    const { report } = worldFrom([planOf(rules, mask)]);
    expect(report.undecided).toEqual([]);
    expect((await verdictOf([planOf(rules, mask)], "GET")).action).toBe("allow");
  });
});

test("rules that the service would reject are errors of the world, each at its place in the file", () => {
  const rule = (more: object) => ({ ...block, id: undefined, ref: undefined, expression: "true", ...more });
  const state = stateFile(
    named,
    ruleset("custom", [
      rule({ expression: 'http.request.uri.path eq "/a" and http.response.code eq 200' }),
      rule({ action: "allow" }),
      rule({ action: "execute", action_parameters: { id: ids.shared } }),
      rule({ logging: { enabled: true } }),
    ]),
  );
  const { world, report, sources } = worldFrom([state]);
  expect(report.undecided).toEqual([]);
  expect(problemsOf(world)).toEqual([
    expect.stringContaining("/rules/0/expression: At line 1, column 35"),
    expect.stringContaining("/rules/1/action: `action` must be"),
    expect.stringContaining("/rules/3/logging: `logging` can be used with the action `skip` only"),
    expect.stringContaining("/rules/2/action_parameters/id: No custom ruleset has the id"),
  ]);
  expect(sources.locate("/zones/0/rulesets/0/rules/1/action")?.pointer).toBe("cloudflare_ruleset.custom");
  expect(() => createEdge({ world })).toThrow("/rules/0/expression");
});

describe("lists", () => {
  const rules = [{ ...block, expression: "not ip.src in $office" }];
  const withList = (...entries: readonly Entry[]) => [stateFile(named, ruleset("custom", rules), ...entries)];
  const actions = async (files: Parameters<typeof worldFrom>[0]) => [
    (await verdictOf(files, "GET", "192.0.2.7")).action,
    (await verdictOf(files, "GET", "198.51.100.1")).action,
  ];

  test.each<readonly [string, readonly Entry[]]>([
    [
      "attributes of version 5",
      [["cloudflare_list", "office", { ...list, items: [{ ip: "192.0.2.0/24", asn: null }] }]],
    ],
    [
      "blocks of version 4",
      [
        [
          "cloudflare_list",
          "office",
          {
            ...list,
            item: [{ comment: "", value: [{ ip: "192.0.2.0/24", asn: 0, hostname: [], redirect: [] }] }],
          },
        ],
      ],
    ],
    [
      "resources of their own",
      [
        ["cloudflare_list", "office", { ...list, items: null }],
        [
          "cloudflare_list_item",
          "a",
          { list_id: list.id, account_id: accountId, ip: "192.0.2.0/24", asn: null },
        ],
      ],
    ],
  ])("have items that are %s", async (_, entries) => {
    expect(await actions(withList(...entries))).toEqual(["allow", "block"]);
  });

  test("of host names and autonomous systems have them as values", () => {
    const hosts = {
      ...list,
      name: "hosts",
      kind: "hostname",
      items: [
        { hostname: { url_hostname: "*.a.example" } },
        { hostname: { url_hostname: "*.c.example", exclude_exact_hostname: false } },
        { hostname: { url_hostname: "d.example", exclude_exact_hostname: false } },
      ],
    };
    const of4 = { ...list, id: undefined, name: "of4", kind: "hostname" };
    const item = [{ value: [{ hostname: [{ url_hostname: "b.example" }] }] }];
    const systems = { ...list, id: undefined, name: "systems", kind: "asn", items: [{ asn: 64500 }] };
    const entries = [hosts, { ...of4, item }, systems].map(
      (list): Entry => ["cloudflare_list", list.name, list],
    );
    const { world } = worldFrom([stateFile(named, ...entries)]);
    expect(world.accounts?.[0]?.lists?.map(({ items }) => items)).toEqual([
      ["*.a.example", "*.c.example", "c.example", "d.example"],
      ["b.example"],
      [64500],
    ]);
  });

  test("of a plan have the items that refer to them", async () => {
    const created: Entry = [
      "cloudflare_list",
      "office",
      { ...list, id: undefined },
      { after_unknown: { id: true, items: true } },
    ];
    const item: Entry = [
      "cloudflare_list_item",
      "a",
      { account_id: accountId, ip: "192.0.2.0/24" },
      { after_unknown: { list_id: true } },
    ];
    const expressions = { list_id: { references: ["cloudflare_list.office.id", "cloudflare_list.office"] } };
    const plan = (configuration: object) =>
      planFile([named, ruleset("custom", rules), created, item], configuration);
    const resources = [{ address: "cloudflare_list_item.a", expressions }];
    expect(await actions([plan({ configuration: { root_module: { resources } } })])).toEqual([
      "allow",
      "block",
    ]);
    const { report } = worldFrom([plan({})]);
    expect(report.undecided.map(({ message, effect }) => [message, effect])).toContainEqual([
      "The list `office` is left out: `list_id` is not known.",
      { hosts: [] },
    ]);
  });

  test.each<readonly [string, Entry[], string]>([
    ["without items", [["cloudflare_list", "office", list]], "do not have the items of the list `office`"],
    [
      "with an unknown item",
      [
        [
          "cloudflare_list",
          "office",
          { ...list, items: [{ ip: "192.0.2.1" }] },
          { sensitive_values: { items: [{ ip: true }] } },
        ],
      ],
      "`items.0` is marked as sensitive",
    ],
  ])("%s are unknown, so that rules with them are undecided", async (_, entries, message) => {
    const files = withList(...entries);
    expect(await actions(files)).toEqual(["undecided", "undecided"]);
    expect(worldFrom(files).report.undecided).toMatchObject([
      { message: expect.stringContaining(message), effect: { hosts: [] } },
    ]);
  });

  test("an item that is not an address is an error of the world", () => {
    const { world, report } = worldFrom(
      withList(["cloudflare_list", "office", { ...list, items: [{ ip: "nowhere" }] }]),
    );
    expect(report.undecided).toEqual([]);
    expect(problemsOf(world)).toEqual([expect.stringContaining("/accounts/0/lists/0/items/0: `nowhere`")]);
  });

  test("of redirects are dropped", () => {
    const redirects: Entry = ["cloudflare_list", "r", { ...list, kind: "redirect", items: [] }];
    const { world, report } = worldFrom([stateFile(named, redirects)]);
    expect(world.accounts?.[0]).not.toHaveProperty("lists");
    expect(report.dropped.map(({ message }) => message)).toEqual([
      "Rules do not name the list `office`, which has the kind `redirect`.",
    ]);
  });
});
