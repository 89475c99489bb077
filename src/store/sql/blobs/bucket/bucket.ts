/**
 * Blobs as objects of a bucket. Every put creates an object with a new name, which the row of the key then names: a put
 * is atomic when the row changes, and a request that the service carries out late changes no other blob. Keys are in no
 * name. No transaction waits for the bucket.
 */
import { randomUUID } from "node:crypto";
import { DependencyUnavailableError, quote } from "../../../../errors.ts";
import type { BlobStore } from "../../../port.ts";
import type { BlobBackend, BlobContext, BlobDatabase } from "../backend.ts";
import {
  assertIntact,
  type BlobRow,
  listKeys,
  readRows,
  recordKey,
  removeKey,
  selectObject,
} from "../blob-keys.ts";
import { type BucketClient, createBucketClient } from "./client.ts";
import type { BucketLocation } from "./location.ts";
import {
  decideRemoval,
  findRemovable,
  listStarted,
  listToRemove,
  takeRemoved,
  takeStarted,
} from "./object-list.ts";

/** Requests for objects at a time, of one call. */
const requestsAtOnce = 16;
/** Objects that one transaction takes from the list. */
const removedAtOnce = 100;
/** Maximum size of a blob in bytes: all of it is in memory, and one request has it. */
const maxBlobBytes = 1_000_000_000;

/**
 * Checks that the bucket can be used.
 *
 * @throws {DependencyUnavailableError} when it cannot
 */
export async function openBucketBlobs(location: BucketLocation): Promise<BlobBackend> {
  const client = createBucketClient(location);
  await client.check();
  return {
    isBucket: true,
    create: (context) => createBucketBlobs(context, client),
    removeLeftovers: (untilMs, database) => sweep(client, database, untilMs),
  };
}

function createBucketBlobs(context: BlobContext, client: BucketClient): ReturnType<BlobBackend["create"]> {
  const { dialect } = context;
  const getMany: BlobStore["getMany"] = async (keys) => {
    const rows = await context.read((run) => readRows(run, dialect, keys));
    const found = new Map<string, Uint8Array>();
    await forEachOf([...rows], async ([key, row]) => {
      const bytes = await readCurrent(context, client, key, row);
      if (bytes) found.set(key, bytes);
    });
    return copiesOf(keys, found);
  };
  return {
    put: async (key, bytes) => {
      if (bytes.byteLength > maxBlobBytes)
        throw new RangeError(`a blob must have at most ${maxBlobBytes} bytes; found ${bytes.byteLength}`);
      const copy = bytes.slice();
      await context.track("putting a blob", async (database) => {
        const replaced = await putObject(database, client, key, copy);
        await removeSoon(client, database, replaced);
      });
    },
    get: async (key) => (await getMany([key]))[0],
    getMany,
    delete: (key) =>
      context.track("deleting a blob", async (database) => {
        const removed = await database.write(async (run) => {
          const objects = await selectObject(run, dialect, key);
          await removeKey(run, dialect, key);
          await listToRemove(run, dialect, objects);
          return objects;
        });
        await removeSoon(client, database, removed);
      }),
    keys: (prefix = "") => listKeys(context, prefix),
  };
}

/** The bytes of each key; a key that is listed again has a copy. */
function copiesOf(
  keys: readonly string[],
  found: ReadonlyMap<string, Uint8Array>,
): (Uint8Array | undefined)[] {
  const given = new Set<string>();
  return keys.map((key) => {
    const bytes = found.get(key);
    if (!given.has(key)) {
      given.add(key);
      return bytes;
    }
    return bytes?.slice();
  });
}

/** Stores bytes as a new object, and names it in the row of the key. Returns the object that the row named before. */
async function putObject(
  { dialect, write }: BlobDatabase,
  client: BucketClient,
  key: string,
  bytes: Uint8Array,
): Promise<readonly string[]> {
  for (;;) {
    const object = randomUUID();
    await write((run) => listStarted(run, dialect, object, Date.now()));
    await client.put(object, bytes);
    const replaced = await write(async (run) => {
      // It took more than the grace time: the object may be gone.
      if (!(await takeStarted(run, dialect, object))) return undefined;
      const previous = await selectObject(run, dialect, key);
      await recordKey(run, dialect, key, { bytes, place: { object } }, Date.now());
      await listToRemove(run, dialect, previous);
      return previous;
    });
    if (replaced) return replaced;
  }
}

/** Reads until the row stays the same: an object is removed when the row names another one. */
async function readCurrent(
  { dialect, read }: BlobContext,
  client: BucketClient,
  key: string,
  first: BlobRow,
): Promise<Uint8Array | undefined> {
  for (let row = first; ; ) {
    if (row.bytes) {
      assertIntact(key, row.bytes, row.checksums);
      return row.bytes;
    }
    const { object } = row;
    if (object === undefined)
      throw new Error(`the blob ${quote(key)} is neither in the bucket nor in the database`);
    const bytes = await readIntact(client, key, row, object);
    if (bytes) return bytes;
    const next = (await read((run) => readRows(run, dialect, [key]))).get(key);
    if (!next) return undefined;
    if (next.object === object)
      throw new Error(
        `the blob ${quote(key)} is damaged: its object ${quote(object)} is not in the bucket ${client.label}`,
      );
    row = next;
  }
}

/** Reads an object, once more when its bytes are others than those that were put: they may have been cut on the way. */
async function readIntact(
  client: BucketClient,
  key: string,
  { checksums }: BlobRow,
  object: string,
): Promise<Uint8Array | undefined> {
  const maxBytes = Number(checksums?.[0]?.split(":")[0] ?? maxBlobBytes);
  const read = async () => {
    const bytes = await client.get(object, maxBytes);
    if (bytes) assertIntact(key, bytes, checksums);
    return bytes;
  };
  return read().catch((error: unknown) => {
    if (error instanceof DependencyUnavailableError) throw error;
    return read();
  });
}

/** Removes objects that are on the list. While the bucket is unavailable they stay on it, for the next `sweep`. */
async function removeSoon(
  client: BucketClient,
  database: BlobDatabase,
  objects: readonly string[],
): Promise<void> {
  try {
    await removeListed(client, database, objects);
  } catch (error) {
    if (!(error instanceof DependencyUnavailableError)) throw error;
  }
}

async function removeListed(
  client: BucketClient,
  { dialect, write }: BlobDatabase,
  objects: readonly string[],
): Promise<void> {
  if (objects.length === 0) return;
  await forEachOf(objects, client.remove);
  await write((run) => takeRemoved(run, dialect, objects));
}

/** Removes all objects to remove, and those that puts before a time left (milliseconds since 1970). */
async function sweep(client: BucketClient, database: BlobDatabase, untilMs: number): Promise<void> {
  const { dialect, read, write } = database;
  for (;;) {
    const found = await read((run) => findRemovable(run, dialect, untilMs, removedAtOnce));
    if (found.length === 0) return;
    await removeListed(client, database, await write((run) => decideRemoval(run, dialect, found)));
  }
}

/** Runs work on items, some at a time. After an error, no more is started. */
async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  let failed = false;
  const workRest = async () => {
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(requestsAtOnce, items.length) }, workRest));
}
