/** Work at the end of a process, however it ends but by a signal without a listener. */

const waiting = new Set<() => void>();

/** Runs synchronous work when the process exits. Its errors are ignored. Returns a function that cancels it. */
export function atExit(work: () => void): () => void {
  // One listener for all: Node warns about many.
  if (waiting.size === 0) process.on("exit", runAll);
  waiting.add(work);
  return () => {
    waiting.delete(work);
    if (waiting.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const work of waiting) {
    try {
      work();
    } catch {
      // The process ends in any case, and nothing is lost.
    }
  }
}
