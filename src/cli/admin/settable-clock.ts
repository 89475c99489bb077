/** The clock of a server that clients can set. */
import type { Clock } from "../../service/time.ts";

/** A clock that goes on by itself, from the time to which it was set. */
export interface SettableClock {
  readonly now: Clock;
  /** Sets the time, in milliseconds since 1970. @returns whether it is one of {@link timeRange} */
  set(ms: number): boolean;
  /** Returns to the time of the system. @returns a function that reverts that */
  reset(): () => void;
}

/** The times to which the clock can be set, in milliseconds since 1970: the years 1970 to 9998, which RFC 3339 can write. */
export const timeRange = { min: 0, max: Date.UTC(9999, 0) };

/** Creates the clock. */
export function createSettableClock(system: Clock = Date.now): SettableClock {
  let offset = 0;
  return {
    now: () => system() + offset,
    set: (ms) => {
      if (!(ms >= timeRange.min && ms <= timeRange.max)) return false;
      offset = ms - system();
      return true;
    },
    reset: () => {
      const earlier = offset;
      offset = 0;
      return () => {
        offset = earlier;
      };
    },
  };
}
