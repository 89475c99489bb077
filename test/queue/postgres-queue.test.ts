/** The queue in PostgreSQL: the contract, processes that are killed, and an outage longer than every timeout. */
import pg from "pg";
import { describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../src/errors.ts";
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";
import { queueContract } from "../../src/testing/contract/queue/queue-contract.ts";
import { startProxy } from "../store/faults/proxy.ts";
import { hasty, postgresUrl, temporarySchemas } from "../store/open.ts";
import { startWorker } from "./worker-process.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe.skipIf(postgresUrl === undefined)("the PostgreSQL queue", () => {
  const nextSchema = temporarySchemas();
  const connectionString = postgresUrl === undefined ? "" : hasty(postgresUrl);
  const schema = nextSchema();
  let queues = 0;

  for (const { name, run } of queueContract)
    test(`keeps the contract: ${name}`, () =>
      expect(
        run(async (ackWaitMs) => {
          const place = { connectionString, schema, name: `q${queues++}`, ackWaitMs, pollMs: 20 };
          return () => openPostgresQueue(place);
        }),
      ).resolves.toBeUndefined());

  test("processes that start together create the table once", async () => {
    const place = { connectionString, schema: nextSchema() };
    const opened = await Promise.all(Array.from({ length: 6 }, () => openPostgresQueue(place)));
    expect(await opened[0]?.put(bytes("a"))).toBe(true);
    expect((await opened[5]?.status())?.waiting).toBe(1);
    for (const queue of opened) await queue.close();
  });

  test("queues of two names are separate", async () => {
    const [a, b] = await Promise.all(
      ["left", "right"].map((name) => openPostgresQueue({ connectionString, schema, name })),
    );
    expect([await a?.put(bytes("a"), { key: "k" }), await b?.put(bytes("b"), { key: "k" })]).toEqual([
      true,
      true,
    ]);
    expect(new TextDecoder().decode((await b?.take())?.body)).toBe("b");
    expect(await b?.take()).toBeUndefined();
    await Promise.all([a?.close(), b?.close()]);
  });

  test("what killed processes had taken is delivered again: nothing is lost, nothing is done twice", async () => {
    const place = { connectionString, schema, name: "kills", ackWaitMs: 1_000, pollMs: 50 };
    const queue = await openPostgresQueue(place);
    const texts = Array.from({ length: 60 }, (_, i) => `${i}`);
    for (const text of texts) await queue.put(bytes(text), { key: text });
    const done: string[] = [];
    for (let round = 0; round < 3; round++) {
      const worker = startWorker(place);
      // Killed in the middle of a message.
      await worker.printed("done", 5);
      await worker.kill();
      done.push(...worker.done());
    }
    for (;;) {
      const taken = await queue.take({ waitMs: 3_000 });
      if (!taken) break;
      expect(taken.tries).toBeLessThanOrEqual(3);
      if (await taken.done()) done.push(new TextDecoder().decode(taken.body));
    }
    // A process that is killed between `done` and its line leaves one out.
    expect(new Set(done).size).toBe(done.length);
    expect(texts.length - done.length).toBeLessThanOrEqual(3);
    expect(await queue.status()).toEqual({ waiting: 0, taken: 0, dead: 0, oldestMs: 0 });
    await queue.close();
  });

  test("a message that was not finished in time is delivered before those that wait", async () => {
    const queue = await openPostgresQueue({ connectionString, schema, name: "next", ackWaitMs: 30 });
    for (const text of ["a", "b", "c"]) await queue.put(bytes(text), { key: text });
    expect((await queue.take())?.key).toBe("a");
    await expect.poll(async () => (await queue.status()).taken).toBe(0);
    expect([(await queue.take())?.key, (await queue.take())?.key]).toEqual(["a", "b"]);
    await queue.close();
  });

  test("an outage longer than every timeout is reported, loses nothing and uses up no try", async () => {
    const { hostname, port } = new URL(connectionString);
    const proxy = await startProxy({ host: hostname, port: Number(port || 5432) });
    const address = new URL(connectionString);
    address.host = `127.0.0.1:${proxy.port}`;
    const limits = { ackWaitMs: 300, pollMs: 20, connectTimeoutMs: 200, statementTimeoutMs: 400 };
    const place = { schema, name: "outage", ...limits };
    const queue = await openPostgresQueue({ ...place, connectionString: address.href });
    const healthy = await openPostgresQueue({ ...place, connectionString });
    await queue.put(bytes("a"));
    const taken = await queue.take();
    await proxy.cut();
    await expect(taken?.extend()).rejects.toThrow(DependencyUnavailableError);
    await expect(queue.take()).rejects.toThrow(DependencyUnavailableError);
    const other = await healthy.take({ waitMs: 10_000 });
    expect(other?.tries).toBe(1);
    await proxy.restore();
    // The taker returns: it was cut off and did not crash.
    expect(await taken?.done()).toBe(false);
    expect(await other?.retry({ counts: false })).toBe(true);
    const last = await queue.take({ waitMs: 10_000 });
    expect([last?.tries, await last?.done()]).toEqual([0, true]);
    await Promise.all([queue.close(), healthy.close()]);
    await proxy.close();
  });

  test("a table with other columns is rejected, naming each", async () => {
    const place = { connectionString, schema: nextSchema() };
    await (await openPostgresQueue(place)).close();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`alter table ${place.schema}.work_queue drop column reason cascade`);
    await client.query(`alter table ${place.schema}.work_queue alter column tries type bigint`);
    await client.query(`create index work_queue_dead on ${place.schema}.work_queue (id)`);
    await client.end();
    await expect(openPostgresQueue(place)).rejects.toThrow(
      /has other columns: tries is bigint, expected integer; reason is missing, expected text/,
    );
  });

  test("a queue is not created when that is excluded", async () => {
    const place = { connectionString, schema: nextSchema(), create: false };
    await expect(openPostgresQueue(place)).rejects.toThrow(
      /the table work_queue of .* does not exist; set the queue up/,
    );
    await (await openPostgresQueue({ ...place, create: true })).close();
    await (await openPostgresQueue(place)).close();
  });

  test("a database that cannot be reached and invalid options are errors", async () => {
    const nowhere = { connectionString: "postgres://unknown@127.0.0.1:1/none" };
    await expect(openPostgresQueue(nowhere)).rejects.toThrow(DependencyUnavailableError);
    for (const option of [{ name: "" }, { schema: "x".repeat(64) }, { ackWaitMs: 0 }, { maxConnections: 0 }])
      await expect(openPostgresQueue({ connectionString, ...option })).rejects.toThrow(RangeError);
  });
});
