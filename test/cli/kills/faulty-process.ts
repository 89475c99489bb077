/** Runs a script in a process of its own whose writes of files fail at one step. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundled } from "../../support/bundled.ts";

export interface FaultyRun {
  /** The folder that the process runs in. */
  readonly cwd: string;
  readonly script: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface FaultyResult {
  /** The exit code, or the signal. */
  readonly end: number | string;
  readonly err: string;
}

/** @param fault `count`, `kill:<step>` or `full:<step>` */
export async function runFaulty(
  { cwd, script, words, env = {}, input = "" }: FaultyRun,
  fault: string,
): Promise<FaultyResult> {
  const preload = bundled(join(process.cwd(), "test/support/faults/file-faults.ts"));
  const child = spawn(process.execPath, ["--import", preload, script, ...words], {
    cwd,
    env: { ...process.env, ...env, EDGEPROOF_FAULT: fault },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  // A killed process may not read it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code, signal] = await once(child, "close");
  return { end: code ?? signal, err };
}

/** The number of steps of an uninterrupted run. @throws {Error} when it fails */
export async function countSteps(run: FaultyRun): Promise<number> {
  const { end, err } = await runFaulty(run, "count");
  const steps = Number(err.trimEnd().split("\n").at(-1));
  if (end !== 0 || !(steps > 0)) throw new Error(`${run.words.join(" ")}: ${end} ${err}`);
  return steps;
}

/** Steps of a run that tests look at: the first, the last, and some between them, other ones in each run of the tests. */
export function chosenSteps(steps: number, wanted: number): readonly number[] {
  const count = Math.min(steps, wanted);
  const distance = (steps - 1) / Math.max(1, count - 1);
  const chosen = Array.from({ length: count }, (_, i) => {
    const isBetween = i > 0 && i < count - 1 && count < steps;
    return Math.round(1 + (i + (isBetween ? Math.random() - 0.5 : 0)) * distance);
  });
  return [...new Set(chosen)];
}
