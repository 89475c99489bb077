/**
 * Four workers that are killed again and again (SIGKILL, at random times) while pictures arrive: nothing may be lost or
 * doubled, and no message set aside. `--kills` (default 100), `--queue postgres|nats` (default postgres). Needs
 * EDGEPROOF_POSTGRES_URL, and nats-server for nats.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openQueue } from "../src/cli/input/work-queue.ts";
import { createPublisher } from "../src/service/brand/worker/publisher.ts";
import { drawPng } from "../src/testing/pictures/drawing.ts";
import {
  bundleWorker,
  openBenchStore,
  startBenchBroker,
  startBenchWorker,
  untilEmpty,
} from "./worker-scene.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, queue: { type: "string", default: "postgres" } },
});
const wanted = Number(values.kills);
const accounts = ["a1", "a2"];
const ackWaitMs = 2_000;
const isLogo = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.4 && x + y > 0.7;
const isOther = (x: number, y: number) => x < 0.3 || (y > 0.6 && x > 0.5);

const removeScript = bundleWorker();
const store = await openBenchStore(accounts, drawPng(isLogo, { side: 48 }));
const broker = values.queue === "nats" ? await startBenchBroker() : undefined;
try {
  const address = broker ? `${broker.url}?name=kills` : store.queueAddress("kills");
  const queue = await openQueue(address, { ackWaitMs });
  const publisher = createPublisher({ queue });
  const image = drawPng(isLogo, { side: 48, foreground: [30, 90, 90] });
  const other = drawPng(isOther, { side: 48 });
  let [published, kills] = [0, 0];
  let isKilling = true;
  const task = { queue: address, store: store.options, ackWaitMs, slots: 2, isVerbose: true };

  async function publishOn(): Promise<void> {
    while (isKilling) {
      if ((await queue.status()).waiting > 60) {
        await sleep(50);
        continue;
      }
      for (let i = 0; i < 20; i++, published++)
        await publisher.put(accounts, {
          image: published % 6 === 0 ? image : other,
          domain: `p${published}.example`,
        });
    }
  }

  async function killOn(): Promise<void> {
    while (kills < wanted) {
      const worker = startBenchWorker(task);
      // At a random point of the work on one of many pictures: a picture that is hit five times in a row counts as its cause.
      const lastDone = 1 + Math.floor(Math.random() * 15);
      while (worker.lines.filter(({ type }) => type === "done").length < lastDone) await sleep(5);
      await sleep(Math.random() * 200);
      worker.child.kill("SIGKILL");
      await worker.ended;
      kills++;
      if (kills % 10 === 0) console.error(`${kills} kills, ${published} pictures published`);
    }
  }

  const publishing = publishOn();
  await Promise.all(Array.from({ length: 4 }, killOn));
  isKilling = false;
  await publishing;
  const last = startBenchWorker({ ...task, isVerbose: true });
  await untilEmpty(queue);
  last.child.kill("SIGTERM");
  await last.ended;
  const dead = (await queue.status()).dead;
  const row = { kills, published, dead, lost: 0, doubled: 0, "matches missing": 0 };
  for (const account of accounts) {
    const [scans, matches] = await store.edge.store.read(async (tx) => [
      await tx.find("brand_logo_scans", account),
      await tx.find("brand_logo_matches", account),
    ]);
    const domains = new Set(scans.map(({ domain }) => domain));
    row.lost += published - domains.size;
    row.doubled += scans.length - domains.size;
    row["matches missing"] += Math.ceil(published / 6) - new Set(matches.map(({ domain }) => domain)).size;
  }
  console.table([row]);
  if (dead + row.lost + row.doubled + row["matches missing"] !== 0) process.exitCode = 1;
  await queue.close();
} finally {
  broker?.remove();
  await store.remove();
  removeScript();
}
