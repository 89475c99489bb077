/** Whether the store answers and takes writes, for probes. */
import { worldScope } from "../../store/records/world.ts";
import type { QueuedStore } from "../context.ts";

/** The health of a store. */
export interface HealthService {
  /**
   * Whether the store answers a read now, and has done a write in the last 10 s: one of any use case, or else a trial, which
   * is made at most every 10 s for all callers.
   */
  isReady(): Promise<boolean>;
}

/** Time within which the store must answer a read and a write, in milliseconds (`chosen`). */
const maxStoreMs = 5_000;

/** Minimum time from one trial write to the next, in milliseconds (`spec`). */
const writeEveryMs = 10_000;

/** The sequence that a trial write counts up: a row of its own, which no other write waits for. */
const trialSequence = "health";

/**
 * A store whose writes are evidence of its health: behind a long queue a trial would be late, although the store works.
 *
 * @param nowMs a clock that is never set, unlike that of the records
 */
export function watchHealth(
  store: QueuedStore,
  nowMs: () => number = () => performance.now(),
): { readonly store: QueuedStore; readonly health: HealthService } {
  let writtenMs = Number.NEGATIVE_INFINITY;
  let triedMs = Number.NEGATIVE_INFINITY;
  let trial: Promise<boolean> | undefined;
  let isTrying = false;

  const watched: QueuedStore = {
    ...store,
    write: async (work, options) => {
      const result = await store.write(work, options);
      writtenMs = nowMs();
      return result;
    },
  };

  const hasWritten = () => nowMs() - writtenMs < writeEveryMs;

  async function takesWrites(): Promise<boolean> {
    if (hasWritten()) return true;
    if (!trial || !(isTrying || nowMs() - triedMs < writeEveryMs)) {
      triedMs = nowMs();
      isTrying = true;
      const write = watched.write((tx) => tx.sequence(worldScope, trialSequence), { queue: trialSequence });
      trial = inTime(
        succeeds(write).finally(() => {
          isTrying = false;
        }),
      );
    }
    return (await trial) || hasWritten();
  }

  return {
    store: watched,
    health: {
      isReady: async () => {
        const read = inTime(succeeds(store.read((tx) => tx.count("api_tokens", worldScope))));
        return (await Promise.all([read, takesWrites()])).every((isDone) => isDone);
      },
    },
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** False when the work takes too long. */
function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), maxStoreMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
