/** The engines of the playground in a worker of the browser: one message for each request of the page. */
import { queryOf } from "../data/data-endpoint.ts";
import { rejectionOf } from "../guard/request-fault.ts";
import type { EngineAnswer, EngineRequest } from "../playground-messages.ts";
import { playgroundEndpoints } from "./endpoints.ts";
import { rulesEdge } from "./rules-edge.ts";

/** The scope of a worker, as far as it is used. */
interface WorkerScope {
  onmessage: ((event: { readonly data: EngineRequest }) => void) | null;
  postMessage(answer: EngineAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => void answer(data).then((sent) => scope.postMessage(sent));

/** Minimum time between two reports of progress, in milliseconds. */
const progressMs = 100;

function progressOf(id: number): (done: number, all: number) => void {
  let last = performance.now();
  return (done, all) => {
    const now = performance.now();
    if (now - last < progressMs) return;
    last = now;
    scope.postMessage({ id, progress: { done, all } });
  };
}

/** Never rejects. */
async function answer({ id, name, query, body, text }: EngineRequest): Promise<EngineAnswer> {
  let changed: string | undefined;
  const endpoint = Object.hasOwn(playgroundEndpoints, name) ? playgroundEndpoints[name] : undefined;
  try {
    const edge = rulesEdge(
      text,
      (next) => {
        changed = next;
      },
      progressOf(id),
    );
    const call = {
      edge,
      query: queryOf(endpoint ?? {}, new URLSearchParams(query).toString()),
      body,
      request: new Request("https://page.invalid/"),
    };
    const result = await endpoint?.handle(call);
    return { id, result, ...(changed !== undefined && { text: changed }) };
  } catch (error) {
    const { status, rejection } = rejectionOf(error) ?? {
      status: 500,
      rejection: { message: `An unexpected error occurred: ${(error as Error)?.message}`, problems: [] },
    };
    return { id, status, rejection };
  }
}
