/** Every message of the stores and of transfer that a user can read, in one table. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { definitionIn } from "../../src/store/argument-checks.ts";
import { type CollectionTable, plainDefinitions } from "../../src/store/definition.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { importStore } from "../../src/store/transfer/import.ts";
import { checkExport } from "../../src/store/transfer/read.ts";
import { type ProbeStore, type ProbeWrites, probes, thing } from "../../src/testing/contract/probe.ts";

const collections = probes as CollectionTable;
const probeStore = () => createMemoryStore(collections) as unknown as ProbeStore;
const inWrite = (work: (tx: ProbeWrites) => Promise<unknown>) => () => probeStore().write(work);

const head = '{"edgeproof":"export","format":1}';
const lines =
  (...text: string[]) =>
  async () => {
    await checkExport(
      (async function* () {
        yield Buffer.from(text.map((line) => `${line}\n`).join(""));
      })(),
      collections,
    );
  };
const record = (members: object) =>
  JSON.stringify({ collection: "things", record: { ...thing("a"), ...members } });

async function missingBlob(): Promise<void> {
  await probeStore().write((tx) => tx.claimBlobs(["logos/1"]));
}

async function intoFullStore(): Promise<void> {
  const store = probeStore();
  await store.write((tx) => tx.insert("things", thing("a")));
  const open = async function* () {
    yield Buffer.from(`${head}\n`);
  };
  await importStore(store as unknown as Store, open, { collections });
}

async function notADatabase(): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), "edgeproof-")), "note.txt");
  await writeFile(path, "not a database ".repeat(100));
  await openSqliteStore({ path });
}

async function afterClose(): Promise<void> {
  const store = probeStore();
  await store.close();
  await store.read(async () => {});
}

async function afterEnd(): Promise<void> {
  let ended: ProbeWrites | undefined;
  await probeStore().write(async (tx) => {
    ended = tx;
  });
  await ended?.count("things", "s");
}

async function nested(operation: (store: ProbeStore) => Promise<unknown>): Promise<void> {
  const store = probeStore();
  await store.write(() => operation(store));
}

const find = (query: object) => inWrite((tx) => tx.find("things", "s", query));
const insert = (members: object) => inWrite((tx) => tx.insert("things", thing("a", members)));

const messages: readonly (readonly [action: string, run: () => unknown, message: string])[] = [
  [
    "an unknown collection",
    () => definitionIn(plainDefinitions(collections), "other"),
    "the store has no collection `other`: declare it",
  ],
  [
    "a condition on an undeclared field",
    find({ where: [{ field: "rest", op: "eq", value: 1 }] }),
    "things has no declared field `rest`: declare it in its definition",
  ],
  [
    "a condition with another kind",
    find({ where: [{ field: "rank", op: "lt", value: "1" }] }),
    "rank of things must be compared with a number; found `1`",
  ],
  [
    "a substring of a number",
    find({ where: [{ field: "rank", op: "contains", value: "1" }] }),
    "contains needs a string; rank of things is a number",
  ],
  [
    "an order by a field that can be null",
    find({ order: [{ field: "owner", direction: "asc" }] }),
    "things cannot be ordered by owner: its values can be null",
  ],
  [
    "a position with too few values",
    find({ order: [{ field: "rank", direction: "asc" }], after: ["a"] }),
    "`after` must hold 2 values, those of the order's fields and then the id; found 1",
  ],
  ["a position of other kinds", find({ after: [5] }), "`after` must hold a string; found `5`"],
  ["a negative limit", find({ limit: -1 }), "`limit` must be an integer from 0; found `-1`"],
  ["a fractional offset", find({ offset: 0.5 }), "`offset` must be an integer from 0; found `0.5`"],
  [
    "no numbers of a sequence",
    inWrite((tx) => tx.sequence("s", "n", 0)),
    "`count` must be an integer from 1; found `0`",
  ],
  [
    "a record whose id is not a string",
    insert({ id: 7 }),
    "id of a record of things must be a string; found `7`",
  ],
  [
    "a field of another kind",
    insert({ rank: "1" }),
    "rank of a record of things must be a number; found `1`",
  ],
  [
    "null in a field that requires a value",
    insert({ name: null }),
    "name of a record of things must be a string; found `null`",
  ],
  [
    "an optional field of another kind",
    insert({ owner: 5 }),
    "owner of a record of things must be a string or null; found `5`",
  ],
  [
    "a second record with the id",
    inWrite((tx) => Promise.all([tx.insert("things", thing("a")), tx.insert("things", thing("a"))])),
    "a record of things with the same id exists",
  ],
  ["a claim on a missing blob", missingBlob, "the blob `logos/1` does not exist any more: put it again"],
  [
    "a transaction inside a transaction",
    () => nested((store) => store.read(async () => {})),
    "a transaction is not possible inside a transaction of the same store: use the `tx` of the transaction, and put and delete blobs before or after it",
  ],
  [
    "a blob inside a transaction",
    () => nested((store) => store.blobs.put("k", new Uint8Array(1))),
    "putting a blob is not possible inside a transaction of the same store: use the `tx` of the transaction, and put and delete blobs before or after it",
  ],
  ["a transaction after close", afterClose, "a transaction is not possible: the store is closed"],
  [
    "an operation after the end of its transaction",
    afterEnd,
    "this transaction has ended: finish all its operations before `work` resolves",
  ],
  [
    "a SQLite store in memory",
    () => openSqliteStore({ path: ":memory:" }),
    "`path` must name a file; to keep nothing, use the memory store",
  ],
  [
    "a file that is not a database",
    notADatabase,
    "the store `*note.txt` cannot be used: it is not a SQLite database; name a store of edgeproof, or a file that does not exist",
  ],
  [
    "an import into a store with records",
    intoFullStore,
    "the store already holds records of things; the store must be empty",
  ],
  ["an empty export", lines(), "line 1: the file is empty"],
  [
    "another file",
    lines('{"accounts":[]}'),
    "line 1: the file was not written by `npx edgeproof store export`",
  ],
  [
    "a newer format",
    lines('{"edgeproof":"export","format":3}'),
    "line 1: format 3 was written by a newer edgeproof; update edgeproof",
  ],
  [
    "a line that is not an object",
    lines(head, "[1]"),
    "line 2: a line of an export must be a JSON object; found an array of 1 element",
  ],
  [
    "a line without an entry",
    lines(head, "{}"),
    "line 2: a line must have `record`, `sequence`, `blob` or `end`",
  ],
  [
    "an unknown collection in an export",
    lines(head, '{"collection":"x","record":{}}'),
    "line 2: unknown collection `x`; a newer edgeproof may know it",
  ],
  [
    "a record that is not an object",
    lines(head, '{"collection":"things","record":[]}'),
    "line 2: `record` must be an object; found an empty array",
  ],
  [
    "a record of another kind",
    lines(head, record({ on: 1 })),
    "line 2: on of a record of things must be a boolean; found `1`",
  ],
  [
    "a sequence without a number",
    lines(head, '{"sequence":{"scope":"s","name":"n"}}'),
    "line 2: `sequence` must have the strings `scope` and `name`, and the integer `last` from 1",
  ],
  [
    "a blob without bytes",
    lines(head, '{"blob":"k"}'),
    "line 2: `blob` and `base64` must be strings: the key, and the bytes in base64",
  ],
  ["a blob that is not base64", lines(head, '{"blob":"k","base64":"?"}'), "line 2: `base64` must be base64"],
  [
    "an entry out of order",
    lines(head, record({ id: "b" }), record({ id: "a" })),
    "line 3: the entry belongs before the previous line; an export holds every entry once and in order",
  ],
  [
    "an entry twice",
    lines(head, record({}), record({})),
    "line 3: the same entry is on the line before; an export holds every entry once and in order",
  ],
  ["an end that is not an object", lines(head, '{"end":1}'), "line 2: `end` must be an object"],
  [
    "an end with another count",
    lines(head, '{"end":{"records":1,"sequences":0,"blobs":0}}'),
    "line 2: `end.records` must be the number of records in the file, 0; found `1`",
  ],
  [
    "another checksum",
    lines(head, '{"end":{"records":0,"sequences":0,"blobs":0,"sha256":""}}'),
    "line 2: the checksum does not match: the file was changed or damaged",
  ],
  ["a file without an end", lines(head, record({})), "line 3: the `end` line is missing: the file was cut"],
];

test.each(messages)("%s", async (_action, run, message) => {
  const error = await Promise.resolve()
    .then(run)
    .then(
      () => undefined,
      (reason: Error) => reason,
    );
  expect(error?.message.replace(/`\/[^`]*\//, "`*")).toBe(message);
});
