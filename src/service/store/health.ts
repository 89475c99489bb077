/** Whether the store answers and takes writes, for probes. */
import type { Store } from "../../store/port.ts";
import { worldScope } from "../../store/records/world.ts";
import type { Clock } from "../time.ts";

/** The health of a store. */
export interface HealthService {
  /** Whether the store answers now and took its last trial write, which is made at most every 10 s for all callers. */
  isHealthy(): Promise<boolean>;
}

/** Time within which the store must answer a read and a write, in milliseconds (`chosen`). */
const maxStoreMs = 5_000;

/** Minimum time from one trial write to the next, in milliseconds (`spec`). */
const writeEveryMs = 10_000;

/** The sequence that a trial write counts up: a row of its own, which no other write waits for. */
const trialSequence = "health";

export function healthService({ store, clock }: { store: Store; clock: Clock }): HealthService {
  let writtenMs = Number.NEGATIVE_INFINITY;
  let written: Promise<boolean> | undefined;
  let isWriting = false;

  function write(): Promise<boolean> {
    if (written && (isWriting || clock() - writtenMs < writeEveryMs)) return written;
    writtenMs = clock();
    isWriting = true;
    const trial = succeeds(store.write((tx) => tx.sequence(worldScope, trialSequence))).finally(() => {
      isWriting = false;
    });
    written = inTime(trial);
    return written;
  }

  return {
    isHealthy: async () => {
      const read = inTime(succeeds(store.read((tx) => tx.count("api_tokens", worldScope))));
      return (await Promise.all([read, write()])).every((isDone) => isDone);
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
