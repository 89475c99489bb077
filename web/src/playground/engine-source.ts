/** Data from engines in workers of this page: nothing is sent. The other source of data is the server part. */
import type { EngineAnswer, EngineRequest, Progress } from "../../../src/workbench/playground-messages.ts";
import { DataError, type DataSource } from "../data.ts";

/** The script of the page is that of the worker too: in a worker it starts the engines, and nothing is in it twice. */
const script = document.currentScript?.textContent ?? "";

/** The text of the rules, read with each request, and replaced by one that changes it. */
export interface RulesText {
  value: string;
}

/** A worker, and what waits for its answers. */
interface Engine {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
}

interface Pending {
  readonly resolve: (answer: EngineAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Long questions, which can be stopped: that ends their worker. Each has one of its own, so that no other waits for it. */
const stoppable: ReadonlySet<string> = new Set([
  "draft",
  "compare",
  "report",
  "suite",
  "names/match",
  "names/variants",
]);

/** Creates the source. */
export function createEngineSource(rules: RulesText): DataSource {
  const engines = new Map<string, Engine>();
  let lastId = 0;

  const ask = async (
    sent: Pick<EngineRequest, "name" | "query" | "body">,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<unknown> => {
    signal?.throwIfAborted();
    const kind = stoppable.has(sent.name) ? sent.name : "quick";
    const engine = engines.get(kind) ?? start(() => engines.delete(kind));
    engines.set(kind, engine);
    const id = ++lastId;
    const answer = await new Promise<EngineAnswer>((resolve, reject) => {
      engine.pending.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => {
        if (!engine.pending.has(id)) return;
        engines.delete(kind);
        end(engine, new DOMException("The work was stopped.", "AbortError"));
      });
      engine.worker.postMessage({ id, ...sent, text: rules.value } satisfies EngineRequest);
    });
    if (answer.rejection)
      throw new DataError(answer.rejection.message, answer.status ?? 500, answer.rejection.problems);
    if (answer.text !== undefined) rules.value = answer.text;
    return answer.result;
  };

  return {
    read: (name, query) => ask({ name, query, body: undefined }),
    send: (name, body, signal, onProgress) => ask({ name, query: {}, body }, signal, onProgress),
  };
}

function start(onEnd: () => void): Engine {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const engine: Engine = { worker: new Worker(address), pending: new Map() };
  engine.worker.onmessage = ({ data }: MessageEvent<EngineAnswer>) => {
    URL.revokeObjectURL(address);
    const asked = engine.pending.get(data.id);
    if (data.progress) return asked?.onProgress?.(data.progress);
    engine.pending.delete(data.id);
    asked?.resolve(data);
  };
  engine.worker.onerror = ({ message }) => {
    onEnd();
    end(engine, new DataError(`The engines of the page cannot run: ${message}`, 0));
  };
  return engine;
}

function end({ worker, pending }: Engine, error: Error): void {
  worker.terminate();
  for (const { reject } of pending.values()) reject(error);
  pending.clear();
}
