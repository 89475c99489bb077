/** Brand protection in a world: what it seeds, and what is said of a wrong one. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { InvalidInputError } from "../../../src/errors.ts";
import type { World } from "../../../src/service/world/schema.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

type Brand = NonNullable<NonNullable<World["accounts"]>[number]["brand"]>;

const image = Buffer.from(drawPng(drawings["wing"]!, { side: 64 })).toString("base64");
const other = Buffer.from(drawPng(drawings["hooks"]!, { side: 64 })).toString("base64");

const brand: Brand = {
  mode: "label",
  queries: [
    { tag: "one", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }], scan: true },
    {
      tag: "late",
      string_matches: [{ pattern: "paypal", max_edit_distance: 1 }],
      min_time: "2026-01-02T00:00:00Z",
    },
  ],
  observed: [
    "paypa1.com",
    "secure-paypal.com",
    { domain: "paypall.net", first_seen: "2026-01-01T00:00:00Z" },
  ],
  logo_queries: [{ tag: "logo", similarity_threshold: 0.85, image }],
  scans: [
    { domain: "a.example", image, registrar: "R", url_scan_id: "s", matched_at: "2026-01-01T00:00:00Z" },
    { domain: "b.example", image: other },
  ],
};

function clientFor(store = createMemoryStore(), world: Brand = brand) {
  const edge = createEdge({
    store,
    clock: () => Date.UTC(2026, 0, 31),
    world: { accounts: [{ id: "a", brand: world }] },
  });
  return clientOf(edge, "/accounts/a/intel/v2/brand-protection");
}

async function domains(client: ReturnType<typeof clientFor>, path: string): Promise<string[]> {
  return (await client.ok("GET", path)).matches.map((m: Json) => m.domain);
}

test("queries, names, logos and pictures are seeded, and matched", async () => {
  const client = clientFor();
  const queries = await client.ok("GET", "/domain/queries");
  expect(queries.map((q: Json) => [q.query_id, q.query_tag, q.scan])).toEqual([
    [1, "one", true],
    [2, "late", false],
  ]);
  expect(await domains(client, "/domain/matches?query_id=1")).toEqual(["paypa1.com", "paypall.net"]);
  expect(await domains(client, "/domain/matches?query_id=2")).toEqual(["paypa1.com"]);
  expect(await client.ok("GET", "/logo/queries?download=true")).toMatchObject([
    { id: 1, tag: "logo", image_data: image },
  ]);
  expect((await client.ok("GET", "/logo/matches?query_id=1&download=true")).matches).toEqual([
    {
      id: 1,
      domain: "a.example",
      matched_at: "2026-01-01T00:00:00.000000Z",
      query_id: 1,
      registrar: "R",
      similarity_score: 1,
      url_scan_id: "s",
      content_type: "image/png",
      image_data: image,
    },
  ]);
});

test("seeded records are found by lookback", async () => {
  const client = clientFor();
  await client.ok("POST", "/domain/queries", {
    tag: "n",
    string_matches: [{ pattern: "paypall", max_edit_distance: 0 }],
  });
  expect(await domains(client, "/domain/matches?query_id=3")).toEqual(["paypall.net"]);
  await client.ok("POST", "/logo/queries", { tag: "n", similarity_threshold: 0.85, image_data: other });
  expect(await domains(client, "/logo/matches?query_id=2")).toEqual(["b.example"]);
});

test("an account that the store already has is not seeded", async () => {
  const store = createMemoryStore();
  const first = clientFor(store);
  await first.ok("DELETE", "/logo/queries/1");
  await first.ok("DELETE", "/domain/queries/1");
  const again = clientFor(store);
  expect(await again.ok("GET", "/logo/queries")).toEqual([]);
  expect(await again.ok("GET", "/domain/queries")).toHaveLength(1);
  const keys: string[] = [];
  for await (const key of store.blobs.keys()) keys.push(key);
  // Two scans, and the logo, which has the same picture as one of them.
  expect(keys).toHaveLength(5);
  expect(await store.blobs.removeUnclaimed(0)).toBe(1);
});

describe("an invalid world is rejected as a whole, with all pointers", () => {
  const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
  const logo = { tag: "t", similarity_threshold: 0.5, image };
  test.each<[string, object, string[]]>([
    ["an unknown member", { quiet: true }, ["/quiet"]],
    ["an unknown mode", { mode: "inside" }, ["/mode"]],
    [
      "own domains that are not domains",
      { own: ["paypal.com", "com", "a b", 7] },
      ["/own/1", "/own/2", "/own/3"],
    ],
    [
      "four edits",
      { queries: [{ ...query, string_matches: [{ pattern: "x", max_edit_distance: 4 }] }] },
      ["/queries/0/string_matches/0/max_edit_distance"],
    ],
    [
      "bounds the wrong way",
      { queries: [query, { ...query, min_time: "2026-01-02T00:00:00Z", max_time: "2026-01-01T00:00:00Z" }] },
      ["/queries/1/min_time"],
    ],
    ["invalid names", { observed: ["a.com", "a b", { domain: "c..d" }] }, ["/observed/1", "/observed/2"]],
    ["an invalid time", { observed: [{ domain: "a.com", first_seen: "noon" }] }, ["/observed/0"]],
    ["a tag twice", { logo_queries: [logo, logo] }, ["/logo_queries/1/tag"]],
    [
      "a threshold above 1",
      { logo_queries: [{ ...logo, similarity_threshold: 2 }] },
      ["/logo_queries/0/similarity_threshold"],
    ],
    [
      "no picture",
      { logo_queries: [{ ...logo, image: undefined }], scans: [{}] },
      ["/logo_queries/0/image", "/scans/0/image"],
    ],
    ["a path, in a library", { scans: [{ image_path: "a.png" }] }, ["/scans/0/image_path"]],
    [
      "invalid pictures",
      { logo_queries: [{ ...logo, image: "AAAA" }], scans: [{ image: "?" }] },
      ["/logo_queries/0", "/scans/0"],
    ],
  ])("%s", (_name, wrong, pointers) => {
    try {
      clientFor(undefined, wrong as Brand);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInputError);
      const found = (error as InvalidInputError).problems.map((p) => p.pointer);
      expect(found).toEqual(pointers.map((p) => `/accounts/0/brand${p}`));
    }
  });

  test("a picture that cannot be decoded fails the first use, and no blob is left in the end", async () => {
    const store = createMemoryStore();
    const errors: unknown[] = [];
    const scans = [{ image }, { image: Buffer.from(image, "base64").subarray(0, 300).toString("base64") }];
    const edge = createEdge({
      store,
      onError: (e) => errors.push(e),
      world: { accounts: [{ id: "a", brand: { scans } }] },
    });
    const client = clientOf(edge, "/accounts/a/intel/v2/brand-protection");
    await expectFailure(await client("GET", "/logo/queries"), { status: 500, code: 10002 });
    expect(String(errors[0])).toContain("/accounts/0/brand/scans/1: The image is damaged");
    await store.blobs.removeUnclaimed(0);
    for await (const key of store.blobs.keys()) expect.unreachable(key);
  });
});
