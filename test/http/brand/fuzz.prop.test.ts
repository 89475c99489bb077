/** Hostile requests to brand protection where there is something to find: always an answer, never half a change. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Profile } from "../../../src/core/profiles.ts";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { collectionNames } from "../../../src/store/collections.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";
import { type Client, clientOf, jsonOf } from "../../support/client.ts";
import { anyJson, damaged, nastyText } from "../../support/hostile.ts";
import { runs } from "../../support/runs.ts";

const picture = drawPng(drawings["wing"]!, { side: 24 });
const image_data = Buffer.from(picture).toString("base64");

const bodies = {
  domain: {
    tag: "t",
    string_matches: [{ pattern: "paypal", max_edit_distance: 1 }],
    min_time: "2026-01-01T00:00:00Z",
    max_time: "2036-01-01T00:00:00Z",
    scan: true,
    search_lookback: true,
  },
  logo: { tag: "l", image_data, similarity_threshold: 0.5, search_lookback: true },
};

interface Setting {
  readonly edge: Edge;
  readonly store: Store;
  readonly client: Client;
}

async function setUp(profile: Profile = "spec"): Promise<Setting> {
  const store = createMemoryStore();
  const edge = createEdge({ store, profile, wireNames: "spec" });
  const client = clientOf(edge, "/accounts/a1/intel/v2/brand-protection");
  await client.ok("POST", "/domain/queries", bodies.domain);
  await client.ok("POST", "/domain/queries", bodies.domain);
  await client.ok("POST", "/logo/queries", bodies.logo);
  await edge.brand.observe("a1", ["paypal.com", "secure-paypa1.net"]);
  await edge.brand.observeImages("a1", [{ domain: "a.example", image: picture }]);
  return { edge, store, client };
}

async function stateOf({ edge, store }: Setting): Promise<string> {
  const parts: unknown[] = [];
  for await (const key of store.blobs.keys()) parts.push(key);
  await edge.store.read(async (tx) => {
    for (const name of collectionNames) parts.push(await tx.find(name, "a1"));
  });
  return JSON.stringify(parts);
}

async function check(response: Response, setting: Setting, before: string): Promise<void> {
  expect(response.status).toBeLessThan(500);
  if (response.status === 200) return;
  expect([400, 404, 413]).toContain(response.status);
  const { errors, ...rest } = await jsonOf(response);
  expect(rest).toEqual({ messages: [], success: false, result: null });
  expect(errors[0].message).toMatch(/\S/);
  expect(await stateOf(setting)).toBe(before);
}

describe("a valid body with one damaged position", () => {
  test.each([
    ["POST", "/domain/queries", bodies.domain, runs(60)],
    ["PATCH", "/domain/queries/1", bodies.domain, runs(60)],
    ["POST", "/logo/queries", bodies.logo, runs(25)],
  ] as const)("%s %s", async (method, path, valid, numRuns) => {
    for (const profile of ["spec", "provider"] as const) {
      const setting = await setUp(profile);
      await fc.assert(
        fc.asyncProperty(damaged(valid), async (body) => {
          const before = await stateOf(setting);
          await check(await setting.client(method, path, body ?? null), setting, before);
        }),
        { numRuns },
      );
    }
  });
});

describe("lists with any parameters", () => {
  const word = fc.oneof(
    nastyText,
    fc.constantFrom("1", "2", "asc", "desc", "domain", "true", "registrar", "a.com"),
  );
  const name = fc.constantFrom(
    "query_id",
    "id",
    "domain_search",
    "include_dismissed",
    "include_domain_id",
    "download",
    "limit",
    "offset",
    "order",
    "orderBy",
  );
  const pairs = fc.array(fc.tuple(name, word), { maxLength: 4 });

  test.each(["/domain/queries", "/domain/matches", "/logo/queries", "/logo/matches"])("%s", async (path) => {
    const setting = await setUp();
    const before = await stateOf(setting);
    await fc.assert(
      fc.asyncProperty(pairs, fc.boolean(), async (given, named) => {
        const query = new URLSearchParams(named ? [["query_id", "1"]] : []);
        for (const [key, value] of given) query.append(key, value.toWellFormed());
        await check(await setting.client("GET", `${path}?${query}`), setting, before);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("feeds of arbitrary values", () => {
  test("of names are stored or counted as invalid, record by record", async () => {
    const { edge } = await setUp();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(nastyText, anyJson), { maxLength: 8 }), async (items) => {
        const feed = items.filter((item) => !Array.isArray(item));
        const report = await edge.brand.observe("a1", feed as string[]);
        expect(report.records).toBe(feed.length);
        expect(report.invalidRecords).toHaveLength(report.invalid);
      }),
      { numRuns: runs(100) },
    );
  });

  test("of pictures are stored or counted as invalid, record by record", async () => {
    const { edge } = await setUp();
    const bytes = fc
      .uint8Array({ maxLength: 200 })
      .map((tail) => Buffer.concat([picture.subarray(0, 60), tail]));
    const item = fc.oneof(
      anyJson,
      fc.record({ domain: nastyText, image: fc.oneof(bytes, nastyText, fc.constant(image_data)) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), async (items) => {
        const feed = items.filter((value) => !Array.isArray(value));
        const report = await edge.brand.observeImages("a1", feed as never[]);
        expect(report.records).toBe(feed.length);
        expect(report.invalidRecords).toHaveLength(report.invalid);
      }),
      { numRuns: runs(60) },
    );
  });
});
