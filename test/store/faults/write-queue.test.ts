/** The queues of writes of several processes on PostgreSQL: no write is lost, none waits for a process that is gone. */
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { postgresUrl, temporarySchemas } from "../open.ts";
import { startWorker } from "./processes.ts";
import { crossings, queueNames } from "./worker.ts";

const collections = probes as CollectionTable;
const processes = 4;

describe.skipIf(postgresUrl === undefined)("PostgreSQL", () => {
  const nextSchema = temporarySchemas();

  async function openPlace() {
    const postgres = { connectionString: postgresUrl!, schema: nextSchema() };
    const opened = openPostgresStore({ ...postgres, collections, conflictMs: 60_000 });
    return { postgres, store: (await opened) as unknown as ProbeStore };
  }

  test("four processes that enter two queues in both orders all end, and no write is lost", async () => {
    const { postgres, store } = await openPlace();
    const counters = queueNames.map((name) => ({ ...thing("counter"), scope: name }));
    await store.write((tx) => tx.insertMissing("things", counters));
    const workers = Array.from({ length: processes }, (_, i) =>
      startWorker({ postgres, work: "cross", name: `${i}` }),
    );
    const ends = await Promise.all(workers.map((worker) => worker.ended));
    expect(ends).toEqual(Array(processes).fill(["ready"]));
    const total = processes * crossings;
    await store.read(async (tx) => {
      for (const name of queueNames) {
        expect((await tx.get("things", name, "counter"))?.rank).toBe(total);
        expect(await tx.count("things", name)).toBe(total + 1);
      }
      expect(await tx.sequences()).toEqual(
        queueNames.map((name) => ({ scope: name, name: "n", last: total })),
      );
    });
    await store.close();
  });

  test("a process that is killed in a queue leaves it, and its write did not happen", async () => {
    const { postgres, store } = await openPlace();
    const holder = startWorker({ postgres, work: "hold", name: "holder" });
    await holder.said(2);
    const done: string[] = [];
    const writeIn = async (queue: string) => {
      await store.write((tx) => tx.insert("things", { ...thing("next"), scope: queue }), { queue });
      done.push(queue);
    };
    const next = writeIn(queueNames[0]);
    // The other queue is free meanwhile.
    await writeIn(queueNames[1]);
    expect(done).toEqual([queueNames[1]]);
    holder.kill();
    await next;
    const found = await store.read((tx) => tx.find("things", queueNames[0]));
    expect(found.map(({ id }) => id)).toEqual(["next"]);
    await store.close();
  });
});
