/** Lookbacks that are longer than a request: their result is that of one in the request, whatever ends the process. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../../src/edge.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../../src/store/port.ts";
import { place, wordsPage } from "../../../engine/logo/dense/scenes.ts";
import { drawings, image, paint } from "../../../engine/logo/drawings.ts";
import { clientOf } from "../../../support/client.ts";
import { runs } from "../../../support/runs.ts";
import { isMissing, storeKinds } from "../../../support/stores.ts";

const kinds = await storeKinds();
const timeout = 120_000;
const png = (raster: Parameters<typeof image>[0]) => image(raster).png().toBuffer();

/** Twenty-four pictures; the dense search alone finds the logo in two of them. */
let pages: readonly { readonly domain: string; readonly image: Buffer }[];
/** The same, described once for all tests. */
let scans: readonly Parameters<Edge["brand"]["pictures"]["store"]>[1][];
let logo: object;
/** The matches of a lookback in the request. */
let expected: readonly unknown[];

beforeAll(async () => {
  const small = ["hooks", "wing", "stairs"].map((name) => paint(drawings[name]!, { side: 24 }));
  const scene = (x: number) => place(wordsPage(260, 180), drawings["hooks"]!, x, 93, 34, [190, 30, 60]);
  const rasters = [scene(60), ...Array.from({ length: 22 }, (_, i) => small[i % 3]!), scene(200)];
  pages = await Promise.all(
    rasters.map(async (raster, i) => ({ domain: `d${i}.example`, image: await png(raster) })),
  );
  const { pictures } = createEdge({ clock: () => 0 }).brand;
  scans = await Promise.all(
    pages.map(async (page) => {
      const scan = await pictures.describe(page);
      if (!scan.ok) throw new Error(scan.problems[0].message);
      return scan.value;
    }),
  );
  const image_data = (await png(paint(drawings["hooks"]!, { side: 64 }))).toString("base64");
  logo = { tag: "t", similarity_threshold: 0.75, image_data };
  const edge = await filled(createMemoryStore(), { ...limits, lookbackAtOnce: 24 });
  const { lookback } = await edge.brand.logos.queries.create("a", logo);
  done = { state: "done", total: 24, searched: 24, dense: lookback!.dense! };
  expect(lookback).toEqual(done);
  expected = await matchesOf(edge.store);
  expect(new Set(expected.map((match) => JSON.stringify(match).includes('"dense"'))).size).toBe(2);
}, timeout);

/** Limits with which every lookback is pending, in five pieces. */
const limits = { lookbackAtOnce: 0, lookbackPiece: 5 };

async function filled(store: Store, own: object = {}): Promise<Edge> {
  const edge = createEdge({ store, clock: () => 0, limits: own });
  for (const scan of scans) await edge.brand.pictures.store("a", scan);
  return edge;
}

async function matchesOf(store: Store): Promise<readonly unknown[]> {
  const matches = await store.read((tx) => tx.find("brand_logo_matches", "a"));
  return matches.map(({ match_id, blob, ...facts }) => facts);
}

const stateOf = async (edge: Edge) =>
  (await edge.brand.logos.queries.list("a", { id: "1" }))[0]?.query.lookback;
let done: {
  readonly state: string;
  readonly total: number;
  readonly searched: number;
  readonly dense: number;
};

/** The store of a process that hangs for ever in its write of this number, before or after the commit. */
function killedAt(store: Store, write: number, isAfter: boolean): Store {
  let writes = 0;
  return {
    ...store,
    write: async (work, options) => {
      if (++writes > write) return new Promise(() => {});
      const result = await store.write(work, options);
      return writes === write && isAfter ? new Promise(() => {}) : result;
    },
  };
}

test("another process continues after a kill, at any write", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.boolean(), async (write, isAfter) => {
      const store = createMemoryStore();
      await filled(store);
      const killed = createEdge({ store: killedAt(store, write, isAfter), limits });
      const { lookback } = await killed.brand.logos.queries.create("a", logo);
      expect(lookback).toEqual({ state: "pending", total: 24, searched: 0, dense: 0 });
      const other = createEdge({ store, limits });
      await other.settled();
      expect(await matchesOf(store)).toEqual(expected);
      expect(await stateOf(other)).toEqual(done);
      expect(await store.read((tx) => tx.scopes("brand_logo_lookbacks"))).toEqual([]);
    }),
    { numRuns: runs(4) },
  );
});

for (const kind of ["memory", "SQLite", "PostgreSQL"]) {
  test.skipIf(isMissing(kind))(
    `two processes together find each match once, in ${kind}`,
    { timeout },
    async () => {
      const opened = kinds[kind]!();
      const store = await opened.open();
      const edge = await filled(store, limits);
      await edge.brand.logos.queries.create("a", logo);
      const other = createEdge({ store: kind === "memory" ? store : await opened.open(), limits });
      await Promise.all([edge.settled(), other.settled()]);
      expect(await matchesOf(store)).toEqual(expected);
      expect(await stateOf(edge)).toEqual(done);
      await Promise.all([edge.close(), ...(kind === "memory" ? [] : [other.close()])]);
    },
  );
}

test("a picture that arrives meanwhile has its match once, and is not part of the lookback", {
  timeout,
}, async () => {
  const edge = await filled(createMemoryStore(), limits);
  await edge.brand.logos.queries.create("a", logo);
  await edge.brand.observeImages("a", [{ ...pages[23]!, domain: "late.example" }, pages[1]!]);
  await edge.settled();
  expect(await stateOf(edge)).toEqual(done);
  const domains = (await edge.store.read((tx) => tx.find("brand_logo_matches", "a"))).map((m) => m.domain);
  expect(domains.toSorted()).toEqual(
    ["late.example", ...expected.map((match) => (match as { domain: string }).domain)].toSorted(),
  );
});

test("the headers report the state: pending, its progress, done", { timeout }, async () => {
  const store = createMemoryStore();
  await filled(store);
  // The second write stores the first piece, and does not return.
  const edge = createEdge({ store: killedAt(store, 2, true), limits });
  const client = clientOf(edge, "/accounts/a/intel/v2/brand-protection");
  const headers = async (answer: Promise<{ headers: Headers }>) => {
    const { headers } = await answer;
    return [headers.get("edgeproof-lookback"), headers.get("edgeproof-dense-lookback")];
  };
  expect(await headers(client("POST", "/logo/queries", logo))).toEqual(["pending", "0/24"]);
  await expect
    .poll(() => headers(client("GET", "/logo/queries?id=1")), { timeout: 60_000 })
    .toEqual(["pending 5/24", expect.stringMatching(/^[1-5]\/24$/)]);
  const other = createEdge({ store });
  await other.settled();
  expect(await headers(client("GET", "/logo/matches?query_id=1"))).toEqual(["done", `${done.dense}/24`]);
  const atOnce = createEdge({ store, limits: { lookbackAtOnce: 24 } });
  const again = clientOf(atOnce, "/accounts/a/intel/v2/brand-protection");
  expect(await headers(again("POST", "/logo/queries", { ...logo, tag: "u" }))).toEqual(["done", "24/24"]);
});

describe("a lookback ends", () => {
  test("when its query is deleted", { timeout }, async () => {
    const edge = await filled(createMemoryStore(), limits);
    await edge.brand.logos.queries.create("a", logo);
    await edge.brand.logos.queries.delete("a", "1");
    await edge.settled();
    expect(await matchesOf(edge.store)).toEqual([]);
    expect(await edge.store.read((tx) => tx.scopes("brand_logo_lookbacks"))).toEqual([]);
  });

  test("with the edge, which rejects `settled`; a later one continues", { timeout }, async () => {
    const store = createMemoryStore();
    await filled(store);
    const edge = createEdge({ store: { ...store, close: async () => {} }, limits });
    await edge.brand.logos.queries.create("a", logo);
    const settled = edge.settled();
    await Promise.all([expect(settled).rejects.toThrow("The edge was closed"), edge.close()]);
    const later = createEdge({ store });
    await later.settled();
    expect(await matchesOf(store)).toEqual(expected);
    await later.settled();
  });

  test("as failed when a picture is damaged, and the message is kept", { timeout }, async () => {
    const store = createMemoryStore();
    await filled(store);
    const getMany = async (keys: readonly string[]) => {
      if (keys.some((key) => key.endsWith(".scan.descriptor"))) throw new Error("the blob is damaged");
      return store.blobs.getMany(keys);
    };
    const edge = createEdge({ store: { ...store, blobs: { ...store.blobs, getMany } }, limits });
    await edge.brand.logos.queries.create("a", logo);
    await edge.settled();
    const failed = { ...done, state: "failed", searched: 0, dense: 0, error: "the blob is damaged" };
    expect(await stateOf(edge)).toEqual(failed);
    const client = clientOf(edge, "/accounts/a/intel/v2/brand-protection");
    const { headers } = await client("GET", "/logo/queries?id=1");
    expect(headers.get("edgeproof-lookback")).toBe("failed");
  });
});
