/** Picture files: the named files, and the files in named folders, in a fixed order. */

import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { defaultLimits } from "../../service/limits.ts";
import { UsageError } from "../command.ts";
import { cannotReadError } from "./files.ts";

/** Extensions of the files that are read in folders; a named file is read with any extension. */
export const pictureExtensions = /\.(png|jpe?g|webp|gif|avif)$/i;

/**
 * Paths of all pictures without duplicates; after a stop, those that were found until then.
 *
 * @throws {UsageError} for a path that does not exist
 */
export async function pictureFiles(
  paths: readonly string[],
  signal: AbortSignal,
  wanted: RegExp = pictureExtensions,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for await (const file of filesAt(path, signal, wanted)) found.add(file);
  }
  return [...found];
}

async function* filesAt(path: string, signal: AbortSignal, wanted: RegExp): AsyncGenerator<string> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotReadError(path, error);
  });
  if (found.isDirectory()) yield* filesIn(path, signal, wanted);
  else yield path;
}

/** Pictures in a folder and its subfolders, by name. Links to folders are not followed, because they may form a cycle. */
async function* filesIn(folder: string, signal: AbortSignal, wanted: RegExp): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    if (signal.aborted) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, signal, wanted);
    else if (wanted.test(entry.name) && (await isFile(entry, path))) yield path;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw cannotReadError(folder, error);
  }
}

/** Whether an entry is a file or a link to one. A broken link counts too, so that it is reported as unreadable. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

/**
 * The bytes of a file. Only regular files up to the maximum size are opened; a pipe may never end.
 *
 * @throws {UsageError} for a file that cannot be read or is too large
 */
export async function readPictureFile(
  path: string,
  maxBytes: number = defaultLimits.logoBytes,
): Promise<Uint8Array> {
  try {
    await assertPictureFile(path, maxBytes);
    return await readFile(path);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotReadError(path, error);
  }
}

async function assertPictureFile(path: string, maxBytes: number): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) throw new UsageError(`cannot read ${path}: it is a folder`);
  if (!found.isFile()) throw new UsageError(`cannot read ${path}: it is not a regular file`);
  if (found.size > maxBytes)
    throw new UsageError(`${path}: The image must have at most ${maxBytes} bytes; found ${found.size}.`);
}
