/** Runs calls in threads: one that does not answer within the maximum is reported, and the next thread goes on after it. */
import { Worker } from "node:worker_threads";
import { bundled } from "../support/bundled.ts";
import type { FuzzCount, FuzzEnd, FuzzFinding, FuzzOrder } from "./fuzz-thread.ts";

/** Maximum duration of a call, in milliseconds. */
export const maxCallMs = 2_000;
const watchMs = 100;

/** The calls of a run. */
export interface FuzzRun {
  /** The number of calls. */
  readonly calls: number;
  /** The calls whose outcome is not documented. */
  readonly findings: readonly FuzzFinding[];
}

/** Runs calls from a seed. */
export async function runFuzz(seed: number, count: FuzzCount): Promise<FuzzRun> {
  const findings: FuzzFinding[] = [];
  for (let from = 0; ; ) {
    const reached = await runThread(seed, from, count, findings);
    if ("calls" in reached) return { ...reached, findings };
    from = reached.next;
  }
}

/** @returns the call after the one that has ended the thread, or the end */
async function runThread(
  seed: number,
  from: number,
  count: FuzzCount,
  findings: FuzzFinding[],
): Promise<FuzzEnd | { readonly next: number }> {
  const current = new Int32Array(new SharedArrayBuffer(4));
  current[0] = -1;
  const workerData: FuzzOrder = { seed, from, count, current };
  const worker = new Worker(bundled("test/entries/fuzz-thread.ts"), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 1_000 },
  });
  let announced = "";
  let all: FuzzEnd | undefined;
  const stopped = (outcome: string) => findings.push({ call: current[0]!, text: announced, outcome });
  await new Promise<void>((resolve) => {
    let last = { call: -1, atMs: performance.now() };
    const watch = setInterval(() => {
      const call = Atomics.load(current, 0);
      if (call !== last.call) last = { call, atMs: performance.now() };
      else if (call >= 0 && performance.now() - last.atMs > maxCallMs) {
        stopped("no answer within 2 s");
        end();
      }
    }, watchMs);
    const end = () => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve());
    };
    worker.on("message", (message: FuzzFinding | FuzzEnd) => {
      if ("calls" in message) {
        all = message;
        end();
      } else if (message.outcome === undefined) announced = message.text;
      else findings.push(message);
    });
    worker.on("error", (error) => {
      stopped(String(error.stack ?? error));
      end();
    });
    worker.on("exit", end);
  });
  if (all) return all;
  const reached = Atomics.load(current, 0);
  if (reached < from) throw new Error(`the thread made no call: ${findings.at(-1)?.outcome}`);
  return { next: reached + 1 };
}
