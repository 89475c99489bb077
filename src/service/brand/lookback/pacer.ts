/** Returns to the event loop from time to time in a long computation, so that it is never held for long. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Maximum time that a computation holds the event loop between two calls of its pacer, in milliseconds. `chosen` */
const maxHeldMs = 10;

/** Called between two steps of a computation: waits for the next turn of the event loop when this one has been long. */
export type Pace = () => Promise<void> | undefined;

/** Creates the pacer of a computation that begins now. */
export function createPacer(): Pace {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxHeldMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
