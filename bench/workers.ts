/**
 * Workers over queues, as ratios in one run: the queue's share of the CPU of a picture, two workers compared with one, ten
 * accounts compared with ten pictures, and memory over 10,000 small pictures. `--pictures` (default 120), `--small`
 * (default 10,000). Needs EDGEPROOF_POSTGRES_URL and nats-server. Fails when a ratio misses its target.
 */
import { parseArgs } from "node:util";
import { openQueue } from "../src/cli/input/work-queue.ts";
import { createPublisher } from "../src/service/brand/worker/publisher.ts";
import { drawPng } from "../src/testing/pictures/drawing.ts";
import type { BenchMemory, BenchSummary } from "./worker-process.ts";
import {
  type BenchStore,
  bundleWorker,
  drawPage,
  openBenchStore,
  startBenchBroker,
  startBenchWorker,
  untilEmpty,
} from "./worker-scene.ts";

const { values } = parseArgs({
  options: { pictures: { type: "string", default: "120" }, small: { type: "string", default: "10000" } },
});
const count = Number(values.pictures);
const smallCount = Number(values.small);
const ackWaitMs = 30_000;
const accounts = Array.from({ length: 21 }, (_, i) => `a${i}`);

const isLogo = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.4 && x + y > 0.7;
const logo = drawPng(isLogo, { side: 64 });

interface Line {
  readonly what: string;
  readonly value: number;
  readonly target?: readonly ["<=" | ">=", number];
}

const lines: Line[] = [];

function report(what: string, value: number, target?: Line["target"]): void {
  lines.push({ what, value, ...(target && { target }) });
  console.error(`${what}: ${value.toFixed(3)}`);
}

/** CPU of this process that a call takes, in milliseconds. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Measured {
  /** CPU of the workers a picture, in milliseconds. */
  readonly cpuMs: number;
  /** Pictures a second. */
  readonly rate: number;
}

/** Number of calls of `measureWorkers`: no two have the same pictures. */
let runs = 0;

/** Fills a queue, and measures how workers empty it. */
async function measureWorkers(
  store: BenchStore,
  address: string,
  pictures: readonly Uint8Array[],
  workers: number,
  slots = 1,
): Promise<Measured & { readonly publishMs: number }> {
  const run = runs++;
  const queue = await openQueue(address, { ackWaitMs });
  const publisher = createPublisher({ queue, openStore: async () => store.edge.store });
  const task = { queue: address, store: store.options, ackWaitMs, slots, isVerbose: false };
  const running = Array.from({ length: workers }, () => startBenchWorker(task));
  await Promise.all(running.map((worker) => worker.until("ready")));
  // The first pictures load libraries and compile the queries.
  for (let i = 0; i < 30 * workers; i++)
    await publisher.put(["a0"], {
      image: await drawPage(900_000 + i),
      domain: `warm-${run}-${i}.example`,
    });
  await untilEmpty(queue);
  for (const { child } of running) child.kill("SIGUSR2");
  await Promise.all(running.map((worker) => worker.until("begun")));
  const start = performance.now();
  const publishMs = await cpuMsOf(async () => {
    for (const [i, image] of pictures.entries())
      await publisher.put(["a0"], { image, domain: `run-${run}-${i}.example` });
  });
  await untilEmpty(queue);
  const seconds = (performance.now() - start) / 1_000;
  let cpuMs = 0;
  for (const worker of running) {
    worker.child.kill("SIGTERM");
    cpuMs += ((await worker.until("summary")) as unknown as BenchSummary).cpuMs;
    await worker.ended;
  }
  await queue.close();
  return {
    cpuMs: cpuMs / pictures.length,
    rate: pictures.length / seconds,
    publishMs: publishMs / pictures.length,
  };
}

/** CPU of this process and of the broker that a message takes from `put` to `done`, in milliseconds. */
async function measureQueue(address: string, pictures: readonly Uint8Array[], brokerMs: () => number) {
  const queue = await openQueue(address, { ackWaitMs });
  const publisher = createPublisher({ queue });
  const passAll = async (tag: string) => {
    for (const [i, image] of pictures.entries())
      await publisher.put(["a0"], { image, domain: `${tag}${i}.example` });
    for (;;) {
      const delivery = await queue.take();
      if (!delivery) break;
      await delivery.done();
    }
  };
  await passAll("first");
  const before = brokerMs();
  const clientMs = await cpuMsOf(() => passAll("then"));
  await queue.close();
  return { clientMs: clientMs / pictures.length, brokerMs: (brokerMs() - before) / pictures.length };
}

/** Median of the ratios of rounds. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function compareAccounts({ edge }: BenchStore): Promise<number> {
  const ten = accounts.slice(1, 11);
  const others = accounts.slice(11, 21);
  const ratios: number[] = [];
  for (let round = 0; round < 8; round++) {
    const image = await drawPage(500_000 + round);
    const domain = `ten-${round}.example`;
    const together = await cpuMsOf(() => edge.brand.pictures.observe(ten, { image, domain }));
    const apart = await cpuMsOf(async () => {
      for (const account of others) await edge.brand.pictures.observe([account], { image, domain });
    });
    if (round > 0) ratios.push(together / apart);
  }
  return median(ratios);
}

/** Growth of the heap from the second tenth to the last one, in kilobytes a picture. */
async function measureMemory(store: BenchStore, address: string) {
  const queue = await openQueue(address, { ackWaitMs });
  const publisher = createPublisher({ queue });
  const every = Math.max(1, Math.floor(smallCount / 10));
  const task = {
    queue: address,
    store: store.options,
    ackWaitMs,
    slots: 2,
    isVerbose: false,
    memoryEvery: every,
  };
  const worker = startBenchWorker(task);
  await worker.until("ready");
  const image = drawPng(isLogo, { side: 24, foreground: [200, 20, 20] });
  for (let i = 0; i < smallCount; i++) await publisher.put(["a0"], { image, domain: `small-${i}.example` });
  await untilEmpty(queue);
  worker.child.kill("SIGTERM");
  await worker.until("summary");
  await worker.ended;
  await queue.close();
  const samples = worker.lines.filter(({ type }) => type === "memory") as unknown as BenchMemory[];
  console.table(samples.map(({ done, heap, rss }) => ({ done, "heap MB": heap, "process MB": rss })));
  const [first, last] = [samples[1], samples.at(-1)];
  if (!first || !last) throw new Error("no memory was measured");
  return ((last.heap - first.heap) * 1_000) / (last.done - first.done);
}

const removeScript = bundleWorker();
const store = await openBenchStore(accounts, logo);
const broker = await startBenchBroker();
try {
  console.error("drawing pictures ...");
  const pictures: Uint8Array[] = [];
  for (let i = 0; i < count; i++) pictures.push(await drawPage(i));
  report("size of a picture, KB", pictures.reduce((sum, { length }) => sum + length, 0) / count / 1_000);
  const direct = await cpuMsOf(async () => {
    for (const [i, image] of pictures.slice(0, 30).entries())
      await store.edge.brand.pictures.observe(["a0"], { image, domain: `direct-${i}.example` });
  });
  report("describe and store without a queue, CPU ms a picture", direct / Math.min(30, count));
  for (const [name, address, brokerMs] of [
    ["PostgreSQL queue", store.queueAddress, () => 0],
    ["JetStream", (queue: string) => `${broker.url}?name=${queue}`, broker.cpuMs],
  ] as const) {
    const alone = await measureWorkers(store, address("one"), pictures, 1);
    const two = await measureWorkers(store, address("two"), pictures, 2);
    const slots = await measureWorkers(store, address("slots"), pictures, 1, 2);
    const queued = await measureQueue(address("idle"), pictures, brokerMs);
    const ofQueue = queued.clientMs + queued.brokerMs;
    report(`${name}: one worker, pictures a second`, alone.rate);
    report(`${name}: one worker, CPU ms a picture`, alone.cpuMs);
    report(`${name}: two workers, CPU ms a picture`, two.cpuMs);
    report(`${name}: one worker of two slots, pictures a second`, slots.rate);
    report(`${name}: put, take and done, CPU ms a picture (with broker)`, ofQueue);
    report(`${name}: share of the queue`, ofQueue / (alone.cpuMs + alone.publishMs + queued.brokerMs), [
      "<=",
      0.05,
    ]);
    report(`${name}: two workers compared with one, rate`, two.rate / alone.rate, [">=", 1.5]);
    report(`${name}: two workers compared with one, CPU a picture`, two.cpuMs / alone.cpuMs, ["<=", 1.1]);
  }
  report("ten accounts on one picture compared with ten times one", await compareAccounts(store), [
    "<=",
    0.4,
  ]);
  report("growth of the heap, KB a small picture", await measureMemory(store, `${broker.url}?name=small`), [
    "<=",
    0.1,
  ]);
} finally {
  broker.remove();
  await store.remove();
  removeScript();
}
const rows = lines.map(({ what, value, target }) => ({
  what,
  value: Number(value.toFixed(3)),
  target: target?.join(" ") ?? "",
}));
console.table(rows);
const missed = lines.filter(
  ({ value, target }) => target && !(target[0] === "<=" ? value <= target[1] : value >= target[1]),
);
for (const { what } of missed) console.error(`missed: ${what}`);
if (missed.length > 0) process.exitCode = 1;
