/** Descriptors of an earlier version are described again: when first read, and by `edgeproof store reindex`. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { isCurrentLogoDescriptor, type LogoRole } from "../../../src/engine/logo/descriptor.ts";
import { readStoredDescriptor, reindexLogos } from "../../../src/service/brand/logos/stored-descriptors.ts";
import { inProcess } from "../../../src/service/compute.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { edgeproof } from "../../support/cli.ts";

const file = join(tmpdir(), `edgeproof-reindex-${process.pid}.db`);
afterAll(() => rm(file, { force: true }));

/** A PNG of a cross on white. */
async function cross(width: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="90"><rect width="100%" height="100%" fill="#fff"/><path d="M30 10h20v60h-20zM10 30h60v12h-60z" fill="#246"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

let store: Store;

/** A store with one logo and two scans; all descriptors begin with another version. */
async function fill(target: Store): Promise<void> {
  const edge = createEdge({ store: target, world: { accounts: [{ id: "a1" }] } });
  const image_data = (await cross(80)).toString("base64");
  await edge.brand.logos.queries.create("a1", { tag: "ours", similarity_threshold: 0.85, image_data });
  await edge.brand.observeImages("a1", [
    { domain: "a.example", image: await cross(90) },
    { domain: "b.example", image: await cross(100) },
  ]);
  await makeOld(target);
}

async function descriptorKeys(target: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of target.blobs.keys()) if (key.endsWith(".descriptor")) keys.push(key);
  return keys;
}

async function makeOld(target: Store): Promise<void> {
  for (const key of await descriptorKeys(target)) {
    await target.blobs.put(key, Uint8Array.of(1, 0, 0, 0));
  }
}

beforeEach(async () => {
  store = createMemoryStore();
  await fill(store);
});

test("a descriptor of another version is described again when it is first read, and stored", async () => {
  const [key = ""] = await descriptorKeys(store);
  const [, picture = "", word] = /^(.*)\.(scan|query)\.descriptor$/.exec(key) ?? [];
  const role = word as LogoRole;
  const read = await readStoredDescriptor({ store, compute: inProcess }, picture, role);
  expect(read?.width).toBeGreaterThan(0);
  expect(await store.blobs.get(key)).toEqual(read?.bytes);
});

test("queries and lookback work on pictures of another version", async () => {
  const edge = createEdge({ store });
  const image = await cross(110);
  await edge.brand.observeImages("a1", [{ domain: "c.example", image }]);
  const image_data = (await cross(80)).toString("base64");
  await makeOld(store);
  await edge.brand.logos.queries.create("a1", { tag: "again", similarity_threshold: 0.85, image_data });
  const matches = await store.read((tx) => tx.find("brand_logo_matches", "a1"));
  const byQuery = (id: number) =>
    matches.filter(({ query_id }) => query_id === id).map(({ domain }) => domain);
  expect(byQuery(1).toSorted()).toEqual(["a.example", "b.example", "c.example"]);
  expect(byQuery(2).toSorted()).toEqual(["a.example", "b.example", "c.example"]);
});

test("a picture without a descriptor is not searched", async () => {
  expect(await readStoredDescriptor({ store, compute: inProcess }, "nothing", "scan")).toBeUndefined();
});

test("reindex describes every picture once and skips those that were deleted", async () => {
  const [first = ""] = await descriptorKeys(store);
  await store.blobs.delete(first.replace(/\.(scan|query)\.descriptor$/, ""));
  const seen: number[] = [];
  const report = await reindexLogos(store, {
    onProgress: ({ described, current, skipped }) => seen.push(described + current + skipped),
  });
  expect(report).toEqual({ described: 2, current: 0, skipped: 1 });
  expect(seen).toEqual([1, 2, 3]);
  expect(await reindexLogos(store)).toEqual({ described: 0, current: 2, skipped: 1 });
});

test("a stopped reindex keeps what it described and continues later", async () => {
  const stop = new AbortController();
  const stopped = reindexLogos(store, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(await reindexLogos(store)).toEqual({ described: 2, current: 1, skipped: 0 });
});

/** A store of which the operations after the first ones fail, as those of a process that ends. */
function failingAfter(target: Store, allowed: number): { readonly store: Store; count: () => number } {
  let count = 0;
  const isCounted = (name: string | symbol) =>
    ["read", "write", "get", "getMany", "put", "delete"].includes(String(name));
  const counting = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (name === "blobs") return counting(member as object);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          if (isCounted(name) && count++ >= allowed) throw new Error("the process ended");
          return Reflect.apply(member, object, args);
        };
      },
    });
  return { store: counting(target), count: () => count };
}

async function descriptorsOf(target: Store): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const keys = (await descriptorKeys(target)).toSorted();
  return new Map(await Promise.all(keys.map(async (key) => [key, await target.blobs.get(key)] as const)));
}

test("a reindex that ends at any operation leaves no descriptor that is current and another one", async () => {
  const counted = failingAfter(store, Number.POSITIVE_INFINITY);
  await reindexLogos(counted.store);
  const whole = await descriptorsOf(store);
  const operations = counted.count();
  expect(operations).toBeGreaterThan(10);
  for (let allowed = 0; allowed < operations; allowed++) {
    const target = createMemoryStore();
    await fill(target);
    await expect(reindexLogos(failingAfter(target, allowed).store)).rejects.toThrow("the process ended");
    for (const [key, bytes] of await descriptorsOf(target))
      if (bytes && isCurrentLogoDescriptor(bytes))
        expect([allowed, key, bytes]).toEqual([allowed, key, whole.get(key)]);
    await reindexLogos(target);
    expect(await descriptorsOf(target)).toEqual(whole);
  }
});

test("the command reports the counts, and as JSON", async () => {
  const sqlite = await openSqliteStore({ path: file });
  await fill(sqlite);
  await sqlite.close();
  const first = await edgeproof(["store", "reindex", "--data", file]);
  expect([first.code, first.out, first.err]).toEqual([
    0,
    "",
    "reindexed: 3 described again, 0 current, 0 skipped\n",
  ]);
  const second = await edgeproof(["store", "reindex", "--data", file, "--json"]);
  expect(JSON.parse(second.out)).toEqual({ described: 0, current: 3, skipped: 0 });
});
