/** A worker thread: prepares the engine of logos before its first task, and then runs one task after another. */
import { prepareLogos } from "../engine/logo/prepare-logos.ts";
import { DependencyUnavailableError } from "../errors.ts";
import { tasks } from "../service/brand/tasks/tasks.ts";
import type { StopSignal } from "../service/compute.ts";
import type { TaskMessage, TaskOutcome } from "./messages.ts";

// Without the image library, tasks without pictures still run; a task that needs it loads it again.
await prepareLogos().catch((error: unknown) => {
  if (!(error instanceof DependencyUnavailableError)) throw error;
});

/** Runs the task of a message. Never rejects. */
export default async function runMessage({ name, input, stopped }: TaskMessage): Promise<TaskOutcome> {
  try {
    const signal = stopSignalOf(stopped);
    // A task whose caller has gone while it waited is not begun.
    signal.throwIfAborted();
    const task = tasks.get(name);
    if (!task) throw new RangeError(`\`${name}\` is not a task`);
    const output = await task.run(input, signal);
    return { ok: true, output: task.share?.(output) ?? output };
  } catch (error) {
    return { ok: false, error, isOutage: error instanceof DependencyUnavailableError };
  }
}

function stopSignalOf(stopped: Int32Array): StopSignal {
  return {
    throwIfAborted: () => {
      if (Atomics.load(stopped, 0) !== 0) throw new Error("the task was stopped");
    },
  };
}
