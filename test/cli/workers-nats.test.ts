/** `edgeproof queue setup`, `publish` and `worker` over NATS, with the store in PostgreSQL. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openQueue } from "../../src/cli/input/work-queue.ts";
import { createEdge } from "../../src/edge.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../support/nats-server.ts";

const folder = await temporaryFolder();
const at = (name: string) => join(folder, name);

describe.skipIf(!hasNatsServer || postgresUrl === undefined)("over NATS", () => {
  const nextSchema = temporarySchemas();
  const url = postgresUrl === undefined ? "" : hasty(postgresUrl);
  const schema = nextSchema();
  const data = `${url}&schema=${schema}`;
  const store = () => openPostgresStore({ connectionString: url, schema });
  let broker: TestBroker;
  let queue: string;

  beforeAll(async () => {
    broker = await startBroker(["max_payload: 65536", "authorization { user: edge, password: s3cret }"]);
    queue = `${broker.url.replace("//", "//edge:s3cret@")}?name=pictures`;
    await mkdir(at("shots"));
    for (const name of ["wing", "stairs"])
      await writeFile(at(`shots/${name}.png`), drawPng(drawings[name]!, { side: 48 }));
    const wing = drawPng(drawings["wing"]!, { side: 40 });
    // Larger than a message of this broker: it waits in the store.
    await writeFile(at("shots/large.png"), Buffer.concat([wing, Buffer.alloc(70_000)]));
    const edge = createEdge({ store: await store(), world: { accounts: [{ id: "a1" }] } });
    const image_data = Buffer.from(wing).toString("base64");
    await edge.brand.logos.queries.create("a1", { tag: "l", similarity_threshold: 0.9, image_data });
    await edge.close();
  });
  afterAll(() => broker?.remove());

  const run = (...words: string[]) =>
    edgeproof(words, "", { env: { EDGEPROOF_QUEUE: queue, EDGEPROOF_DATA: data } });

  test("a worker needs a queue that was set up, with its acknowledgement time", async () => {
    const missing = await run("worker");
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/edge:\*\*\*@.*does not exist/)]);
    expect((await run("queue", "setup", "--synced", "--max-size", "20", "--ack-wait", "60")).code).toBe(0);
    const other = await run("worker");
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringMatching(/ack_wait of the consumer .* is 60 s, expected 30 s/),
    ]);
    expect(`${missing.err}${other.err}`).not.toContain("s3cret");
  });

  test("pictures are put once, and described and stored by a worker, also when the broker is killed", async () => {
    expect(await run("queue", "publish", "--account", "a1", at("shots"))).toMatchObject({
      code: 0,
      err: "3 accepted, 0 rejected\n",
    });
    await broker.kill();
    await broker.start();
    const again = await run("queue", "publish", "--account", "a1", "--json", at("shots"));
    expect(JSON.parse(again.out)).toEqual({ accepted: 3, waiting: 3, rejected: 0, problems: [] });
    const stop = new AbortController();
    const words = ["queue", "work", "--queue", queue, "--data", data, "--ack-wait", "60", "--json"];
    const working = edgeproof(words, "", { signal: stop.signal });
    const watched = await openQueue(queue);
    await vi.waitFor(
      async () => expect(await watched.status()).toEqual({ waiting: 0, taken: 0, dead: 0, oldestMs: 0 }),
      { timeout: 60_000, interval: 50 },
    );
    stop.abort();
    expect(JSON.parse((await working).out)).toEqual({ done: 3, failed: 0, dead: 0 });
    await watched.close();
    const opened = await store();
    expect(await opened.read((tx) => tx.find("brand_logo_scans", "a1"))).toHaveLength(3);
    await opened.close();
  });
});
