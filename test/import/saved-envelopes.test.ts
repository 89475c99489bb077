/** Saved responses of the interface become one world. */
import { readFileSync } from "node:fs";
import { worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";

const folder = new URL("../../fixtures/own-configuration/", import.meta.url);

function saved(...names: readonly string[]) {
  return names.map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}

describe("saved responses", () => {
  test("responses of several lists become one zone of one account", () => {
    const { world, report } = worldFrom(
      saved("api-zone.json", "api-token-configs.json", "api-token-rules.json", "api-operations-page1.json"),
    );
    expect(report.undecided).toEqual([]);
    expect(world.accounts).toEqual([{ id: "a67e14daa5f8dceeb91fe5449ba496eb" }]);
    const [zone] = world.zones ?? [];
    expect(zone).toMatchObject({ id: "0da42c8d2132a9ddaf714f9e7c920711", name: "example.com" });
    expect(zone?.token_validation?.operations).toHaveLength(2);
    expect(zone?.token_validation?.rules?.[1]?.selector).toEqual({
      include: [{ host: ["api.example.com"] }],
    });
  });

  test("the place of a value is the place in its own file", () => {
    const { sources } = worldFrom(saved("api-zone.json", "api-token-rules.json"));
    expect(sources.locate("/zones/0/token_validation/rules/1/expression")).toEqual({
      file: "api-token-rules.json",
      pointer: "/result/1/expression",
      line: 39,
      column: 21,
    });
  });
});
