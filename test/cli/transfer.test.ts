/** `edgeproof store export` and `edgeproof store import`: a server's whole world from store to store, and every wrong input. */
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Io } from "../../src/cli/command.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { createEdge } from "../../src/edge.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { postgresUrl, temporarySchemas } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { imageSetting } from "../support/images.ts";

const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
let folder: string;
let original: string;
const at = (name: string) => join(folder, name);

/** A server's data with something of every kind. */
async function fill(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const world = {
    accounts: [
      {
        id: "a1",
        brand: { queries: [{ tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] }] },
      },
    ],
    zones: [{ id: "z1", name: "example.com", account_id: "a1" }],
  };
  const edge = createEdge({ store, world });
  await edge.brand.observe(
    "a1",
    Array.from({ length: 1_500 }, (_, i) => `paypa${i}.example`),
  );
  const { upload } = imageSetting({ store });
  await upload();
  await upload({ id: `long/${"é".repeat(300)}b` });
  await upload({ id: `long/${"é".repeat(300)}a` });
  await edge.close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await fill(at("original.db"));
  const { code, out, err } = await edgeproof(["store", "export", "--data", at("original.db")]);
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/^exported 3,0\d\d records, \d+ sequences, 3 blobs\n$/),
  ]);
  original = out;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("an exported and imported store is the same", () => {
  test("through a file", async () => {
    expect((await edgeproof(["store", "export", "--data", at("original.db"), at("plain.jsonl")])).code).toBe(
      0,
    );
    expect(await readFile(at("plain.jsonl"), "utf8")).toBe(original);
    expect((await stat(at("plain.jsonl"))).mode & 0o777).toBe(0o600);
    const { code, err } = await edgeproof(["store", "import", "--data", at("plain.db"), at("plain.jsonl")]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^imported 3,0\d\d records/)]);
    expect((await edgeproof(["store", "export", "--data", at("plain.db")])).out).toBe(original);
  });

  test("through a compressed file and through standard input", async () => {
    await edgeproof(["store", "export", "--data", at("original.db"), at("small.jsonl.gz")]);
    const bytes = await readFile(at("small.jsonl.gz"));
    expect(gunzipSync(bytes).toString()).toBe(original);
    expect((await edgeproof(["store", "import", "--data", at("small.db"), at("small.jsonl.gz")])).code).toBe(
      0,
    );
    expect((await edgeproof(["store", "import", "--data", at("stdin.db")], gzipSync(original))).code).toBe(0);
    for (const name of ["small.db", "stdin.db"])
      expect((await edgeproof(["store", "export", "--data", at(name), "-"])).out).toBe(original);
  });

  test.skipIf(postgresUrl === undefined)("through PostgreSQL", async () => {
    const data = `${postgresUrl}?schema=${nextSchema()}`;
    expect((await edgeproof(["store", "import", "--data", data], original)).code).toBe(0);
    expect((await edgeproof(["store", "export", "--data", data])).out).toBe(original);
    expect((await edgeproof(["store", "import", "--data", data], original)).err).toMatch(
      /already holds records of accounts/,
    );
  });

  test("with the same responses over HTTP", async () => {
    await edgeproof(["store", "import", "--data", at("served.db")], original);
    const answers = [];
    for (const name of ["original.db", "served.db"]) {
      const store = await openSqliteStore({ path: at(name) });
      const { client, edge } = imageSetting({ store });
      const [first] = (await client.ok("GET", "/v1")).result.images;
      const bytes = await (await client("GET", `/v1/${encodeURIComponent(first.id)}/blob`)).arrayBuffer();
      answers.push([await client.ok("GET", "/v1"), Buffer.from(bytes).toString("hex")]);
      await edge.close();
    }
    expect(answers[1]).toEqual(answers[0]);
  });
});

describe("exit code 2 with a message for", () => {
  const damaged = () => original.replace("paypa7.example", "paypa8.example");
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  test.each<[string, () => string[], RegExp]>([
    ["no store", () => ["export"], /--data is missing; it must name a SQLite file or a database/],
    ["no store to fill", () => ["import"], /--data is missing/],
    ["two files", () => ["store", "export", "--data", "x", "a", "b"], /expected at most 1 file; found 2/],
    [
      "a store that does not exist",
      () => ["store", "export", "--data", at("none.db")],
      /cannot read .*none\.db: the file does not exist/,
    ],
    [
      "another kind of store",
      () => ["store", "export", "--data", "mysql://a:secret@b/c"],
      /postgres:\/\/.*mysql:\/\/a:\*\*\*@b/,
    ],
    [
      "a folder that does not exist",
      () => ["store", "export", "--data", at("original.db"), at("no/x.jsonl")],
      /cannot write .*the folder does not exist/,
    ],
    [
      "a file that does not exist",
      () => ["store", "import", "--data", at("new.db"), at("none.jsonl")],
      /cannot read .*none\.jsonl/,
    ],
    ["a store that is not a database", () => ["store", "export", "--data", at("note.txt")], /cannot open/],
  ])("%s", async (_name, words, message) => {
    await writeFile(at("note.txt"), "this is no database, but long enough to be looked at as one".repeat(20));
    const { code, out, err } = await edgeproof(words());
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(await exists(at("none.db"))).toBe(false);
    expect(await exists(at("new.db"))).toBe(false);
  });

  test("a damaged file, before a store is created", async () => {
    const { code, err } = await edgeproof(["store", "import", "--data", at("new.db")], damaged());
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^edgeproof: standard input, line \d+: .*Nothing was imported\n$/s),
    ]);
    expect(await exists(at("new.db"))).toBe(false);
  });

  test("damaged compression", async () => {
    await writeFile(at("cut.gz"), gzipSync(original).subarray(0, 2000));
    const { code, err } = await edgeproof(["store", "import", "--data", at("new.db"), at("cut.gz")]);
    expect([code, err]).toEqual([2, expect.stringMatching(/cannot decompress/)]);
  });

  test("a store that is not empty, which stays unchanged", async () => {
    const { code, err } = await edgeproof(["store", "import", "--data", at("original.db")], original);
    expect([code, err]).toEqual([2, expect.stringMatching(/cannot import into .*the store must be empty/)]);
    expect((await edgeproof(["store", "export", "--data", at("original.db")])).out).toBe(original);
  });
});

test("an export that fails or is stopped keeps the old file and leaves no partial one", async () => {
  await writeFile(at("kept.jsonl"), "kept");
  const stopped = await edgeproof(["store", "export", "--data", at("original.db"), at("kept.jsonl")], "", {
    signal: AbortSignal.abort(),
  });
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringMatching(/stopped; no file was written/)]);
  expect(await readFile(at("kept.jsonl"), "utf8")).toBe("kept");
  expect((await readdir(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("--replace removes what an interrupted import of another file left", async () => {
  const store = await openSqliteStore({ path: at("left.db") });
  await store.blobs.put("of another file", new Uint8Array(9));
  await store.close();
  const words = ["store", "import", "--data", at("left.db"), at("plain.jsonl")];
  expect(await edgeproof(words)).toMatchObject({ code: 2, err: expect.stringContaining("`--replace`") });
  expect((await edgeproof([...words, "--replace"])).code).toBe(0);
  expect((await edgeproof(["store", "export", "--data", at("left.db")])).out).toBe(original);
});

test("an import that is stopped imports nothing", async () => {
  const stopped = await edgeproof(["store", "import", "--data", at("stopped.db"), at("plain.jsonl")], "", {
    signal: AbortSignal.abort(),
  });
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringMatching(/stopped; nothing was imported/)]);
});

test("export waits for standard output", async () => {
  let pending = 0;
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: {
      isTerminal: false,
      write: () => {
        expect(++pending).toBe(1);
      },
      drained: async () => {
        await new Promise(setImmediate);
        pending = 0;
      },
    },
    stderr: { isTerminal: true, write: () => {} },
    signal: new AbortController().signal,
  };
  expect(await runCommandLine(["store", "export", "--data", at("original.db")], io)).toBe(0);
});
