/** Notices changes of files by comparing their states, which works on every file system, network ones included. */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ListFiles } from "../command.ts";

/** A file, or a list of files, that is looked at again and again. */
export interface Watched {
  /** Its state when it was read first. */
  readonly before: string | Promise<string>;
  readonly state: () => string | Promise<string>;
}

type States = readonly string[];

/** Time between two looks at the files, in milliseconds. */
const intervalMs = 150;

/** Time that a file may be missing, in milliseconds: editors that replace a file remove it for a moment. */
const missingMs = 1_000;

const missing = "missing";

/** The state of a file or folder; a different one means that its contents may differ. */
function fileState(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return missing;
  }
}

/** A file, with its state of now. */
export function watchedFile(path: string): Watched {
  const state = () => fileState(path);
  return { before: state(), state };
}

/** A list of files, with its elements of now. */
export function watchedList(list: ListFiles): Watched {
  const state = async () => (await list()).join("\n");
  return { before: state(), state };
}

/**
 * Waits until a file or a list has changed and all have been the same for one interval, so that several changes at once,
 * and a file that is written in parts, count as one change. A file that is removed counts when it is not replaced soon.
 *
 * @returns whether something changed; false when the signal was aborted before
 */
export async function nextChange(watched: readonly Watched[], signal: AbortSignal): Promise<boolean> {
  const isOver = () => signal.aborted;
  const before = await Promise.all(watched.map(({ before }) => before));
  let last: States = before;
  let changedAt: number | undefined;
  while (!isOver()) {
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
    const now = await Promise.all(watched.map(({ state }) => state()));
    const isStable = isSame(now, last);
    last = now;
    if (isSame(now, before)) changedAt = undefined;
    else changedAt ??= performance.now();
    if (changedAt === undefined || !isStable || isOver()) continue;
    if (!wasRemoved(before, now) || performance.now() - changedAt >= missingMs) return true;
  }
  return false;
}

function isSame(left: States, right: States): boolean {
  return left.every((state, i) => right[i] === state);
}

function wasRemoved(before: States, now: States): boolean {
  return now.some((state, i) => state === missing && before[i] !== missing);
}
