/** Lookbacks over many pictures that several processes share: killed, late, or with ranges of a queue. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createEdge, type Edge } from "../../../../src/edge.ts";
import { describeLogo } from "../../../../src/engine/logo/describe.ts";
import { readLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { compareLogos } from "../../../../src/engine/logo/features/compare.ts";
import { DependencyUnavailableError } from "../../../../src/errors.ts";
import { takeOver } from "../../../../src/service/brand/lookback/pending-lookback.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../../src/store/port.ts";
import { descriptorKey } from "../../../../src/store/records/brand.ts";
import { drawings, image, paint } from "../../../engine/logo/drawings.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../../../store/open.ts";
import { bundled } from "../../../support/bundled.ts";
import { blobOf, describedScan, generatedDescriptors, storeScans } from "./generated-scans.ts";
import { type Location, openAt } from "./lookback-process.ts";

/** Four segments of 4,096 positions, and some pictures after them. */
const count = 16_500;
/** More than one segment. */
const few = 5_000;
const timeout = 120_000;
const limits = { lookbackAtOnce: 0, denseLookback: 0 };
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const doneWith = (total: number) => ({ state: "done", total, searched: total, dense: 0 });
const done = doneWith(count);

let logo: { readonly tag: string; readonly similarity_threshold: number; readonly image_data: string };
let descriptors: readonly Uint8Array[];
/** Domain and score of each match, as comparing every picture finds them. */
let expected: readonly (readonly [string, number])[];

beforeAll(async () => {
  const picture = await image(paint(drawings["hooks"]!, { side: 64 }))
    .png()
    .toBuffer();
  logo = { tag: "t", similarity_threshold: 0.75, image_data: picture.toString("base64") };
  descriptors = generatedDescriptors(await describedScan(picture), 80, 40);
  expected = await compareAll(picture, 0.75, (position) => position <= count);
  expect(expected).toHaveLength(412);
});

/** The plain twin of lookback. */
async function compareAll(picture: Uint8Array, threshold: number, isStored: (position: number) => boolean) {
  const query = await describeLogo(picture, { role: "query" });
  if (!query.ok) throw new Error("no logo");
  const scores = descriptors.map((bytes) => compareLogos(query.value, readLogoDescriptor(bytes)).score);
  const matches: (readonly [string, number])[] = [];
  for (let position = 1; position <= count; position++) {
    const score = scores[position % descriptors.length]!;
    if (score >= threshold && isStored(position)) matches.push([`d${position}.example`, score]);
  }
  return matches.toSorted();
}

/** The position of the picture of a domain. */
const positionOf = (domain: string) => Number(domain.slice(1).split(".")[0]);

async function matchesOf(store: Store, query_id = 1) {
  const where = [{ field: "query_id", op: "eq", value: query_id }] as const;
  const matches = await store.read((tx) => tx.find("brand_logo_matches", "a", { where }));
  return matches.map(({ domain, similarity_score }) => [domain, similarity_score] as const).toSorted();
}

const lookbackOf = async (edge: Edge, id = "1") =>
  (await edge.brand.logos.queries.list("a", { id }))[0]?.query.lookback;

/** Stores all pictures and a query whose lookback has not begun. */
async function fill(store: Store, pictures = count): Promise<void> {
  await storeScans(store, "a", descriptors, pictures);
  const edge = createEdge({ store: { ...store, close: async () => {} }, limits });
  await edge.brand.logos.queries.create("a", logo);
  await edge.close();
}

async function filled(pictures = count): Promise<Store> {
  const store = createMemoryStore();
  await fill(store, pictures);
  return store;
}

describe.each(["SQLite", "PostgreSQL"])("in %s", (kind) => {
  test.skipIf(kind === "PostgreSQL" && postgresUrl === undefined)(
    "two processes of which one is killed find what comparing every picture finds",
    { timeout },
    async () => {
      const location: Location =
        kind === "SQLite"
          ? { sqlite: join(folder, "lookback.db") }
          : { postgres: { connectionString: postgresUrl!, schema: nextSchema() } };
      const store = await openAt(location);
      await fill(store);
      const script = fileURLToPath(new URL("./lookback-process.ts", import.meta.url));
      const children = [0, 1].map(() => fork(bundled(script), [JSON.stringify(location)]));
      const [killed, other] = children as [(typeof children)[0], (typeof children)[0]];
      const ends = children.map((child) => once(child, "close"));
      const edge = createEdge({ store });
      await once(killed, "message");
      await expect
        .poll(() => lookbackOf(edge), { interval: 5, timeout: 30_000 })
        .not.toMatchObject({ searched: 0 });
      killed.kill("SIGKILL");
      const atKill = await lookbackOf(edge);
      expect((await ends[1])?.[0]).toBe(0);
      expect((await ends[0])?.[1]).toBe("SIGKILL");
      expect(atKill).toMatchObject({ state: "pending" });
      expect(other.exitCode).toBe(0);
      expect(await lookbackOf(edge)).toEqual(done);
      expect(await matchesOf(store)).toEqual(expected);
      await edge.close();
    },
  );
});

describe("segments", () => {
  /** Counts the descriptors of generated pictures that are read. */
  function counted(store: Store): { readonly store: Store; readonly read: () => number } {
    let reads = 0;
    const getMany = (keys: readonly string[]) => {
      reads += keys.filter((key) => key.startsWith("generated/")).length;
      return store.blobs.getMany(keys);
    };
    return { store: { ...store, blobs: { ...store.blobs, getMany } }, read: () => reads };
  }

  /** Pictures that are similar to the logo: one in forty. */
  const similarIn = (first: number, last: number) => Math.floor(last / 40) - Math.floor((first - 1) / 40);

  /** Finishes the lookback of one more query; returns the descriptors that it read. */
  async function searchAgain(store: Store, threshold = 0.75): Promise<number> {
    const counting = counted(store);
    const edge = createEdge({ store: counting.store, limits });
    const own = { ...logo, tag: `t${Math.random()}`, similarity_threshold: threshold };
    await edge.brand.logos.queries.create("a", own);
    await edge.settled();
    return counting.read();
  }

  test("are built by the first lookback, and the next one reads the descriptors of candidates only", {
    timeout,
  }, async () => {
    const store = await filled();
    await createEdge({ store }).settled();
    const segments = await store.read((tx) => tx.find("brand_logo_segments", "a"));
    expect(segments.map(({ id }) => id)).toEqual(["0", "1", "2", "3"]);
    // The pictures after the last whole segment, and one in forty of the others.
    const after = count - 16_384 + 1;
    expect(await searchAgain(store)).toBe(after + similarIn(1, 16_383));
    expect(await matchesOf(store, 2)).toEqual(expected);
  });

  test("are not searched with a threshold of 0, which every picture reaches", { timeout }, async () => {
    const store = createMemoryStore();
    await storeScans(store, "a", descriptors, 5_000);
    await searchAgain(store);
    expect(await searchAgain(store, 0)).toBe(5_000);
    expect(await matchesOf(store, 2)).toHaveLength(5_000);
  });

  test("of another version, damaged or deleted ones are built again", { timeout }, async () => {
    const store = await filled();
    await createEdge({ store }).settled();
    const key = async (id: string) =>
      (await store.read((tx) => tx.get("brand_logo_segments", "a", id)))!.blob;
    const whole = await store.blobs.get(await key("0"));
    await store.blobs.put("old", new Uint8Array(1));
    await store.write(async (tx) => {
      await tx.replace("brand_logo_segments", { scope: "a", id: "0", version: "0.1", blob: "old" });
      await tx.claimBlobs(["old"]);
    });
    await store.blobs.put(await key("1"), new Uint8Array(100));
    await store.blobs.delete(await key("2"));
    expect(await searchAgain(store)).toBe(count - 4_096 + similarIn(12_288, 16_383));
    expect(await matchesOf(store, 2)).toEqual(expected);
    expect(await store.blobs.get(await key("0"))).toEqual(whole);
    expect(await store.blobs.get("old")).toBeUndefined();
    expect(await searchAgain(store)).toBe(count - 16_383 + similarIn(1, 16_383));
  });

  test("are deleted with their account", { timeout }, async () => {
    const store = createMemoryStore();
    await storeScans(store, "a", descriptors, 5_000);
    await searchAgain(store);
    await createEdge({ store, world: { accounts: [{ id: "b" }] }, prune: true }).store.read(async () => {});
    expect(await store.read((tx) => tx.scopes("brand_logo_segments"))).toEqual([]);
    await store.blobs.removeUnclaimed(0);
    for await (const key of store.blobs.keys()) expect(key).toBe("no blob");
  });

  test("do not bring back pictures that were deleted, and descriptors of another version are described again", {
    timeout,
  }, async () => {
    const store = await filled();
    await createEdge({ store }).settled();
    const isDeleted = (position: number) => position % 120 === 0 && position < 9_000;
    await store.write(async (tx) => {
      const scans = await tx.find("brand_logo_scans", "a");
      for (const { id, position } of scans)
        if (isDeleted(position)) await tx.delete("brand_logo_scans", "a", id);
    });
    // Its picture is missing, so that it cannot be described again.
    await store.blobs.put(descriptorKey(blobOf(40, 80), "scan"), Uint8Array.of(1));
    await searchAgain(store);
    const gone = (domain: string) => {
      const position = positionOf(domain);
      return isDeleted(position) || position % 80 === 40;
    };
    expect(await matchesOf(store, 2)).toEqual(expected.filter(([domain]) => !gone(domain)));
  });
});

describe("ranges", () => {
  test("in any order, twice, and by two processes find what one process finds", { timeout }, async () => {
    const store = await filled();
    const edges = [createEdge({ store }), createEdge({ store })];
    const ranges = await edges[0]!.brand.lookbacks.pendingRanges();
    expect(ranges).toEqual([
      { account: "a", queryId: "1", from: 4_096, to: count + 1 },
      { account: "a", queryId: "1", from: 1, to: 4_096 },
    ]);
    expect(await edges[0]!.brand.lookbacks.pendingRanges(1)).toEqual(ranges.slice(0, 1));
    const [newest, oldest] = ranges as [(typeof ranges)[0], (typeof ranges)[0]];
    // Not as a queue has them: with an end inside of a piece, beyond the last picture, and over both.
    const own = { ...oldest, from: 100, to: 9_000 };
    const outcomes = await Promise.all(
      [own, newest, oldest, newest, { ...oldest, to: 1_000_000 }].map((range, i) =>
        edges[i % 2]!.brand.lookbacks.searchRange(range),
      ),
    );
    expect(outcomes.reduce((sum, { searched }) => sum + searched, 0)).toBe(count);
    expect(outcomes.reduce((sum, { added }) => sum + added, 0)).toBe(expected.length);
    expect(await lookbackOf(edges[0]!)).toEqual(done);
    expect(await matchesOf(store)).toEqual(expected);
    expect(await edges[0]!.brand.lookbacks.pendingRanges()).toEqual([]);
    const none = { searched: 0, added: 0 };
    expect(await edges[1]!.brand.lookbacks.searchRange(newest)).toEqual({ ...none, state: "done" });
    await edges[0]!.brand.logos.queries.delete("a", "1");
    expect(await edges[1]!.brand.lookbacks.searchRange(newest)).toEqual(none);
    expect(await matchesOf(store)).toEqual([]);
  });

  test("end the lookback as failed for a damaged picture, and stay for an unreachable store", {
    timeout,
  }, async () => {
    const store = await filled(few);
    let error: Error = new DependencyUnavailableError("away");
    const getMany = async (keys: readonly string[]) => {
      if (keys.some((key) => key.startsWith("generated/"))) throw error;
      return store.blobs.getMany(keys);
    };
    const { lookbacks } = createEdge({ store: { ...store, blobs: { ...store.blobs, getMany } } }).brand;
    const [range] = await lookbacks.pendingRanges();
    await expect(lookbacks.searchRange(range!)).rejects.toThrow("away");
    expect(await lookbacks.pendingRanges()).toHaveLength(1);
    error = new Error("the blob is damaged");
    expect(await lookbacks.searchRange(range!)).toEqual({ searched: 0, added: 0, state: "failed" });
    expect(await lookbackOf(createEdge({ store }))).toMatchObject({ state: "failed", error: error.message });
    expect(await lookbacks.pendingRanges()).toEqual([]);
  });

  test("are stopped by a signal and by the end of the edge, and continue", { timeout }, async () => {
    const store = await filled();
    const edge = createEdge({ store: { ...store, close: async () => {} } });
    const [range] = await edge.brand.lookbacks.pendingRanges();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(edge.brand.lookbacks.searchRange(range!, { signal })).rejects.toThrow("enough");
    const searching = edge.brand.lookbacks.searchRange(range!);
    await Promise.all([expect(searching).rejects.toThrow("The edge was closed"), edge.close()]);
    const later = createEdge({ store });
    expect(await later.brand.lookbacks.searchRange(range!)).toMatchObject({ state: "pending" });
    await later.settled();
    expect(await matchesOf(store)).toEqual(expected);
  });

  test("that are not ranges are rejected with the values", async () => {
    const { lookbacks } = createEdge().brand;
    const range = { account: "a", queryId: "1", from: 1, to: 2 };
    for (const own of [{ from: 0 }, { from: 2 }, { from: 1.5 }, { to: Number.NaN }, { to: "9" }])
      await expect(lookbacks.searchRange({ ...range, ...own } as never)).rejects.toThrow(
        /`from` and `to` of a range must be integers, from 1 and ascending; found /,
      );
    await expect(lookbacks.searchRange({ ...range, queryId: 1 } as never)).rejects.toThrow(TypeError);
    await expect(lookbacks.pendingRanges(0)).rejects.toThrow("an integer from 1; found `0`");
    expect(await lookbacks.searchRange(range)).toEqual({ searched: 0, added: 0 });
  });
});

describe("a lookback that another process has left", () => {
  test("is continued after a minute of its silence, and not before", { timeout }, async () => {
    const store = await filled(few);
    let now = Date.now();
    let reads = 0;
    const read: typeof store.read = (work) => {
      reads++;
      return store.read(work);
    };
    const edge = createEdge({ store: { ...store, read }, clock: () => now, lookbackCheckMs: 5 });
    // Looks that found it leased.
    await expect.poll(() => reads, { interval: 5 }).toBeGreaterThan(3);
    expect(await lookbackOf(edge)).toMatchObject({ state: "pending", searched: 0 });
    now += 61_000;
    await expect.poll(() => lookbackOf(edge), { timeout: 30_000 }).toEqual(doneWith(few));
    expect(await matchesOf(store)).toEqual(expected.filter(([domain]) => positionOf(domain) <= few));
    await edge.close();
  });

  test("is taken over by one of several processes, for a minute", { timeout }, async () => {
    const store = await filled(few);
    const [record] = await store.read((tx) => tx.find("brand_logo_lookbacks", "a"));
    const later = record!.leased_until!;
    const take = (nowMs: number) => store.write((tx) => takeOver(tx, { part: "logos", ...record! }, nowMs));
    expect([await take(later - 1), await take(later), await take(later), await take(later + 59_999)]).toEqual(
      [false, true, false, false],
    );
    expect(await take(later + 60_000)).toBe(true);
    await createEdge({ store }).settled();
    expect(await take(later + 1_000_000)).toBe(false);
  });

  test("is not looked for by default, and an invalid interval is rejected", async () => {
    const store = await filled(few);
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    const edge = createEdge({ store, clock: () => Date.now() + 1_000_000 });
    expect(vi.getTimerCount()).toBe(0);
    const looking = createEdge({ lookbackCheckMs: 5 });
    expect(vi.getTimerCount()).toBe(1);
    await looking.close();
    vi.useRealTimers();
    expect(await lookbackOf(edge)).toMatchObject({ searched: 0 });
    for (const lookbackCheckMs of [-1, 0.5, 2 ** 31])
      expect(() => createEdge({ lookbackCheckMs })).toThrow(
        "lookbackCheckMs must be an integer from 0 to 2147483647",
      );
  });
});
