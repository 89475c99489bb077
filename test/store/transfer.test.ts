/** A whole store in one file: any store to any store, byte for byte, and nothing of a file that is wrong. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../src/errors.ts";
import type { CollectionTable } from "../../src/store/definition.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { exportStore } from "../../src/store/transfer/export.ts";
import { importStore } from "../../src/store/transfer/import.ts";
import { checkExport } from "../../src/store/transfer/read.ts";
import {
  type ProbeStore,
  probes,
  seededRandom,
  type Thing,
  thing,
} from "../../src/testing/contract/probe.ts";
import { awkwardTexts } from "../../src/testing/contract/records.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "./open.ts";

const collections = probes as CollectionTable;
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
let files = 0;

const engines: Record<string, () => Promise<Store>> = {
  memory: async () => createMemoryStore(collections),
  SQLite: () => openSqliteStore({ path: join(folder, `${files++}.db`), collections }),
  PostgreSQL: () =>
    openPostgresStore({ connectionString: hasty(postgresUrl!), schema: nextSchema(), collections }),
};
const isMissing = (engine: string) => engine === "PostgreSQL" && postgresUrl === undefined;

async function exported(store: Store): Promise<string> {
  let text = "";
  await exportStore(
    store,
    async (piece) => {
      text += piece;
    },
    { collections },
  );
  return text;
}

/** The bytes of a file, in pieces that end anywhere. */
function inPieces(text: string, size = 777): () => AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  return async function* () {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  };
}

/** Long texts that differ only where stores do not look, among short ones. */
const long = "é".repeat(180);
const tails = ["", "b", "a", "\0", "\uffff", "😀", "z".repeat(300), "a".repeat(300), "\u0001".repeat(99)];
const wellFormed = awkwardTexts.filter((text) => !/\p{Cs}/u.test(text));
const texts = [...wellFormed, ...tails.map((tail) => `${long}${"x".repeat(60)}${tail}`), "x".repeat(41)];

async function fill(store: Store): Promise<void> {
  const probe = store as unknown as ProbeStore;
  const rest = JSON.parse('{"__proto__":{"a":1},"z":[0.1,1e300,null,"\\ud800"],"10":1,"9":2}');
  await probe.write(async (tx) => {
    const things = texts.flatMap((scope) => texts.slice(0, 12).map((id) => ({ ...thing(id), scope, rest })));
    await tx.insertMissing("things", things);
    await tx.insertMissing(
      "things",
      texts.map((id) => thing(id, { owner: id, weight: -0 })),
    );
    const many = Array.from({ length: 1_100 }, (_, i) => ({ scope: "many", id: `l${i}`, text: `${i}` }));
    await tx.insertMissing("labels", many as never);
    for (const [i, text] of texts.entries()) {
      await tx.sequence(text, "n", i + 1);
      await tx.sequence("s", text, i + 1);
    }
  });
  for (const [i, key] of texts.entries()) await store.blobs.put(key, new Uint8Array(i * 1000).fill(i));
  // The first blob has no claim, the others have 1, 2, 3, 1, 2, 3, ...
  for (const [i, key] of texts.slice(1).entries())
    await store.write((tx) => tx.claimBlobs([key], (i % 3) + 1));
}

async function filled(): Promise<Store> {
  const store = createMemoryStore(collections);
  await fill(store);
  return store;
}

const original = await exported(await filled());

describe("an export", () => {
  for (const [name, open] of Object.entries(engines)) {
    test.skipIf(isMissing(name))(
      `of ${name} is the same as that of any other store that holds the same`,
      async () => {
        const store = await open();
        await fill(store);
        expect(await exported(store)).toBe(original);
        await store.close();
      },
    );

    test.skipIf(isMissing(name))(`that ${name} was filled from is given back byte for byte`, async () => {
      const store = await open();
      const contents = await importStore(store, inPieces(original), { collections });
      expect(await exported(store)).toBe(original);
      expect(contents).toEqual(await checkExport(inPieces(original)(), collections));
      await store.close();
    });
  }

  test("of an empty store is valid and imports nothing", async () => {
    const empty = await exported(createMemoryStore(collections));
    expect(empty.split("\n")).toHaveLength(3);
    const store = createMemoryStore(collections);
    expect(await importStore(store, inPieces(empty), { collections })).toEqual({
      records: 0,
      sequences: 0,
      blobs: 0,
    });
  });

  test("is in code point order, with each record once", () => {
    const ids = original
      .split("\n")
      .map((line) => (line === "" ? {} : JSON.parse(line)))
      .filter((line) => line.collection === "things" && line.record.scope === "s")
      .map((line) => line.record.id as string);
    const points = (text: string) =>
      Array.from(text, (c) => c.codePointAt(0)!.toString(16).padStart(6, "0")).join("");
    expect(ids).toEqual([...new Set(texts)].sort((a, b) => (points(a) < points(b) ? -1 : 1)));
  });

  test("reads one consistent state while others write", async () => {
    for (const [name, open] of Object.entries(engines)) {
      if (isMissing(name)) continue;
      const store = (await open()) as unknown as ProbeStore;
      await store.write((tx) => tx.insert("things", thing("a", { rank: 0 })));
      let writing: Promise<unknown> = Promise.resolve();
      let text = "";
      await exportStore(
        store as unknown as Store,
        async (piece) => {
          text += piece;
        },
        {
          collections,
          onProgress: () => {
            writing = store.write((tx) => tx.insert("things", thing("b")));
          },
        },
      );
      await writing;
      expect(text).not.toContain('"b"');
      await store.close();
    }
  });

  test("waits for its writer, and rejects with the writer's error", async () => {
    let open = 0;
    const slowly = async () => {
      expect(++open).toBe(1);
      await new Promise(setImmediate);
      open--;
    };
    await exportStore(await filled(), slowly, { collections });
    const full = () => Promise.reject(new Error("no room"));
    await expect(exportStore(await filled(), full, { collections })).rejects.toThrow("no room");
  });
});

/** A file with a change, and the checksum that goes with it. */
function sealed(lines: readonly string[], counts?: object): string {
  const text = lines.map((line) => `${line}\n`).join("");
  const of = (name: string) => lines.filter((line) => line.startsWith(`{"${name}"`)).length;
  const end = {
    records: of("collection"),
    sequences: of("sequence"),
    blobs: of("blob"),
    sha256: createHash("sha256").update(text).digest("hex"),
    ...counts,
  };
  return `${text}${JSON.stringify({ end })}\n`;
}

const head = '{"edgeproof":"export","format":1}';
const record = (id: string, members: object = {}) =>
  JSON.stringify({ collection: "things", record: { ...thing(id), ...members } });
const sequence = '{"sequence":{"scope":"s","name":"n","last":3}}';
const blob = '{"blob":"k","base64":"AQID"}';
const good = [head, record("a"), record("b"), sequence, blob];

const wrong: readonly [string, string, RegExp][] = [
  ["no bytes", "", /^line 1: the file is empty/],
  ["another file", '{"accounts":[]}\n', /^line 1: the file was not written by `npx edgeproof store export`/],
  [
    "a line that is not JSON",
    `${head}\n{"collection"\n`,
    /^line 2: a line of an export must be a JSON object: /,
  ],
  [
    "a line that is not an object",
    sealed([head, "[1]"]),
    /^line 2: a line of an export must be a JSON object; found an array of 1 element/,
  ],
  ["a newer format", sealed(['{"edgeproof":"export","format":3}']), /^line 1: .*newer edgeproof/],
  ["no end", `${good.join("\n")}\n`, /^line 6: the `end` line is missing: the file was cut/],
  ["half a line", sealed(good).slice(0, 200), /^line \d: a line of an export must be a JSON object/],
  [
    "a line after the end",
    `${sealed(good)}${record("c")}\n`,
    /^line 7: the file must end after its `end` line/,
  ],
  [
    "another count",
    sealed(good, { blobs: 2 }),
    /^line 6: `end\.blobs` must be the number of blobs in the file, 1; found `2`/,
  ],
  ["a changed record", sealed(good).replace('"rank":0', '"rank":1'), /^line 6: the checksum does not match/],
  [
    "an unknown collection",
    sealed([head, record("a").replace("things", "toString")]),
    /^line 2: unknown collection `toString`/,
  ],
  [
    "none of the parts",
    sealed([head, '{"records":[]}']),
    /^line 2: a line must have `record`, `sequence`, `blob` or `end`/,
  ],
  [
    "a field of another kind",
    sealed([head, record("a", { rank: "1" })]),
    /^line 2: rank of a record of things/,
  ],
  [
    "a record without an id",
    sealed([head, record("a", { id: 7 })]),
    /^line 2: id of a record of things must be a string; found `7`/,
  ],
  [
    "a record that is not an object",
    sealed([head, '{"collection":"things","record":[]}']),
    /^line 2: `record` must be an object; found/,
  ],
  [
    "records out of order",
    sealed([head, record("b"), record("a")]),
    /^line 3: the entry belongs before the previous line/,
  ],
  [
    "a record twice",
    sealed([head, record("a"), record("a")]),
    /^line 3: the same entry is on the line before/,
  ],
  ["parts out of order", sealed([head, blob, record("a")]), /^line 3: the entry belongs before/],
  ["a sequence of nothing", sealed([head, sequence.replace("3", "0")]), /^line 2: `sequence` must have/],
  ...["-1", "0.5", '"1"', "null", "1e12"].map((claims): [string, string, RegExp] => [
    `a blob with ${claims} claims`,
    sealed([head, blob.replace('"k"', `"k","claims":${claims}`)]),
    /^line 2: `claims` must be an integer from 0 to 1,000,000,000/,
  ]),
  ["invalid bytes", sealed([head, blob.replace("AQID", "A$D=")]), /^line 2: `base64` must be base64/],
  [
    "a unique combination twice",
    sealed([
      head,
      record("a", { owner: "o", weight: 1 }),
      record("b"),
      record("c", { owner: "o", weight: 1 }),
      blob,
    ]),
    /^line 4: a record of things with the same owner and weight exists/,
  ],
];

async function contentsOf(store: Store): Promise<string> {
  return (await exported(store)).split("\n").at(-2)!;
}

describe("an invalid file is rejected with its line, and nothing of it is kept", async () => {
  const nothing = await contentsOf(createMemoryStore(collections));
  test.each(wrong)("%s", async (_name, text, message) => {
    for (const open of [engines["memory"]!, engines["SQLite"]!]) {
      const store = await open();
      await expect(importStore(store, inPieces(text, 50), { collections })).rejects.toThrow(message);
      expect(await contentsOf(store)).toBe(nothing);
      expect(await importStore(store, inPieces(sealed(good)), { collections })).toEqual({
        records: 2,
        sequences: 1,
        blobs: 1,
      });
      await store.close();
    }
  });

  test.skipIf(isMissing("PostgreSQL"))("and so it is in PostgreSQL, at the last moment", async () => {
    const store = await engines["PostgreSQL"]!();
    const text = wrong.at(-1)![1];
    await expect(importStore(store, inPieces(text), { collections })).rejects.toThrow(/^line 4/);
    expect(await contentsOf(store)).toBe(nothing);
    await store.close();
  });

  test("bytes that are not UTF-8", async () => {
    const open = async function* () {
      yield Buffer.from(`${head}\n`);
      yield Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    };
    await expect(checkExport(open(), collections)).rejects.toThrow(
      "line 2: a line of an export must be a JSON object: it is not valid UTF-8",
    );
  });

  test("any single damaged byte", async () => {
    const bytes = Buffer.from(sealed(good));
    const random = seededRandom(7);
    for (let i = 0; i < 300; i++) {
      const damaged = Buffer.from(bytes);
      const at = Math.floor(random() * (bytes.length - 1));
      damaged[at] = damaged[at]! ^ (1 << Math.floor(random() * 7));
      const read = async function* () {
        yield damaged;
      };
      await expect(checkExport(read(), collections), `byte ${at}`).rejects.toThrow(/^line \d/);
    }
  });
});

describe("a store that is not empty is rejected and stays unchanged", () => {
  const holders: Record<string, (store: ProbeStore) => Promise<unknown>> = {
    "a record": (store) => store.write((tx) => tx.insert("things", thing("mine"))),
    "a sequence": (store) => store.write((tx) => tx.sequence("s", "mine")),
    "a blob with a claim": async (store) => {
      await store.blobs.put("k", new Uint8Array(9));
      await store.write((tx) => tx.claimBlobs(["k"]));
    },
  };
  test.each(Object.entries(holders))("%s", async (_name, hold) => {
    const store = await engines["SQLite"]!();
    await hold(store as unknown as ProbeStore);
    const before = await exported(store);
    await expect(importStore(store, inPieces(sealed(good)), { collections })).rejects.toThrow(
      /already holds .*; the store must be empty/,
    );
    expect(await exported(store)).toBe(before);
    await store.close();
  });

  test("a record that is inserted during the import", async () => {
    const store = createMemoryStore(collections);
    const lateRecord: Thing = thing("mine");
    const bytes = inPieces(sealed(good));
    let passes = 0;
    const open = async function* () {
      if (passes++ === 0)
        await (store as unknown as ProbeStore).write((tx) => tx.insert("things", lateRecord));
      yield* bytes();
    };
    await expect(importStore(store, open, { collections })).rejects.toThrow("records of things");
    expect(await (store as unknown as ProbeStore).read((tx) => tx.find("things", "s"))).toEqual([lateRecord]);
  });
});

describe("an import that was interrupted", () => {
  /** Blobs of the file without claims, as a process leaves them that is killed. */
  async function interrupted(open: () => Promise<Store>): Promise<Store> {
    const store = await open();
    for (const [i, key] of texts.entries()) if (i % 3 !== 0) await store.blobs.put(key, new Uint8Array(i));
    return store;
  }

  for (const [name, open] of Object.entries(engines)) {
    test.skipIf(isMissing(name))(`can be repeated in ${name}`, async () => {
      const store = await interrupted(open);
      await importStore(store, inPieces(original), { collections });
      expect(await exported(store)).toBe(original);
      await store.close();
    });

    test.skipIf(isMissing(name))(
      `of another file is rejected in ${name}, and replaced on demand`,
      async () => {
        const store = await interrupted(open);
        const before = await exported(store);
        const other = inPieces(sealed(good));
        await expect(importStore(store, other, { collections })).rejects.toThrow(
          /already holds blobs that the file has not; repeat the import .*, or remove what it left with `--replace`/,
        );
        expect(await exported(store)).toBe(before);
        await importStore(store, other, { collections, replace: true });
        const fresh = createMemoryStore(collections);
        await importStore(fresh, other, { collections });
        expect(await exported(store)).toBe(await exported(fresh));
        await store.close();
      },
    );
  }

  test("replaces no record, sequence or claimed blob", async () => {
    const store = await filled();
    const before = (await exported(store))
      .split("\n")
      .filter((line) => /^{"(collection|sequence)"/.test(line));
    const replacing = importStore(store, inPieces(sealed(good)), { collections, replace: true });
    await expect(replacing).rejects.toThrow("the store must be empty");
    const after = (await exported(store)).split("\n");
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.filter((line) => line.startsWith('{"blob"')).length).toBe(texts.length);
  });
});

test("blobs are kept when the outcome of the commit is unknown", async () => {
  const inner = createMemoryStore(collections);
  const store: Store = {
    ...inner,
    write: async (work) => {
      await inner.write(work);
      throw new DependencyUnavailableError("no answer");
    },
  };
  await expect(importStore(store, inPieces(sealed(good)), { collections })).rejects.toThrow("no answer");
  expect((await inner.blobs.get("k"))?.length).toBe(3);
});
