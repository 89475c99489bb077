/** Runs calls with hostile arguments in a thread, which its parent ends when a call does not. */
import { parentPort, workerData } from "node:worker_threads";
import { allHostile, createRandom, type HostileCall, singleChanges } from "./hostile-values.ts";
import { undocumented } from "./outcome.ts";
import { allTargets, type Target } from "./targets.ts";
import { plainErrors } from "./valid-calls.ts";

/** The message of the parent: the calls of a run, and where the number of the current one is. */
export interface FuzzOrder {
  readonly seed: number;
  /** The first call; those before it were made by other threads. */
  readonly from: number;
  readonly count: FuzzCount;
  readonly current: Int32Array<SharedArrayBuffer>;
}

/** How many calls there are. */
export interface FuzzCount {
  /** Calls with one change of valid arguments; `all` is each of them once. */
  readonly changed: number | "all";
  /** Calls whose arguments are all hostile. */
  readonly hostile: number;
}

/** A call, before it is made, and again when its outcome is not documented. */
export interface FuzzFinding {
  readonly call: number;
  /** The function, and the change of its arguments. */
  readonly text: string;
  /** Absent for the announcement of a call. */
  readonly outcome?: string;
}

/** All calls were made. */
export interface FuzzEnd {
  readonly calls: number;
}

const { seed, from, count, current } = workerData as FuzzOrder;
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

interface Call extends HostileCall {
  readonly target: Target;
}

const changes = targets.flatMap((target) =>
  singleChanges(target.valid ?? [], target.positions).map((make) => () => ({ target, ...make() })),
);
const changed = count.changed === "all" ? changes.length : count.changed;

function callOf(number: number): Call {
  const random = createRandom(seed, number);
  if (number < changed) return changes[count.changed === "all" ? number : random(changes.length)]!();
  const target = targets[random(targets.length)]!;
  return { target, ...allHostile(random, Math.max(target.positions, target.valid?.length ?? 0, 1)) };
}

const end = changed + count.hostile;
for (let number = from; number < end; number++) {
  Atomics.store(current, 0, number);
  Atomics.notify(current, 0);
  const { target, args, change } = callOf(number);
  announce(number, target.name, change);
  try {
    await settle(target.call(...args));
  } catch (error) {
    const found = undocumented(error, plainErrors.test(target.name));
    if (found !== undefined) report(number, found);
  }
}
parentPort?.postMessage({ calls: end } satisfies FuzzEnd);
parentPort?.close();
