/** The messages between a pool and its threads. */

/** A task for a thread. */
export interface TaskMessage {
  /** The name of the task. */
  readonly name: string;
  readonly input: unknown;
  /** Shared memory whose only element becomes 1 when the caller does not need the output any more. */
  readonly stopped: Int32Array;
}

/** The end of a task: a rejection of the pool is the end of a thread instead. */
export type TaskOutcome =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly error: unknown;
      /** Whether the error is a DependencyUnavailableError: its class is lost between threads. */
      readonly isOutage: boolean;
    };
