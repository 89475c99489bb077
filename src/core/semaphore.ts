/** Limits how many pieces of asynchronous work run at a time; the others wait in the order of their arrival. */

export interface Semaphore {
  /** Runs the work as soon as fewer than the maximum run; settles as the work does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether new work would wait behind `queued` others or more. */
  isFull(queued: number): boolean;
}

/** @param maxRunning number of pieces of work that run at a time; values below 1 count as 1 */
export function createSemaphore(maxRunning: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = Math.max(1, maxRunning);

  async function acquire(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** A permit passes directly to the next in the queue, so that work that arrives in between cannot take it. */
  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    run: async (work) => {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    isFull: (queued) => free === 0 && waiting.length >= queued,
  };
}
