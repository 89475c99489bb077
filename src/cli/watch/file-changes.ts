/** Notices changes of files by comparing their states, which works on every file system, network ones included. */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Files and their states at one time. */
export type FileStates = ReadonlyMap<string, string>;

/** Time between two looks at the files, in milliseconds. */
const intervalMs = 150;

/** Time that a file may be missing, in milliseconds: editors that replace a file remove it for a moment. */
const missingMs = 1_000;

const missing = "missing";

/** The state of a file or folder; a different one means that its contents may differ. */
export function fileState(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return missing;
  }
}

/**
 * Waits until a file has changed and all files have been the same for one interval, so that several changes at once,
 * and a file that is written in parts, count as one change. A file that is removed counts when it is not replaced soon.
 *
 * @returns whether a file changed; false when the signal was aborted before
 */
export async function nextChange(before: FileStates, signal: AbortSignal): Promise<boolean> {
  const isOver = () => signal.aborted;
  let last = before;
  let changedAt: number | undefined;
  while (!isOver()) {
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
    const now = statesOf(before.keys());
    const isStable = isSame(now, last);
    last = now;
    if (isSame(now, before)) changedAt = undefined;
    else changedAt ??= performance.now();
    if (changedAt === undefined || !isStable || isOver()) continue;
    if (!wasRemoved(before, now) || performance.now() - changedAt >= missingMs) return true;
  }
  return false;
}

function statesOf(paths: Iterable<string>): FileStates {
  return new Map([...paths].map((path) => [path, fileState(path)]));
}

function isSame(left: FileStates, right: FileStates): boolean {
  return [...left].every(([path, state]) => right.get(path) === state);
}

function wasRemoved(before: FileStates, now: FileStates): boolean {
  return [...now].some(([path, state]) => state === missing && before.get(path) !== missing);
}
