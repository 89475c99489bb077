/** Plans, states and test records of Terraform become worlds; what is unknown in them is reported, never guessed. */
import { readFileSync } from "node:fs";
import { worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";
import {
  config,
  configId,
  entry,
  key,
  operation,
  planFile,
  rule,
  stateFile,
  testFile,
  zone,
  zoneId,
} from "./documents.ts";

const folder = new URL("../../../fixtures/own-configuration/", import.meta.url);
const fixture = (name: string) => ({ name, text: readFileSync(new URL(name, folder), "utf8") });

const base = [entry("zone", "main", zone), entry("config", "web", config)];

function tokensOf(...files: Parameters<typeof worldFrom>[0]) {
  return worldFrom(files).world.zones?.[0]?.token_validation;
}

describe("states", () => {
  test("a state has every resource of its modules, with the ids of the service", () => {
    const { world, report } = worldFrom([fixture("show-state-v5.json")]);
    expect(report.undecided).toEqual([]);
    const tokens = world.zones?.[0]?.token_validation;
    expect(tokens?.configs?.map(({ id }) => id)).toEqual(["46eab8d1-6376-45e3-968f-2c649d77d423", configId]);
    expect(tokens?.rules?.map(({ title }) => title)).toEqual(["Enforce", "Watch"]);
    expect(tokens?.configs?.[0]?.credentials.keys[0]).not.toHaveProperty("e");
  });

  test("a state file has the addresses of its instances, and blocks of version 4 as objects", () => {
    const { world, sources } = worldFrom([fixture("raw-state.tfstate")], {
      zoneNames: { [zoneId]: "example.com" },
    });
    const [zoneOfState] = world.zones ?? [];
    expect(zoneOfState).toMatchObject({
      name: "example.com",
      proxy: {
        applications: [
          { dns: { name: "ssh.example.com" }, edge_ips: { type: "dynamic", connectivity: "all" } },
          { origin_dns: { name: "db-origin.example.com" }, origin_port: "3306-3310" },
          { origin_port: 8883, smart_routing: true },
        ],
      },
    });
    expect(sources.locate("/zones/0/proxy/applications/1/dns/name")).toMatchObject({
      pointer: 'module.tcp["eu"].cloudflare_spectrum_application.db[0]',
      start: { line: 71, column: 25 },
    });
    expect(sources.locate("/zones/0/proxy/applications/2/origin_port")?.start).toEqual({
      line: 141,
      column: 24,
    });
  });

  test("key members are accepted in any letter case, as the service compares them", () => {
    const keys = [{ ...key, alg: "rs256", kty: "rsa", crv: null }];
    const state = stateFile(entry("config", "web", { ...config, token_type: "jwt", credentials: { keys } }));
    const [read] = tokensOf(state)?.configs ?? [];
    expect(read).toMatchObject({ token_type: "JWT", credentials: { keys: [key] } });
  });

  test("a state of another version is rejected with the version and its position", () => {
    const old = { name: "old.tfstate", text: '{"version": 3,\n "serial": 1, "modules": []}' };
    expect(() => worldFrom([old])).toThrow(
      "old.tfstate:1:13: `version` must be `4`; `terraform show -json` prints other versions; found `3`.",
    );
    const future = { name: "plan.json", text: '{"format_version": "2.0", "resource_changes": []}' };
    expect(() => worldFrom([future])).toThrow("`format_version` must be `0.x` or `1.x`; found `2.0`.");
  });

  test("sensitive values are not copied, unless the caller asks for secrets", () => {
    const marked = entry("config", "web", config, { sensitive_values: { credentials: true } });
    const { world, report } = worldFrom([stateFile(marked)]);
    expect(JSON.stringify(world)).not.toContain(key.n);
    expect(report.undecided).toMatchObject([
      { about: "zone" },
      {
        about: "key",
        run: "--with-secrets",
        message: expect.stringContaining("`credentials` is marked as sensitive"),
      },
    ]);
    const asked = worldFrom([stateFile(marked)], { withSecrets: true });
    expect(JSON.stringify(asked.world)).toContain(key.n);
  });

  test("resources of other types are dropped, one line a type, and those of other providers in one line", () => {
    const page = ["cloudflare_custom_pages", "a", { id: "1" }] as const;
    const bucket = ["aws_s3_bucket", "b", {}] as const;
    const { report } = worldFrom([stateFile(...base, page, page, bucket)]);
    expect(report.dropped.map(({ message }) => message)).toEqual([
      "A world holds no resources of the type `cloudflare_custom_pages` (2 resources).",
      "A world holds no resources of other providers (1 resource).",
    ]);
  });
});

describe("the order of rules", () => {
  const other = { ...rule, id: "c2a5e0d4-9f0e-4e9e-8a0a-6b1f1f3d2b22", title: "Watch", action: "log" };
  const titles = (...files: Parameters<typeof worldFrom>[0]) =>
    tokensOf(...files)?.rules?.map(({ title }) => title);

  test("is that of their creation, then of their positions", () => {
    const [early, late] = ["2026-01-01T00:00:00.5Z", "2026-02-01T00:00:00Z"];
    const first = entry("rule", "a", { ...rule, created_at: late });
    const second = entry("rule", "b", { ...other, created_at: early });
    expect(titles(stateFile(...base, first, second))).toEqual(["Watch", "Enforce"]);
    const before = { index: null, before: other.id, after: null };
    const moved = entry("rule", "a", { ...rule, created_at: late, position: before });
    expect(titles(stateFile(...base, moved, second))).toEqual(["Enforce", "Watch"]);
  });

  test("is undecided when nothing fixes it and two rules select one host", () => {
    const { report } = worldFrom([testFile(...base, entry("rule", "a", rule), entry("rule", "b", other))]);
    expect(report.undecided).toMatchObject([
      {
        about: "rule",
        message:
          "The order of the rules `Enforce` and `Watch` is not known: both select `api.example.com`, and the first decides.",
        effect: { hosts: ["api.example.com"] },
      },
    ]);
  });

  test("is decided by a position, and of no interest for rules with different hosts", () => {
    const after = { ...other, position: { after: rule.id } };
    const elsewhere = { ...other, selector: { include: [{ host: ["www.example.com"] }] } };
    for (const second of [after, elsewhere]) {
      const { report } = worldFrom([testFile(...base, entry("rule", "a", rule), entry("rule", "b", second))]);
      expect(report.undecided).toEqual([]);
    }
  });
});

describe("large files", () => {
  const id = (i: number) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, "0")}`;
  const numbered = (i: number, position: object) =>
    entry("rule", `r${i}`, { ...rule, id: id(i), action: i % 2 === 0 ? "block" : "log", ...position });

  test("the order of thousands of rules is found in a second or two, in chains and after one rule", () => {
    const chain = Array.from({ length: 3_000 }, (_, i) =>
      numbered(i, i === 0 ? {} : { position: { after: id(i - 1) } }),
    );
    const ordered = worldFrom([testFile(...base, ...chain)]);
    expect(ordered.report.undecided).toEqual([]);
    expect(ordered.world.zones?.[0]?.token_validation?.rules?.map((rule) => rule.id)).toEqual(
      chain.map((_, i) => id(i)),
    );
    const star = Array.from({ length: 3_000 }, (_, i) =>
      numbered(i, i === 0 ? {} : { position: { after: id(0) } }),
    );
    expect(worldFrom([testFile(...base, ...star)]).report.undecided.length).toBeGreaterThan(2_000);
  }, 20_000);
});

describe("plans", () => {
  test("rules whose expression is computed from new configurations are undecided, never guessed", () => {
    const { world, report } = worldFrom([fixture("plan-v5-modules.json")]);
    expect(world.zones?.[0]?.token_validation?.rules).toBeUndefined();
    expect(report.undecided.filter(({ about }) => about === "rule")).toMatchObject([
      {
        message: expect.stringContaining('`cloudflare_token_validation_config.issuer["web"].id`'),
        effect: { hosts: ["api.example.com"] },
        run: expect.stringContaining("npx edgeproof world from --terraform-mock"),
        at: { pointer: 'module.api["shop"].cloudflare_token_validation_rules.enforce' },
      },
      { message: "A rule is left out: `expression` is not known; computed from `local.any_present`." },
    ]);
  });

  test("a plan and a mocked apply have the same ids for the same addresses", () => {
    const [plan, mock] = [
      tokensOf(fixture("plan-v5-modules.json")),
      tokensOf(fixture("terraform-test.ndjson")),
    ];
    expect(plan?.configs?.map(({ id }) => id)).toEqual(mock?.configs?.map(({ id }) => id));
    expect(plan?.operations).toEqual(mock?.operations);
  });

  test("an explicit null is no unknown value, and unknown elements of a list are undecided", () => {
    const selector = { include: [{ host: [null, "api.example.com"] }], exclude: null };
    const unknown = { after_unknown: { selector: { include: [{ host: [true, false] }] } } };
    const { report } = worldFrom([planFile([...base, entry("rule", "a", { ...rule, selector }, unknown)])]);
    expect(report.undecided).toMatchObject([{ about: "rule", effect: {} }]);
    expect(report.undecided[0]?.message).toContain("`selector.include.0.host.0` is not known");
    const known = { ...rule, selector: { ...selector, include: [{ host: ["api.example.com"] }] } };
    expect(worldFrom([planFile([...base, entry("rule", "a", known)])]).report.undecided).toEqual([]);
  });

  test("unknown keys leave out the configuration and every rule that uses it", () => {
    const unknown = { after_unknown: { credentials: { keys: [{ n: true }] } } };
    const { n, ...partial } = key;
    const incomplete = entry("config", "web", { ...config, credentials: { keys: [partial] } }, unknown);
    const { world, report } = worldFrom([
      planFile([entry("zone", "main", zone), incomplete, entry("rule", "a", rule)]),
    ]);
    expect(world.zones?.[0]?.token_validation).toBeUndefined();
    expect(report.undecided.map(({ about }) => about).sort()).toEqual(["key", "rule"]);
  });

  test("an operation with an unknown host could match every request", () => {
    const { host, ...rest } = operation;
    const plan = planFile([...base, entry("operation", "a", rest, { after_unknown: { host: true } })]);
    expect(worldFrom([plan]).report.undecided).toMatchObject([{ about: "host", effect: {} }]);
  });

  test("deleted resources are not in the world, forgotten ones are", () => {
    const deleted = { actions: ["delete"], before: rule, after: null };
    const forgotten = { actions: ["forget"], before: rule, after: null };
    expect(tokensOf(planFile([...base, entry("rule", "a", rule, deleted)]))?.rules).toBeUndefined();
    expect(tokensOf(planFile([...base, entry("rule", "a", rule, forgotten)]))?.rules).toHaveLength(1);
  });

  test("an unknown title is derived, since no answer depends on it", () => {
    const { title, ...rest } = rule;
    const { report } = worldFrom([
      planFile([...base, entry("rule", "a", rest, { after_unknown: { title: true } })]),
    ]);
    expect(report.undecided).toEqual([]);
    expect(report.derived).toMatchObject([{ message: "`title` is not known; the world has the default." }]);
  });

  test("a plan that ended with an error decides nothing", () => {
    const { report } = worldFrom([planFile(base, { errored: true })]);
    expect(report.undecided).toMatchObject([
      { about: "rule", effect: {}, message: expect.stringContaining("error") },
    ]);
  });

  test("zones of data sources name the zone", () => {
    const values = {
      root_module: {
        resources: [
          {
            address: "data.cloudflare_zones.all",
            mode: "data",
            type: "cloudflare_zones",
            name: "all",
            values: { result: [zone] },
          },
        ],
      },
    };
    const { world } = worldFrom([planFile([entry("config", "web", config)], { prior_state: { values } })]);
    expect(world.zones).toMatchObject([{ id: zoneId, name: "example.com" }]);
  });
});

describe("mocked applies", () => {
  test("random ids are replaced in expressions, selectors and positions", () => {
    const mocked = [
      entry("zone", "main", { ...zone, id: "a1b2c3d4" }),
      entry("config", "web", { ...config, zone_id: "a1b2c3d4", id: "k3v9t0qa" }),
      entry("operation", "o", { ...operation, zone_id: "a1b2c3d4", id: "8t2c5kfw" }),
      entry("rule", "r", {
        ...rule,
        zone_id: "a1b2c3d4",
        id: "p0d8s2ru",
        expression: '(is_jwt_valid("k3v9t0qa"))',
        selector: { include: [{ host: ["k3v9t0qa"] }], exclude: [{ operation_ids: ["8t2c5kfw"] }] },
      }),
    ];
    const { world } = worldFrom([testFile(...mocked)]);
    const tokens = world.zones?.[0]?.token_validation;
    const text = JSON.stringify(world);
    for (const id of ["a1b2c3d4", "8t2c5kfw", "p0d8s2ru", '\\"k3v9t0qa']) expect(text).not.toContain(id);
    expect(tokens?.rules?.[0]).toMatchObject({
      expression: `(is_jwt_valid("${tokens?.configs?.[0]?.id}"))`,
      selector: {
        include: [{ host: ["k3v9t0qa"] }],
        exclude: [{ operation_ids: [tokens?.operations?.[0]?.operation_id] }],
      },
    });
  });

  test("records without a state are rejected with the error that Terraform reported", () => {
    const records = [
      '{"@module":"terraform.ui","type":"version"}',
      '{"@module":"terraform.ui","type":"diagnostic","diagnostic":{"severity":"error","summary":"Missing variable"}}',
    ];
    const file = { name: "test.ndjson", text: records.join("\n") };
    expect(() => worldFrom([file])).toThrow(/has no record `test_state`.*reported `Missing variable`/);
  });

  test("a record that is cut off is rejected with its line", () => {
    const { name, text } = testFile(...base);
    expect(() => worldFrom([{ name, text: text.slice(0, -40) }])).toThrow("test.ndjson:2:");
  });
});

describe("settings of a zone", () => {
  const setting = (setting_id: string, value: unknown) => ({
    id: setting_id,
    setting_id,
    value,
    zone_id: zoneId,
    editable: true,
  });
  const origins = "transformations_allowed_origins";

  test("those of transformations are in the world, with their places; others are dropped", () => {
    const { world, report, sources } = worldFrom([
      stateFile(
        entry("zone", "main", zone),
        entry("setting", "mode", setting("transformations", "on")),
        entry("setting", "origins", setting(origins, { type: "string", value: "b.com" })),
        entry("setting", "ssl", setting("ssl", "full")),
      ),
    ]);
    expect(world.zones?.[0]?.settings).toEqual({ transformations: "on", [origins]: "b.com" });
    expect(sources.locate("/zones/0/settings/transformations")?.pointer).toBe("cloudflare_zone_setting.mode");
    expect(report.dropped.map(({ message }) => message)).toEqual(["A world has no zone setting `ssl`."]);
  });

  test("a value that is not known yet is dropped, and says so", () => {
    const unknown = { after_unknown: { value: true } };
    const { zone_id, setting_id } = setting("transformations", "on");
    const { world, report } = worldFrom([
      planFile([entry("zone", "main", zone), entry("setting", "mode", { zone_id, setting_id }, unknown)]),
    ]);
    expect(world.zones?.[0]?.settings).toBeUndefined();
    expect(report.dropped.map(({ message }) => message)).toEqual(["`value` is not known."]);
  });
});

describe("the URL normalization of a zone", () => {
  const setting = { type: "rfc3986", scope: "both" };
  const values = { id: zoneId, zone_id: zoneId, ...setting };

  test("is in the world with its place, from a state and from a plan", () => {
    const entries = [entry("zone", "main", zone), entry("normalization", "main", values)];
    for (const file of [stateFile(...entries), planFile(entries)]) {
      const { world, report, sources } = worldFrom([file]);
      expect(world.zones?.[0]?.url_normalization).toEqual(setting);
      expect(sources.locate("/zones/0/url_normalization/scope")?.pointer).toBe(
        "cloudflare_url_normalization_settings.main",
      );
      expect([report.dropped, report.undecided]).toEqual([[], []]);
    }
  });

  test("is undecided for all answers when it is not known yet; a second one with other values is an error", () => {
    const unknown = { after_unknown: { type: true } };
    const { type, ...others } = values;
    const { world, report } = worldFrom([
      planFile([entry("zone", "main", zone), entry("normalization", "main", others, unknown)]),
    ]);
    expect(world.zones?.[0]?.url_normalization).toBeUndefined();
    expect(report.undecided).toMatchObject([
      {
        about: "zone",
        subject: { zone: zoneId },
        message: "The URL normalization is left out: `type` is not known.",
        effect: {},
      },
    ]);
    const twice = worldFrom([
      stateFile(
        entry("zone", "main", zone),
        entry("normalization", "main", values),
        entry("normalization", "other", { ...values, scope: "none" }),
      ),
    ]);
    expect(twice.world.zones?.[0]?.url_normalization).toEqual(setting);
    expect(twice.report.invalid.map(({ rule, message }) => [rule, message])).toEqual([
      [
        "invalid-resource",
        expect.stringMatching(
          /^The URL normalization `\S+` has different values of `scope` at state\.json:\S+ \(`\S+\.main`\) and at state\.json:\S+ \(`\S+\.other`\)\.$/,
        ),
      ],
    ]);
  });
});
