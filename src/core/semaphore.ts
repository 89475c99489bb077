/** Lets a few pieces of work run at a time; the others wait in the order in which they came. */

export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether work that comes now would wait behind as many others as given, or more. */
  isFull(queued: number): boolean;
}

/** @param width how many run at a time; at least one does */
export function createGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let free = Math.max(1, width);

  async function enter(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** A place goes from hand to hand, so that nobody who comes in between takes it. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    isFull: (queued) => free === 0 && waiting.length >= queued,
  };
}
