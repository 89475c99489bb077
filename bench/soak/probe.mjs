/**
 * Loaded into a server under test: measures it when its parent asks. Needs `--expose-gc`. Requests with the header `x-kind` are
 * measured from their begin to their end, in time of the thread that answers them: what it works and what it waits for a
 * processor. Other processes of the machine are only in the latter.
 */
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { writeHeapSnapshot } from "node:v8";

const collections = 6;
const lookMs = 5;

/** Milliseconds since the start of the main thread: at work, and ready but without a processor. Linux counts both. */
function mainThread() {
  try {
    const [workedNs, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return { workedMs: workedNs / 1e6, waitedMs: waitedNs / 1e6 };
  } catch {
    const { user, system } = process.cpuUsage();
    return { workedMs: (user + system) / 1_000, waitedMs: 0 };
  }
}

const begun = new WeakMap();
/** Requests, by kind; and the longest time without a turn for others. */
let requests = {};
let longestBlockMs = 0;

subscribe("http.server.request.start", ({ request }) => {
  if (request.headers["x-kind"]) begun.set(request, { ...mainThread(), startMs: performance.now() });
});
subscribe("http.server.response.finish", ({ request }) => {
  const start = begun.get(request);
  if (start === undefined) return;
  const kind = request.headers["x-kind"];
  const { workedMs, waitedMs } = mainThread();
  const totalMs = performance.now() - start.startMs;
  const measured = { totalMs, workedMs: workedMs - start.workedMs, waitedMs: waitedMs - start.waitedMs };
  requests[kind] ??= [];
  requests[kind].push(measured);
});

let lastMs = mainThread().workedMs;
setInterval(() => {
  const nowMs = mainThread().workedMs;
  longestBlockMs = Math.max(longestBlockMs, nowMs - lastMs);
  lastMs = nowMs;
}, lookMs).unref();

process.on("message", async ({ snapshot }) => {
  const measured = { requests, longestBlockMs };
  // Finalizers run between two collections.
  for (let i = 0; i < collections; i++) {
    globalThis.gc();
    await sleep(50);
  }
  const { heapUsed, rss } = process.memoryUsage();
  // Timers come and go; sockets, files, connections and requests of the file system must not.
  const handles = process.getActiveResourcesInfo().filter((name) => !/^(Timeout|Immediate)$/.test(name));
  process.send({ heapUsed, rss, handles: handles.sort(), ...measured });
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  requests = {};
  longestBlockMs = 0;
});
// Does not keep the process alive.
process.channel.unref();
