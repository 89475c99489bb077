/** Folders and files of outputs. Writes are atomic: content goes to a temporary file in the same folder, which is renamed when it is complete. */
import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../command.ts";

/**
 * Creates a folder and those above it. `recursive` of Node.js never ends where a folder exists that says of a new one in
 * it that the path does not exist, as `/proc` does.
 *
 * @throws the error of the file system
 */
export async function createFolder(path: string): Promise<void> {
  if ((await mkdir(path).catch(codeOf)) === "ENOENT" && dirname(path) !== path)
    await createFolder(dirname(path));
  // Another task may have created it by now.
  if (!(await isFolder(path)))
    await mkdir(path).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error;
    });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Whether a path is that of a folder. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export interface AtomicFile {
  readonly handle: FileHandle;
  /** Whether it has contents that can be flushed to a disk, which a device has not. */
  readonly canFlush: boolean;
  /** Appends to the temporary file. @throws {UsageError} when writing fails */
  write(chunk: string): Promise<void>;
  /** Renames the temporary file to its final name. @throws {UsageError} when that fails */
  commit(): Promise<void>;
  /** Removes the temporary file. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/**
 * Opens a file for atomic writing. The mode is for the owner only by default. An existing file is replaced; a character
 * device, such as `/dev/null`, is written to; folders and named pipes are rejected.
 *
 * @throws {UsageError} when the file cannot be written
 */
export async function openAtomicFile(path: string, mode = 0o600): Promise<AtomicFile> {
  if (await isDevice(path)) return openDevice(path);
  // Replaces the target of a symbolic link, not the link.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${randomUUID()}.partial`;
  const handle = await orCannotWrite(path, open(temporary, "wx", mode));
  return {
    handle,
    canFlush: true,
    write: (chunk) => orCannotWrite(path, handle.appendFile(chunk)),
    commit: async () => {
      await orCannotWrite(path, handle.close());
      await orCannotWrite(path, rename(temporary, target));
    },
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Replaces the content of a file, which keeps its mode. @throws {UsageError} when that fails; the file is unchanged */
export async function replaceFile(path: string, content: string): Promise<void> {
  // A file may be read-only in a folder that is not.
  await orCannotWrite(path, access(path, constants.W_OK));
  const { mode } = await orCannotWrite(path, stat(path));
  const file = await openAtomicFile(path, mode & 0o777);
  try {
    // The mode of a new file is limited by the umask.
    await orCannotWrite(path, file.handle.chmod(mode & 0o777));
    await file.write(content);
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** Writes a whole file, readable for everyone unless it exists with another mode. @throws {UsageError} */
export async function writeWholeFile(path: string, content: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const file = await openAtomicFile(path, mode);
  try {
    await file.write(content);
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** A device has no content to keep or to replace. */
async function openDevice(path: string): Promise<AtomicFile> {
  const handle = await orCannotWrite(path, open(path, "w"));
  const close = () => handle.close().catch(() => {});
  return {
    handle,
    canFlush: false,
    write: async (chunk) => {
      await orCannotWrite(path, handle.appendFile(chunk));
    },
    commit: close,
    discard: close,
  };
}

/** @throws {UsageError} for what is neither a device nor a file */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile()) return false;
  if (found.isCharacterDevice()) return true;
  throw new UsageError(
    `cannot write ${path}: it is ${found.isDirectory() ? "a folder" : "not a regular file"}`,
  );
}

function orCannotWrite<T>(path: string, operation: Promise<T>): Promise<T> {
  return operation.catch((error: unknown) => {
    throw cannotWriteError(path, error);
  });
}

/** The usage error for a file that cannot be written. */
export function cannotWriteError(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write ${path}: ${code === "ENOENT" ? "the folder does not exist" : message}`);
}
