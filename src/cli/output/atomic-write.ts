/** A file that appears when it is whole: it is written beside its place, and moved there at the end. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { UsageError } from "../command.ts";

export interface AtomicFile {
  readonly handle: FileHandle;
  /** Adds a text at the end. @throws {UsageError} */
  write(text: string): Promise<void>;
  /** Moves the file to its place. @throws {UsageError} */
  keep(): Promise<void>;
  /** Leaves nothing behind, unless the file was kept. */
  discard(): Promise<void>;
}

/**
 * Opens a file for its owner alone, or with the mode that is given. Only what is a file or not there yet is replaced.
 *
 * @throws {UsageError} when nothing can be written there
 */
export async function openAtomicFile(path: string, mode = 0o600): Promise<AtomicFile> {
  await assertReplaceable(path);
  // The file behind a link is replaced, not the link.
  const place = await realpath(path).catch(() => path);
  const beside = `${place}.${randomUUID()}.partial`;
  const handle = await orCannotWrite(path, open(beside, "wx", mode));
  return {
    handle,
    write: (text) => orCannotWrite(path, handle.appendFile(text)),
    keep: async () => {
      await orCannotWrite(path, handle.close());
      await orCannotWrite(path, rename(beside, place));
    },
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(beside, { force: true });
    },
  };
}

async function assertReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile()) return;
  throw new UsageError(`cannot write ${path}: it is ${found.isDirectory() ? "a folder" : "no regular file"}`);
}

function orCannotWrite<T>(path: string, done: Promise<T>): Promise<T> {
  return done.catch((error: unknown) => {
    throw cannotWriteError(path, error);
  });
}

/** What to say of a file that cannot be written. */
export function cannotWriteError(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write ${path}: ${code === "ENOENT" ? "there is no such folder" : message}`);
}
