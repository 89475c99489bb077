/** Starts processes that work on a store, and reads what they say. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundled } from "../../support/bundled.ts";
import type { Task } from "./worker.ts";

const script = fileURLToPath(new URL("./worker.ts", import.meta.url));

export interface Worker {
  /** Resolves when it has said as many lines; the first says that its store is open. */
  said(lines: number): Promise<void>;
  /** Resolves when it has ended, with all whole lines it said. */
  readonly ended: Promise<readonly string[]>;
  kill(): void;
}

export function startWorker(task: Task): Worker {
  const child = spawn(process.execPath, [bundled(script), JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const lines = () => text.split("\n").slice(0, -1);
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const ended = endOf(child).then(lines);
  const said = async (count: number) => {
    while (lines().length < count) await Promise.race([once(child.stdout, "data"), ended]);
  };
  return { said, ended, kill: () => void child.kill("SIGKILL") };
}

async function endOf(child: ChildProcess): Promise<void> {
  const [code, signal] = await once(child, "close");
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`a worker ended with ${code ?? signal}`);
}
