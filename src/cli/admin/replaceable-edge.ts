/** An edge that can be replaced by a new one while it is used: what a reset of a server does. */
import type { Edge } from "../../edge.ts";
import type { FetchHandler } from "../../http/handler.ts";

/** The edge, which is another one after each reset. */
export interface ReplaceableEdge {
  /** Uses the current edge. */
  readonly edge: Edge;
  /**
   * Replaces the edge by one of `reopen`. Requests in progress end on the earlier one, which is closed after them; a second
   * reset waits for the first.
   *
   * @throws the error of `reopen`; the edge stays
   */
  reset(): Promise<void>;
}

/**
 * Makes an edge replaceable.
 *
 * @param onError called with the error of closing an earlier edge
 */
export function replaceableEdge(
  first: Edge,
  reopen: () => Promise<Edge>,
  onError: (error: unknown) => void,
): ReplaceableEdge {
  let current = first;
  let resets: Promise<unknown> = Promise.resolve();
  const running = new Map<Edge, Set<Promise<unknown>>>();
  const closing = new Set<Promise<void>>();

  /** Runs work on the current edge, which is not closed before its end. */
  const run = <T>(work: (edge: Edge) => Promise<T>): Promise<T> => {
    const started = work(current);
    const works = running.get(current) ?? new Set();
    running.set(current, works.add(started));
    const end = () => void works.delete(started);
    started.then(end, end);
    return started;
  };

  const reject: FetchHandler["reject"] = (...given) => current.fetch.reject(...given);
  const fetch = Object.assign((request: Request) => run((edge) => edge.fetch(request)), { reject });

  async function closeAfterRequests(edge: Edge): Promise<void> {
    await Promise.allSettled(running.get(edge) ?? []);
    running.delete(edge);
    await edge.close().catch(onError);
  }

  async function replace(): Promise<void> {
    const next = await reopen();
    const earlier = current;
    current = next;
    const closed = closeAfterRequests(earlier).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    edge: {
      get tokens() {
        return current.tokens;
      },
      get brand() {
        return current.brand;
      },
      get images() {
        return current.images;
      },
      get proxy() {
        return current.proxy;
      },
      get store() {
        return current.store;
      },
      get faults() {
        return current.faults;
      },
      fetch,
      seed: (world) => run((edge) => edge.seed(world)),
      settled: () => current.settled(),
      close: async () => {
        await resets;
        await Promise.all([...closing, current.close()]);
      },
    },
    reset: () => {
      const done = resets.then(replace);
      resets = done.catch(() => {});
      return done;
    },
  };
}
