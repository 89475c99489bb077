/**
 * Blobs that several records name, with two writers, a deleter and the removal of unclaimed blobs at the same time: no
 * record names a missing blob at any time, and in the end blobs without a record are gone.
 */
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { CollectionTable } from "../../src/store/definition.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { MissingBlobError } from "../../src/store/port.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes } from "../../src/testing/contract/probe.ts";
import { startBucketServer } from "../support/bucket-server.ts";
import { runs } from "../support/runs.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "./open.ts";

const collections = probes as CollectionTable;
const folder = await temporaryFolder();
const bucket = await startBucketServer();
afterAll(bucket.stop);
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

/** Opens the same data as often as it is called, like several processes. */
interface Place {
  open(): Promise<ProbeStore>;
  /** The number of files or objects. */
  countFiles?(): Promise<number>;
}

function postgresPlace(
  blobs: Pick<PostgresStoreOptions, "blobFolder" | "blobBucket"> = {},
): Omit<Place, "countFiles"> {
  const options = { connectionString: hasty(postgresUrl!), schema: nextSchema(), collections, ...blobs };
  return {
    open: async () => (await openPostgresStore({ ...options, maxConnections: 3 })) as unknown as ProbeStore,
  };
}

/** A prefix of the bucket. */
function bucketPlace() {
  const prefix = randomUUID();
  const countFiles = async () => [...bucket.objects.keys()].filter((name) => name.startsWith(prefix)).length;
  return { blobBucket: { ...bucket.options, prefix }, countFiles };
}

const places: Record<string, () => Place> = {
  memory: () => {
    const store = createMemoryStore(collections) as unknown as ProbeStore;
    return { open: async () => store };
  },
  SQLite: () => {
    const path = join(folder, `${randomUUID()}.db`);
    return {
      countFiles: () => countFilesIn(`${path}.blobs`),
      open: async () => (await openSqliteStore({ path, collections })) as unknown as ProbeStore,
    };
  },
  PostgreSQL: () => postgresPlace(),
  "PostgreSQL with a folder": () => {
    const blobFolder = join(folder, randomUUID());
    return { ...postgresPlace({ blobFolder }), countFiles: () => countFilesIn(blobFolder) };
  },
  "SQLite with a bucket": () => {
    const { blobBucket, countFiles } = bucketPlace();
    const options = { path: join(folder, `${randomUUID()}.db`), blobBucket, collections };
    return { countFiles, open: async () => (await openSqliteStore(options)) as unknown as ProbeStore };
  },
  "PostgreSQL with a bucket": () => {
    const { blobBucket, countFiles } = bucketPlace();
    return { ...postgresPlace({ blobBucket }), countFiles };
  },
};

/** The next step of a process: names a picture in a record, or removes the records of a picture. */
type Action = { readonly picture: number; readonly pause: number };

const contents = [0, 1, 2].map((picture) => new Uint8Array(20_000).fill(picture + 1));
const keyOf = (picture: number) => `pictures/${picture}`;

let nextId = 0;

/** Puts before it claims, and puts again when the blob is gone; every fifth write fails after its claim. */
async function write(store: ProbeStore, { picture }: Action): Promise<void> {
  const key = keyOf(picture);
  const id = `${key} ${++nextId}`;
  const fails = nextId % 5 === 0;
  for (;;) {
    await store.blobs.put(key, contents[picture]!);
    try {
      return await store.write(async (tx) => {
        await tx.insert("labels", { scope: "s", id, text: id });
        await tx.claimBlobs([key]);
        if (fails) throw new RangeError("failed");
      });
    } catch (error) {
      if (error instanceof RangeError) return;
      if (!(error instanceof MissingBlobError)) throw error;
    }
  }
}

async function deleteRecords(store: ProbeStore, { picture }: Action): Promise<void> {
  const key = keyOf(picture);
  await store.write(async (tx) => {
    const labels = await tx.find("labels", "s");
    const named = labels.filter(({ id }) => id.startsWith(`${key} `));
    for (const { id } of named) await tx.delete("labels", "s", id);
    await tx.releaseBlobs(named.map(() => key));
  });
}

/** Every record has its picture, unless the record is deleted meanwhile. */
async function assertNamed(store: ProbeStore): Promise<void> {
  const labels = await store.read((tx) => tx.find("labels", "s"));
  for (const { id } of labels) {
    const key = id.slice(0, id.indexOf(" "));
    const bytes = await store.blobs.get(key);
    if (bytes) expect(bytes[0]).toBe(contents.findIndex((_, i) => keyOf(i) === key)! + 1);
    else expect(await store.read((tx) => tx.get("labels", "s", id)), `${id} without a blob`).toBeUndefined();
  }
}

async function countFilesIn(blobFolder: string): Promise<number> {
  const entries = await readdir(blobFolder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Time between two removals: a put syncs its file before the claim, and without a grace time it must come between them. */
const pauseOf = (name: string) =>
  name.startsWith("SQLite") ? fc.integer({ min: 50, max: 200 }) : fc.integer({ min: 1, max: 30 });

const actions = fc.array(
  fc.record({ picture: fc.nat({ max: contents.length - 1 }), pause: fc.nat({ max: 3 }) }),
  { minLength: 4, maxLength: 10 },
);

describe.each(Object.entries(places))("shared blobs: %s", (name, make) => {
  test.skipIf(name.startsWith("PostgreSQL") && postgresUrl === undefined)(
    "no record names a missing blob, and blobs without a record are gone in the end",
    { timeout: 120_000 },
    async () => {
      const { open, countFiles } = make();
      const stores = [await open(), await open(), await open()] as const;
      await fc.assert(
        fc.asyncProperty(
          actions,
          actions,
          actions,
          pauseOf(name),
          async (first, second, deletions, sweepMs) => {
            let running = 3;
            const act = async (
              store: ProbeStore,
              todo: readonly Action[],
              work: (store: ProbeStore, action: Action) => Promise<void>,
            ) => {
              try {
                for (const action of todo) {
                  await pause(action.pause);
                  await work(store, action);
                }
              } finally {
                running--;
              }
            };
            const watch = async (work: () => Promise<unknown>, ms: number) => {
              while (running > 0) {
                await work();
                await pause(ms);
              }
            };
            await Promise.all([
              act(stores[0], first, write),
              act(stores[1], second, write),
              act(stores[2], deletions, deleteRecords),
              watch(() => stores[2].blobs.removeUnclaimed(0), sweepMs),
              watch(() => assertNamed(stores[0]), 1),
            ]);
            await assertNamed(stores[1]);
            const labels = await stores[0].read((tx) => tx.find("labels", "s"));
            const named = contents.map(
              (_, i) => labels.filter(({ id }) => id.startsWith(`${keyOf(i)} `)).length,
            );
            expect(await stores[0].read((tx) => tx.countClaims(contents.map((_, i) => keyOf(i))))).toEqual(
              named,
            );
            await stores[1].blobs.removeUnclaimed(0);
            const keys: string[] = [];
            for await (const key of stores[2].blobs.keys()) keys.push(key);
            expect(keys).toEqual(contents.flatMap((_, i) => (named[i]! > 0 ? [keyOf(i)] : [])));
            if (countFiles) expect(await countFiles()).toBe(keys.length);
            for (const [picture] of contents.entries()) await deleteRecords(stores[0], { picture, pause: 0 });
            await stores[0].blobs.removeUnclaimed(0);
            for await (const key of stores[1].blobs.keys()) expect(key).toBe("none");
          },
        ),
        { numRuns: runs(name === "memory" ? 30 : 4) },
      );
      if (name === "memory") await stores[0].close();
      else for (const store of stores) await store.close();
    },
  );
});
