/** Saved responses of the interface become one world. */
import { readFileSync } from "node:fs";
import { worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";

const folder = new URL("../../fixtures/own-configuration/", import.meta.url);

function saved(...names: readonly string[]) {
  return names.map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}

const pages = ["api-operations-page1.json", "api-operations-page2.json"] as const;

describe("saved responses", () => {
  test("a list of which pages are missing is undecided", () => {
    const { report } = worldFrom(saved("api-zone.json", pages[0]));
    expect(report.undecided).toMatchObject([
      { subject: "host", message: "The files have 2 of 4 elements of the list of operations.", effect: {} },
    ]);
  });

  test("an array of envelopes in one file is read as their pages", () => {
    const text = `[${saved(...pages)
      .map((file) => file.text)
      .join(",")}]`;
    const { world, sources } = worldFrom([{ name: "all.json", text }], { zoneNames: { z1: "example.com" } });
    expect(world.zones?.[0]?.token_validation?.operations).toHaveLength(4);
    expect(sources.locate("/zones/0/token_validation/operations/2/host")?.pointer).toBe("/1/result/0/host");
  });

  test("the action of a rule is lower case in the world, as the service compares it", () => {
    const rule = { id: "r1", title: "t", action: "BLOCK", enabled: true, expression: "x", selector: {} };
    const text = JSON.stringify({ success: true, result: [rule] });
    const { world } = worldFrom([{ name: "rules.json", text }]);
    expect(world.zones?.[0]?.token_validation?.rules).toMatchObject([{ action: "block" }]);
  });

  test("errors, empty lists and objects of other kinds are dropped with a reason", () => {
    const envelopes = [
      { success: false, errors: [{ code: 10403, message: "no entitlement" }], result: null },
      { success: true, result: [] },
      { success: true, result: [{ id: 1, tag: "t", similarity_threshold: 0.8 }, { a: 1 }] },
    ];
    const { report } = worldFrom([{ name: "e.json", text: JSON.stringify(envelopes) }]);
    expect(report.dropped.map(({ reason }) => reason)).toEqual([
      "The response is an error: `10403` `no entitlement`.",
      "An empty list does not say of what kind it is.",
      expect.stringContaining("A logo query needs its picture"),
      "An object with the members `a` is of no kind that a world has.",
    ]);
  });

  test("bare domain queries and the variants of an account are resources of the account", () => {
    const { world } = worldFrom(saved("api-zone.json", "api-domain-queries.json", "api-image-variants.json"));
    expect(world.accounts).toMatchObject([
      {
        images: { variants: [{ id: "public" }, { id: "hero", neverRequireSignedURLs: true }] },
        brand: {
          queries: [{ tag: "shop", string_matches: [{ pattern: "exampleshop", max_edit_distance: 1 }] }],
        },
      },
    ]);
  });

  test("responses of several lists become one zone of one account", () => {
    const { world, report } = worldFrom(
      saved("api-zone.json", "api-token-configs.json", "api-token-rules.json", ...pages.toReversed()),
    );
    expect(report.undecided).toEqual([]);
    expect(world.accounts).toEqual([{ id: "a67e14daa5f8dceeb91fe5449ba496eb" }]);
    const [zone] = world.zones ?? [];
    expect(zone).toMatchObject({ id: "0da42c8d2132a9ddaf714f9e7c920711", name: "example.com" });
    expect(zone?.token_validation?.operations).toHaveLength(4);
    expect(zone?.token_validation?.operations?.[0]?.endpoint).toBe("/health");
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
