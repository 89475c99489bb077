/** Starts `queue-worker.ts` in a process that can be stopped and killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundled } from "../support/bundled.ts";

const script = fileURLToPath(new URL("./queue-worker.ts", import.meta.url));

export interface WorkerProcess {
  /** The texts of the messages that it has finished in time so far. */
  done(): readonly string[];
  /** Resolves when it has printed this many lines of the kind. */
  printed(kind: "took" | "done" | "late", count: number): Promise<void>;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>;
}

/**
 * Starts a worker.
 *
 * @param options those of the queue
 * @param workMs time that it works on a message, in milliseconds
 */
export function startWorker(options: object, workMs = 20): WorkerProcess {
  const child = spawn(process.execPath, [bundled(script), JSON.stringify(options), `${workMs}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const texts = (kind: string) =>
    output.split("\n").flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []));
  return {
    done: () => texts("done"),
    printed: async (kind, count) => {
      while (texts(kind).length < count) await once(child.stdout, "data");
    },
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
