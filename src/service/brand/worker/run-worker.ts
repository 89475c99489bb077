/** The loop of a worker: takes messages from a queue, stores their pictures, and acknowledges them after the commit. */
import { messageOf } from "../../../core/message-of.ts";
import { DependencyUnavailableError } from "../../../errors.ts";
import type { Delivery } from "../../../queue/port.ts";
import { createPauses, type Pauses } from "./pauses.ts";
import { forgetQueuedPicture, removeLeftPictures } from "./queued-pictures.ts";
import { createTurns, type Turn, type Turns } from "./turns.ts";
import { encodeLookbackMessage } from "./work-message.ts";
import { type WorkOutcome, workOnMessage } from "./work-on-message.ts";
import {
  resolveWorkerOptions,
  type WorkerCounts,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerSettings,
} from "./worker-options.ts";

/** Maximum wait of one `take`, in milliseconds. */
const takeWaitMs = 5_000;

/** Time between two looks for pictures that belong to no message, in milliseconds. */
const sweepMs = 3_600_000;

/** Time between two looks for pending lookbacks, in milliseconds, and the parts of them that are put on the queue each time. */
const lookbackMs = 5_000;
const lookbackRanges = 32;

/** Pause before a message that failed is delivered again, for its first try and at most, in milliseconds. */
const retryMs = { first: 1_000, max: 60_000 };

/**
 * Works on the messages of a queue until it is stopped. A picture is described once and stored for each of its accounts;
 * pending lookbacks are put on the queue in parts, so that all workers share them. A message is acknowledged after the commit, so that whatever is interrupted is delivered again and stored once. A
 * message that was delivered before runs alone, so that one that ends the process takes no other with it, and is set aside
 * after `maxTries`. An outage of store or queue counts as no try.
 *
 * @returns the numbers of messages, when `signal` was aborted and the last message is finished or put back
 * @throws {RangeError} for an invalid option
 * @example
 * ```ts
 * const queue = createMemoryQueue();
 * const edge = createEdge();
 * const stop = new AbortController();
 * stop.abort();
 * const report = await runWorker({ queue, edge, signal: stop.signal });
 * report.done; // => 0
 * ```
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerCounts> {
  const settings = resolveWorkerOptions(options);
  const { slots, signal, drainMs, maxPauseMs } = settings;
  const report = { done: 0, failed: 0, dead: 0 };
  const drained = new AbortController();
  const turns = createTurns();
  const run: Run = {
    ...settings,
    turns,
    pauses: createPauses(maxPauseMs),
    drained: drained.signal,
    sweptMs: Number.NEGATIVE_INFINITY,
    sharedMs: Number.NEGATIVE_INFINITY,
    emit: (event) => {
      if (event.type in report) report[event.type as keyof WorkerCounts]++;
      settings.onEvent(event);
    },
  };
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    turns.stop();
    timer ??= setTimeout(() => drained.abort(), drainMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    // A defect in one slot stops the others, too.
    const failing = Array.from({ length: slots }, () =>
      runSlot(run).catch((error: unknown) => {
        stop();
        throw error;
      }),
    );
    const ended = await Promise.allSettled(failing);
    for (const slot of ended) if (slot.status === "rejected") throw slot.reason;
    return report;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** The state of a running worker. */
interface Run extends WorkerSettings {
  readonly turns: Turns;
  readonly pauses: Pauses;
  /** Aborted when the time of the last messages is over. */
  readonly drained: AbortSignal;
  readonly emit: (event: WorkerEvent) => void;
  /** When pictures without a message were last looked for. */
  sweptMs: number;
  /** When parts of lookbacks were last put on the queue. */
  sharedMs: number;
}

async function runSlot(run: Run): Promise<void> {
  for (;;) {
    const turn = await run.turns.begin();
    if (!turn) return;
    try {
      const delivery = await take(run, turn);
      if (delivery) await handle(run, turn, delivery);
    } finally {
      turn.end();
    }
  }
}

/** The next message; undefined when there is none, the turn should end, or the queue cannot be reached. */
async function take(run: Run, { signal }: Turn): Promise<Delivery | undefined> {
  try {
    await shareLookbacks(run);
    const delivery = await run.queue.take({ waitMs: takeWaitMs, signal });
    // The store may still be cut off: the outcome of the message shows it.
    if (delivery) return delivery;
    run.pauses.reset();
    if (!signal.aborted) await sweep(run);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    await pauseAfter(run, error, signal);
    return undefined;
  }
}

/** Removes from time to time, while there is no work, what killed processes left. */
async function sweep(run: Run): Promise<void> {
  const now = performance.now();
  if (now - run.sweptMs < sweepMs) return;
  run.sweptMs = now;
  await removeLeftPictures(run.edge.store, run.queue, run.queueName);
}

/** Puts parts of pending lookbacks on the queue from time to time, so that all workers search; those that wait stay. */
async function shareLookbacks(run: Run): Promise<void> {
  const now = performance.now();
  if (now - run.sharedMs < lookbackMs) return;
  run.sharedMs = now;
  for (const range of await run.edge.brand.lookbacks.pendingRanges(lookbackRanges)) {
    const { part = "logos", account, queryId, from, to } = range;
    await run.queue.put(encodeLookbackMessage(range), {
      key: `lookback ${part === "logos" ? "" : `${part} `}${account} ${queryId} ${from} ${to}`,
    });
  }
}

/** Reports an outage and waits. @throws every other error */
async function pauseAfter({ emit, pauses }: Run, error: unknown, signal: AbortSignal): Promise<void> {
  if (!(error instanceof DependencyUnavailableError)) throw error;
  emit({ type: "outage", reason: error.message });
  await pauses.wait(signal);
}

/** Works on a message while it is extended, and finishes it. */
async function handle(run: Run, turn: Turn, delivery: Delivery): Promise<void> {
  const lost = new AbortController();
  const extending = setInterval(() => extend(delivery, lost), run.ackWaitMs / 3);
  const onDrained = () => lost.abort();
  run.drained.addEventListener("abort", onDrained, { once: true });
  try {
    const isMyTurn = !run.signal.aborted && (delivery.tries === 0 || (await turn.alone()));
    const start = performance.now();
    const outcome = isMyTurn ? await work(run, delivery, lost.signal) : aborted;
    await finish(run, delivery, outcome, start);
  } finally {
    clearInterval(extending);
    run.drained.removeEventListener("abort", onDrained);
  }
}

const aborted: WorkOutcome = { type: "aborted" };

/** Extends a message, or aborts its work when it was delivered to another worker. */
function extend(delivery: Delivery, lost: AbortController): void {
  delivery.extend().then(
    (isMine) => {
      if (!isMine) lost.abort();
    },
    // An outage: the message may be delivered again, and is stored once even so.
    () => {},
  );
}

async function work(
  { edge, emit, maxTries }: Run,
  { tries, body }: Delivery,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  if (tries >= maxTries) return { type: "invalid", reason: unfinished(tries) };
  const onStep = (step: "describe" | "store", ms: number) => emit({ type: "step", step, ms });
  const outcome = await workOnMessage(edge, body, { signal, onStep });
  if (outcome.type !== "failed" || tries + 1 < maxTries) return outcome;
  return { type: "invalid", reason: `${maxTries} tries failed; the last one: ${outcome.reason}` };
}

function unfinished(tries: number): string {
  return `${tries} deliveries were not finished: the processes that worked on the message ended, or did not answer in time.`;
}

/** Tells the queue the outcome, and what it was to the observer. */
async function finish(run: Run, delivery: Delivery, outcome: WorkOutcome, start: number): Promise<void> {
  const { emit, pauses } = run;
  const { id, tries } = delivery;
  if (outcome.type === "outage") {
    emit({ type: "outage", reason: outcome.reason });
    await acknowledge(run, delivery, () => delivery.retry({ counts: false }));
    return pauses.wait(run.drained);
  }
  pauses.reset();
  const isMine = await acknowledge(run, delivery, () => acknowledgement(delivery, outcome));
  if (isMine === undefined) return;
  if (!isMine) return emit({ type: "late", id });
  if (outcome.type === "done") {
    const { fresh, matches, blob } = outcome;
    emit({ type: "done", id, tries, fresh, matches, ms: performance.now() - start });
    if (blob !== undefined) await forgetQueuedPicture(run.edge.store, blob);
  } else if (outcome.type === "invalid") emit({ type: "dead", id, reason: outcome.reason });
  else if (outcome.type === "failed") emit({ type: "failed", id, tries, reason: outcome.reason });
  else emit({ type: "returned", id });
}

function acknowledgement(delivery: Delivery, outcome: WorkOutcome): Promise<boolean> {
  if (outcome.type === "done") return delivery.done();
  if (outcome.type === "invalid") return delivery.bury(outcome.reason);
  if (outcome.type === "aborted") return delivery.retry({ counts: false });
  return delivery.retry({ delayMs: Math.min(retryMs.first * 2 ** delivery.tries, retryMs.max) });
}

/**
 * Calls a function of a message until the queue answers, however late: a queue that could not be reached then knows that
 * the worker did not crash. Undefined when the worker must end before, and when the queue fails otherwise: the message is
 * then delivered again.
 */
async function acknowledge(
  run: Run,
  { id, tries }: Delivery,
  call: () => Promise<boolean>,
): Promise<boolean | undefined> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof DependencyUnavailableError)) {
        const reason = `The queue has failed: ${messageOf(error)}`;
        run.emit({ type: "failed", id, tries, reason });
        return undefined;
      }
      if (run.drained.aborted) return undefined;
      await pauseAfter(run, error, run.drained);
    }
  }
}
