/** A worker thread of the tests of the pool: its tasks end it, wait or answer. */
import { readFileSync } from "node:fs";

const acts = {
  echo: (input) => input,
  exit: () => process.exit(7),
  crash: () =>
    setImmediate(() => {
      throw new Error("a crash outside of the task");
    }),
  exhaust: () => {
    const kept = [];
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  },
  block: (path) => readFileSync(path, "utf8"),
};

export default async function run({ name, input, stopped }) {
  if (name === "crash" || name === "wait") {
    acts[name]?.();
    while (Atomics.load(stopped, 0) === 0) await new Promise((resume) => setTimeout(resume, 1));
    return { ok: false, error: new Error("stopped") };
  }
  if (name === "outage")
    return { ok: false, error: new Error("the package sharp cannot be loaded"), isOutage: true };
  return { ok: true, output: acts[name](input) };
}
