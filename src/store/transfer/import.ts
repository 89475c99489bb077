/** Fills an empty store from the file of an export: all of it, or nothing. */
import { DependencyUnavailableError } from "../../errors.ts";
import { type CollectionName, collectionNames, collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import { type ReadTransaction, type Store, UniqueViolationError, type WriteTransaction } from "../port.ts";
import { type Contents, InvalidExportError, type RecordEntry } from "./format.ts";
import { type NumberedEntry, readExport } from "./read.ts";

/** Records that are inserted at a time. */
const batchSize = 500;

/** The store that was to be filled holds something already. */
export class StoreNotEmptyError extends Error {
  override readonly name = "StoreNotEmptyError";

  constructor(what: string) {
    super(`the store holds ${what} already; only an empty store can be filled`);
  }
}

export interface ImportOptions {
  /** The collections that the store keeps. By default edgeproof's own. */
  readonly collections?: CollectionTable;
  /** Called now and then with what has been taken in. */
  readonly onProgress?: (contents: Contents) => void;
}

/**
 * Fills an empty store. The file is read twice, in bounded memory: blobs are put first, then everything else in one
 * transaction. Whatever was wrong is found before it ends, and then nothing is left. A process that dies in between
 * leaves blobs at most.
 *
 * @param open gives the file's bytes from the start; called several times
 * @throws {InvalidExportError} when the file is wrong
 * @throws {StoreNotEmptyError} when the store holds anything
 * @throws {DependencyUnavailableError} when the store cannot be reached: then it may hold all, or blobs alone
 */
export async function importStore(
  store: Store,
  open: () => AsyncIterable<Uint8Array>,
  { collections: table = collections, onProgress = () => {} }: ImportOptions = {},
): Promise<Contents> {
  const names = table === collections ? collectionNames : (Object.keys(table) as CollectionName[]);
  const read = () => readExport(open(), table);
  await store.read((tx) => assertNoRecords(tx, names));
  for await (const _key of store.blobs.keys()) throw new StoreNotEmptyError("blobs");
  try {
    const blobs = await putBlobs(store, read(), onProgress);
    const rest = await store.write(async (tx) => {
      await assertNoRecords(tx, names);
      return insertAll(tx, read(), (done) => onProgress({ ...done, blobs }));
    });
    return { ...rest, blobs };
  } catch (error) {
    // Another one may have filled the store meanwhile, or the commit may have been done: the blobs are in use then.
    const inUse = error instanceof StoreNotEmptyError || error instanceof DependencyUnavailableError;
    if (!inUse) await removeBlobs(store, read());
    throw error;
  }
}

async function assertNoRecords(tx: ReadTransaction, names: readonly CollectionName[]): Promise<void> {
  for (const name of names)
    if ((await tx.scopes(name, { limit: 1 })).length > 0) throw new StoreNotEmptyError(`records of ${name}`);
  if ((await tx.sequences({ limit: 1 })).length > 0) throw new StoreNotEmptyError("sequences");
}

async function putBlobs(
  { blobs }: Store,
  entries: AsyncIterable<NumberedEntry>,
  onProgress: (contents: Contents) => void,
): Promise<number> {
  let count = 0;
  for await (const entry of entries) {
    if (entry.kind !== "blob") continue;
    await blobs.put(entry.key, entry.bytes);
    onProgress({ records: 0, sequences: 0, blobs: ++count });
  }
  return count;
}

/** Takes back what `putBlobs` put. What went wrong first is what the caller is told. */
async function removeBlobs({ blobs }: Store, entries: AsyncIterable<NumberedEntry>): Promise<void> {
  try {
    for await (const entry of entries) if (entry.kind === "blob") await blobs.delete(entry.key);
  } catch {
    // A wrong file is read as far as it was before.
  }
}

async function insertAll(
  tx: WriteTransaction,
  entries: AsyncIterable<NumberedEntry>,
  onProgress: (done: Omit<Contents, "blobs">) => void,
): Promise<Omit<Contents, "blobs">> {
  const done = { records: 0, sequences: 0 };
  let batch: (RecordEntry & NumberedEntry)[] = [];
  const flush = async () => {
    await insertBatch(tx, batch);
    done.records += batch.length;
    batch = [];
    onProgress(done);
  };
  let keys: string[] = [];
  const claim = async () => {
    await tx.claimBlobs(keys);
    keys = [];
  };
  for await (const entry of entries) {
    if (entry.kind === "record") {
      if (batch.length === batchSize || (batch[0] && batch[0].collection !== entry.collection)) await flush();
      batch.push(entry);
    } else if (entry.kind === "sequence") {
      const { scope, name, last } = entry.sequence;
      await tx.sequence(scope, name, last);
      done.sequences++;
    } else {
      keys.push(entry.key);
      if (keys.length === batchSize) await claim();
    }
  }
  await flush();
  await claim();
  return done;
}

/** Inserts records of one collection. */
async function insertBatch(
  tx: WriteTransaction,
  batch: readonly (RecordEntry & NumberedEntry)[],
): Promise<void> {
  if (batch.length === 0) return;
  const collection = batch[0]!.collection as CollectionName;
  const records = batch.map(({ record }) => record);
  if ((await tx.insertMissing(collection, records as never)) === batch.length) return;
  for (const { record, line } of batch) {
    if (await tx.get(collection, record.scope, record.id)) continue;
    await tx.insert(collection, record as never).catch((error: unknown) => {
      if (!(error instanceof UniqueViolationError)) throw error;
      throw new InvalidExportError(line, error.message);
    });
  }
  throw new InvalidExportError(batch[0]!.line, "a record is there twice from here on");
}
