/** Runs calls with hostile arguments in a thread, which its parent ends when a call does not. */
import { parentPort, workerData } from "node:worker_threads";
import { createRandom, hostileCall } from "./hostile-values.ts";
import { undocumented } from "./outcome.ts";
import { allTargets } from "./targets.ts";
import { plainErrors } from "./valid-calls.ts";

/** The message of the parent: the calls of a run, and where the number of the current one is. */
export interface FuzzOrder {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly current: Int32Array<SharedArrayBuffer>;
}

/** A call, before it is made, and again when its outcome is not documented. */
export interface FuzzFinding {
  readonly call: number;
  /** The function, and the change of its arguments. */
  readonly text: string;
  /** Absent for the announcement of a call. */
  readonly outcome?: string;
}

const { seed, from, to, current } = workerData as FuzzOrder;
const targets = await allTargets();

let described = "";

/** Before the call, so that the parent knows which one does not end. */
function announce(call: number, name: string, change: string): void {
  described = `${name}${change}`;
  parentPort?.postMessage({ call, text: described } satisfies FuzzFinding);
}

function report(call: number, outcome: string): void {
  parentPort?.postMessage({ call, text: described, outcome } satisfies FuzzFinding);
}

process.on("unhandledRejection", (error) =>
  report(Atomics.load(current, 0), `a rejection that is not handled: ${undocumented(error) ?? error}`),
);

/** Maximum number of values that an iterable result is read for. */
const maxRead = 100;

async function settle(result: unknown): Promise<void> {
  const value = await result;
  if (typeof value !== "object" || value === null || !("next" in value) || typeof value.next !== "function")
    return;
  for (let read = 0; read < maxRead; read++) if ((await value.next()).done) return;
}

for (let call = from; call < to; call++) {
  Atomics.store(current, 0, call);
  Atomics.notify(current, 0);
  const random = createRandom(seed, call);
  const target = targets[random(targets.length)]!;
  const { args, change } = hostileCall(random, target.valid, target.positions);
  announce(call, target.name, change);
  try {
    await settle(target.call(...args));
  } catch (error) {
    const found = undocumented(error, plainErrors.test(target.name));
    if (found !== undefined) report(call, found);
  }
}
Atomics.store(current, 0, to);
parentPort?.postMessage("end");
parentPort?.close();
