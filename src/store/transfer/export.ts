/** Exports a whole store, in one consistent state and in bounded memory. */
import { createHash } from "node:crypto";
import { type CollectionName, collections } from "../collections.ts";
import type { CollectionTable, StoredRecord } from "../definition.ts";
import { compareText, inExactOrder } from "../order.ts";
import type { BlobStore, Page, ReadTransaction, SequenceState, Store } from "../port.ts";
import { blobLine, type Contents, endLine, headLine, recordLine, sequenceLine } from "./format.ts";

/** Number of entries of a listing that are read at a time. */
const pageSize = 500;
/** Minimum length of the text that is written at a time, in characters. */
const chunkLength = 65_536;

/** Options of `exportStore`. */
export interface ExportOptions {
  /** The collections to write. By default edgeproof's own. */
  readonly collections?: CollectionTable;
  /** Called after each write with the number of entries written so far. */
  readonly onProgress?: (contents: Contents) => void;
}

/**
 * Writes all records, sequences and blobs of a store as text. Blobs outside of the database are not part of the
 * consistent state: one that is deleted meanwhile is left out.
 *
 * @param write receives a piece of text; the next one follows when it resolves
 * @throws the error that `write` rejects with
 * @throws {DependencyUnavailableError} when the store cannot be reached
 */
export async function exportStore(
  store: Store,
  write: (text: string) => Promise<void>,
  { collections: table = collections, onProgress = () => {} }: ExportOptions = {},
): Promise<Contents> {
  const hash = createHash("sha256");
  const contents = { records: 0, sequences: 0, blobs: 0 };
  let pending = "";
  const flush = async () => {
    hash.update(pending);
    await write(pending);
    pending = "";
    onProgress(contents);
  };
  const add = async (kind: keyof Contents | "head", line: string) => {
    if (kind !== "head") contents[kind]++;
    pending += line;
    if (pending.length >= chunkLength) await flush();
  };
  await store.read(async (tx) => {
    await add("head", headLine);
    for (const name of Object.keys(table).sort(compareText))
      for await (const record of recordsOf(tx, name as CollectionName))
        await add("records", recordLine(name, record));
    for await (const state of sequencesOf(tx)) await add("sequences", sequenceLine(state));
    for await (const blob of blobsOf(store.blobs)) {
      const [claims = 0] = await tx.countClaims([blob.key]);
      await add("blobs", blobLine({ ...blob, claims }));
    }
  });
  await flush();
  await write(endLine(contents, hash.digest("hex")));
  return contents;
}

async function* recordsOf(tx: ReadTransaction, collection: CollectionName): AsyncGenerator<StoredRecord> {
  const scopes = pages<string, string>(
    (page) => tx.scopes(collection, page),
    (scope) => scope,
  );
  for await (const page of inExactOrder(scopes, (scope) => [scope], compareText))
    for (const scope of page) yield* recordsIn(tx, collection, scope);
}

async function* recordsIn(
  tx: ReadTransaction,
  collection: CollectionName,
  scope: string,
): AsyncGenerator<StoredRecord> {
  const records = pages<StoredRecord, string>(
    ({ after, limit = pageSize }) =>
      tx.find(collection, scope, { limit, ...(after !== undefined && { after: [after] }) }),
    ({ id }) => id,
  );
  const byId = (a: StoredRecord, b: StoredRecord) => compareText(a.id, b.id);
  for await (const page of inExactOrder(records, ({ id }) => [id], byId)) yield* page;
}

async function* sequencesOf(tx: ReadTransaction): AsyncGenerator<SequenceState> {
  const listed = pages<SequenceState, SequenceState>(
    (page) => tx.sequences(page),
    (state) => state,
  );
  const byName = (a: SequenceState, b: SequenceState) =>
    compareText(a.scope, b.scope) || compareText(a.name, b.name);
  for await (const page of inExactOrder(listed, ({ scope, name }) => [scope, name], byName)) yield* page;
}

async function* blobsOf(blobs: BlobStore) {
  for await (const key of keysInOrder(blobs)) {
    const bytes = await blobs.get(key);
    if (bytes) yield { key, bytes };
  }
}

/** All keys of blobs in the order of a file. */
export async function* keysInOrder(blobs: BlobStore): AsyncGenerator<string> {
  for await (const page of inExactOrder(singly(blobs.keys()), (key) => [key], compareText)) yield* page;
}

/** Pages of one item each. */
async function* singly<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const item of items) yield [item];
}

/** A whole listing, read page by page. */
async function* pages<T, P>(
  read: (page: Page<P>) => Promise<T[]>,
  positionOf: (item: T) => P,
): AsyncGenerator<readonly T[]> {
  let after: P | undefined;
  for (;;) {
    const page = await read({ limit: pageSize, ...(after !== undefined && { after }) });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = positionOf(last);
  }
}
