/** Measures of `cost.ts`: quantiles, turns of the event loop, and details of a page. */

import { readFileSync } from "node:fs";
import sharp from "sharp";

/** The upper quantile of values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Milliseconds that the main thread has had a processor for, where Linux reports it: turns that wait for other processes
 * are not longer for it. Elsewhere the elapsed time.
 */
function threadTime(): number {
  if (process.platform !== "linux") return performance.now();
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** The longest turn of the event loop while work is done. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let start = threadTime();
  const turn = () => {
    const now = threadTime();
    longest = Math.max(longest, now - start);
    start = now;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  await work();
  clearImmediate(timer);
  return Math.max(longest, threadTime() - start);
}

/** Side of a block, and the standard deviation of its gray levels from which it has details. */
const [blockSide, minSpread] = [16, 2];

/** The share of a page's blocks that have details: most of them on a photograph. */
export async function detailOf(page: Buffer): Promise<number> {
  const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true });
  const [columns, rows] = [Math.floor(info.width / blockSide), Math.floor(info.height / blockSide)];
  let detailed = 0;
  for (let block = 0; block < columns * rows; block++) {
    const from = Math.floor(block / columns) * blockSide * info.width + (block % columns) * blockSide;
    let [sum, squares] = [0, 0];
    for (let i = 0; i < blockSide * blockSide; i++) {
      const at = from + Math.floor(i / blockSide) * info.width + (i % blockSide);
      const level = data[at * info.channels] ?? 0;
      sum += level;
      squares += level * level;
    }
    const mean = sum / blockSide ** 2;
    if (squares / blockSide ** 2 - mean * mean >= minSpread ** 2) detailed++;
  }
  return detailed / Math.max(1, columns * rows);
}
