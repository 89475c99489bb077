/**
 * Measures the longest block of this thread by its processor time, which other processes on the machine do not change:
 * the time that the thread has used from one turn of the event loop to the next.
 */
import { closeSync, openSync, readSync } from "node:fs";

/** Nanoseconds of processor time of the main thread. Linux only. */
function createThreadClock(): { read(): number; close(): void } {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const buffer = Buffer.alloc(64);
  return {
    read: () => {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      return Number(buffer.toString("latin1", 0, length).split(" ")[0]);
    },
    close: () => closeSync(file),
  };
}

/** Runs work; returns the longest block in milliseconds of processor time. */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  const clock = createThreadClock();
  let longest = 0;
  let last = clock.read();
  let isOver = false;
  const tick = () => {
    if (isOver) return;
    const now = clock.read();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
    // The turn in which the work ended counts.
    await new Promise((resume) => setImmediate(resume));
    tick();
  } finally {
    isOver = true;
    clock.close();
  }
  return longest / 1e6;
}

/** Source maps, which the loader of this benchmark enables, are read in a tenth of a second at the first error of a module. */
export function withoutSourceMaps(): void {
  process.setSourceMapsEnabled(false);
}
