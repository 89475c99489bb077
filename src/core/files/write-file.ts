/**
 * Writes files: each has its earlier content or its new one, whole, also when the process or the disk ends meanwhile. The
 * content goes to a temporary file in the same folder, which is renamed when it is complete. Nothing else in `src` writes
 * files, except what `test/architecture.test.ts` lists.
 */
import {
  access,
  constants,
  type FileHandle,
  link,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { orCannotWrite, type SystemError } from "./file-write-error.ts";
import { removeLeftovers, temporaryName } from "./leftovers.ts";

/** A file that is not complete. */
export interface UnfinishedFile {
  /** Appends. @throws {FileWriteError} */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Removes what was written. Does nothing after `commit`. */
  discard(): Promise<void>;
}

export interface AtomicFile extends UnfinishedFile {
  /** Completes the file under its name. @throws {FileWriteError} */
  commit(): Promise<void>;
}

/** A file that is read while the process runs, and is then removed. */
export interface TemporaryFile extends UnfinishedFile {
  readonly path: string;
}

export interface WriteOptions {
  /** Whether only the owner may read it. By default the mode of the replaced file stays; a new one is for everyone, less the umask. */
  readonly isPrivate?: boolean;
  /** Whether an existing file is an error. By default it is replaced. */
  readonly isNew?: boolean;
}

const privateMode = 0o600;
const publicMode = 0o666;
const permissions = 0o777;

/** Replaces a file, or creates it. @throws {FileWriteError} the file is then unchanged */
export function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  return writeWhole(path, content, {});
}

/** Creates a file. @throws {FileWriteError} also when it exists, with the code EEXIST */
export function writeNewFile(path: string, content: string | Uint8Array): Promise<void> {
  return writeWhole(path, content, { isNew: true });
}

async function writeWhole(path: string, content: string | Uint8Array, options: WriteOptions): Promise<void> {
  const file = await openAtomicFile(path, options);
  try {
    await file.write(content);
    await file.commit();
  } finally {
    await file.discard();
  }
}

/**
 * Opens a file for content that is written in parts. A character device, such as `/dev/null`, is written to; a folder, a
 * named pipe and a file without the permission to write are errors.
 *
 * @throws {FileWriteError}
 */
export function openAtomicFile(path: string, options: WriteOptions = {}): Promise<AtomicFile> {
  return orCannotWrite(path, openChecked(path, options));
}

async function openChecked(path: string, { isPrivate = false, isNew = false }: WriteOptions) {
  const found = isNew ? undefined : await stat(path).catch(() => undefined);
  if (found?.isCharacterDevice()) return openDevice(path);
  if (found && !found.isFile())
    throw new Error(`it is ${found.isDirectory() ? "a folder" : "not a regular file"}`);
  if (found) await access(path, constants.W_OK);
  // Replaces the target of a symbolic link, not the link.
  const target = isNew ? path : await realpath(path).catch(() => path);
  const file = await openTemporary(dirname(target), path, isPrivate ? privateMode : publicMode);
  const finish = async () => {
    await file.handle.sync();
    await file.handle.close();
    await (isNew ? linkNew(file.path, target) : rename(file.path, target));
    await syncFolder(dirname(target));
  };
  try {
    // The mode of a new file is limited by the umask.
    if (found && !isPrivate) await file.handle.chmod(found.mode & permissions);
  } catch (error) {
    await file.discard();
    throw error;
  }
  const { write, discard } = file;
  return { write, discard, commit: () => orCannotWrite(path, finish()) };
}

/** A device has no content to keep or to replace. */
async function openDevice(path: string): Promise<AtomicFile> {
  const handle = await open(path, "w");
  const close = () => handle.close().catch(() => {});
  return {
    write: (chunk) => orCannotWrite(path, handle.appendFile(chunk)),
    commit: close,
    discard: close,
  };
}

/** Opens a file for its owner in a folder for temporary files. @throws {FileWriteError} */
export async function openTemporaryFile(folder: string): Promise<TemporaryFile> {
  const { path, write, discard } = await orCannotWrite(folder, openTemporary(folder, folder, privateMode));
  return { path, write, discard };
}

/** @param name the path that errors name */
async function openTemporary(
  folder: string,
  name: string,
  mode: number,
): Promise<TemporaryFile & { readonly handle: FileHandle }> {
  await removeLeftovers(folder);
  const path = join(folder, temporaryName());
  const handle = await open(path, "wx", mode);
  return {
    handle,
    path,
    write: (chunk) => orCannotWrite(name, handle.appendFile(chunk)),
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(path, { force: true });
    },
  };
}

/** Renames a file; another one of the new name is replaced. @throws {FileWriteError} */
export async function moveFile(from: string, to: string): Promise<void> {
  await orCannotWrite(to, rename(from, to));
  await syncFolder(dirname(to));
}

/** Renames a file when none has the new name. @throws the error of the file system */
async function linkNew(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: SystemError) => {
    if (error.code === "EEXIST") throw error;
    // Some file systems have no hard links.
    await assertMissing(to);
    await rename(from, to);
  });
  await rm(from, { force: true });
}

async function assertMissing(path: string): Promise<void> {
  if (await lstat(path).catch(() => undefined))
    throw Object.assign(new Error("the file exists"), { code: "EEXIST" });
}

/** Syncs the names in a folder, where the system has that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
