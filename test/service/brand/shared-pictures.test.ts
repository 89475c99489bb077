/** Equal pictures of all accounts are stored once; who else has a picture is not to be seen, and none is removed too early. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { exportStore } from "../../../src/store/transfer/export.ts";
import { importStore } from "../../../src/store/transfer/import.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";

const picture = drawPng(drawings["wing"]!, { side: 48 });
const key = `pictures/${createHash("sha256").update(picture).digest("hex")}`;
const [scanKey, queryKey] = [`${key}.scan.descriptor`, `${key}.query.descriptor`];
const logo = { tag: "l", similarity_threshold: 0.8, image_data: Buffer.from(picture).toString("base64") };

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const name of store.blobs.keys()) keys.push(name);
  return keys;
}

const claimsOf = (store: Store) => store.read((tx) => tx.countClaims([key, scanKey, queryKey]));

test("pictures of several accounts, domains and roles are stored once, and claimed by each record", async () => {
  const store = createMemoryStore();
  const edge = createEdge({ store });
  await edge.brand.pictures.observe(["a", "b"], { image: picture, domain: "one.example" });
  await edge.brand.observeImages("a", [{ image: picture, domain: "two.example" }]);
  await edge.brand.observeImages("a", [{ image: picture, domain: "two.example" }]);
  expect(await claimsOf(store)).toEqual([3, 3, 0]);
  await edge.brand.logos.queries.create("a", logo);
  await edge.brand.logos.queries.create("b", logo);
  await edge.brand.logos.queries.create("b", { ...logo, tag: "again" });
  expect(await claimsOf(store)).toEqual([6, 3, 3]);
  expect(await keysOf(store)).toEqual([key, queryKey, scanKey]);
  expect((await edge.brand.logos.matches.list("b", { query_id: "1" })).total).toBe(1);
});

test("a deleted picture stays for the others, and is removed after the last one", async () => {
  const store = createMemoryStore();
  const edge = createEdge({ store });
  await edge.brand.logos.queries.create("a", logo);
  await edge.brand.logos.queries.create("b", logo);
  await edge.brand.logos.queries.delete("a", "1");
  expect(await store.blobs.removeUnclaimed(0)).toBe(0);
  const [shown] = await edge.brand.logos.queries.list("b", { download: true });
  expect(Buffer.compare(shown!.image!, picture)).toBe(0);
  expect(await edge.brand.observeImages("b", [{ image: picture }])).toMatchObject({ matched: 1 });
  await edge.brand.logos.queries.delete("b", "1");
  expect(await claimsOf(store)).toEqual([1, 1, 0]);
  expect(await store.blobs.removeUnclaimed()).toBe(0);
  expect(await store.blobs.removeUnclaimed(0)).toBe(1);
  expect(await keysOf(store)).toEqual([key, scanKey]);
});

test("accounts that a world removes release their pictures", async () => {
  const store = createMemoryStore();
  const image = logo.image_data;
  const brand = { logo_queries: [{ tag: "l", image, similarity_threshold: 0.8 }], scans: [{ image }] };
  const use = (accounts: readonly string[], prune = false) =>
    createEdge({ store, world: { accounts: accounts.map((id) => ({ id, brand })) }, prune }).store.read(
      async () => {},
    );
  await use(["a", "b"]);
  expect(await claimsOf(store)).toEqual([4, 2, 2]);
  await use(["b"], true);
  expect(await claimsOf(store)).toEqual([2, 1, 1]);
  expect(await store.blobs.removeUnclaimed(0)).toBe(0);
});

/** A store that removes every unclaimed blob just before its next writes. */
function removing(times: number) {
  const inner = createMemoryStore();
  let left = 0;
  const store: Store = {
    ...inner,
    write: async (work, options) => {
      if (left > 0) {
        left--;
        await inner.blobs.removeUnclaimed(0);
      }
      return inner.write(work, options);
    },
  };
  return {
    store,
    start: () => {
      left = times;
    },
  };
}

test("a picture that is removed before its claim is put again", async () => {
  const { store, start } = removing(3);
  const edge = createEdge({ store });
  await edge.brand.queries.create("a", {
    tag: "t",
    string_matches: [{ pattern: "x", max_edit_distance: 0 }],
  });
  start();
  await edge.brand.logos.queries.create("a", logo);
  start();
  await edge.brand.pictures.observe(["a", "b", "c"], { image: drawPng(drawings["hooks"]!, { side: 40 }) });
  expect(await store.blobs.removeUnclaimed(0)).toBe(0);
  for (const scope of ["a", "b", "c"]) {
    const [scan] = await store.read((tx) => tx.find("brand_logo_scans", scope));
    expect(await store.blobs.get(scan!.blob)).toBeDefined();
  }
  expect(await keysOf(store)).toHaveLength(4);
});

test("a picture that is removed again and again is an error, and nothing is stored", async () => {
  const { store, start } = removing(1_000);
  const edge = createEdge({ store });
  await edge.brand.queries.create("a", {
    tag: "t",
    string_matches: [{ pattern: "x", max_edit_distance: 0 }],
  });
  start();
  await expect(edge.brand.logos.queries.create("a", logo)).rejects.toThrow("does not exist any more");
  await expect(edge.brand.observeImages("a", [{ image: picture }])).rejects.toThrow(
    "does not exist any more",
  );
  expect(await store.read((tx) => tx.count("brand_logo_scans", "a"))).toBe(0);
  expect(await store.read((tx) => tx.count("brand_logo_queries", "a"))).toBe(0);
});

test("an account does the same steps whether or not another one has the picture", async () => {
  const inner = createMemoryStore();
  const steps: string[] = [];
  const store: Store = {
    ...inner,
    write: (work, options) => {
      steps.push("write");
      return inner.write(work, options);
    },
    read: (work, options) => {
      steps.push("read");
      return inner.read(work, options);
    },
    blobs: {
      ...inner.blobs,
      put: (name, bytes) => {
        steps.push(`put ${name} ${bytes.length}`);
        return inner.blobs.put(name, bytes);
      },
    },
  };
  const edge = createEdge({ store });
  await edge.store.read(async () => {});
  const run = async (account: string) => {
    steps.length = 0;
    const answers = [
      await edge.brand.observeImages(account, [{ image: picture, domain: "a.example" }]),
      await edge.brand.logos.queries.create(account, logo),
      await edge.brand.observeImages(account, [{ image: picture, domain: "b.example" }]),
    ];
    const text = JSON.stringify(answers).replaceAll(`"${account}"`, '"account"');
    return [text.replace(/"uploaded_at":"[^"]*"/, ""), [...steps]] as const;
  };
  expect(await run("second")).toEqual(await run("first"));
});

test("a store with keys of an earlier version works on, and deletes them at once", async () => {
  const store = createMemoryStore();
  const edge = createEdge({ store });
  const { store_path } = await edge.brand.logos.queries.create("a", logo);
  const old = "brand/a/logos/00000000-0000-4000-8000-000000000001";
  await store.blobs.put(old, picture);
  await store.blobs.put(`${old}.descriptor`, (await store.blobs.get(`${store_path}.query.descriptor`))!);
  await store.write(async (tx) => {
    const query = (await tx.get("brand_logo_queries", "a", "1"))!;
    await tx.replace("brand_logo_queries", { ...query, store_path: old });
    await tx.claimBlobs([old, `${old}.descriptor`]);
    await tx.releaseBlobs([key, queryKey]);
  });
  await store.blobs.removeUnclaimed(0);
  const later = createEdge({ store });
  expect(await later.brand.observeImages("a", [{ image: picture }])).toMatchObject({ matched: 1 });
  await later.brand.logos.queries.delete("a", "1");
  expect(await keysOf(store)).toEqual([key, scanKey]);
});

test("an export keeps the numbers of claims", async () => {
  const store = createMemoryStore();
  const edge = createEdge({ store });
  await edge.brand.pictures.observe(["a", "b", "c"], { image: picture });
  let text = "";
  await exportStore(store, async (part) => {
    text += part;
  });
  const other = createMemoryStore();
  await importStore(other, async function* () {
    yield Buffer.from(text);
  });
  expect(await claimsOf(other)).toEqual([3, 3, 0]);
});
