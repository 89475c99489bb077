/** The collections of the store contract, and an untyped view of a store. */
import assert from "node:assert/strict";
import type { PlainCondition, PlainOrder, PlainQuery } from "../../store/argument-checks.ts";
import { type CollectionTable, defineCollection, type StoredRecord } from "../../store/definition.ts";
import type {
  BlobStore,
  FieldValue,
  Page,
  SequenceState,
  Store,
  TransactionOptions,
  WriteOptions,
} from "../../store/port.ts";

/** Opens an empty store with these collections. */
export type OpenStore = (collections: CollectionTable) => Promise<Store>;

/** One requirement of the contract. */
export interface ContractCase {
  /** The requirement, as a statement; unique in the contract. */
  readonly name: string;
  /** Opens the stores that it needs, closes them, and rejects when the requirement is not met. */
  run(open: OpenStore): Promise<void>;
}

/** A record with every kind of field, and an undeclared member. */
export interface Thing extends StoredRecord {
  readonly name: string;
  readonly rank: number;
  readonly on: boolean;
  readonly owner?: string | null;
  readonly weight?: number | null;
  readonly rest?: unknown;
}

export interface Label extends StoredRecord {
  readonly text: string;
}

export const probes = {
  things: defineCollection<Thing>({
    fields: { name: "text", rank: "number", on: "boolean", owner: "text?", weight: "number?" },
    unique: [["owner", "weight"]],
    indexes: [["rank"], ["owner", "rank"], ["on", "-rank", "name"]],
    maintainedCounts: [[], ["on"], ["owner", "rank"]],
    changeCounters: ["rank"],
  }),
  labels: defineCollection<Label>({ fields: { text: "text" }, unique: [["text"]] }),
};

type Probe = "things" | "labels";

export interface ProbeReads {
  get(collection: Probe, scope: string, id: string): Promise<Thing | undefined>;
  find(collection: Probe, scope: string, query?: PlainQuery): Promise<Thing[]>;
  count(collection: Probe, scope: string, where?: readonly PlainCondition[]): Promise<number>;
  positions(collection: Probe, scope: string, query?: PlainQuery): Promise<(readonly FieldValue[])[]>;
  countDistinct(
    collection: Probe,
    scope: string,
    field: string,
    where?: readonly PlainCondition[],
  ): Promise<number>;
  changes(collection: Probe, scope: string, field: string, values: readonly FieldValue[]): Promise<number>;
  scopes(collection: Probe, page?: Page<string>): Promise<string[]>;
  countClaims(keys: readonly string[]): Promise<number[]>;
  sequences(page?: Page<{ scope: string; name: string }>): Promise<SequenceState[]>;
}

export interface ProbeWrites extends ProbeReads {
  insert(collection: Probe, record: Thing | Label): Promise<void>;
  insertMissing(collection: Probe, records: readonly (Thing | Label)[]): Promise<number>;
  replace(collection: Probe, record: Thing | Label): Promise<boolean>;
  delete(collection: Probe, scope: string, id: string): Promise<boolean>;
  deleteWhere(collection: Probe, scope: string, where: readonly PlainCondition[]): Promise<number>;
  sequence(scope: string, name: string, count?: number): Promise<number>;
  claimBlobs(keys: readonly string[], count?: number): Promise<void>;
  releaseBlobs(keys: readonly string[]): Promise<void>;
}

/** A store of the probe collections. */
export interface ProbeStore {
  read<T>(work: (tx: ProbeReads) => Promise<T>, options?: TransactionOptions): Promise<T>;
  write<T>(work: (tx: ProbeWrites) => Promise<T>, options?: WriteOptions): Promise<T>;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

/** A case that works on one fresh store. */
export function onStore(name: string, work: (store: ProbeStore) => Promise<void>): ContractCase {
  return {
    name,
    run: async (open) => {
      const store = (await open(probes as CollectionTable)) as unknown as ProbeStore;
      try {
        await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** A thing of the scope `s` with the given members and defaults for the others. */
export function thing(id: string, members: Partial<Thing> = {}): Thing {
  return { scope: "s", id, name: id, rank: 0, on: false, ...members };
}

/** A condition on a field. */
export function is(field: string, op: PlainCondition["op"], value: PlainCondition["value"]): PlainCondition {
  return { field, op, value };
}

/** A key of an order. */
export function by(field: string, direction: PlainOrder["direction"]): PlainOrder {
  return { field, direction };
}

/** Inserts all in one transaction. */
export async function fill(store: ProbeStore, things: readonly Thing[]): Promise<void> {
  await store.write(async (tx) => {
    for (const record of things) await tx.insert("things", record);
  });
}

/** Inserts a thing for each value in one transaction. */
export function fillEach<T>(
  store: ProbeStore,
  values: readonly T[],
  thingOf: (value: T, index: number) => Thing,
): Promise<void> {
  return fill(store, values.map(thingOf));
}

/** The ids that a query returns in the scope `s`, in order. */
export async function idsOf(store: ProbeStore, query?: PlainQuery): Promise<string[]> {
  return (await store.read((tx) => tx.find("things", "s", query))).map((found) => found.id);
}

/** Asserts that conditions select these things of the scope `s`, by their ids in order. */
export async function expectIds(
  store: ProbeStore,
  where: readonly PlainCondition[],
  ids: readonly string[],
  message?: string,
): Promise<void> {
  assert.deepEqual(await idsOf(store, { where }), ids, message);
}

/** Asserts that work rejects with an error of this name, and returns the error. */
export async function expectRejection(name: string, work: () => Promise<unknown>): Promise<Error> {
  const error = await work().then(
    () => assert.fail(`expected a rejection with ${name}; the work resolved`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  assert.equal(error.name, name, error.message);
  return error;
}

/** Pseudo-random numbers from 0 to below 1, the same for every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the values. */
export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}
