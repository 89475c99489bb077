/** A queue, a store with accounts and a logo query, pictures, and processes that work on them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, expect, vi } from "vitest";
import { openQueue } from "../../../../../src/cli/input/work-queue.ts";
import { createEdge, type Edge } from "../../../../../src/edge.ts";
import type { WorkQueue } from "../../../../../src/queue/port.ts";
import { createPublisher } from "../../../../../src/service/brand/worker/publisher.ts";
import { runWorker } from "../../../../../src/service/brand/worker/run-worker.ts";
import type { WorkerEvent, WorkerOptions } from "../../../../../src/service/brand/worker/worker-options.ts";
import { openPostgresStore } from "../../../../../src/store/sql/postgres.ts";
import { drawPng } from "../../../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../../../engine/logo/drawings.ts";
import { bundled } from "../../../../support/bundled.ts";
import type { WorkerTask } from "./worker-process.ts";

const script = bundled(fileURLToPath(new URL("./worker-process.ts", import.meta.url)));

/** Acknowledgement time of the tests, in milliseconds. */
export const ackWaitMs = 2_000;
export const accounts = ["a1", "a2"] as const;

const logo = drawPng(drawings["wing"]!, { side: 48 });

/** Pictures that differ; every third one has the logo. */
export function shot(i: number): Uint8Array {
  const drawing = drawings[i % 3 === 0 ? "wing" : "stairs"]!;
  return drawPng(drawing, { side: 48, foreground: [20, i % 256, 90 + (i >> 8)] });
}

export interface Scene {
  readonly queue: WorkQueue;
  readonly edge: Edge;
  /** Publishes pictures for both accounts. */
  publish(from: number, count: number): Promise<void>;
  /** The input of a process. */
  task(more?: Partial<WorkerTask>): WorkerTask;
  /** Works in this process until nothing waits, and returns what happened. */
  finish(options?: Partial<WorkerOptions>): Promise<readonly WorkerEvent[]>;
  /** Nothing is lost or doubled: each of the pictures is stored once for each account, with its matches. */
  assertStored(count: number): Promise<void>;
  close(): Promise<void>;
}

/** @param queueAddress of an empty queue */
export async function openScene(queueAddress: string, store: WorkerTask["store"]): Promise<Scene> {
  const edge = createEdge({
    store: await openPostgresStore(store),
    world: { accounts: accounts.map((id) => ({ id })) },
  });
  const image_data = Buffer.from(logo).toString("base64");
  for (const account of accounts)
    await edge.brand.logos.queries.create(account, { tag: "l", similarity_threshold: 0.9, image_data });
  const queue = await openQueue(queueAddress, { ackWaitMs });
  const publisher = createPublisher({ queue, openStore: async () => edge.store });
  return {
    queue,
    edge,
    publish: async (from, count) => {
      for (let i = from; i < from + count; i++)
        await publisher.put(accounts, { image: shot(i), domain: `p${i}.example` });
    },
    task: (more) => ({ queue: queueAddress, store, ackWaitMs, slots: 1, ...more }),
    finish: async (options) => {
      const stop = new AbortController();
      const events: WorkerEvent[] = [];
      const onEvent = (event: WorkerEvent) => void events.push(event);
      const running = runWorker({ queue, edge, ackWaitMs, signal: stop.signal, onEvent, ...options });
      await untilEmpty(queue);
      stop.abort();
      await running;
      return events;
    },
    assertStored: async (count) => {
      const withLogo = Array.from({ length: count }, (_, i) => i).filter((i) => i % 3 === 0).length;
      const domains = Array.from({ length: count }, (_, i) => `p${i}.example`).sort();
      for (const account of accounts) {
        const [scans, matches] = await edge.store.read(async (tx) => [
          await tx.find("brand_logo_scans", account),
          await tx.find("brand_logo_matches", account),
        ]);
        expect(scans.map(({ domain }) => domain).sort()).toEqual(domains);
        expect(new Set(scans.map(({ position }) => position)).size).toBe(count);
        expect(matches.length).toBe(withLogo);
        for (const { blob } of scans) expect(await edge.store.blobs.get(blob)).toBeDefined();
      }
    },
    close: async () => {
      await queue.close();
      await edge.close();
    },
  };
}

/** Waits until nothing waits in the queue and nothing is taken. */
export async function untilEmpty(queue: WorkQueue, timeout = 60_000): Promise<void> {
  await vi.waitFor(
    async () => {
      const { waiting, taken } = await queue.status();
      expect(waiting + taken).toBe(0);
    },
    { timeout, interval: 50 },
  );
}

/** A running process, and what it has said with the time of arrival in milliseconds. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly said: { readonly event: Record<string, unknown>; readonly atMs: number }[];
  /** Waits for an event. */
  until(type: string): Promise<Record<string, unknown>>;
  /** Resolves with the signal that ended it, or null. */
  readonly ended: Promise<string | null>;
}

const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

export function startWorkerProcess(task: WorkerTask): WorkerProcess {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const said: WorkerProcess["said"] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) said.push({ event: JSON.parse(line), atMs: performance.now() });
  });
  const ended = once(child, "close").then(([, signal]) => signal as string | null);
  const until = (type: string) =>
    vi.waitFor(
      () => {
        const found = said.find(({ event }) => event["type"] === type);
        expect(found, `the process says ${type}`).toBeDefined();
        return found!.event;
      },
      { timeout: 30_000, interval: 10 },
    );
  return { child, said, until, ended };
}
