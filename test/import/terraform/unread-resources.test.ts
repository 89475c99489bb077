/** Resources of states and plans that have no values: each is named, and no world is complete without it. */
import { type ImportFile, worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";
import { config, entry, planFile, rule, stateFile, zone } from "./documents.ts";

type Instance = Readonly<Record<string, unknown>>;

const types = {
  zone: "cloudflare_zone",
  rule: "cloudflare_token_validation_rules",
  config: "cloudflare_token_validation_config",
  app: "cloudflare_spectrum_application",
  record: "cloudflare_record",
  bucket: "aws_s3_bucket",
} as const;

function rawState(
  ...resources: readonly (readonly [keyof typeof types, readonly unknown[] | undefined])[]
): ImportFile {
  const text = JSON.stringify({
    version: 4,
    serial: 1,
    lineage: "l",
    resources: [["zone", [{ attributes: zone }]] as const, ...resources].map(([kind, instances]) => ({
      mode: "managed",
      type: types[kind],
      name: kind,
      instances,
    })),
  });
  return { name: "terraform.tfstate", text };
}

const flat = { attributes_flat: { id: "x", expression: "true" } };
const deposed = { deposed: "00000001", attributes: rule };

describe("a state file", () => {
  test.each<[string, keyof typeof types, readonly unknown[] | undefined, string, string]>([
    ["attributes of Terraform 0.11", "rule", [flat], "rule", "`attributes_flat`, the form of Terraform 0.11"],
    [
      "only a deposed object",
      "rule",
      [deposed],
      "rule",
      "it is a deposed object, which the next apply deletes",
    ],
    ["a deposed configuration", "config", [deposed], "key", "deposed"],
    ["a deposed application", "app", [deposed], "application", "deposed"],
    ["no attributes", "rule", [{ attributes: null }], "rule", "it has no `attributes`"],
    ["no instance that is an object", "rule", [null], "rule", "it has no `attributes`"],
    ["no list of instances", "rule", undefined, "rule", "it has no `attributes`"],
  ])("with %s is not complete", (_, kind, instances, about, reason) => {
    const { world, report } = worldFrom([rawState([kind, instances])]);
    expect(world.zones?.[0]).toEqual({ id: zone.id, name: zone.name, account_id: zone.account.id });
    expect(report.undecided).toMatchObject([
      {
        about,
        message: expect.stringContaining(reason),
        at: { pointer: `${types[kind]}.${kind}` },
        ...(about === "application" ? {} : { effect: {} }),
      },
    ]);
  });

  test("with a deposed object beside the current one has the current one", () => {
    const { world, report } = worldFrom([rawState(["rule", [deposed, { attributes: rule }]])]);
    expect(world.zones?.[0]?.token_validation?.rules).toHaveLength(1);
    expect(report.undecided).toEqual([]);
    expect(report.dropped.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("deposed object"),
    );
  });

  test("without the values of a remark, or of a resource that a world does not have, is complete", () => {
    const { report } = worldFrom([rawState(["record", [flat]], ["bucket", [flat]])]);
    expect(report.undecided).toEqual([]);
    expect(report.dropped.map(({ message }) => message)).toEqual([
      expect.stringContaining("`cloudflare_record.record` is left out"),
      "A world holds no resources of other providers (1 resource).",
    ]);
  });
});

describe("the output of terraform show", () => {
  const open = (extra: Instance): ImportFile => {
    const state = JSON.parse(stateFile(entry("zone", "z", zone), entry("config", "c", config)).text);
    Object.assign(state.values.root_module.resources[1], extra);
    return { name: "state.json", text: JSON.stringify(state) };
  };

  test.each([
    ["a deposed object", { deposed_key: "00000001" }, "deposed object"],
    ["no values", { values: null }, "it has no `values`"],
  ])("with %s of a state is not complete", (_, extra, reason) => {
    const { report } = worldFrom([open(extra)]);
    expect(report.undecided).toMatchObject([
      { about: "key", effect: {}, message: expect.stringContaining(reason) },
    ]);
  });

  test("of a plan with a resource without its change is not complete", () => {
    const plan = JSON.parse(planFile([entry("zone", "z", zone), entry("config", "c", config)]).text);
    delete plan.resource_changes[1].change;
    const { report } = worldFrom([{ name: "plan.json", text: JSON.stringify(plan) }]);
    expect(report.undecided).toMatchObject([{ about: "key", message: expect.stringContaining("`change`") }]);
  });
});
