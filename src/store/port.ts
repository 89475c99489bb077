/**
 * The storage port: all that the services ask of a store. The docstrings are the contract; the published suite
 * (`edgeproof/testing`, `storeContract`) holds every adapter to them.
 */
import { DependencyUnavailableError, quote } from "../errors.ts";
import type { CollectionName, Collections } from "./collections.ts";

/** A value that conditions and orders can look at. */
export type FieldValue = string | number | boolean | null;

/**
 * One test on a declared field (or `id`). `contains` is a case-sensitive substring test on text. No other
 * condition than `eq` and `in` is ever true of null, and none but `eq`, `ne` and `in` can be asked about null.
 * An undeclared field, or a value of another kind than the field's, is a TypeError.
 */
export type Condition<C extends CollectionName> =
  | {
      readonly field: FieldName<C>;
      readonly op: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
      readonly value: FieldValue;
    }
  | { readonly field: FieldName<C>; readonly op: "in"; readonly value: readonly FieldValue[] }
  | { readonly field: FieldName<C>; readonly op: "contains"; readonly value: string };

/** A member of a collection's records. Only those declared in the collection's `fields` can be asked for. */
export type FieldName<C extends CollectionName> = Extract<keyof Collections[C], string>;

export interface Order<C extends CollectionName> {
  /** A field whose kind has no `?`. Text is compared by code point, false comes before true. */
  readonly field: FieldName<C>;
  readonly direction: "asc" | "desc";
}

export interface Query<C extends CollectionName> {
  /** All of them hold. */
  readonly where?: readonly Condition<C>[];
  /** Ties, and everything when no order is given, go by `id`, ascending. */
  readonly order?: readonly Order<C>[];
  readonly offset?: number;
  readonly limit?: number;
  /**
   * Only what stands behind this place: the values of the order's fields, then the id. The place need not exist
   * any more, so that a listing goes on where it was while records come and go.
   */
  readonly after?: readonly FieldValue[];
}

/** A part of a listing that is read whole, page by page. */
export interface Page<P> {
  /** Only what stands behind this place, which need not exist any more. */
  readonly after?: P;
  readonly limit?: number;
}

/** A named sequence, and the last number that was taken from it. */
export interface SequenceState {
  readonly scope: string;
  readonly name: string;
  readonly last: number;
}

/** Reads see everything that was committed before, nothing that was not, and one state throughout. */
export interface ReadTransaction {
  get<C extends CollectionName>(
    collection: C,
    scope: string,
    id: string,
  ): Promise<Collections[C] | undefined>;
  find<C extends CollectionName>(collection: C, scope: string, query?: Query<C>): Promise<Collections[C][]>;
  count<C extends CollectionName>(
    collection: C,
    scope: string,
    where?: readonly Condition<C>[],
  ): Promise<number>;
  /** The scopes that hold a record of the collection, in code point order. */
  scopes(collection: CollectionName, page?: Page<string>): Promise<string[]>;
  /** All sequences that a number was taken from, by scope and then by name, in code point order. */
  sequences(page?: Page<Pick<SequenceState, "scope" | "name">>): Promise<SequenceState[]>;
}

/** Reads see the transaction's own writes. */
export interface WriteTransaction extends ReadTransaction {
  /** Adds a record. @throws {UniqueViolationError} when its id or a declared unique combination is taken. */
  insert<C extends CollectionName>(collection: C, record: Collections[C]): Promise<void>;
  /**
   * Adds those records whose id and unique combinations are free, in order, and says how many it added. For
   * feeds: the same batch given twice is added once.
   */
  insertMissing<C extends CollectionName>(collection: C, records: readonly Collections[C][]): Promise<number>;
  /** Puts the record in place of the one with the same scope and id. False when there is none. */
  replace<C extends CollectionName>(collection: C, record: Collections[C]): Promise<boolean>;
  /** Removes one record. False when there is none. */
  delete(collection: CollectionName, scope: string, id: string): Promise<boolean>;
  /** Removes all records for which the conditions hold, and says how many. */
  deleteWhere<C extends CollectionName>(
    collection: C,
    scope: string,
    where: readonly Condition<C>[],
  ): Promise<number>;
  /**
   * Takes the next `count` numbers of a named sequence and gives the first. Sequences start at 1, and one that
   * is rolled back gives the same numbers again.
   */
  sequence(scope: string, name: string, count?: number): Promise<number>;
  /**
   * Keeps blobs, which the transaction's records name: until a transaction has claimed it, a blob may be removed a
   * day after it was put, since a process that died may have left it.
   *
   * @throws {DependencyUnavailableError} when one of them is not there (any more)
   */
  claimBlobs(keys: readonly string[]): Promise<void>;
  /** Takes claims back, for blobs that are to be deleted once the transaction is done. */
  releaseBlobs(keys: readonly string[]): Promise<void>;
}

/**
 * A place where records are kept.
 *
 * Records are plain JSON values with a `scope` (the zone or account they belong to) and an `id` that is unique
 * within scope and collection. They come back deeply equal, any text and any member name included. What is given
 * is copied, what is returned is the caller's to read and never changes under them. A declared field that holds
 * a value of another kind is a TypeError.
 *
 * Texts of any length are told apart. Where they are ordered, compared or searched, adapters may look no further
 * than the first 400 bytes (UTF-8) of a scope, an id, a key, or a field that stands in an index.
 */
export interface Store {
  /**
   * Runs reads on one consistent state. A transaction inside another one of the same store is refused with a
   * TypeError, as is the use of `tx` after its end and of a store after `close`.
   *
   * @throws what `work` rejects with
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs reads and writes so that they have the effect of running alone: all of it when `work` resolves, none of
   * it when `work` rejects. `work` may be run again after a conflict, so it changes nothing but through `tx`.
   *
   * @throws what `work` rejects with
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T>;
  readonly blobs: BlobStore;
  /** Waits for what is under way and lets go of files, sockets and memory. */
  close(): Promise<void>;
}

/**
 * Bytes by key, outside of transactions: written before the record that names them and claims them, deleted after
 * the transaction that releases them. Inside of
 * a transaction `put` and `delete` are refused with a TypeError, since they could be neither taken back nor
 * done once; `get` and `keys` are not.
 */
export interface BlobStore {
  /** Keeps a copy of the bytes. Whole or not at all; an existing key is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** No error when there is none. */
  delete(key: string): Promise<void>;
  /** All keys that begin with the prefix, in code point order; those that come and go meanwhile may be missing. */
  keys(prefix?: string): AsyncIterable<string>;
}

/** What a claim is refused with. */
export function missingBlobError(key: string): DependencyUnavailableError {
  return new DependencyUnavailableError(`the blob ${quote(key)} is not there any more: put it again`);
}

/** A record's id or a declared unique combination of its fields is taken. The transaction can go on. */
export class UniqueViolationError extends Error {
  override readonly name = "UniqueViolationError";
  readonly collection: CollectionName;
  /** The fields of the combination; `["id"]` for the id. */
  readonly fields: readonly string[];

  constructor(collection: CollectionName, fields: readonly string[]) {
    super(`a record of ${collection} with the same ${fields.join(" and ")} exists`);
    this.collection = collection;
    this.fields = fields;
  }
}
