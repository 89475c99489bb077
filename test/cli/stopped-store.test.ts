/** A stopped SQLite store is its file: a copy without the files beside it has everything, however it was stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { temporaryFolder } from "../store/open.ts";
import { bundled, bundledCli } from "../support/bundled.ts";
import { edgeproof } from "../support/cli.ts";
import { connectTo, requestHead } from "../support/socket.ts";

const folder = await temporaryFolder();
const at = (name: string) => join(folder, name);
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const scopes = { accounts: "world", image_variants: "a1", brand_domains: "a1" } as const;

/** The number of records of a collection in a copy of the file alone. */
async function countInCopy(path: string, collection: keyof typeof scopes): Promise<number> {
  const copy = `${path}.copy`;
  await copyFile(path, copy);
  const store = await openSqliteStore({ path: copy, create: false });
  const count = await store.read((tx) => tx.count(collection, scopes[collection]));
  await store.close();
  return count;
}

/** Creates a variant, and resolves when that is acknowledged. */
async function createVariant(url: string, id: string): Promise<void> {
  const response = await fetch(`${url}/accounts/a1/images/v1/variants`, {
    method: "POST",
    headers: { authorization: "Bearer t", "content-type": "application/json" },
    body: JSON.stringify({ id, options: { fit: "cover", width: 1, height: 1, metadata: "none" } }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

async function logSize(path: string): Promise<number> {
  return (await stat(`${path}-wal`).catch(() => ({ size: 0 }))).size;
}

async function fill(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "A" }));
  await store.close();
}

async function startServer(words: readonly string[]) {
  const child = spawn(process.execPath, [bundledCli(), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, EDGEPROOF_PAGE: at("page") },
  });
  children.push(child);
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  const [out] = await once(child.stdout!, "data");
  return { url: /http:\S+/.exec(String(out))![0], child, ended };
}

describe("the file alone", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("of a server that ended on %s", async (signal) => {
    const path = at(`serve-${signal}.db`);
    const { url, child, ended } = await startServer(["serve", "--port", "0", "--data", path]);
    for (let i = 0; i < 5; i++) await createVariant(url, `v${i}`);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "image_variants")).toBe(6);
  });

  test("of a server that a second signal has ended, with a request in progress", async () => {
    const path = at("twice.db");
    const { url, child, ended } = await startServer([
      "serve",
      "--port",
      "0",
      "--data",
      path,
      "--grace",
      "3600",
    ]);
    for (let i = 0; i < 5; i++) await createVariant(url, `v${i}`);
    const head = requestHead(
      "POST /client/v4/accounts/a1/images/v1/variants HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/json",
      "Authorization: Bearer t",
      "Content-Length: 9",
      "Expect: 100-continue",
    );
    const connection = await connectTo(url, head);
    await connection.waitFor(/100 Continue/);
    child.kill("SIGINT");
    // The port is closed when the first signal has been handled.
    await expect
      .poll(
        () =>
          fetch(`${url}/`).then(
            () => true,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(false);
    child.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "image_variants")).toBe(6);
  });

  test("of a workbench whose terminal was closed", async () => {
    const path = at("workbench.db");
    await mkdir(at("page"));
    await writeFile(at("page/index.html"), "<!doctype html><title>page</title>");
    await fill(path);
    const { child, ended } = await startServer(["workbench", "--data", path, "--port", "0"]);
    child.kill("SIGHUP");
    expect(await ended).toBe(0);
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "accounts")).toBe(1);
  });

  test.each([
    ["exit", 3],
    ["error", 1],
    ["return", 0],
  ])("of a process that never closed its store (%s)", async (way, code) => {
    const path = at(`unclosed-${way}.db`);
    const script = bundled(fileURLToPath(new URL("../store/sql/unclosed-store.ts", import.meta.url)));
    const child = spawn(process.execPath, [script, path, way], { stdio: "ignore" });
    children.push(child);
    expect(await once(child, "exit")).toEqual([code, null]);
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "accounts")).toBe(3);
  });

  test("of a store that `store import` has filled, and of one that it could not fill", async () => {
    const [from, to] = [at("from.db"), at("to.db")];
    await fill(from);
    expect((await edgeproof(["store", "export", "--data", from, at("import.jsonl")])).code).toBe(0);
    for (const code of [0, 2]) {
      const done = await edgeproof(["store", "import", "--data", to, at("import.jsonl")]);
      expect([done.code, done.err]).toEqual([
        code,
        expect.stringMatching(code === 0 ? /^imported/ : /must be empty/),
      ]);
      expect(await logSize(to)).toBe(0);
      expect(await countInCopy(to, "accounts")).toBe(1);
    }
  });

  test("of a store that a command has written", async () => {
    const path = at("observed.db");
    await fill(path);
    await writeFile(at("names.txt"), "paypal.example\nwallet.example\n");
    const { code, err } = await edgeproof([
      "store",
      "observe",
      "--data",
      path,
      "--account",
      "a1",
      at("names.txt"),
    ]);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "accounts")).toBe(1);
  });

  test("of a store into which names were observed until SIGTERM", async () => {
    const path = at("stopped.db");
    await fill(path);
    const child = spawn(
      process.execPath,
      [bundledCli(), "store", "observe", "--data", path, "--account", "a1", "-"],
      { stdio: ["pipe", "ignore", "ignore"] },
    );
    children.push(child);
    const ended = once(child, "exit");
    // One batch is stored; the next one waits for more names.
    child.stdin!.write(Array.from({ length: 1_500 }, (_, i) => `n${i}.example\n`).join(""));
    const watched = await openSqliteStore({ path });
    await expect
      .poll(() => watched.read((tx) => tx.count("brand_domains", "a1")), { interval: 5, timeout: 20_000 })
      .toBe(1_000);
    await watched.close();
    child.kill("SIGTERM");
    expect(await ended).toEqual([2, null]);
    expect(await logSize(path)).toBe(0);
    expect(await countInCopy(path, "brand_domains")).toBe(1_000);
  });

  test("of a store whose logos were described again, to the end and until SIGTERM", async () => {
    const path = at("reindexed.db");
    const edge = createEdge({ store: await openSqliteStore({ path }), world: { accounts: [{ id: "a1" }] } });
    const image_data = Buffer.from(drawPng(drawings["wing"]!, { side: 48 })).toString("base64");
    for (let i = 0; i < 3; i++)
      await edge.brand.logos.queries.create("a1", { tag: `l${i}`, similarity_threshold: 0.9, image_data });
    await edge.close();
    for (const isStopped of [false, true]) {
      await rm(`${path}-wal`, { force: true });
      const child = spawn(process.execPath, [bundledCli(), "store", "reindex", "--data", path], {
        stdio: "ignore",
      });
      children.push(child);
      const ended = once(child, "exit");
      if (isStopped) {
        const isOpenOrEnded = async () => existsSync(`${path}-wal`) || child.exitCode !== null;
        await expect.poll(isOpenOrEnded, { interval: 1, timeout: 20_000 }).toBe(true);
        child.kill("SIGTERM");
      }
      const [code] = await ended;
      // A command that is ready when it is stopped may end in any way.
      if (!isStopped) expect(code).toBe(0);
      expect(await logSize(path)).toBe(0);
      expect(await countInCopy(path, "accounts")).toBe(1);
    }
  });

  test("of a store that another process uses is complete when the last one closes", async () => {
    const path = at("two.db");
    const [first, second] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
    await first.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "A" }));
    await second.write((tx) => tx.insert("accounts", { scope: "world", id: "a2", name: "A" }));
    await first.close();
    await second.close();
    expect(await countInCopy(path, "accounts")).toBe(2);
  });
});

test("an export while a server writes has what was acknowledged before it began", async () => {
  const path = at("running.db");
  const { url, child, ended } = await startServer(["serve", "--port", "0", "--data", path]);
  let written = 0;
  let isRunning = true;
  const write = async (writer: string) => {
    while (isRunning && written < 90) await createVariant(url, `${writer}${written++}`);
  };
  const writers = [write("a"), write("b")];
  await expect.poll(() => written, { interval: 1 }).toBeGreaterThan(5);
  const atLeast = written - writers.length;
  const { code, err } = await edgeproof(["store", "export", "--data", path, at("running.jsonl")]);
  isRunning = false;
  await Promise.all(writers);
  expect([code, err]).toEqual([0, expect.stringMatching(/^exported /)]);
  const exported = await readFile(at("running.jsonl"), "utf8");
  expect(exported.match(/"collection":"image_variants"/g)!.length).toBeGreaterThanOrEqual(atLeast);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

describe("a file without a store is rejected by commands that read one", () => {
  test.each([["export"], ["observe", "--account", "a1", at("names.txt")], ["reindex"]])(
    "store %s",
    async (command, ...words) => {
      await writeFile(at("empty.db"), "");
      const { code, err } = await edgeproof(["store", command, "--data", at("empty.db"), ...words]);
      expect([code, err]).toEqual([2, expect.stringContaining("empty.db` has no store")]);
      expect((await stat(at("empty.db"))).size).toBe(0);
    },
  );
});
