/** Pictures of the feed are searched densely too, described once for several accounts, and stored once. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { detectorVersion } from "../../../src/engine/logo/dense/dense-tuning.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { place, wordsPage } from "../../engine/logo/dense/scenes.ts";
import { drawings, image, paint } from "../../engine/logo/drawings.ts";
import { runs } from "../../support/runs.ts";

const png = (raster: Parameters<typeof image>[0]) => image(raster).png().toBuffer();

/** Pages on which only the dense search finds the hooks, and logos alone. */
let pages: readonly Buffer[];
let hooks: string;
let wing: string;

beforeAll(async () => {
  const scene = (seed: number, x: number) =>
    png(place(wordsPage(360, 240, seed), drawings["hooks"]!, x, 123, 34, [190, 30, 60]));
  const alone = (name: string) => png(paint(drawings[name]!, { side: 64 }));
  const logos = await Promise.all([alone("hooks"), alone("wing")]);
  [hooks = "", wing = ""] = logos.map((logo) => logo.toString("base64"));
  pages = [await scene(1, 200), await scene(2, 80), ...logos, await png(wordsPage(200, 120))];
}, 60_000);

const timeout = 120_000;
const feed = (chosen: readonly number[] = [0, 1, 2, 3, 4]) =>
  chosen.map((i) => ({ domain: `d${i}.example`, image: pages[i]! }));

function query(image_data: string, change: object = {}): object {
  return { tag: "t", similarity_threshold: 0.75, image_data, ...change };
}

async function matchesOf(edge: Edge, account = "a") {
  const matches = await edge.store.read((tx) => tx.find("brand_logo_matches", account));
  const facts = matches.map((m) => [m.query_id, m.domain, m.similarity_score, m.kind, m.box] as const);
  return facts.sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
}

async function edgeWith(options: EdgeOptions, ...images: string[]): Promise<Edge> {
  const edge = createEdge(options);
  for (const [i, each] of images.entries())
    await edge.brand.logos.queries.create("a", query(each, { tag: `t${i}` }));
  return edge;
}

test("a logo that no region shows alone is found, with its box and its kind", { timeout }, async () => {
  const edge = await edgeWith({}, hooks);
  const report = await edge.brand.observeImages("a", feed([0, 2]));
  expect(report).toMatchObject({ records: 2, matched: 2, matches: 2 });
  const [dense, region] = await matchesOf(edge);
  expect([dense?.[1], dense?.[3], region?.[2], region?.[3]]).toEqual(["d0.example", "dense", 1, "copy"]);
  const { x, y, width, height } = dense![4]!;
  for (const [found, expected] of [
    [x, 200],
    [y, 123],
    [width, 34],
    [height, 34],
  ] as const)
    expect(Math.abs(found - expected)).toBeLessThan(5);
});

test("observing then querying, and querying then observing, give the same matches", { timeout }, async () => {
  const first = await edgeWith({}, hooks, wing);
  await first.brand.observeImages("a", feed());
  const all = await matchesOf(first);
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(order, async (chosen) => {
      const edge = createEdge();
      await edge.brand.observeImages("a", feed(chosen));
      for (const [i, each] of [hooks, wing].entries()) {
        const body = query(each, { tag: `t${i}` });
        const { lookback } = await edge.brand.logos.queries.create("a", body);
        expect(lookback).toMatchObject({ state: "done", total: chosen.length, searched: chosen.length });
      }
      const domains = chosen.map((i) => `d${i}.example`);
      expect(await matchesOf(edge)).toEqual(all.filter(([, domain]) => domains.includes(domain)));
    }),
    { numRuns: runs(4), examples: [[[0, 1, 2, 3, 4]]] },
  );
});

describe("the numbers of the dense search", () => {
  const calibrations = async (edge: Edge) =>
    (await edge.store.read((tx) => tx.find("brand_logo_queries", "a"))).map(({ calibration }) => calibration);

  test.each([
    ["are absent", undefined],
    [
      "are of another version",
      { version: detectorVersion - 1, full: 0, silhouette: 0, textFull: 0, textSilhouette: 0 },
    ],
  ])("are stored with the query, and computed when they %s", { timeout }, async (_name, older) => {
    const store = createMemoryStore();
    const edge = await edgeWith({ store }, hooks);
    const [calibration] = await calibrations(edge);
    expect(calibration).toMatchObject({ version: detectorVersion, full: expect.any(Number) });
    await store.write(async (tx) => {
      for (const { calibration: _, ...record } of await tx.find("brand_logo_queries", "a"))
        await tx.replace("brand_logo_queries", { ...record, ...(older && { calibration: older }) });
    });
    // Another process, which has compiled nothing yet.
    const other = createEdge({ store });
    await other.brand.observeImages("a", feed([0]));
    expect(await calibrations(edge)).toEqual([calibration]);
    expect(await matchesOf(edge)).toHaveLength(1);
  });
});

describe("a picture for several accounts", () => {
  const accounts = ["a", "b", "c"];

  async function edgeOfAccounts(): Promise<Edge> {
    const edge = await edgeWith({ clock: () => 0 }, hooks, wing);
    await edge.brand.logos.queries.create("b", query(wing));
    return edge;
  }

  /** Everything that is stored, without the random keys of pictures. */
  async function stored({ store }: Edge): Promise<string> {
    let blobs = 0;
    for await (const _ of store.blobs.keys()) blobs++;
    const records = await store.read(async (tx) => {
      const found: unknown[] = [];
      for (const account of accounts)
        for (const name of ["brand_logo_scans", "brand_logo_matches"] as const)
          found.push(await tx.find(name, account));
      return found;
    });
    return JSON.stringify([records, blobs]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid");
  }

  test("is stored as by one call for each, and a repetition changes nothing", { timeout }, async () => {
    const [together, apart] = [await edgeOfAccounts(), await edgeOfAccounts()];
    for (const [i, picture] of feed([0, 2, 3, 4]).entries()) {
      const options = { retain: i !== 1 };
      const outcome = await together.brand.pictures.observe(accounts, picture, options);
      const described = await apart.brand.pictures.describe(picture);
      if (!outcome.ok || !described.ok) throw new Error("a picture was rejected");
      for (const [n, account] of accounts.entries())
        expect(await apart.brand.pictures.store(account, described.value, options)).toEqual(outcome.value[n]);
    }
    const before = await stored(together);
    expect(await stored(apart)).toBe(before);
    for (const [i, picture] of feed([0, 2, 3, 4]).entries()) {
      await together.brand.pictures.observe(["a", "a", ...accounts], picture, { retain: i !== 1 });
      await apart.brand.observeImages("b", [picture], { retain: i !== 1 });
    }
    expect([await stored(together), await stored(apart)]).toEqual([before, before]);
  });

  test("that is not valid is a failure and stored for none", { timeout }, async () => {
    const edge = createEdge({ world: { accounts: [{ id: "a" }] } });
    for (const record of [null, { image: "?" }, { image: pages[0]!.subarray(0, 200) }]) {
      expect(await edge.brand.pictures.observe(["a"], record)).toMatchObject({ ok: false });
      expect(await edge.brand.pictures.describe(record)).toMatchObject({ ok: false });
    }
    await expect(edge.brand.pictures.observe(["a", "z"], feed()[0])).rejects.toThrow("no account `z`");
    expect(await edge.store.read((tx) => tx.count("brand_logo_scans", "a"))).toBe(0);
  });
});

describe("a picture that is stored already", () => {
  /** Observes with settings by which every picture is rejected that has to be decoded. */
  async function blindly(store: Store, record: object, options: object) {
    const report = await createEdge({ store, limits: { logoPixels: 1 } }).brand.observeImages(
      "a",
      [record] as never,
      options,
    );
    await createEdge({ store, limits: { logoPixels: 25_000_000 } }).brand.settings.read("a");
    return report;
  }

  test("is not decoded again, unless a logo, the domain or the retention is new", { timeout }, async () => {
    const store = createMemoryStore();
    const edge = await edgeWith({ store }, hooks);
    const [picture, other] = feed([2, 4]) as [object, object];
    await edge.brand.observeImages("a", [picture, other] as never);
    const again = (record: object, options = {}) => blindly(store, record, options);
    const known = { invalid: 0, matches: 0 };
    expect(await again(picture)).toMatchObject({ ...known, matched: 1 });
    expect(await again(picture, { retain: false })).toMatchObject({ ...known, matched: 1 });
    expect(await again(other)).toMatchObject({ ...known, matched: 0 });
    expect(await again({ ...picture, domain: "new.example" })).toMatchObject({ invalid: 1 });
    await edge.brand.logos.queries.create("a", query(hooks, { tag: "new", search_lookback: false }));
    expect(await again(picture)).toMatchObject({ invalid: 1 });
    expect(await edge.brand.observeImages("a", [picture] as never)).toMatchObject({ matched: 1, matches: 1 });
    expect(await again(picture)).toMatchObject({ ...known, matched: 1 });
    await edge.brand.observeImages("a", [{ ...picture, domain: "x.example" }] as never, { retain: false });
    expect(await again({ ...picture, domain: "x.example" })).toMatchObject({ invalid: 1 });
  });
});

test("an abort ends the search of a picture, which is not stored", { timeout }, async () => {
  const edge = await edgeWith({}, hooks);
  const abort = new AbortController();
  const large = await png(wordsPage(1200, 1200));
  const running = edge.brand.pictures.describe({ image: large }).then((scan) => {
    if (!scan.ok) throw new Error(scan.problems[0].message);
    setImmediate(() => abort.abort(new Error("enough")));
    return edge.brand.pictures.store("a", scan.value, { signal: abort.signal });
  });
  await expect(running).rejects.toThrow("enough");
  expect(await edge.store.read((tx) => tx.count("brand_logo_scans", "a"))).toBe(0);
});
