/** The checks that are loaded for a world find what all of them find. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkWorld } from "../../src/service/world/check-every-area.ts";
import { checkWorldWith } from "../../src/service/world/check-world.ts";
import { loadChecks } from "../../src/service/world/checks/load-checks.ts";

const config = { id: "x", token_sources: ["nowhere"], credentials: { keys: [] } };
const worlds: Readonly<Record<string, object>> = {
  nothing: {},
  "token validation": { zones: [{ id: "z", token_validation: { configs: [config] } }] },
  rulesets: { zones: [{ id: "z", rulesets: [{ kind: "zone", phase: "none" }] }] },
  lists: { accounts: [{ id: "a", lists: [{ name: "l", kind: "ip", items: ["nowhere"] }] }] },
  brand: { accounts: [{ id: "a", brand: { observed: ["..."] } }] },
  images: {
    accounts: [
      { id: "a", images: { account_hash: "h" } },
      { id: "b", images: { account_hash: "h" } },
    ],
  },
  "host names": { zones: [{ id: "z", proxy: { hostnames: ["a b"] } }] },
  "orphaned addresses": { orphaned_edge_ips: ["nowhere"] },
  applications: { zones: [{ id: "z", proxy: { applications: [{ protocol: "tcp/99999" }] } }] },
  settings: { zones: [{ id: "z", settings: { transformations_allowed_origins: "a b" } }] },
  "ids that repeat": { accounts: [{ id: "a" }, { id: "a" }] },
};

const problemsWith = async (world: object) => {
  const found = checkWorldWith(await loadChecks(world), world);
  return found.ok ? found.value.problems : found.problems;
};

describe("the checks that are loaded", () => {
  test.each(Object.entries(worlds))("find every problem of %s", async (name, world) => {
    const all = checkWorld(world);
    const problems = all.ok ? all.value.problems : all.problems;
    expect(problems.length > 0).toBe(name !== "nothing");
    expect(await problemsWith(world)).toEqual(problems);
  });

  test("are as few as the areas of the world", async () => {
    expect(Object.keys(await loadChecks({ zones: [{ id: "z", rulesets: [] }] }))).toEqual(["rulesets"]);
    expect(Object.keys(await loadChecks({ zones: [{ id: "z", proxy: {} }] }))).toEqual([
      "proxy",
      "applications",
    ]);
  });

  test("exist for every area", () => {
    const files = readdirSync("src/service/world/checks").filter((file) => !/^(?:all|load)-/.test(file));
    const text = readFileSync("src/service/world/checks/load-checks.ts", "utf8");
    for (const file of files) expect(text).toContain(`import("./${file}")`);
  });
});
