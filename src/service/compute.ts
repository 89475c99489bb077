/**
 * The port to heavy computations: pure functions of an engine that run in this process, the default, or in worker threads.
 * Both return the same values.
 */

/** Ends a computation early: the part of an `AbortSignal` that engines read. */
export type StopSignal = Pick<AbortSignal, "throwIfAborted">;

/** A heavy computation. Its input and output are values that can be sent to another thread. */
export interface Task<Input, Output> {
  /** Identifies the task in the table of a thread. */
  readonly name: string;
  /** Computes the output: always the same for the same input. */
  run(input: Input, signal?: StopSignal): Promise<Output>;
  /** Moves pixels to memory that all threads share, so that they are not copied again. Only threads call it. */
  share?(output: Output): Output;
}

/** Runs tasks. */
export interface Compute {
  /** Prepares for the first task, in the background; the first task does it otherwise. */
  prepare(): void;
  /**
   * Runs a task.
   *
   * @throws what the task throws, and the abort reason of `signal`
   * @throws {DependencyUnavailableError} when too many tasks wait for a thread, and when none can start
   * @throws {Error} when the thread of the task ended, or the threads are closed
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, signal?: AbortSignal): Promise<Output>;
  /** Ends the threads; tasks that were not finished are rejected. */
  close(): Promise<void>;
}

/** Runs tasks in this thread. */
export const inProcess: Compute = {
  prepare: () => {},
  run: (task, input, signal) => task.run(input, signal),
  close: async () => {},
};
