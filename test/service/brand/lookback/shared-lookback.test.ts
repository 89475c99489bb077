/** Lookbacks over many pictures that several processes share: killed, late, or with ranges of a queue. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { createEdge, type Edge } from "../../../../src/edge.ts";
import { decodeLogo } from "../../../../src/engine/logo/decode/decode.ts";
import { denseScore } from "../../../../src/engine/logo/dense/dense-score.ts";
import {
  compileDetector,
  type Detector,
  searchedTemplates,
} from "../../../../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../../../../src/engine/logo/dense/search-picture.ts";
import { searchSketchSteps, sketchTemplates } from "../../../../src/engine/logo/dense/search-sketch.ts";
import { readSketch } from "../../../../src/engine/logo/dense/sketch.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { type LogoDescriptor, readLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { compareWhole } from "../../../../src/engine/logo/features/compare.ts";
import { isAlike, rankPictures, searchRounds } from "../../../../src/engine/logo/rank-pictures.ts";
import { DependencyUnavailableError } from "../../../../src/errors.ts";
import { reindexLogos } from "../../../../src/service/brand/logos/stored-descriptors.ts";
import { takeOver } from "../../../../src/service/brand/lookback/pending-lookback.ts";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../../src/store/port.ts";
import { descriptorKey } from "../../../../src/store/records/brand.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../../../store/open.ts";
import { bundled } from "../../../support/bundled.ts";
import { drawnPictures, logoFile, type Picture, pictureAt, storeScans } from "./generated-scans.ts";
import { type Location, openAt } from "./lookback-process.ts";

/** Seven pieces of ten positions, of which the newest has what remains. */
const count = 76;
/** Three pieces. */
const few = 29;
const timeout = 120_000;
const limits = { lookbackAtOnce: 0, lookbackPiece: 10 };
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

let pictures: readonly Picture[];
let detector: Detector;
let query: LogoDescriptor;
let logo: { readonly tag: string; readonly similarity_threshold: number; readonly image_data: string };
/** The matches of the plain model in all positions. */
let expected: Modelled;
const doneWith = (total: number, { dense }: Modelled) => ({ state: "done", total, searched: total, dense });

beforeAll(async () => {
  const file = await logoFile();
  logo = { tag: "t", similarity_threshold: 0.75, image_data: Buffer.from(file).toString("base64") };
  pictures = await drawnPictures();
  const decoded = await decodeLogo(file, "query");
  if (!decoded.ok) throw new Error("no logo");
  detector = compileDetector(decoded.value);
  query = describeRaster(decoded.value, "query");
  expected = model(count);
  // The prefilter leaves some pictures out, and finds the logo in most pieces.
  expect(expected.dense).toBeLessThan(count / 2);
  expect(expected.matches.length).toBeGreaterThan(5);
}, timeout);

interface Modelled {
  /** Domain and score of each match. */
  readonly matches: readonly (readonly [string, number])[];
  /** Number of dense searches. */
  readonly dense: number;
}

/** The plain twin of lookback: searches each picture that the prefilter lets through, piece by piece. */
function model(last: number, isStored = (_position: number) => true): Modelled {
  const bounds = Array.from({ length: Math.max(1, Math.floor((last + 1) / 10)) }, (_, i) => 10 * i);
  const matches: (readonly [string, number])[] = [];
  let dense = 0;
  for (const [n, from] of bounds.entries()) {
    const to = bounds[n + 1] ?? last + 1;
    const positions = Array.from({ length: to - from }, (_, i) => from + i).filter(
      (p) => p > 0 && isStored(p),
    );
    const scans = positions.map((position) => pictures[pictureAt(position, pictures.length)]!);
    const scores = new Map<number, number>();
    const wholes = scans.map(({ descriptor }) => compareWhole(query, readLogoDescriptor(descriptor)));
    for (const [i, whole] of wholes.entries()) if (whole >= 0.75) scores.set(i, whole);
    const ranked = rankOf(scans).filter((i) => wholes[i]! < denseScore(1));
    const hash = (i: number) => readLogoDescriptor(scans[i]!.descriptor).blockHash;
    const rounds = searchRounds(ranked, (a, b) => isAlike(hash(a), hash(b)));
    for (let next = rounds.next([]); !next.done; ) {
      const found = next.value.filter((i) => {
        dense++;
        const score = Math.max(wholes[i]!, searchIn(scans[i]!));
        if (score >= 0.75) scores.set(i, score);
        return score >= 0.75;
      });
      next = rounds.next(found);
    }
    for (const [i, score] of scores) matches.push([`d${positions[i]}.example`, score]);
  }
  return { matches: matches.toSorted(), dense };
}

function rankOf(scans: readonly Picture[]): readonly number[] {
  const templates = sketchTemplates(searchedTemplates(detector));
  const levels = scans.map(({ descriptor }) => readSketch(readLogoDescriptor(descriptor).sketch));
  return rankPictures(levels.map((each) => runSteps(searchSketchSteps(each, templates))));
}

const searched = new Map<Picture, number>();
function searchIn(picture: Picture): number {
  const known = searched.get(picture);
  if (known !== undefined) return known;
  const [match] = runSteps(searchSteps(picture.raster, [detector])).matches;
  const score = match ? denseScore(match.value) : 0;
  searched.set(picture, score);
  return score;
}

async function matchesOf(store: Store, query_id = 1) {
  const where = [{ field: "query_id", op: "eq", value: query_id }] as const;
  const matches = await store.read((tx) => tx.find("brand_logo_matches", "a", { where }));
  return matches.map(({ domain, similarity_score }) => [domain, similarity_score] as const).toSorted();
}

const lookbackOf = async (edge: Edge, id = "1") =>
  (await edge.brand.logos.queries.list("a", { id }))[0]?.query.lookback;

/** Stores all pictures and a query whose lookback has not begun. */
async function fill(store: Store, stored = count): Promise<void> {
  await storeScans(store, "a", pictures, stored);
  const edge = createEdge({ store: { ...store, close: async () => {} }, limits });
  await edge.brand.logos.queries.create("a", logo);
  await edge.close();
}

async function filled(stored = count): Promise<Store> {
  const store = createMemoryStore();
  await fill(store, stored);
  return store;
}

describe.each(["SQLite", "PostgreSQL"])("in %s", (kind) => {
  test.skipIf(kind === "PostgreSQL" && postgresUrl === undefined)(
    "two processes of which one is killed find what the plain model finds",
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
      expect(await lookbackOf(edge)).toEqual(doneWith(count, expected));
      expect(await matchesOf(store)).toEqual(expected.matches);
      await edge.close();
    },
  );
});

describe("the prefilter", () => {
  test("chooses within pieces of the pictures that are stored", { timeout }, async () => {
    const store = await filled();
    const isStored = (position: number) => position % 7 !== 0;
    await store.write(async (tx) => {
      for (const { id, position } of await tx.find("brand_logo_scans", "a"))
        if (!isStored(position)) await tx.delete("brand_logo_scans", "a", id);
    });
    await createEdge({ store }).settled();
    expect(await matchesOf(store)).toEqual(model(count, isStored).matches);
  });

  test("is left out for fewer pictures than fill a piece, in the request and in the background", {
    timeout,
  }, async () => {
    for (const lookbackAtOnce of [0, 9]) {
      const store = createMemoryStore();
      await storeScans(store, "a", pictures, 9);
      const edge = createEdge({ store, limits: { ...limits, lookbackAtOnce } });
      await edge.brand.logos.queries.create("a", logo);
      await edge.settled();
      const scores = Array.from({ length: 9 }, (_, i) => pictures[pictureAt(i + 1, pictures.length)]!).map(
        (picture) => Math.max(searchIn(picture), compareWhole(query, readLogoDescriptor(picture.descriptor))),
      );
      const all = scores.flatMap((score, i) =>
        score >= 0.75 ? [[`d${i + 1}.example`, score] as const] : [],
      );
      expect(await matchesOf(store)).toEqual(all.toSorted());
    }
  });

  test("works in the request as in the background, while few pictures are searched densely", {
    timeout,
  }, async () => {
    const store = createMemoryStore();
    await storeScans(store, "a", pictures, count);
    // One of each of the six older pieces, and two of seventeen pictures.
    for (const [lookbackAtOnce, state] of [
      [7, "pending"],
      [8, undefined],
    ] as const) {
      const edge = createEdge({ store, limits: { ...limits, lookbackAtOnce } });
      const created = await edge.brand.logos.queries.create("a", { ...logo, tag: `t${lookbackAtOnce}` });
      if (state) expect(created.lookback).toMatchObject({ state, searched: 0, dense: 0 });
      else expect(created.lookback!.searched).toBeGreaterThan(0);
      await edge.settled();
      expect(await lookbackOf(edge, created.id)).toEqual(doneWith(count, expected));
      expect(await matchesOf(store, created.query_id)).toEqual(expected.matches);
    }
  });

  test("describes pictures of an earlier version again", { timeout }, async () => {
    const store = await filled();
    for (const i of pictures.keys())
      await store.blobs.put(descriptorKey(`generated/${i}`, "scan"), Uint8Array.of(2));
    await createEdge({ store }).settled();
    expect(await matchesOf(store)).toEqual(expected.matches);
  });

  test("has no data of an earlier version after a reindex", { timeout }, async () => {
    const store = await filled(few);
    await store.blobs.put("old", new Uint8Array(1));
    await store.write(async (tx) => {
      await tx.insert("brand_logo_segments", { scope: "a", id: "0", version: "2.1", blob: "old" });
      await tx.claimBlobs(["old"]);
    });
    await reindexLogos(store);
    expect(await store.read((tx) => tx.scopes("brand_logo_segments"))).toEqual([]);
    expect(await store.blobs.get("old")).toBeUndefined();
  });
});

describe("ranges", () => {
  test("in any order, twice, and by two processes find what one process finds", { timeout }, async () => {
    const store = await filled();
    const edges = [createEdge({ store }), createEdge({ store })];
    const ranges = await edges[0]!.brand.lookbacks.pendingRanges();
    expect(ranges).toEqual([
      { account: "a", queryId: "1", from: 30, to: count + 1 },
      { account: "a", queryId: "1", from: 1, to: 30 },
    ]);
    expect(await edges[0]!.brand.lookbacks.pendingRanges(1)).toEqual(ranges.slice(0, 1));
    const [newest, oldest] = ranges as [(typeof ranges)[0], (typeof ranges)[0]];
    // Not as a queue has them: with an end inside of a piece, beyond the last picture, and over both.
    const own = { ...oldest, from: 12, to: 45 };
    const outcomes = await Promise.all(
      [own, newest, oldest, newest, { ...oldest, to: 1_000_000 }].map((range, i) =>
        edges[i % 2]!.brand.lookbacks.searchRange(range),
      ),
    );
    expect(outcomes.reduce((sum, { searched }) => sum + searched, 0)).toBe(count);
    expect(outcomes.reduce((sum, { added }) => sum + added, 0)).toBe(expected.matches.length);
    expect(await lookbackOf(edges[0]!)).toEqual(doneWith(count, expected));
    expect(await matchesOf(store)).toEqual(expected.matches);
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
    expect(await matchesOf(store)).toEqual(expected.matches);
  });

  test("that are not ranges are rejected with the values", async () => {
    const { lookbacks } = createEdge().brand;
    const range = { account: "a", queryId: "1", from: 1, to: 2 };
    for (const own of [{ from: 0 }, { from: 2 }, { from: 1.5 }, { to: Number.NaN }, { to: "9" }])
      await expect(lookbacks.searchRange({ ...range, ...own } as never)).rejects.toThrow(
        /^`range\.(?:from|to)` must be an integer from \d+; found /,
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
    await expect.poll(() => lookbackOf(edge), { timeout: 30_000 }).toEqual(doneWith(few, model(few)));
    expect(await matchesOf(store)).toEqual(model(few).matches);
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
