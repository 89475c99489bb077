/** The files of a store: their modes, other programs' databases, damaged blobs, and the durability of new folders. */
import { appendFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

/** Folders that were opened, which is done only to sync them. */
const opened: string[] = [];

vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof import("node:fs/promises")>();
  return {
    ...fs,
    open: (path: string, ...rest: [string, number?]) => {
      opened.push(path);
      return fs.open(path, ...rest);
    },
  };
});

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const bytes = new Uint8Array(1000).fill(7);

/** The error that a promise rejects with. */
function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no error",
    (error: unknown) => error,
  );
}

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe("modes", () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  test.skipIf(process.platform === "win32")(
    "database files and blobs can be read only by their owner",
    async () => {
      const path = join(folder, "modes.db");
      const store = await openSqliteStore({ path });
      await store.blobs.put("k", bytes);
      for (const each of [path, `${path}-wal`, `${path}-shm`])
        expect([each, await modeOf(each)]).toEqual([each, "600"]);
      const entries = await readdir(`${path}.blobs`, { recursive: true });
      expect(entries).toHaveLength(3);
      expect(await modeOf(`${path}.blobs`)).toBe("700");
      for (const entry of entries) {
        const each = join(`${path}.blobs`, entry);
        expect(await modeOf(each)).toBe((await stat(each)).isFile() ? "600" : "700");
      }
      await store.close();
    },
  );
});

describe("files of other programs", () => {
  const others: Record<string, (path: string) => Promise<void> | void> = {
    "a database of another program": (path) => createDatabase(path, "delete", "create table notes (text)"),
    "a database with a write-ahead log": (path) => createDatabase(path, "wal", "create table notes (text)"),
    "a database with a table `_meta` of another kind": (path) =>
      createDatabase(path, "delete", "create table _meta (key, layout)"),
    "a database with an empty table `_meta`": (path) =>
      createDatabase(path, "delete", "create table _meta (name, value)"),
    "a text": (path) => writeFile(path, "hello"),
    "a long text": (path) => writeFile(path, "this is no database ".repeat(500)),
  };

  function createDatabase(path: string, journal: string, create: string): void {
    const database = new Libsql(path);
    database.exec(`pragma journal_mode = ${journal}`);
    database.exec(create);
    database.close();
  }

  test.each(Object.keys(others))("%s is rejected and stays as it is", async (kind) => {
    const path = join(folder, `${kind} 100%?#.db`);
    await others[kind]!(path);
    const before = await readFile(path);
    const error = await failureOf(openSqliteStore({ path }));
    expect(String(error)).toMatch(/is a SQLite database of another program|it is not a SQLite database/);
    expect((await readFile(path)).equals(before)).toBe(true);
    expect(await readdir(folder)).not.toContain(`${kind} 100%?#.db.blobs`);
  });

  test("the message names the file and its tables", async () => {
    const path = join(folder, "named.db");
    createDatabase(
      path,
      "delete",
      "create table a (x); create table b (x); create table c (x); create table d (x)",
    );
    expect(String(await failureOf(openSqliteStore({ path })))).toContain(
      `the file \`${path}\` is a SQLite database of another program (it has the tables \`a\`, \`b\`, \`c\` and 1 more)`,
    );
  });

  test("an empty file and a database without tables become a store", async () => {
    const empty = join(folder, "empty.db");
    await writeFile(empty, "");
    const bare = join(folder, "bare.db");
    createDatabase(bare, "wal", "pragma user_version = 1");
    for (const path of [empty, bare]) {
      const store = await openSqliteStore({ path });
      expect(await store.read((tx) => tx.count("token_rules", "z1")), path).toBe(0);
      await store.close();
    }
  });
});

describe("damaged blobs", () => {
  const damages: Record<string, (path: string) => Promise<void>> = {
    "it has 900 bytes; it must have 1000": (path) => truncate(path, 900),
    "it has 1001 bytes; it must have 1000": (path) => appendFile(path, "x"),
    "the SHA-256 hash of its bytes is": (path) => writeFile(path, new Uint8Array(1000).fill(8)),
  };

  test.each(Object.keys(damages))("a file is rejected: %s", async (message) => {
    const path = join(folder, `damaged ${message}.db`);
    const store = await openSqliteStore({ path });
    await store.blobs.put("k", bytes);
    expect(await store.blobs.get("k")).toEqual(Buffer.from(bytes));
    const [file] = await filesUnder(`${path}.blobs`);
    await damages[message]!(file!);
    const error = await failureOf(store.blobs.get("k"));
    expect(error).not.toBeInstanceOf(DependencyUnavailableError);
    expect(String(error)).toContain(`the blob \`k\` is damaged: ${message}`);
    await store.blobs.put("k", bytes);
    expect(await store.blobs.get("k")).toEqual(Buffer.from(bytes));
    await store.close();
  });

  test("bytes of an earlier put are intact: a process may die between row and file", async () => {
    const path = join(folder, "earlier.db");
    const store = await openSqliteStore({ path });
    await store.blobs.put("k", bytes);
    const [file] = await filesUnder(`${path}.blobs`);
    await store.blobs.put("k", new Uint8Array(5));
    await writeFile(file!, bytes);
    expect(await store.blobs.get("k")).toEqual(Buffer.from(bytes));
    await store.close();
  });

  test.skipIf(!postgresUrl)("a row of a database is rejected", async () => {
    const schema = nextSchema();
    const store = await openPostgresStore({ connectionString: postgresUrl!, schema });
    await store.blobs.put("k", bytes);
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(`update "${schema}"._blobs set bytes = substr(bytes, 1, 10)`);
    await client.end();
    expect(String(await failureOf(store.blobs.get("k")))).toContain("it has 10 bytes; it must have 1000");
    await store.close();
  });

  test("an image whose original is damaged is a 500 with a report, not a 200", async () => {
    const path = join(folder, "image.db");
    const reported: unknown[] = [];
    const edge = createEdge({
      store: await openSqliteStore({ path }),
      onError: (error) => reported.push(error),
    });
    const send = (url: string, init: RequestInit = {}) =>
      edge.fetch(new Request(url, { ...init, headers: { authorization: "Bearer t" } }));
    const images = "https://edge.test/client/v4/accounts/a1/images/v1";
    const form = new FormData();
    form.set("file", new File(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'], "a.svg"));
    const uploaded = (await (await send(images, { method: "POST", body: form })).json()) as {
      result: { id: string; variants: string[] };
    };
    const [variant] = uploaded.result.variants;
    const [file] = await filesUnder(`${path}.blobs`);
    await truncate(file!, 30);
    for (const url of [`${images}/${uploaded.result.id}/blob`, variant!]) {
      const response = await send(url);
      expect([url, response.status]).toEqual([url, 500]);
      expect(String(reported.pop())).toContain("is damaged: it has 30 bytes; it must have");
    }
    await edge.close();
  });
});

describe("new folders", () => {
  test.skipIf(process.platform === "win32")("are synced in their parents", async () => {
    const path = join(folder, "synced.db");
    const blobFolder = join(folder, "new", "deep", "blobs");
    const store = await openSqliteStore({ path, blobFolder });
    opened.length = 0;
    await store.blobs.put("k", bytes);
    const [directory] = (await readdir(blobFolder)).filter((name) => name !== "incoming");
    expect(opened).toEqual(expect.arrayContaining([join(folder, "new", "deep"), blobFolder]));
    expect(opened).toContain(join(blobFolder, directory!));
    opened.length = 0;
    await store.blobs.put("k", bytes);
    expect(opened).not.toContain(blobFolder);
    await store.close();

    // Another process may have created the folder, and not have synced it yet.
    const again = await openSqliteStore({ path, blobFolder });
    opened.length = 0;
    await again.blobs.put("k", bytes);
    expect(opened).toContain(blobFolder);
    await again.close();
  });
});
