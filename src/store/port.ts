/**
 * The storage port: everything that the services need from a store. The docstrings are the contract; the published
 * suite (`edgeproof/testing`, `storeContract`) checks every adapter against them.
 */
import { arrayOf, aString, requireArguments } from "../core/arguments.ts";
import { DependencyUnavailableError, quote } from "../errors.ts";
import type { CollectionName, Collections } from "./collections.ts";

/** A value of a declared field, as conditions and orders see it. */
export type FieldValue = string | number | boolean | null;

/**
 * A test of a declared field (or `id`). `contains` is a case-sensitive substring test of a string. Only `eq` and `in`
 * match null, and only `eq`, `ne` and `in` can name it. An undeclared field, or a value of another kind than the
 * field's, is a TypeError.
 */
export type Condition<C extends CollectionName> =
  | {
      /** The tested field. */
      readonly field: FieldName<C>;
      /** How the field is compared with the value. */
      readonly op: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
      /** The value that the field is compared with. */
      readonly value: FieldValue;
    }
  | {
      /** The tested field. */
      readonly field: FieldName<C>;
      /** Whether the field is one of the values. */
      readonly op: "in";
      /** The allowed values. */
      readonly value: readonly FieldValue[];
    }
  | {
      /** The tested field. */
      readonly field: FieldName<C>;
      /** Whether the field contains the string. */
      readonly op: "contains";
      /** The string. */
      readonly value: string;
    };

/** A member of a collection's records. Queries can name only `id` and the members declared in `fields`. */
export type FieldName<C extends CollectionName> = Extract<keyof Collections[C], string>;

/** One key of the order of a listing. */
export interface Order<C extends CollectionName> {
  /** A field whose kind has no `?`. Strings are ordered by code point, false comes before true. */
  readonly field: FieldName<C>;
  /** Ascending or descending. */
  readonly direction: "asc" | "desc";
}

/** Selects, orders and pages the records of a collection in one scope. */
export interface Query<C extends CollectionName> {
  /** Conditions that must all hold. By default every record matches. */
  readonly where?: readonly Condition<C>[];
  /** Ties are ordered by `id`, ascending; so is everything when there is no order. */
  readonly order?: readonly Order<C>[];
  /** Number of records to skip: an integer from 0. By default 0. */
  readonly offset?: number;
  /** Maximum number of records: an integer from 0. By default all. */
  readonly limit?: number;
  /**
   * Only records after this position: the values of the order's fields, then the id. No record needs to be at the
   * position, so that a listing continues correctly while records are added and removed.
   */
  readonly after?: readonly FieldValue[];
}

/** One page of a listing. */
export interface Page<P> {
  /** Only entries after this one, which need not exist any more. */
  readonly after?: P;
  /** Maximum number of entries: an integer from 0. By default all. */
  readonly limit?: number;
}

/** A named sequence and its last number. */
export interface SequenceState {
  /** The account or zone that it belongs to. */
  readonly scope: string;
  /** Its name in the scope. */
  readonly name: string;
  /** The number that was given out last. */
  readonly last: number;
}

/** Reads see one committed state: everything that was committed before the transaction began, and nothing else. */
export interface ReadTransaction {
  /** The record with this id; undefined when there is none. @throws {TypeError} on an unknown collection */
  get<C extends CollectionName>(
    collection: C,
    scope: string,
    id: string,
  ): Promise<Collections[C] | undefined>;
  /** The records that a query selects, in its order. @throws {TypeError} on a query that the definition rules out */
  find<C extends CollectionName>(collection: C, scope: string, query?: Query<C>): Promise<Collections[C][]>;
  /** The number of records for which the conditions hold. @throws {TypeError} as `find` */
  count<C extends CollectionName>(
    collection: C,
    scope: string,
    where?: readonly Condition<C>[],
  ): Promise<number>;
  /**
   * The positions of the records that `find` returns, for its `after`. Reads less than `find`: for passes through long
   * lists. @throws {TypeError} as `find`
   */
  positions<C extends CollectionName>(
    collection: C,
    scope: string,
    query?: Query<C>,
  ): Promise<(readonly FieldValue[])[]>;
  /**
   * The number of distinct values of a field among the records for which the conditions hold.
   *
   * @param field a field whose kind has no `?`, or `id`
   * @throws {TypeError} as `find`
   */
  countDistinct<C extends CollectionName>(
    collection: C,
    scope: string,
    field: FieldName<C>,
    where?: readonly Condition<C>[],
  ): Promise<number>;
  /**
   * A number that increases with every change of the records that have one of these values in a field: when one is
   * added, replaced (before or after) or removed. While it is the same, so are the records. It never decreases, and 0 is
   * returned when there was no change. Lets processes that share a store keep results which they derived from records.
   *
   * @param field one of `changeCounters` in the definition
   * @param values the values, each once; the number is the sum over all of them
   * @throws {TypeError} when the definition does not name the field
   */
  changes<C extends CollectionName>(
    collection: C,
    scope: string,
    field: FieldName<C>,
    values: readonly FieldValue[],
  ): Promise<number>;
  /** The scopes that hold a record of the collection, in code point order. */
  scopes(collection: CollectionName, page?: Page<string>): Promise<string[]>;
  /** The number of claims on each blob, in the order of the keys; 0 for a blob that does not exist. */
  countClaims(keys: readonly string[]): Promise<number[]>;
  /** All sequences that returned a number, by scope and then by name, in code point order. */
  sequences(page?: Page<Pick<SequenceState, "scope" | "name">>): Promise<SequenceState[]>;
}

/** Reads see the transaction's own writes. */
export interface WriteTransaction extends ReadTransaction {
  /** Adds a record. @throws {UniqueViolationError} when another record has its id or a unique combination of it */
  insert<C extends CollectionName>(collection: C, record: Collections[C]): Promise<void>;
  /**
   * Adds, in order, the records whose id and unique combinations no other record has, and returns their number. For
   * feeds: a batch that is sent twice is added once.
   */
  insertMissing<C extends CollectionName>(collection: C, records: readonly Collections[C][]): Promise<number>;
  /** Replaces the record with the same scope and id. Returns false when there is none. @throws {UniqueViolationError} */
  replace<C extends CollectionName>(collection: C, record: Collections[C]): Promise<boolean>;
  /** Removes one record. Returns false when there is none. */
  delete(collection: CollectionName, scope: string, id: string): Promise<boolean>;
  /** Removes all records for which the conditions hold, and returns their number. */
  deleteWhere<C extends CollectionName>(
    collection: C,
    scope: string,
    where: readonly Condition<C>[],
  ): Promise<number>;
  /**
   * Reserves the next `count` numbers (an integer from 1, by default 1) of a named sequence and returns the first.
   * Sequences start at 1. Numbers of a transaction that is rolled back are reserved again.
   */
  sequence(scope: string, name: string, count?: number): Promise<number>;
  /**
   * Counts one more claim on each blob, for a record of the transaction that names it; a key that is given twice counts
   * twice. A blob with claims stays; one without may be removed a day after it was put or released, since the process
   * that put it may have died (`BlobStore.removeUnclaimed`).
   *
   * @param count claims on each key: an integer from 1, by default 1
   * @throws {MissingBlobError} when one of them does not exist (any more): put it again, and repeat the transaction
   */
  claimBlobs(keys: readonly string[], count?: number): Promise<void>;
  /** Counts one claim less on each blob, for a record that is removed; never less than 0. Unknown keys are ignored. */
  releaseBlobs(keys: readonly string[]): Promise<void>;
}

/** Options of one transaction. */
export interface TransactionOptions {
  /**
   * Promise of the caller that `work` opens no other transaction of the store, and puts and deletes no blobs. A store then
   * need not watch for that, which slows down every promise of the process on Node 20 and 22. Default false.
   */
  readonly flat?: boolean;
}

/** Options of a read. */
export interface ReadOptions extends TransactionOptions {
  /**
   * Whether a read may look at thousands of records. A store can let such reads wait for each other, so that they do not
   * hold all of its connections while short ones wait. Default false.
   */
  readonly long?: boolean;
}

/** Options of one write. */
export interface WriteOptions extends TransactionOptions {
  /**
   * Name of what the write changes, such as a zone. Writes of one name run one after another in order of arrival, instead
   * of colliding and running again; results do not depend on it. Stores with a single writer ignore it.
   */
  readonly queue?: string;
}

/**
 * A store of records and blobs.
 *
 * Records are plain JSON values with a `scope` (the zone or account they belong to) and an `id` that is unique
 * within scope and collection. They are returned deeply equal, with any string and any member name. Stores copy the
 * records they receive; returned records never change. A declared field that holds a value of another kind is a
 * TypeError.
 *
 * Strings of any length are kept and distinguished. To order, compare or search them, adapters need to look only at
 * the first 400 bytes (UTF-8) of a scope, an id, a key or an indexed field (`compareInStores`).
 */
export interface Store {
  /**
   * Runs reads on one consistent state. A transaction inside another one of the same store is a TypeError, and so is
   * the use of `tx` after its end or of a store after `close`. What a transaction with the option `flat` opens inside
   * itself may go unnoticed, or wait for ever.
   *
   * @throws the error that `work` rejects with
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  read<T>(work: (tx: ReadTransaction) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Runs reads and writes as if no other transaction ran: all writes are committed when `work` resolves, none when it
   * rejects. `work` may run again after a conflict, so it must change things only through `tx`.
   *
   * @throws the error that `work` rejects with
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** The blobs of the store. */
  readonly blobs: BlobStore;
  /** Waits for running operations, then releases files, sockets and memory. */
  close(): Promise<void>;
}

/**
 * Bytes by key, outside of transactions: put before the transaction that claims them. A key that one record names is
 * deleted after the transaction that releases it; one that several may name is left to `removeUnclaimed`. Inside a
 * transaction `put`, `delete` and `removeUnclaimed` are a TypeError, since they could neither be rolled back nor be
 * limited to one run; `get`, `getMany` and `keys` work.
 */
export interface BlobStore {
  /** Keeps a copy of the bytes, atomically. An existing key is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The bytes of a key; undefined when there are none.
   *
   * @throws {Error} when the stored bytes are not those that were put: their length or hash differs
   */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * The bytes of many keys, in their order; undefined for a key that has none. All of them are in memory together.
   *
   * @throws {Error} as `get`
   */
  getMany(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  /** Removes a key, with its claims. No error when it does not exist. */
  delete(key: string): Promise<void>;
  /**
   * Removes the blobs that have no claim, and were put or released at least `graceMs` ago. The claims are looked at again
   * in the transaction that removes a blob, so that of a claim and a removal at the same time one wins: the blob stays, or
   * the claim is a MissingBlobError.
   *
   * @param graceMs in milliseconds from 0, by default `blobGraceMs`; far longer than from a put to its claim
   * @returns the number of removed blobs
   */
  removeUnclaimed(graceMs?: number): Promise<number>;
  /** All keys that begin with the prefix, in code point order; keys that are added or removed meanwhile may be missing. */
  keys(prefix?: string): AsyncIterable<string>;
}

/** Default age of an unclaimed blob that is removed, in milliseconds: a day, far longer than any request or import. */
export const blobGraceMs = 86_400_000;

/** The store for code whose transactions are all flat: sets the option `flat`. */
export function flatStore(store: Store): Store {
  const flat = { flat: true };
  return {
    blobs: store.blobs,
    read: (work, options) => store.read(work, options ? { ...options, flat: true } : flat),
    write: (work, options) => store.write(work, options ? { ...options, flat: true } : flat),
    close: () => store.close(),
  };
}

/** A claim on a blob that does not exist. */
export class MissingBlobError extends DependencyUnavailableError {
  /** The key of the blob. */
  readonly key: string;

  constructor(key: string) {
    super(`the blob ${quote(key)} does not exist any more: put it again`);
    this.key = key;
  }
}

/**
 * The error of a blob whose bytes changed outside of the store.
 *
 * @param found length and hash of the bytes, as `length:digits`
 * @param expected those of the bytes that were put
 */
export function damagedBlobError(key: string, found: string, expected: string): Error {
  const [[length, hash], [putLength, putHash]] = [found.split(":"), expected.split(":")];
  const difference =
    length === putLength
      ? `the SHA-256 hash of its bytes is ${hash}; it must be ${putHash}`
      : `it has ${length} bytes; it must have ${putLength}`;
  return new Error(`the blob ${quote(key)} is damaged: ${difference}`);
}

/** Another record has the same id or a declared unique combination of fields. The transaction can continue. */
export class UniqueViolationError extends Error {
  /** `"UniqueViolationError"`. */
  override readonly name = "UniqueViolationError";
  /** The collection of both records. */
  readonly collection: CollectionName;
  /** The fields of the combination; `["id"]` for the id. */
  readonly fields: readonly string[];

  constructor(collection: CollectionName, fields: readonly string[]) {
    requireArguments({ collection: [collection, aString], fields: [fields, arrayOf(aString)] });
    super(`a record of ${collection} with the same ${fields.join(" and ")} exists`);
    this.collection = collection;
    this.fields = fields;
  }
}
