/** A progress line on standard error, printed on terminals only. */
import type { Output } from "../command.ts";

/** Minimum time between two updates, in milliseconds. */
const updateMs = 100;

export interface ProgressLine {
  update(line: string): void;
  /** Clears the line. */
  end(): void;
}

export function createProgressLine(output: Output): ProgressLine {
  let last = Number.NEGATIVE_INFINITY;
  let width = 0;
  const show = (line: string): void => {
    output.write(`\r${line.padEnd(width)}`);
    width = line.length;
  };
  return {
    update: (line) => {
      const now = performance.now();
      if (!output.isTerminal || now - last < updateMs) return;
      last = now;
      show(line);
    },
    end: () => {
      if (width === 0) return;
      show("");
      output.write("\r");
    },
  };
}
