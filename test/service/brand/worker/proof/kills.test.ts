/**
 * Workers that are killed at every point of their work, stopped for longer than the acknowledgement time, and fed with
 * messages that cannot be stored or end the process: nothing is lost or doubled, and no innocent message is set aside.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { putQueuedPicture } from "../../../../../src/service/brand/worker/queued-pictures.ts";
import { encodePictureMessage, sha256Of } from "../../../../../src/service/brand/worker/work-message.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../../../store/open.ts";
import { queueKinds } from "./queues.ts";
import { accounts, ackWaitMs, openScene, type Scene, shot, startWorkerProcess, untilEmpty } from "./scene.ts";
import { killPoints } from "./worker-process.ts";

for (const kind of queueKinds) {
  describe.skipIf(kind.isMissing)(`over ${kind.name}`, () => {
    const nextSchema = temporarySchemas();
    const connectionString = hasty(postgresUrl ?? "");
    const open = (): Promise<Scene> =>
      openScene(kind.address(nextSchema()), { connectionString, schema: nextSchema() });
    beforeAll(() => kind.start());
    afterAll(() => kind.stop());

    test("a worker that is killed at any point loses nothing, and what it had is delivered again in time", async () => {
      const scene = await open();
      await scene.publish(0, 24);
      const killed = killPoints.map((kill) => startWorkerProcess(scene.task({ kill })));
      for (const each of killed) expect(await each.ended).toBe("SIGKILL");
      // The last message that each had taken.
      const held = killed.map(({ said }) => {
        const taken = said.filter(({ event }) => event["type"] === "taken").at(-1)!;
        return { id: taken.event["id"], atMs: said.at(-1)!.atMs };
      });
      const points = killed.map(({ said }) => said.at(-1)!.event["point"]);
      expect(points).toEqual([...killPoints]);
      const redelivered = new Map<string, number>();
      const { take } = scene.queue;
      const watched: typeof scene.queue = {
        ...scene.queue,
        take: async (options) => {
          const delivery = await take(options);
          if (delivery && delivery.tries > 0) redelivered.set(delivery.id, performance.now());
          return delivery;
        },
      };
      const openedMs = performance.now();
      await scene.finish({ queue: watched });
      for (const { id, atMs } of held) {
        const againMs = redelivered.get(String(id));
        // This worker began after the last one had been killed; a busy machine is given time.
        expect(againMs).toBeLessThanOrEqual(Math.max(atMs + ackWaitMs, openedMs) + 20_000);
      }
      await scene.assertStored(24);
      expect(await scene.queue.status()).toEqual({ waiting: 0, taken: 0, dead: 0, oldestMs: 0 });
      await scene.close();
    });

    test("a worker that is stopped for longer than the acknowledgement time stores nothing twice", async () => {
      const scene = await open();
      const stopped = startWorkerProcess(scene.task({ slowMs: 400 }));
      await stopped.until("ready");
      await scene.publish(0, 4);
      const { id } = await stopped.until("taken");
      stopped.child.kill("SIGSTOP");
      const events = await scene.finish();
      expect(events.filter(({ type }) => type === "done")).toHaveLength(4);
      stopped.child.kill("SIGCONT");
      // It finds that its message is another worker's, and goes on.
      await scene.publish(4, 2);
      await untilEmpty(scene.queue);
      await vi.waitFor(() => {
        const done = stopped.said.filter(({ event }) => event["type"] === "done");
        expect(done).toHaveLength(2);
      }, 20_000);
      const ofFirst = stopped.said
        .filter(({ event }) => event["id"] === id)
        .map(({ event }) => event["type"]);
      expect(ofFirst).toEqual(["taken", "late"]);
      stopped.child.kill("SIGTERM");
      expect(await stopped.ended).toBe(null);
      await scene.assertStored(6);
      expect((await scene.queue.status()).dead).toBe(0);
      await scene.close();
    });

    test("poison is set aside with its reason, and the messages beside it are stored", async () => {
      const scene = await open();
      const { queue, edge } = scene;
      const message = (image: Uint8Array, names: readonly string[] = accounts) =>
        encodePictureMessage({ accounts: names, facts: {}, picture: image });
      const tooLarge = Buffer.concat([shot(0), Buffer.alloc(5_300_000)]);
      const blob = await putQueuedPicture(edge.store, "work", tooLarge);
      const reference = { blob, bytes: tooLarge.length, sha256: sha256Of(tooLarge) };
      const crashing = shot(1_000);
      const poisons: readonly (readonly [string, Uint8Array, RegExp])[] = [
        ["bad", message(new TextEncoder().encode("no picture")), /must be PNG, JPEG/],
        ["cut", message(shot(0).subarray(0, 200)), /image/i],
        ["json", new TextEncoder().encode('{"edgeproof":1,\n'), /must be a JSON object/],
        [
          "large",
          encodePictureMessage({ accounts, facts: {}, picture: reference }),
          /must be at most 5242880 bytes/,
        ],
        ["unknown", message(shot(0), ["a1", "a9"]), /There is no account `a9`/],
        ["crash", message(crashing), /3 deliveries were not finished/],
      ];
      await scene.publish(0, 6);
      for (const [key, body] of poisons) await queue.put(body, { key });
      await scene.publish(6, 6);
      const task = scene.task({ slots: 3, maxTries: 3, crash: sha256Of(crashing) });
      let kills = 0;
      const said: Record<string, unknown>[] = [];
      for (;;) {
        const worker = startWorkerProcess(task);
        void worker.ended.then(() => said.push(...worker.said.map(({ event }) => event)));
        const end = await Promise.race([worker.ended, untilEmpty(queue).then(() => "empty")]);
        if (end === "empty") {
          worker.child.kill("SIGTERM");
          await worker.ended;
          break;
        }
        expect(end).toBe("SIGKILL");
        kills++;
      }
      const tries = said.flatMap(({ type, key, tries }) =>
        type === "taken" && key === "crash" ? [Number(tries)] : [],
      );
      // Each unfinished delivery counts one, and a late answer is forgiven: on a busy machine there can be more of them, or two
      // in one process. The third that counts is the last.
      expect(tries[0]).toBe(0);
      expect(tries.indexOf(3)).toBe(tries.length - 1);
      for (const [i, each] of tries.entries()) expect(each).toBeLessThanOrEqual((tries[i - 1] ?? 0) + 1);
      expect(kills).toBeGreaterThan(0);
      const dead = new Map((await queue.dead()).map(({ key, reason }) => [key, reason]));
      expect([...dead.keys()].sort()).toEqual(poisons.map(([key]) => key).sort());
      for (const [key, , reason] of poisons) expect(dead.get(key)).toMatch(reason);
      await scene.assertStored(12);
      await scene.close();
    });

    test("a query that is created while a picture is stored finds it, once", async () => {
      const scene = await open();
      await scene.publish(0, 3);
      const { edge } = scene;
      const image_data = Buffer.from(shot(1)).toString("base64");
      let isCreated = false;
      const observe: typeof edge.brand.pictures.observe = async (names, record, options) => {
        const onStep: NonNullable<typeof options>["onStep"] = (step) => {
          if (step === "describe" && !isCreated) creating = create();
        };
        const outcome = await edge.brand.pictures.observe(names, record, { ...options, onStep });
        await creating;
        return outcome;
      };
      let creating: Promise<unknown> | undefined;
      const create = () => {
        isCreated = true;
        return edge.brand.logos.queries.create("a1", { tag: "new", similarity_threshold: 0.9, image_data });
      };
      const slow = {
        store: edge.store,
        brand: { ...edge.brand, pictures: { ...edge.brand.pictures, observe } },
      };
      await scene.finish({ edge: slow, slots: 1 });
      const matches = await edge.store.read((tx) => tx.find("brand_logo_matches", "a1"));
      // Picture 0 has the first logo; 1 and 2 differ in a shade of the second one.
      expect(matches.map(({ query_id, domain }) => `${query_id} ${domain}`).sort()).toEqual([
        "1 p0.example",
        "2 p1.example",
        "2 p2.example",
      ]);
      await scene.close();
    });
  });
}
