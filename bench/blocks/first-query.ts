/**
 * The processor time of the first and the second logo query of a process with a worker thread, both threads together, in
 * several processes. Started as one of these processes, measures and sends the two times.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createEdge } from "edgeproof";
import { withoutSourceMaps } from "./probe.ts";

/** Of the processes; an odd number, so that one of them is the median. */
const processes = 11;
/** A process without work uses less in this time, in milliseconds. */
const [idleMs, idleUseMs] = [500, 5];

interface Times {
  readonly firstMs: number;
  readonly secondMs: number;
}

/** The process whose quotient of the two times is the median. @param pictures of the two queries, in base64 */
export async function firstQueries(pictures: readonly string[]): Promise<Times> {
  const found: Times[] = [];
  while (found.length < processes)
    found.push(await measuredIn(fork(fileURLToPath(import.meta.url)), pictures));
  return found.sort((a, b) => a.firstMs / a.secondMs - b.firstMs / b.secondMs)[processes >> 1]!;
}

async function measuredIn(child: ChildProcess, pictures: readonly string[]): Promise<Times> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a process of the first query ended with ${code}`);
  });
  child.send(pictures);
  const [times] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  child.disconnect();
  return times as Times;
}

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Waits until the thread has prepared itself. */
async function idle(): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; usedMs() - before > idleUseMs; ) {
    before = usedMs();
    await new Promise((resume) => setTimeout(resume, idleMs));
  }
}

async function measureQueries(pictures: readonly string[]): Promise<readonly number[]> {
  const edge = createEdge({ threads: 1, world: { accounts: [{ id: "a0" }] } });
  await (await edge.fetch(new Request("https://edge.test/health"))).text();
  const times: number[] = [];
  for (const [i, image_data] of pictures.entries()) {
    const request = new Request(
      "https://edge.test/client/v4/accounts/a0/intel/v2/brand-protection/logo/queries",
      {
        method: "POST",
        headers: { authorization: "Bearer t", "content-type": "application/json" },
        body: JSON.stringify({ tag: `logo ${i}`, similarity_threshold: 0.4, image_data }),
      },
    );
    await idle();
    const before = usedMs();
    const response = await edge.fetch(request);
    const text = await response.text();
    times.push(usedMs() - before);
    if (!response.ok) throw new Error(text);
  }
  await edge.close();
  return times;
}

// Only a process that `fork` has started has a channel.
if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  withoutSourceMaps();
  process.once("message", async (pictures: readonly string[]) => {
    const [firstMs, secondMs] = await measureQueries(pictures);
    process.send?.({ firstMs, secondMs });
  });
}
