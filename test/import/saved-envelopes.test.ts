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
  test("a setting of a zone is in the world under its name", () => {
    const result = { id: "transformations", value: "on", editable: true, modified_on: null };
    const files = [
      ...saved("api-zone.json"),
      { name: "s.json", text: JSON.stringify({ success: true, result }) },
    ];
    expect(worldFrom(files).world.zones?.[0]?.settings).toEqual({ transformations: "on" });
  });

  test("the URL normalization of a zone is in the world", () => {
    const result = { type: "cloudflare", scope: "none" };
    const files = [
      ...saved("api-zone.json"),
      { name: "n.json", text: JSON.stringify({ success: true, result }) },
    ];
    expect(worldFrom(files).world.zones?.[0]?.url_normalization).toEqual(result);
  });

  test("a list of which pages are missing is undecided", () => {
    const { report } = worldFrom(saved("api-zone.json", pages[0]));
    expect(report.undecided).toMatchObject([
      { about: "host", message: "The files have 2 of 4 elements of the list of operations.", effect: {} },
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

  test("the settings of image hosting are those of the account; two files with different ones are an error", () => {
    const text = (result: object) => JSON.stringify({ success: true, result });
    const config = { flexible_variants: true, browser_ttl: 3_600, preserve_content_credentials: false };
    const { world, report } = worldFrom([
      { name: "config.json", text: text(config) },
      { name: "older.json", text: text({ ...config, browser_ttl: 7_200 }) },
    ]);
    expect(world.accounts).toEqual([{ id: "account", images: { config } }]);
    expect(report.invalid).toMatchObject([
      {
        rule: "conflict",
        level: "error",
        message:
          "The set of image settings has different values of `browser_ttl` at config.json:1:26 and at older.json:1:26.",
        at: { file: "older.json" },
      },
    ]);
  });

  test("the action of a rule is lower case in the world, as the service compares it", () => {
    const rule = { id: "r1", title: "t", action: "BLOCK", enabled: true, expression: "x", selector: {} };
    const text = JSON.stringify({ success: true, result: [rule] });
    const { world } = worldFrom([{ name: "rules.json", text }]);
    expect(world.zones?.[0]?.token_validation?.rules).toMatchObject([{ action: "block" }]);
  });

  test.each<[string, object | string, string]>([
    [
      "an error",
      { success: false, errors: [{ code: 10403, message: "no entitlement" }], result: null },
      "e.json:1:1: The response is an error: `10403` `no entitlement`. Save it again",
    ],
    [
      "an error with a list",
      { success: false, result: [] },
      "The response is an error: it does not say which.",
    ],
    ["an error without a result", { success: false, errors: [] }, "The response is an error"],
    ["an error without `success`", { errors: [{ message: "no" }], data: null }, "The response is an error"],
    ["no result", { success: true }, "`result` must be an object or a list; found nothing."],
    [
      "the result null",
      { success: true, result: null },
      "`result` must be an object or a list; found `null`.",
    ],
    [
      "a page with an error",
      [{ success: true, result: [] }, { success: false }],
      "e.json:1:31: The response",
    ],
    ["an error page", "<html><title>502</title></html>", "e.json:1:1: The file is a page of HTML or XML"],
    ["an empty file", "", "is not JSON: the text is empty"],
  ])("a response with %s cannot be read, and is never an empty list", (_name, body, message) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const files = [...saved("api-zone.json"), { name: "e.json", text }];
    expect(() => worldFrom(files)).toThrow(message);
  });

  const page = (elements: number, info?: object) => {
    const result = Array.from({ length: elements }, (_, i) => {
      return { operation_id: `${JSON.stringify(info)}${i}`, method: "GET", host: "h", endpoint: `/${i}` };
    });
    return { success: true, result, ...(info && { result_info: info }) };
  };

  test.each<[string, readonly object[], string | undefined]>([
    ["all pages", [page(2, { page: 1, total_count: 3 }), page(1, { page: 2, total_count: 3 })], undefined],
    [
      "one page twice",
      [page(2, { page: 1, total_count: 3 }), page(2, { page: 1, total_count: 3 })],
      "2 of 3",
    ],
    [
      "the empty page after the last",
      [page(1, { page: 1, total_count: 1 }), page(0, { total_count: 1 })],
      undefined,
    ],
    ["an empty page of a list with elements", [page(0, { page: 1, total_count: 4 })], "0 of 4"],
    ["a page of another total", [page(9), page(1, { page: 1, total_count: 2 })], "1 of 2"],
    [
      "one of the pages that `total_pages` counts",
      [page(2, { page: 1, per_page: 2, total_pages: 3 })],
      "2 of 5",
    ],
    ["a page whose cursor names the next one", [page(2, { count: 2, cursors: { after: "c" } })], "2"],
    ["a page with a single cursor", [page(3, { cursor: "c" })], "3"],
    [
      "pages with cursors and the last one",
      [page(2, { cursors: { after: "c" } }), page(1, { cursors: {} })],
      undefined,
    ],
    ["the last page of a list with cursors", [page(2, { cursors: { before: "b", after: "" } })], undefined],
  ])("%s: the missing elements of a list are undecided", (_name, envelopes, missing) => {
    const { report } = worldFrom([
      ...saved("api-zone.json"),
      { name: "p.json", text: JSON.stringify(envelopes) },
    ]);
    const messages = report.undecided.map(({ message }) => message);
    expect(messages).toEqual(
      missing === undefined ? [] : [expect.stringContaining(`have ${missing} elements`)],
    );
  });

  test("missing pages of lists on which no verdict depends are undecided without an effect", () => {
    const envelope = { success: true, result: [{ id: "a", options: {} }], result_info: { total_count: 2 } };
    const { report } = worldFrom([
      ...saved("api-zone.json"),
      { name: "v.json", text: JSON.stringify(envelope) },
    ]);
    expect(report.undecided).toMatchObject([{ about: "images" }]);
    expect(report.undecided[0]).not.toHaveProperty("effect");
  });

  test("empty lists and objects of other kinds are dropped with a reason; other elements are missing ones", () => {
    const envelopes = [
      { success: true, result: [] },
      { success: true, result: [{ id: 1, tag: "t", similarity_threshold: 0.8 }, { a: 1 }, 5] },
    ];
    const { report } = worldFrom([{ name: "e.json", text: JSON.stringify(envelopes) }]);
    expect(report.dropped.map(({ message }) => message)).toEqual([
      "An empty list does not say of what kind it is.",
      expect.stringContaining("A logo query needs its picture"),
      "An object with the members `a` is of no kind that a world has.",
    ]);
    expect(report.undecided).toMatchObject([
      { message: "A part of the response must be an object; found `5`.", effect: {} },
    ]);
  });

  test.each<[string, unknown, object]>([
    [
      "an empty object",
      {},
      { about: "rule", message: expect.stringContaining("found an object"), effect: {} },
    ],
    [
      "a list of null",
      [null],
      { about: "rule", message: expect.stringContaining("found `null`"), effect: {} },
    ],
    [
      "an element of another kind among operations",
      [{ method: "GET", host: "a.example.com", endpoint: "/" }, { method: "GET" }],
      { about: "host", message: expect.stringContaining("must be an operation"), effect: {} },
    ],
    [
      "a rule of null in a ruleset",
      { id: "e1", kind: "zone", phase: "http_request_firewall_custom", version: "1", rules: [null] },
      { about: "rule", message: "A ruleset is left out: `rules` is not known.", effect: {} },
    ],
    [
      "a key of null in a configuration",
      [{ id: "c1", title: "t", token_type: "JWT", token_sources: [null], credentials: { keys: [] } }],
      { about: "key", message: "A token configuration is left out: `token_sources` is not known." },
    ],
  ])("%s is undecided, so that no world is complete without it", (_, result, expected) => {
    const text = JSON.stringify({ success: true, result });
    const { report } = worldFrom([{ name: "e.json", text }], { zoneNames: { z1: "example.com" } });
    expect(report.undecided).toMatchObject([expected]);
  });

  test.each([
    ["variants by id, in an answer", { success: true, result: { variants: { hero: {} } } }],
    ["variants by id, without the envelope", { variants: { hero: {} } }],
    ["variants by id, without the name of the list", { success: true, result: { hero: {} } }],
    ["variants in an array", { success: true, result: { variants: [{ id: "hero" }] } }],
    ["variants in a list of another name", { success: true, result: { items: [{ id: "hero" }] } }],
  ])("%s are read", (_, answer) => {
    const options = { fit: "cover", width: 10, height: 10, metadata: "none" };
    const text = JSON.stringify(answer).replace(
      '"hero":{}',
      JSON.stringify({ hero: { options } }).slice(1, -1),
    );
    const file = text.replace('{"id":"hero"}', JSON.stringify({ id: "hero", options }));
    const { world, report } = worldFrom([{ name: "v.json", text: file }]);
    expect(world.accounts?.[0]?.images?.variants).toEqual([{ id: "hero", options }]);
    expect([report.dropped, report.undecided]).toEqual([[], []]);
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

  test("bare arrays are read as their envelopes are, with a remark that pages are not known", () => {
    const envelopes = saved("api-zone.json", "api-token-configs.json", "api-token-rules.json");
    const bare = envelopes.map(({ name, text }, i) =>
      i === 0 ? { name, text } : { name, text: JSON.stringify(JSON.parse(text).result, null, 2) },
    );
    const { world, report, sources } = worldFrom(bare);
    expect(world).toEqual(worldFrom(envelopes).world);
    expect(report.derived.map(({ at, message }) => [at.file, message])).toEqual(
      ["api-token-configs.json", "api-token-rules.json"].map((name) => [
        name,
        expect.stringContaining("does not say whether the list has more pages"),
      ]),
    );
    expect(sources.locate("/zones/0/token_validation/rules/1/expression")?.pointer).toBe("/1/expression");
  });

  test.each<[string, unknown, string]>([
    ["an object of no kind", [{ a: 1 }], "no known format"],
    [
      "an element that is not an object",
      [{ expression: "x", action: "block" }, 1],
      "a.json:1:38: A response,",
    ],
    ["nothing", [], "no known format"],
  ])("an array with %s is not read", (_what, value, message) => {
    expect(() => worldFrom([{ name: "a.json", text: JSON.stringify(value) }])).toThrow(message);
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
      start: { line: 39, column: 21 },
    });
  });
});

describe("saved rulesets and lists", () => {
  const phase = "http_request_firewall_custom";
  const rule = { id: "r1", version: "1", action: "block", expression: "ip.src in $office", enabled: true };
  const entry = { id: "e1", name: "default", kind: "zone", phase, version: "3", rules: [rule] };
  const root = { id: "e2", name: "root", kind: "root", phase, version: "1", rules: [] };
  const list = { id: "l1", name: "office", kind: "ip", num_items: 2, created_on: "2026-01-01T00:00:00Z" };
  const items = ["192.0.2.0/24", "198.51.100.7"].map((ip, i) => ({
    id: `i${i}`,
    ip,
    created_on: list.created_on,
  }));
  const file = (result: unknown, info?: object) => ({
    name: "saved.json",
    text: JSON.stringify({ success: true, result, ...(info && { result_info: info }) }),
  });
  const zoneFile = saved("api-zone.json");

  test("a ruleset is that of its zone or account, and items are those of the only list", () => {
    const { world, report } = worldFrom([...zoneFile, file(entry), file(root), file([list]), file(items)]);
    expect(report.undecided).toEqual([]);
    expect(world.zones?.[0]?.rulesets).toMatchObject([{ id: "e1", rules: [{ id: "r1", action: "block" }] }]);
    expect(world.zones?.[0]?.rulesets?.[0]).not.toHaveProperty("version");
    expect(world.zones?.[0]).not.toHaveProperty("token_validation");
    expect(world.accounts?.[0]).toMatchObject({
      rulesets: [{ id: "e2" }],
      lists: [{ name: "office", items: ["192.0.2.0/24", "198.51.100.7"] }],
    });
  });

  test("a list of rulesets has no rules: without the ruleset itself every answer is undecided", () => {
    const { rules: _, ...listed } = entry;
    const limits = { ...listed, id: "e3", phase: "http_ratelimit" };
    const { world, report } = worldFrom([...zoneFile, file([listed, limits])]);
    expect(world.zones?.[0]).not.toHaveProperty("rulesets");
    expect(report.undecided).toMatchObject([
      { about: "rule", run: expect.stringContaining("/rulesets/e1"), effect: {} },
    ]);
    const both = worldFrom([...zoneFile, file([listed]), file(entry)]);
    expect(both.world.zones?.[0]?.rulesets).toHaveLength(1);
    expect([both.report.undecided, both.report.invalid]).toEqual([[], []]);
  });

  test("a page of items with a cursor is not the whole list", () => {
    const page = file(items, { cursors: { after: "next" } });
    const { report } = worldFrom([...zoneFile, file(entry), file([list]), page]);
    expect(report.undecided).toMatchObject([
      { about: "rule", message: expect.stringContaining("cursor"), effect: {} },
    ]);
  });

  test("two entry points of one phase of a zone are an error that names both", () => {
    const { report } = worldFrom([
      ...zoneFile,
      file({ ...entry, rules: [] }),
      file({ ...entry, id: "e9", rules: [] }),
    ]);
    expect(report.undecided).toEqual([]);
    expect(report.invalid).toMatchObject([
      {
        rule: "invalid-resource",
        level: "error",
        message: expect.stringMatching(
          /^The rulesets at \S+ and \S+ are both the entry point of the phase `http_request_firewall_custom`; a phase of a zone has one entry point\.$/,
        ),
      },
    ]);
  });
});
