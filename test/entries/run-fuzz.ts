/** Runs calls in threads: one that does not answer within the maximum is reported, and the next thread goes on after it. */
import { Worker } from "node:worker_threads";
import { bundled } from "../support/bundled.ts";
import type { FuzzCount, FuzzFinding, FuzzOrder } from "./fuzz-thread.ts";

/** Maximum duration of a call, in milliseconds. */
export const maxCallMs = 2_000;
const watchMs = 100;

/** Runs calls from a seed. @returns those whose outcome is not documented */
export async function runFuzz(seed: number, count: FuzzCount): Promise<readonly FuzzFinding[]> {
  const findings: FuzzFinding[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) from = await runThread(seed, from, count, findings);
  return findings;
}

/** @returns the call after the one that has ended the thread; undefined when all calls were made */
async function runThread(
  seed: number,
  from: number,
  count: FuzzCount,
  findings: FuzzFinding[],
): Promise<number | undefined> {
  const current = new Int32Array(new SharedArrayBuffer(4));
  current[0] = -1;
  const workerData: FuzzOrder = { seed, from, count, current };
  const worker = new Worker(bundled("test/entries/fuzz-thread.ts"), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 1_000 },
  });
  let announced = "";
  let isDone = false;
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
    worker.on("message", (message: FuzzFinding | "end") => {
      if (message === "end") {
        isDone = true;
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
  if (isDone) return undefined;
  const reached = Atomics.load(current, 0);
  if (reached < from) throw new Error(`the thread made no call: ${findings.at(-1)?.outcome}`);
  return reached + 1;
}
