/** `store observe` and `queue publish` look at the store, or else at the queue, before they accept anything. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openQueue } from "../../src/cli/input/work-queue.ts";
import { collections } from "../../src/store/collections.ts";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../support/nats-server.ts";

const folder = await temporaryFolder();
const at = (name: string) => join(folder, name);
/** A store with these collections was written by a newer edgeproof. */
const newer = { ...collections, later: { fields: {} } };
const newerMessage = /written by a newer edgeproof .*does not know .*later.*update edgeproof/;

beforeAll(async () => {
  await mkdir(at("shots"));
  await writeFile(at("shots/a.png"), drawPng(drawings["wing"]!, { side: 48 }));
  await writeFile(at("names.txt"), "paypal.example\n");
});

const addAccount = (store: Store) =>
  store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "A" }));

describe("store observe", () => {
  const observe = (data: string) =>
    edgeproof(["store", "observe", "--data", data, "--account", "a1", at("names.txt"), at("shots")]);

  test("rejects a store of a newer version, and stores nothing", async () => {
    const path = at("newer.db");
    const store = await openSqliteStore({ path, collections: newer });
    await addAccount(store);
    await store.close();
    const { code, out, err } = await observe(path);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(newerMessage)]);
    const again = await openSqliteStore({ path, collections: newer });
    const counts = await again.read(async (tx) => [
      await tx.count("brand_domains", "a1"),
      await tx.count("brand_logo_scans", "a1"),
    ]);
    await again.close();
    expect(counts).toEqual([0, 0]);
  });

  test("rejects a missing store, and creates none", async () => {
    const { code, err } = await observe(at("none.db"));
    expect([code, err]).toEqual([2, expect.stringMatching(/none\.db.*does not exist/)]);
    await expect(stat(at("none.db"))).rejects.toThrow("ENOENT");
  });
});

describe.skipIf(postgresUrl === undefined)("queue publish", () => {
  const nextSchema = temporarySchemas();
  const url = postgresUrl === undefined ? "" : hasty(postgresUrl);
  const publish = (...words: string[]) =>
    edgeproof(["queue", "publish", "--account", "a1", ...words, at("shots")]);
  const createStore = async (table: typeof collections) => {
    const schema = nextSchema();
    const store = await openPostgresStore({ connectionString: url, schema, collections: table });
    await addAccount(store);
    await store.close();
    return `${url}&schema=${schema}`;
  };
  const stores: readonly [string, () => Promise<string>, RegExp][] = [
    ["a store of a newer version", () => createStore(newer as typeof collections), newerMessage],
    ["a missing store", async () => `${url}&schema=${nextSchema()}`, /has no store/],
  ];

  test.each(stores)("rejects %s, and creates no queue", async (_, make, message) => {
    const queue = `${url}&schema=${nextSchema()}`;
    const { code, err } = await publish("--queue", queue, "--data", await make());
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    await expect(openQueue(queue, { create: false })).rejects.toThrow("does not exist");
  });

  test("rejects a queue in a database that has no store", async () => {
    const queue = `${url}&schema=${nextSchema()}`;
    expect(await publish("--queue", queue)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/has no store/),
    });
  });

  describe.skipIf(!hasNatsServer)("over NATS", () => {
    let broker: TestBroker;
    beforeAll(async () => {
      broker = await startBroker();
    });
    afterAll(() => broker?.remove());
    const namedQueue = (name: string) => `${broker.url}?name=${name}`;

    test.each(stores)("rejects %s, and creates no queue", async (name, make, message) => {
      const queue = namedQueue(name.replaceAll(" ", "-"));
      const { code, err } = await publish("--queue", queue, "--data", await make());
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
      await expect(openQueue(queue, { create: false })).rejects.toThrow("does not exist");
    });

    test("without --data, accepts for a queue that was set up, and rejects another one", async () => {
      const queue = namedQueue("apart");
      const missing = await publish("--queue", queue);
      expect([missing.code, missing.err]).toEqual([
        2,
        expect.stringMatching(/cannot open the queue .*does not exist; set the queue up first/),
      ]);
      await expect(openQueue(queue, { create: false })).rejects.toThrow("does not exist");
      expect((await edgeproof(["queue", "setup", "--queue", queue, "--max-size", "20"])).code).toBe(0);
      expect(await publish("--queue", queue)).toMatchObject({ code: 0, err: "1 accepted, 0 rejected\n" });
      const opened = await openQueue(queue, { create: false });
      expect(await opened.status()).toMatchObject({ waiting: 1 });
      await opened.close();
    });
  });
});
