/** Long work of the engines that a person starts, and can stop. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Progress } from "../../../src/workbench/playground-messages.ts";
import { messageOf, sendData } from "../data.ts";

/** The state of the work: under way, done, or failed. */
export type WorkState<T> =
  | { readonly stop: AbortController; readonly progress?: Progress }
  | { readonly found: T }
  | { readonly message: string };

/** Work of one kind, of which the last started one counts. */
export interface StoppableWork<T> {
  /** Undefined before the first one. */
  readonly state: ReadonlySignal<WorkState<T> | undefined>;
  /** Starts it in place of one that is under way. Never rejects. */
  start(body: unknown): Promise<void>;
  stop(): void;
  /** Stops it, and forgets what it found. */
  forget(): void;
}

/** Creates the state of work that the engines know by a name. */
export function stoppableWork<T>(name: string): StoppableWork<T> {
  const state = signal<WorkState<T> | undefined>(undefined);
  const stop = () => {
    const now = state.peek();
    if (now && "stop" in now) now.stop.abort();
  };
  return {
    state,
    stop,
    start: async (body) => {
      stop();
      const own = new AbortController();
      const isCurrent = () => state.value !== undefined && "stop" in state.value && state.value.stop === own;
      state.value = { stop: own };
      const onProgress = (progress: Progress) => {
        if (isCurrent()) state.value = { stop: own, progress };
      };
      const result = await sendData<T>(name, body, own.signal, onProgress).then(
        (found) => ({ found }),
        (error: unknown) => ({ message: own.signal.aborted ? "Stopped." : messageOf(error) }),
      );
      if (isCurrent()) state.value = result;
    },
    forget: () => {
      stop();
      state.value = undefined;
    },
  };
}
