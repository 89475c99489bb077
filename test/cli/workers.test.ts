/** `edgeproof queue publish` and `edgeproof queue work` over PostgreSQL: from files to matches, metrics, and every wrong input. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { withoutPassword } from "../../src/cli/input/data-store.ts";
import { queueNameOf } from "../../src/cli/input/worker-options.ts";
import { jsonOutputs } from "../../src/cli/output/schemas/json-outputs.ts";
import { createWorkerLog } from "../../src/cli/output/worker-log.ts";
import { createEdge } from "../../src/edge.ts";
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";
import { openPostgresStore } from "../../src/store/sql/postgres.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
const at = (name: string) => join(folder, name);
const wing = drawPng(drawings["wing"]!, { side: 48 });
/** Larger than a message of the PostgreSQL queue. */
const large = Buffer.concat([wing, Buffer.alloc(70_000)]);

beforeAll(async () => {
  await mkdir(at("shots"));
  await mkdir(at("large"));
  await writeFile(at("shots/a.png"), wing);
  await writeFile(at("shots/a.png.json"), '{"domain":"phish.example","message":"an unknown member"}');
  await writeFile(at("shots/b.png"), "no picture");
  await writeFile(at("large/c.png"), large);
  await writeFile(at("other.png"), drawPng(drawings["stairs"]!, { side: 40 }));
  await writeFile(at("names.txt"), "paypa1.example\n");
});

describe.skipIf(postgresUrl === undefined)("over PostgreSQL", () => {
  const nextSchema = temporarySchemas();
  const url = postgresUrl === undefined ? "" : hasty(postgresUrl);
  const [queueSchema, storeSchema] = [nextSchema(), nextSchema()];
  const queue = `${url}&schema=${queueSchema}`;
  const data = `${url}&schema=${storeSchema}`;
  const env = { EDGEPROOF_QUEUE: queue, EDGEPROOF_DATA: data };
  const store = () => openPostgresStore({ connectionString: url, schema: storeSchema });
  const openQueue = () => openPostgresQueue({ connectionString: url, schema: queueSchema });

  beforeAll(async () => {
    const edge = createEdge({ store: await store(), world: { accounts: [{ id: "a1" }, { id: "a2" }] } });
    const image_data = Buffer.from(wing).toString("base64");
    for (const account of ["a1", "a2"])
      await edge.brand.logos.queries.create(account, { tag: "l", similarity_threshold: 0.9, image_data });
    await edge.close();
  });

  const publish = (words: readonly string[], own: Record<string, string> = env) =>
    edgeproof(["queue", "publish", ...words], "", { env: own });

  /** Runs a worker until the queue is empty. */
  async function work(words: readonly string[], onOut: (text: string) => void = () => {}) {
    const stop = new AbortController();
    const running = edgeproof(["queue", "work", ...words], "", {
      env,
      signal: stop.signal,
      onOut,
      onErr: onOut,
    });
    const watched = await openQueue();
    await vi.waitFor(
      async () => {
        const { waiting, taken } = await watched.status();
        expect(waiting + taken).toBe(0);
      },
      { timeout: 20_000, interval: 20 },
    );
    await watched.close();
    stop.abort();
    return running;
  }

  test("pictures are put once, and described and stored by a worker", async () => {
    const first = await publish(["--account", "a2,a1", at("shots")]);
    expect(first).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^1 accepted, 1 rejected\n1 problem:\n {2}.*b\.png: The image must be PNG/),
    });
    const again = await publish(["--account", "a1", "--account", "a2", "--json", at("shots/a.png")]);
    expect([again.code, jsonOutputs.publish.parse(JSON.parse(again.out))]).toEqual([
      0,
      { accepted: 1, waiting: 1, rejected: 0, problems: [] },
    ]);
    const large = await publish(["--account", "a1", at("large")]);
    expect(large).toMatchObject({ code: 0, err: "1 accepted, 0 rejected\n" });
    const { code, out, err } = await work(["--slots", "1", "--log", "json", "--json"]);
    expect(code).toBe(0);
    expect(err).toContain("edgeproof queue work: waits for pictures on postgres://");
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: "done", fresh: 2, matches: 2, tries: 0 },
      { type: "done", fresh: 1, matches: 1, tries: 0 },
      { done: 2, failed: 0, dead: 0 },
    ]);
    expect(jsonOutputs.worker.parse(lines.at(-1))).toEqual(lines.at(-1));
    expect(out).not.toMatch(/a1|phish/);
    const opened = await store();
    const keys: string[] = [];
    for await (const key of opened.blobs.keys("queue/")) keys.push(key);
    expect(keys).toEqual([]);
    const scans = await opened.read((tx) => tx.find("brand_logo_scans", "a1"));
    expect(scans.map(({ domain }) => domain).sort()).toEqual(["", "phish.example"]);
    await opened.close();
  });

  test("a message of an unknown account is set aside, and the worker reports it without --log", async () => {
    await publish(["--account", "a3", at("shots/a.png")]);
    const { err } = await work([]);
    expect(err).toContain("edgeproof queue work: 0 done, 0 failed, 1 set aside\n");
    expect(err).toMatch(/^dead \d+: There is no account `a3`\.$/m);
    const opened = await openQueue();
    expect(await opened.dead()).toMatchObject([{ reason: "There is no account `a3`." }]);
    await opened.close();
  });

  test("metrics count messages, steps and the queue, without accounts", async () => {
    await publish(["--account", "a1,a2", at("other.png")]);
    let said = "";
    const stop = new AbortController();
    const running = edgeproof(["queue", "work", "--metrics-port", "0", "--log"], "", {
      env,
      signal: stop.signal,
      onErr: (text) => {
        said += text;
      },
    });
    await vi.waitFor(() => expect(said).toContain("edgeproof metrics: http://127.0.0.1:"), 20_000);
    const [, address = ""] = /metrics: (\S+)/.exec(said)!;
    await vi.waitFor(
      async () => {
        const text = await (await fetch(address)).text();
        expect(text).toContain('edgeproof_worker_messages_total{outcome="done"} 1\n');
        expect(text).toContain("edgeproof_queue_waiting 0\n");
        expect(text).toContain("edgeproof_queue_dead 1\n");
        expect(text).toContain("edgeproof_queue_oldest_seconds 0\n");
        expect(text).toContain('edgeproof_worker_step_seconds_count{step="describe"} ');
        expect(text).toContain("edgeproof_store_rollbacks_total 0\n");
        expect(text).toContain("process_cpu_seconds_total");
        expect(text).not.toMatch(/a1|a2/);
      },
      { timeout: 20_000, interval: 100 },
    );
    expect((await fetch(new URL("/", address))).status).toBe(404);
    expect((await fetch(address, { method: "POST" })).status).toBe(405);
    expect(await (await fetch(address, { method: "HEAD" })).text()).toBe("");
    stop.abort();
    expect((await running).code).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  test.each([
    ["a store that does not exist", ["--data", `${url}&schema=test_none`], /cannot open .*has no store/],
    [
      "a queue that does not exist",
      ["--queue", `${url}&schema=test_none`],
      /cannot open the queue .*does not exist; set the queue up first/,
    ],
    [
      "a SQLite file",
      ["--data", "./edge.db"],
      /--data must be a database at postgres:.*several processes.*found `\.\/edge\.db`/,
    ],
    ["a store in memory", ["--data", "memory"], /--data must be a database/],
    ["no slots", ["--slots", "0"], /--slots must be an integer from 1 to 64; found `0`/],
    ["a port in use", ["--metrics-port", "5432"], /cannot listen on port 5432/],
    ["a host of metrics alone", ["--metrics-host", "::1"], /--metrics-host needs --metrics-port/],
  ])("a worker rejects %s", async (_, words, message) => {
    const { code, err } = await edgeproof(["queue", "work", ...words], "", { env });
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("no message has a password", async () => {
    const secret = "postgres://edge:s3cret@127.0.0.1:1/none";
    for (const words of [
      ["queue", "work", "--data", secret],
      ["queue", "work", "--queue", secret],
      ["queue", "publish", "--account", "a1", "--queue", secret, at("shots")],
    ]) {
      const { code, err } = await edgeproof(words, "", { env });
      expect([code, err]).toEqual([2, expect.stringContaining("edge:***@127.0.0.1:1")]);
      expect(err).not.toContain("s3cret");
    }
  });

  test.each([
    ["no account", [at("shots")], /--account is missing/],
    ["no file", ["--account", "a1"], /expected picture files or folders/],
    [
      "names",
      ["--account", "a1", at("names.txt")],
      /names\.txt is not a picture file; names are stored by `npx edgeproof store observe`/,
    ],
    ["a missing folder", ["--account", "a1", at("none")], /the file does not exist/],
    [
      "too many accounts",
      ["--account", Array.from({ length: 101 }, (_, i) => `a${i}`).join(), at("shots")],
      /at most 100 accounts; found 101/,
    ],
    [
      "a store that is a file",
      ["--account", "a1", "--data", "edge.db", at("shots")],
      /--data must be a database/,
    ],
    [
      "a missing store, before a picture is accepted",
      ["--account", "a4", "--data", `${url}&schema=test_none`, at("shots")],
      /has no store/,
    ],
  ])("publish rejects %s", async (_, words, message) => {
    const { code, err } = await publish(words);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("publish stops between two pictures", async () => {
    const stop = new AbortController();
    stop.abort();
    const { code, err } = await edgeproof(["queue", "publish", "--account", "a1", at("large/c.png")], "", {
      env,
      signal: stop.signal,
    });
    expect([code, err]).toEqual([2, expect.stringContaining("stopped; what was put stays on the queue")]);
  });
});

test("publish and worker need a queue, and a worker a store", async () => {
  expect((await edgeproof(["queue", "publish", "--account", "a1", "x.png"])).err).toContain(
    "EDGEPROOF_QUEUE is not set",
  );
  const { err } = await edgeproof(["queue", "work", "--queue", "postgres://h/d"]);
  expect(err).toContain("EDGEPROOF_DATA is not set");
});

test("the name of a queue in keys depends on its place only", () => {
  const name = queueNameOf("postgres://u:p@h:5432/d?name=a&sslmode=require");
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(queueNameOf("postgres://v@h:5432/d?name=a")).toBe(name);
  expect(queueNameOf("postgres://v@h:5432/d?name=b")).not.toBe(name);
  expect(withoutPassword("postgres://u:p@h")).not.toContain("p@");
});

test("an outage is one line in ten seconds, and control characters are escaped", () => {
  const lines: string[] = [];
  const out = { isTerminal: false, write: (chunk: string) => void lines.push(chunk) };
  let nowMs = 0;
  const log = createWorkerLog({ stdout: out, stderr: out }, undefined, () => nowMs);
  for (const ms of [0, 5_000, 9_999, 10_000]) {
    nowMs = ms;
    log({ type: "outage", reason: "no route" });
  }
  log({ type: "dead", id: "1", reason: "a\u001b[2Jb" });
  log({ type: "done", id: "2", tries: 0, fresh: 1, matches: 0, ms: 1 });
  const text = lines.join("");
  expect(text.split("\n")).toEqual([
    "outage: no route",
    "outage: no route",
    expect.stringMatching(/^dead 1: a.*b$/),
    "",
  ]);
  expect(text).not.toContain("\u001b");
});
