/** A store, and a queue in it, that are cut off for longer than every timeout: no message is lost, doubled or set aside. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../../../../src/edge.ts";
import { openPostgresQueue } from "../../../../../src/queue/postgres/postgres-queue.ts";
import { runWorker } from "../../../../../src/service/brand/worker/run-worker.ts";
import type { WorkerEvent } from "../../../../../src/service/brand/worker/worker-options.ts";
import { openPostgresStore } from "../../../../../src/store/sql/postgres.ts";
import { startProxy } from "../../../../store/faults/proxy.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../../../store/open.ts";
import { queueKinds } from "./queues.ts";
import { openScene, untilEmpty } from "./scene.ts";

const limits = { connectTimeoutMs: 300, statementTimeoutMs: 500 };
const ackWaitMs = 1_000;
/** Longer than every timeout together. */
const outageMs = 3_500;

for (const kind of queueKinds) {
  describe.skipIf(kind.isMissing)(`over ${kind.name}`, () => {
    const nextSchema = temporarySchemas();
    const connectionString = hasty(postgresUrl ?? "");
    beforeAll(() => kind.start());
    afterAll(() => kind.stop());

    test.each(kind.outages)("an outage of the store (%s)", async (outage) => {
      const { hostname, port } = new URL(connectionString);
      const proxy = await startProxy({ host: hostname, port: Number(port || 5432) });
      const through = new URL(connectionString);
      through.host = `127.0.0.1:${proxy.port}`;
      const schema = nextSchema();
      const queueSchema = nextSchema();
      const address = kind.address(queueSchema);
      const scene = await openScene(address, { connectionString, schema });
      await scene.publish(0, 24);
      const edge = createEdge({
        store: await openPostgresStore({
          connectionString: through.href,
          schema,
          conflictMs: 500,
          ...limits,
        }),
        accountSettings: "read",
      });
      // A queue in the database is cut off, too.
      const queue =
        kind.name === "PostgreSQL"
          ? await openPostgresQueue({
              connectionString: through.href,
              schema: queueSchema,
              name: new URL(address).searchParams.get("name") ?? "",
              ackWaitMs,
              ...limits,
            })
          : scene.queue;
      const events: WorkerEvent[] = [];
      const stop = new AbortController();
      const onEvent = (event: WorkerEvent) => void events.push(event);
      const running = runWorker({
        queue,
        edge,
        signal: stop.signal,
        ackWaitMs,
        maxTries: 2,
        slots: 3,
        onEvent,
      });
      const doneNow = () => events.filter(({ type }) => type === "done").length;
      while (doneNow() < 5) await sleep(10);
      if (outage === "cut") await proxy.cut();
      else proxy.freeze();
      await sleep(outageMs);
      expect(events.some(({ type }) => type === "outage")).toBe(true);
      const before = doneNow();
      await proxy.restore();
      await untilEmpty(scene.queue);
      expect(doneNow()).toBeGreaterThan(before);
      stop.abort();
      await running;
      await scene.assertStored(24);
      expect((await scene.queue.status()).dead).toBe(0);
      await edge.close();
      if (queue !== scene.queue) await queue.close();
      await scene.close();
      await proxy.close();
    });
  });
}
