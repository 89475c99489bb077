/** A line on standard error that says how far long work is; only where a person looks at it. */
import type { Output } from "../command.ts";

/** Least time between two updates, in milliseconds. */
const updateMs = 100;

export interface ProgressLine {
  update(text: string): void;
  /** Takes the line away. */
  end(): void;
}

export function createProgressLine(output: Output): ProgressLine {
  let last = Number.NEGATIVE_INFINITY;
  let width = 0;
  const show = (text: string): void => {
    output.write(`\r${text.padEnd(width)}`);
    width = text.length;
  };
  return {
    update: (text) => {
      const now = performance.now();
      if (!output.isTerminal || now - last < updateMs) return;
      last = now;
      show(text);
    },
    end: () => {
      if (width === 0) return;
      show("");
      output.write("\r");
    },
  };
}

/** A number of things: `1 rule`, `0 rules`. */
export function formatCount(count: number, thing: string): string {
  return `${formatNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** A number as people read it: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}
