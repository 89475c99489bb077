/**
 * Loaded into a server under test: measures it when its parent asks. Needs `--expose-gc`. Requests with the header `x-kind` are
 * measured in processor time of the process from their begin to their end: other processes of the machine are not in it.
 */
import { subscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { writeHeapSnapshot } from "node:v8";

const collections = 6;
const lookMs = 5;

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const begun = new WeakMap();
/** Milliseconds of requests, by kind; and the longest time without a turn for others. */
let requests = {};
let longestBlockMs = 0;

subscribe("http.server.request.start", ({ request }) => {
  if (request.headers["x-kind"]) begun.set(request, processorMs());
});
subscribe("http.server.response.finish", ({ request }) => {
  const start = begun.get(request);
  if (start === undefined) return;
  const kind = request.headers["x-kind"];
  requests[kind] ??= [];
  requests[kind].push(processorMs() - start);
});

let lastMs = processorMs();
setInterval(() => {
  const nowMs = processorMs();
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
