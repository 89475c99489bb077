/** Imports an export file into an empty store: all of it, or nothing. */
import { DependencyUnavailableError } from "../../errors.ts";
import { type CollectionName, collectionNames, collections } from "../collections.ts";
import type { CollectionTable } from "../definition.ts";
import {
  type BlobStore,
  type ReadTransaction,
  type Store,
  UniqueViolationError,
  type WriteTransaction,
} from "../port.ts";
import { keysInOrder } from "./export.ts";
import { type BlobEntry, type Contents, InvalidExportError, type RecordEntry } from "./format.ts";
import { type NumberedEntry, readExport } from "./read.ts";

/** Number of records that are inserted at a time. */
const batchSize = 500;

/** The store to import into is not empty. */
export class StoreNotEmptyError extends Error {
  override readonly name = "StoreNotEmptyError";

  /**
   * @param contents the first contents that were found
   * @param advice what makes an import possible
   */
  constructor(contents: string, advice = "the store must be empty") {
    super(`the store already holds ${contents}; ${advice}`);
  }
}

/** Options of `importStore`. */
export interface ImportOptions {
  /** The collections of the store. By default edgeproof's own. */
  readonly collections?: CollectionTable;
  /** Called after each batch with the number of entries imported so far. */
  readonly onProgress?: (contents: Contents) => void;
  /** Whether blobs that an interrupted import of another file left are removed first. Default false. */
  readonly replace?: boolean;
}

/**
 * Imports into an empty store. The file is read twice, in bounded memory: blobs are put first, then everything else is
 * inserted in one transaction, which claims them. An error anywhere in the file is found before the transaction commits,
 * and nothing is left. A process that dies meanwhile leaves at most blobs without claims: an import of the same file puts
 * them again.
 *
 * @param open returns the file's bytes from the start; called several times
 * @throws {InvalidExportError} when the file is invalid
 * @throws {StoreNotEmptyError} when the store is not empty
 * @throws {DependencyUnavailableError} when the store cannot be reached: it may then hold everything, or only blobs
 */
export async function importStore(
  store: Store,
  open: () => AsyncIterable<Uint8Array>,
  { collections: table = collections, onProgress = () => {}, replace = false }: ImportOptions = {},
): Promise<Contents> {
  const names = table === collections ? collectionNames : (Object.keys(table) as CollectionName[]);
  const read = () => readExport(open(), table);
  await store.read((tx) => assertNoRecords(tx, names));
  if (replace) await store.blobs.removeUnclaimed(0);
  await assertOwnBlobs(store, read);
  try {
    const blobs = await putBlobs(store, read(), onProgress);
    const rest = await store.write(async (tx) => {
      await assertNoRecords(tx, names);
      return insertAll(tx, read(), (done) => onProgress({ ...done, blobs }));
    });
    return { ...rest, blobs };
  } catch (error) {
    // When another import filled the store meanwhile, or the commit may have succeeded, the blobs are in use.
    const inUse = error instanceof StoreNotEmptyError || error instanceof DependencyUnavailableError;
    // Blobs without a claim are of this import, or of another at the same time, which then fails: see `MissingBlobError`.
    if (!inUse) await store.blobs.removeUnclaimed(0).catch(() => {});
    throw error;
  }
}

async function assertNoRecords(tx: ReadTransaction, names: readonly CollectionName[]): Promise<void> {
  for (const name of names)
    if ((await tx.scopes(name, { limit: 1 })).length > 0) throw new StoreNotEmptyError(`records of ${name}`);
  if ((await tx.sequences({ limit: 1 })).length > 0) throw new StoreNotEmptyError("sequences");
}

/**
 * An interrupted import leaves the blobs at the start of its file, without claims. Both lists are in one order, so that
 * neither is in memory.
 *
 * @throws {StoreNotEmptyError} when the store has another blob
 */
async function assertOwnBlobs(store: Store, read: () => AsyncIterable<NumberedEntry>): Promise<void> {
  let own: AsyncIterator<string> | undefined;
  for await (const keys of keyBatches(store.blobs)) {
    const claims = await store.read((tx) => tx.countClaims(keys));
    if (claims.some((count) => count > 0)) throw new StoreNotEmptyError("blobs");
    own ??= blobKeys(read())[Symbol.asyncIterator]();
    for (const key of keys)
      if (!(await isAmong(own, key))) throw new StoreNotEmptyError("blobs that the file has not", advice);
  }
}

const advice =
  "repeat the import that was interrupted with its own file, or remove what it left with `--replace`";

async function* keyBatches(blobs: BlobStore): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const key of keysInOrder(blobs)) {
    batch.push(key);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* blobKeys(entries: AsyncIterable<NumberedEntry>): AsyncGenerator<string> {
  for await (const entry of entries) if (entry.kind === "blob") yield entry.key;
}

/** Whether the rest of a list has a key; the list then continues after it. */
async function isAmong(keys: AsyncIterator<string>, key: string): Promise<boolean> {
  for (let next = await keys.next(); !next.done; next = await keys.next())
    if (next.value === key) return true;
  return false;
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
  let claimed: BlobEntry[] = [];
  const claim = async () => {
    const [first] = claimed;
    const keys = claimed.map(({ key }) => key);
    if (first && first.claims > 0) await tx.claimBlobs(keys, first.claims);
    claimed = [];
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
      if (claimed.length === batchSize || (claimed[0] && claimed[0].claims !== entry.claims)) await claim();
      // Without its bytes: a batch would hold all of them.
      claimed.push({ ...entry, bytes: noBytes });
    }
  }
  await flush();
  await claim();
  return done;
}

const noBytes = new Uint8Array();

/** Inserts records of one collection. */
async function insertBatch(
  tx: WriteTransaction,
  batch: readonly (RecordEntry & NumberedEntry)[],
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const collection = first.collection as CollectionName;
  const records = batch.map(({ record }) => record);
  if ((await tx.insertMissing(collection, records as never)) === batch.length) return;
  for (const { record, line } of batch) {
    if (await tx.get(collection, record.scope, record.id)) continue;
    await tx.insert(collection, record as never).catch((error: unknown) => {
      if (!(error instanceof UniqueViolationError)) throw error;
      throw new InvalidExportError(line, error.message);
    });
  }
  throw new InvalidExportError(first.line, "a record occurs twice from this line on");
}
