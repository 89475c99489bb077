/** Runs tasks in worker threads. A thread that ends unexpectedly rejects its task and is replaced. */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Piscina } from "piscina";
import { messageOf } from "../core/message-of.ts";
import { requirePackage } from "../core/platform/require-package.ts";
import { DependencyUnavailableError } from "../errors.ts";
import type { Compute } from "../service/compute.ts";
import type { TaskMessage, TaskOutcome } from "./messages.ts";

/** Tasks that wait for a thread; further ones are rejected. `chosen` */
const maxQueued = 256;
/** Memory of a thread for JavaScript values, in MiB. `chosen` */
const maxHeapMiB = 1_024;

/** Options of a pool. */
export interface ThreadPoolOptions {
  /** Maximum number of threads, from 1. One starts at once and prepares the engine; the others when tasks wait. */
  readonly threads: number;
  /** Maximum number of tasks that wait. Default 256. */
  readonly queued?: number;
  /** Memory of a thread for JavaScript values, in MiB; pixels and templates are not part of it. Default 1,024. */
  readonly heapMiB?: number;
  /** The module of a thread; by default that of this package. */
  readonly module?: URL;
}

/** Creates a pool, which starts when it is prepared or has its first task. */
export function createThreadPool(options: ThreadPoolOptions): Compute {
  const { queued = maxQueued } = options;
  let pool: Piscina | undefined;
  let isClosed = false;
  /** The pool; another one after one whose threads could not start, which has none. */
  const start = (): Piscina => {
    if (!pool?.threads.length) pool = startPool({ ...options, queued });
    return pool;
  };
  return {
    prepare: () => {
      try {
        start();
      } catch {
        // A pool that cannot start is reported by its tasks.
      }
    },
    run: async (task, input, signal) => {
      signal?.throwIfAborted();
      if (isClosed) throw new Error(`The task \`${task.name}\` was not run: the worker threads are closed.`);
      const pool = start();
      const stopped = new Int32Array(new SharedArrayBuffer(4));
      const message: TaskMessage = { name: task.name, input, stopped };
      const result = pool.run(message) as Promise<TaskOutcome>;
      const outcome = await untilAborted(result, stopped, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw failureOf(task.name, error, queued, !isClosed && pool.threads.length === 0);
      });
      signal?.throwIfAborted();
      if (!outcome.ok) throw outcome.isOutage ? outageOf(outcome.error) : outcome.error;
      return outcome.output as never;
    },
    close: async () => {
      isClosed = true;
      await pool?.destroy();
    },
  };
}

function startPool({
  threads,
  queued = maxQueued,
  heapMiB = maxHeapMiB,
  module = threadModule(),
}: ThreadPoolOptions): Piscina {
  const { Piscina } = requirePackage<typeof import("piscina")>("piscina");
  const pool = new Piscina({
    filename: module.href,
    minThreads: 1,
    maxThreads: threads,
    maxQueue: queued,
    // A prepared thread is kept.
    idleTimeout: Number.POSITIVE_INFINITY,
    atomics: "disabled",
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    // The options of the process, such as `--input-type`, are not for threads.
    execArgv: [],
  });
  pool.on("error", () => {
    // A thread that ends without a task is replaced, unless it could not even start: then waiting tasks are rejected.
    if (pool.threads.length === 0) void pool.destroy();
  });
  return pool;
}

const require = createRequire(import.meta.url);

function threadModule(): URL {
  const root = pathToFileURL(require.resolve("edgeproof/package.json"));
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "scripts/source-thread.mjs" : "dist/threads/thread.js", root);
}

/** Rejects with the abort reason as soon as the signal is aborted; the thread stops at its next step. */
function untilAborted<T>(
  result: Promise<T>,
  stopped: Int32Array,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return result;
  return new Promise((resolve, reject) => {
    const stop = () => {
      Atomics.store(stopped, 0, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Codes of threads that cannot start; a task reports its own errors as outcomes. */
const startCodes: ReadonlySet<unknown> = new Set([
  "EAGAIN",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ERR_DLOPEN_FAILED",
  "ERR_MODULE_NOT_FOUND",
  "ERR_WORKER_INIT_FAILED",
  "MODULE_NOT_FOUND",
]);

/** An outage that a task has reported from its thread. */
function outageOf(error: unknown): DependencyUnavailableError {
  return new DependencyUnavailableError((error as Error).message, { cause: error });
}

/** The error of a task that no thread has finished. @param isWithoutThreads whether the pool has none any more */
function failureOf(name: string, error: unknown, queued: number, isWithoutThreads: boolean): Error {
  const reason = messageOf(error);
  if (/^Task queue is at limit|^No task queue available/.test(reason))
    return new DependencyUnavailableError(
      `At most ${queued} tasks may wait for a worker thread; try again later.`,
    );
  if (isWithoutThreads || startCodes.has((error as NodeJS.ErrnoException).code))
    return new DependencyUnavailableError(`No worker thread could start for the task \`${name}\`.`, {
      cause: error,
    });
  return new Error(`The worker thread of the task \`${name}\` ended: ${reason}.`, { cause: error });
}
