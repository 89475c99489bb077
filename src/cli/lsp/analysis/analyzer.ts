/**
 * Analyzes texts in a worker thread, one at a time. A newer version of the text under analysis ends the thread: an
 * analysis cannot be interrupted otherwise, and its result would be of no use.
 */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { BufferAnalysis, BufferJob } from "./analyze-buffer.ts";

/** The outcome of an analysis: its findings, or why there are none. */
export type AnalysisMessage = Pick<BufferJob, "uri" | "version"> &
  ((BufferAnalysis & { readonly processorMs: number }) | { readonly failure: string });

/** A queue of texts in front of a thread. */
export interface Analyzer {
  /** Starts the thread before the first text. */
  prepare(): void;
  /** Analyzes a text instead of earlier versions of it. */
  analyze(job: BufferJob): void;
  /** Forgets a document. */
  cancel(uri: string): void;
  close(): Promise<void>;
}

/** The message of a thread that has loaded its code. */
export type Loaded = "loaded";

/** Maximum time of an analysis, in milliseconds. The start of the thread before it takes long on a busy machine. `chosen` */
const maxMs = 10_000;

/** Memory of the thread for JavaScript values, in MiB. `chosen` */
const maxHeapMiB = 1_024;

export function createAnalyzer(onResult: (message: AnalysisMessage) => void): Analyzer {
  const waiting = new Map<string, BufferJob>();
  let thread: Worker | undefined;
  let current: BufferJob | undefined;
  let isLoaded = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = startThread();
    isLoaded = false;
    started.on("message", (message: AnalysisMessage | Loaded) => {
      if (thread !== started) return;
      if (message !== "loaded") return finish(message);
      isLoaded = true;
      limitTime();
    });
    const onEnd = (reason: string) => {
      if (thread !== started) return;
      thread = undefined;
      if (current) finish({ uri: current.uri, version: current.version, failure: reason });
    };
    started.on("error", (error) => onEnd(String(error.message)));
    started.on("exit", () => onEnd("the thread ended"));
    return started;
  }

  function finish(message: AnalysisMessage): void {
    clearTimeout(timer);
    current = undefined;
    onResult(message);
    next();
  }

  function stop(): void {
    const stopped = thread;
    clearTimeout(timer);
    thread = undefined;
    current = undefined;
    void stopped?.terminate();
  }

  function next(): void {
    const [job] = waiting.values();
    if (current || !job) return;
    waiting.delete(job.uri);
    current = job;
    thread ??= start();
    thread.postMessage(job);
    if (isLoaded) limitTime();
  }

  function limitTime(): void {
    if (!current) return;
    const { uri, version } = current;
    timer = setTimeout(() => {
      stop();
      finish({ uri, version, failure: `it was stopped after ${maxMs} ms` });
    }, maxMs).unref();
  }

  function cancel(uri: string): void {
    waiting.delete(uri);
    if (current?.uri !== uri) return;
    stop();
    // It starts while the user types.
    thread = start();
  }

  return {
    prepare: () => {
      thread ??= start();
    },
    analyze: (job) => {
      cancel(job.uri);
      waiting.set(job.uri, job);
      next();
    },
    cancel: (uri) => {
      cancel(uri);
      next();
    },
    close: async () => {
      waiting.clear();
      const last = thread;
      stop();
      await last?.terminate();
    },
  };
}

const require = createRequire(import.meta.url);

function startThread(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  // This file is in a chunk of the build, the thread is not.
  const root = pathToFileURL(require.resolve("edgeproof/package.json"));
  const path = isSource ? "src/cli/lsp/analysis/thread.ts" : "dist/cli/lsp/analysis/thread.js";
  const module = new URL(path, root);
  // Node 20 compiles no sources by itself.
  const source = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(module.href)}); });`;
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } };
  return isSource ? new Worker(source, { ...options, eval: true }) : new Worker(module, options);
}
