/** Limits how much asynchronous work runs at a time; the rest waits in the order of its arrival. */

export interface Semaphore {
  /**
   * Runs the work as soon as its weight fits beside that of the running work; settles as the work does.
   *
   * @param weight share of the maximum that the work takes, 1 by default; values above the maximum count as the maximum
   */
  run<T>(work: () => Promise<T>, weight?: number): Promise<T>;
  /** Whether new work of weight 1 would wait behind `queued` others or more. */
  isFull(queued: number): boolean;
}

/** Work that waits. */
interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** @param maxRunning weight of all work that runs at a time; values below 1 count as 1 */
export function createSemaphore(maxRunning: number): Semaphore {
  const max = Math.max(1, maxRunning);
  const waiting: Waiting[] = [];
  let free = max;

  async function acquire(weight: number): Promise<void> {
    if (waiting.length === 0 && free >= weight) free -= weight;
    else await new Promise<void>((start) => waiting.push({ weight, start }));
  }

  /** Weight passes directly to the next in the queue, so that work that arrives in between cannot take it. */
  function release(weight: number): void {
    free += weight;
    for (let next = waiting[0]; next && free >= next.weight; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.start();
    }
  }

  return {
    run: async (work, weight = 1) => {
      const taken = Math.min(max, Math.max(0, weight));
      await acquire(taken);
      try {
        return await work();
      } finally {
        release(taken);
      }
    },
    isFull: (queued) => free < 1 && waiting.length >= queued,
  };
}
