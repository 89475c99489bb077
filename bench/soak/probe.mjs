/** Loaded into the server of a soak test: measures it when its parent asks. Needs `--expose-gc`. */
import { setTimeout as sleep } from "node:timers/promises";

const collections = 6;

process.on("message", async () => {
  // Finalizers run between two collections.
  for (let i = 0; i < collections; i++) {
    globalThis.gc();
    await sleep(50);
  }
  const { heapUsed, rss } = process.memoryUsage();
  // Timers come and go; sockets, files, connections and requests of the file system must not.
  const handles = process
    .getActiveResourcesInfo()
    .filter((name) => name !== "Timeout" && name !== "Immediate");
  process.send({ heapUsed, rss, handles: handles.sort() });
});
// Does not keep the process alive.
process.channel.unref();
