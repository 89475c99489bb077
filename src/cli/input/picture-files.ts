/** Picture files: those that are named, and those in folders that are named, in a fixed order. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { defaultLimits } from "../../service/limits.ts";
import { UsageError } from "../command.ts";
import { cannotRead } from "./files.ts";

/** Endings of files that are looked at in folders; a file that is named is looked at whatever it is called. */
const endings = /\.(png|jpe?g|webp|gif|avif)$/i;

/**
 * Paths of all pictures, each once; after a stop those that were found until then.
 *
 * @throws {UsageError} for a path that is not there
 */
export async function pictureFiles(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for await (const file of filesAt(path, signal)) found.add(file);
  }
  return [...found];
}

async function* filesAt(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (found.isDirectory()) yield* filesIn(path, signal);
  else yield path;
}

/** Pictures in a folder and below it, by name. Links to folders are not followed: they may lead back up. */
async function* filesIn(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    if (signal.aborted) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, signal);
    else if (endings.test(entry.name) && (await isFile(entry, path))) yield path;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw cannotRead(folder, error);
  }
}

/** A file or a link to one. A link that leads nowhere counts too, so that it is told as one that cannot be read. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

/** A file's bytes. Only a file of a size that is allowed is opened: a pipe may never end. @throws {UsageError} */
export async function readPictureFile(path: string): Promise<Uint8Array> {
  try {
    await assertPictureFile(path);
    return await readFile(path);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotRead(path, error);
  }
}

async function assertPictureFile(path: string): Promise<void> {
  const { logoBytes } = defaultLimits;
  const found = await stat(path);
  if (found.isDirectory()) throw new UsageError(`cannot read ${path}: it is a folder`);
  if (!found.isFile()) throw new UsageError(`cannot read ${path}: it is no regular file`);
  if (found.size > logoBytes)
    throw new UsageError(`${path}: The image has ${found.size} bytes; at most ${logoBytes} are allowed.`);
}
