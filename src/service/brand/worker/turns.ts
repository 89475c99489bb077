/**
 * The turns of the slots of a worker: many at a time, or one alone for a message that was delivered before, so that one
 * that ends the process takes no other with it.
 */

/** A turn of a slot: it may take one message and work on it. */
export interface Turn {
  /** Aborted when the slot should stop waiting for a message. */
  readonly signal: AbortSignal;
  /**
   * Waits until the other turns have ended; no other begins meanwhile. False when another one already is alone, or waits
   * for it.
   */
  alone(): Promise<boolean>;
  end(): void;
}

export interface Turns {
  /** Waits while a turn is alone; undefined after `stop`. */
  begin(): Promise<Turn | undefined>;
  /** Ends the waits for messages; no turn begins any more. */
  stop(): void;
}

export function createTurns(): Turns {
  let waits = new AbortController();
  let isStopped = false;
  let running = 0;
  let single: object | undefined;
  let waiters: (() => void)[] = [];

  const change = () => new Promise<void>((resolve) => waiters.push(resolve));

  function notify(): void {
    const all = waiters;
    waiters = [];
    for (const wake of all) wake();
  }

  function begin(): Turn {
    const self = {};
    running++;
    return {
      signal: waits.signal,
      alone: async () => {
        if (single) return false;
        single = self;
        waits.abort();
        while (running > 1) await change();
        return true;
      },
      end: () => {
        running--;
        if (single === self) {
          single = undefined;
          if (!isStopped) waits = new AbortController();
        }
        notify();
      },
    };
  }

  return {
    begin: async () => {
      while (single && !isStopped) await change();
      return isStopped ? undefined : begin();
    },
    stop: () => {
      isStopped = true;
      waits.abort();
      notify();
    },
  };
}
