/** Cases of the store contract: blobs. */
import assert from "node:assert/strict";
import { MissingBlobError } from "../../store/port.ts";
import { expectRejection, onStore, type ProbeStore, seededRandom, thing } from "./probe.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

async function bytesAt(store: ProbeStore, key: string): Promise<number[]> {
  return Array.from((await store.blobs.get(key)) ?? []);
}

async function keysOf(store: ProbeStore, prefix?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.blobs.keys(prefix)) keys.push(key);
  return keys;
}

function claimsOf(store: ProbeStore, keys: readonly string[]): Promise<number[]> {
  return store.read((tx) => tx.countClaims(keys));
}

/** Names that are special in file systems and databases. */
const awkwardKeys = [
  "",
  ".",
  "..",
  "../up",
  "/root",
  "A",
  "CON",
  "a",
  "a/",
  "a/b",
  "a/b/c",
  "a\0b",
  "a\\b",
  "x".repeat(400),
  "%2F",
  "é",
  "\uffff",
  "😀",
];

export const blobCases = [
  onStore("get returns the bytes that were put, and undefined for other keys", async (store) => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    await store.blobs.put("k", every);
    await store.blobs.put("empty", bytes());
    const found = await store.blobs.get("k");
    assert.ok(found instanceof Uint8Array);
    assert.deepEqual([...found], [...every]);
    assert.equal((await store.blobs.get("empty"))?.length, 0);
    assert.equal(await store.blobs.get("other"), undefined);
  }),

  onStore("put replaces an existing key, and delete removes it", async (store) => {
    await store.blobs.put("k", bytes(1, 2, 3));
    await store.blobs.put("k", bytes(4));
    assert.deepEqual(await bytesAt(store, "k"), [4]);
    await store.blobs.delete("k");
    await store.blobs.delete("k");
    assert.equal(await store.blobs.get("k"), undefined);
    assert.deepEqual(await keysOf(store), []);
    await store.blobs.put("k", bytes(5));
    assert.deepEqual(await bytesAt(store, "k"), [5]);
  }),

  onStore("bytes are copied by put and by get", async (store) => {
    const whole = bytes(9, 1, 2, 9);
    const given = whole.subarray(1, 3);
    const putting = store.blobs.put("k", given);
    whole.fill(0);
    await putting;
    const found = await store.blobs.get("k");
    assert.deepEqual([...(found ?? [])], [1, 2]);
    found?.fill(7);
    assert.deepEqual(await bytesAt(store, "k"), [1, 2]);
  }),

  onStore("keys can be any string, are distinguished, and are listed by code point", async (store) => {
    for (const [i, key] of awkwardKeys.entries()) await store.blobs.put(key, bytes(i));
    for (const [i, key] of awkwardKeys.entries()) assert.deepEqual(await bytesAt(store, key), [i], key);
    const listed = await keysOf(store);
    assert.deepEqual(new Set(listed), new Set(awkwardKeys));
    assert.deepEqual(listed.slice(-3), ["é", "\uffff", "😀"]);
    assert.deepEqual(await keysOf(store, "a"), ["a", "a\0b", "a/", "a/b", "a/b/c", "a\\b"]);
    assert.deepEqual(await keysOf(store, "a/b"), ["a/b", "a/b/c"]);
    assert.deepEqual(await keysOf(store, "%"), ["%2F"]);
    assert.deepEqual(await keysOf(store, "_"), []);
  }),

  onStore("hundreds of keys are listed, also while they are deleted", async (store) => {
    const keys = Array.from({ length: 120 }, (_, i) => `k${String(i).padStart(3, "0")}`);
    // Some at a time: a busy machine may not serve all within the time limits of a store.
    for (let i = 0; i < keys.length; i += 12)
      await Promise.all(keys.slice(i, i + 12).map((key) => store.blobs.put(key, bytes(1))));
    const seen: string[] = [];
    for await (const key of store.blobs.keys("k")) {
      seen.push(key);
      await store.blobs.delete(key);
    }
    assert.deepEqual(seen, keys);
    assert.deepEqual(await keysOf(store), []);
  }),

  onStore("large blobs are kept whole, and of concurrent puts one remains", async (store) => {
    const random = seededRandom(6);
    const large = Uint8Array.from({ length: 3_000_000 }, () => random() * 256);
    await store.blobs.put("large", large);
    assert.equal(Buffer.compare(Buffer.from((await store.blobs.get("large")) ?? []), large), 0);
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => store.blobs.put("k", new Uint8Array(10_000).fill(i))),
    );
    const left = await bytesAt(store, "k");
    assert.equal(left.length, 10_000);
    assert.equal(new Set(left).size, 1);
    assert.deepEqual(await keysOf(store), ["k", "large"]);
  }),

  onStore(
    "getMany returns the bytes of many keys in their order, and undefined for other keys",
    async (store) => {
      const keys = Array.from({ length: 1_100 }, (_, i) => `k${i}`);
      for (const key of keys.slice(0, 40)) await store.blobs.put(key, bytes(Number(key.slice(1))));
      for (const [i, key] of awkwardKeys.entries()) await store.blobs.put(key, bytes(200 + i));
      assert.deepEqual(await store.blobs.getMany([]), []);
      const found = await store.blobs.getMany(["k7", "none", ...awkwardKeys, "k7", ...keys]);
      const expected = [[7], undefined, ...awkwardKeys.map((_, i) => [200 + i]), [7]];
      assert.deepEqual(
        found.map((each) => each && [...each]),
        [...expected, ...keys.map((_, i) => (i < 40 ? [i] : undefined))],
      );
      found[0]?.fill(9);
      assert.deepEqual(await bytesAt(store, "k7"), [7]);
      assert.deepEqual(
        (await store.blobs.getMany(["k7", "k7"])).map((each) => each?.[0]),
        [7, 7],
      );
    },
  ),

  onStore("inside a transaction blobs can be read, but not put or deleted", async (store) => {
    await store.blobs.put("k", bytes(1));
    await store.write(async () => {
      assert.deepEqual(await bytesAt(store, "k"), [1]);
      assert.deepEqual(
        (await store.blobs.getMany(["k", "l"])).map((each) => each?.[0]),
        [1, undefined],
      );
      assert.deepEqual(await keysOf(store), ["k"]);
      await expectRejection("TypeError", () => store.blobs.put("l", bytes(1)));
      await expectRejection("TypeError", () => store.blobs.delete("k"));
    });
    assert.deepEqual(await keysOf(store), ["k"]);
  }),

  onStore("existing blobs can be claimed, as a part of the transaction", async (store) => {
    await store.blobs.put("k", bytes(1));
    await store.blobs.put("l", bytes(2));
    await store.write((tx) => tx.claimBlobs([]));
    await store.write((tx) => tx.claimBlobs(["k", "l", "k"]));
    await store.write((tx) => tx.claimBlobs(["k"], 2));
    assert.deepEqual(await claimsOf(store, ["l", "k", "gone", "k"]), [1, 4, 0, 4]);
    await expectRejection("DependencyUnavailableError", () =>
      store.write(async (tx) => {
        await tx.insert("things", thing("a"));
        await tx.claimBlobs(["l", "gone"]);
      }),
    );
    assert.equal(await store.read((tx) => tx.count("things", "s")), 0);
    assert.deepEqual(await claimsOf(store, ["k", "l"]), [4, 1]);
    await store.write((tx) => tx.releaseBlobs(["k", "never", "k", "l"]));
    assert.deepEqual(await claimsOf(store, ["k", "l", "never"]), [2, 0, 0]);
    await store.write((tx) => tx.releaseBlobs(["l"]));
    await store.blobs.put("k", bytes(3));
    assert.deepEqual(await bytesAt(store, "k"), [3]);
    assert.deepEqual(await claimsOf(store, ["k", "l"]), [2, 0]);
    await expectRejection("TypeError", () => store.write((tx) => tx.claimBlobs(["k"], 0)));
    await store.blobs.delete("k");
    await expectRejection("DependencyUnavailableError", () => store.write((tx) => tx.claimBlobs(["k"])));
    assert.deepEqual(await keysOf(store), ["l"]);
    await store.blobs.put("k", bytes(5));
    assert.deepEqual(await claimsOf(store, ["k"]), [0]);
  }),

  onStore("a claim on a missing blob is a MissingBlobError", async (store) => {
    const error = await store.write((tx) => tx.claimBlobs(["gone"])).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof MissingBlobError);
    assert.equal(error.key, "gone");
  }),

  onStore("removeUnclaimed removes what has no claim and is old enough", async (store) => {
    for (const key of ["claimed", "put", "released", "twice"]) await store.blobs.put(key, bytes(1));
    await store.write((tx) => tx.claimBlobs(["claimed", "released", "twice", "twice"]));
    await store.write((tx) => tx.releaseBlobs(["released", "twice"]));
    assert.equal(await store.blobs.removeUnclaimed(), 0);
    assert.equal(await store.blobs.removeUnclaimed(60_000), 0);
    assert.equal(await store.blobs.removeUnclaimed(0), 2);
    assert.deepEqual(await keysOf(store), ["claimed", "twice"]);
    assert.deepEqual(await bytesAt(store, "twice"), [1]);
    await expectRejection("DependencyUnavailableError", () => store.write((tx) => tx.claimBlobs(["put"])));
    await store.blobs.put("put", bytes(2));
    await store.write((tx) => tx.claimBlobs(["put"]));
    assert.equal(await store.blobs.removeUnclaimed(0), 0);
    await expectRejection("TypeError", () => store.blobs.removeUnclaimed(-1));
    await store.write(() => expectRejection("TypeError", () => store.blobs.removeUnclaimed(0)));
  }),

  onStore("claims and releases are rolled back with their transaction", async (store) => {
    await store.blobs.put("k", bytes(1));
    await store.write((tx) => tx.claimBlobs(["k"]));
    await expectRejection("RangeError", () =>
      store.write(async (tx) => {
        await tx.releaseBlobs(["k"]);
        throw new RangeError("rolled back");
      }),
    );
    await expectRejection("RangeError", () =>
      store.write(async (tx) => {
        await tx.claimBlobs(["k", "k"]);
        throw new RangeError("rolled back");
      }),
    );
    assert.deepEqual(await claimsOf(store, ["k"]), [1]);
    assert.equal(await store.blobs.removeUnclaimed(0), 0);
    await store.write(async (tx) => {
      await tx.claimBlobs(["k"]);
      await tx.releaseBlobs(["k", "k"]);
      assert.deepEqual(await tx.countClaims(["k"]), [0]);
    });
    assert.equal(await store.blobs.removeUnclaimed(0), 1);
  }),

  onStore("of claims and removals at the same time one wins", async (store) => {
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => store.blobs.put(key, bytes(1))));
    const claims = keys.map((key) =>
      store.write(async (tx) => {
        await tx.claimBlobs([key]);
        await tx.insert("labels", { scope: "s", id: key, text: key });
      }),
    );
    const removals = Array.from({ length: 4 }, () => store.blobs.removeUnclaimed(0));
    const outcomes = await Promise.allSettled(claims);
    await Promise.all(removals);
    const won = keys.filter((_, i) => outcomes[i]?.status === "fulfilled");
    assert.deepEqual(new Set(await keysOf(store)), new Set(won));
    assert.deepEqual(
      await claimsOf(store, won),
      won.map(() => 1),
    );
    assert.equal(await store.read((tx) => tx.count("labels", "s")), won.length);
  }),
];
