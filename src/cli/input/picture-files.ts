/** Picture files: the named files, and the files in named folders, in a fixed order. */

import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { defaultLimits } from "../../service/limits.ts";
import { UsageError } from "../command.ts";
import { cannotReadError } from "./files.ts";

/** Extensions of the files that are read in folders; a named file is read with any extension. */
export const pictureExtensions = /\.(png|jpe?g|webp|gif|avif)$/i;

/** Which files in folders are read. */
export interface PictureFileOptions {
  /** Names of the files. Default: `pictureExtensions`. */
  readonly wanted?: RegExp;
  /** Leaves out hidden entries, and symbolic links that lead out of the folder; called with the path of each. */
  readonly onLeftOut?: (path: string) => void;
}

/**
 * Paths of all pictures without duplicates; after a stop, those that were found until then.
 *
 * @throws {UsageError} for a path that does not exist
 */
export async function pictureFiles(
  paths: readonly string[],
  signal: AbortSignal,
  { wanted = pictureExtensions, onLeftOut }: PictureFileOptions = {},
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const { isDirectory } = await typeOf(path);
    if (!isDirectory) found.add(path);
    else {
      const root = onLeftOut && (await realpath(path));
      const walk = { root, signal, wanted, onLeftOut };
      for await (const file of filesIn(path, walk)) found.add(file);
    }
  }
  return [...found];
}

async function typeOf(path: string): Promise<{ readonly isDirectory: boolean }> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotReadError(path, error);
  });
  return { isDirectory: found.isDirectory() };
}

interface Walk {
  /** Real path of the folder that links must not leave; undefined when they may. */
  readonly root: string | undefined;
  readonly signal: AbortSignal;
  readonly wanted: RegExp;
  readonly onLeftOut: ((path: string) => void) | undefined;
}

/** Pictures in a folder and its subfolders, by name. Links to folders are not followed, because they may form a cycle. */
async function* filesIn(folder: string, walk: Walk): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    if (walk.signal.aborted) return;
    const path = join(folder, entry.name);
    const isPicture = walk.wanted.test(entry.name);
    if (!isPicture && !entry.isDirectory()) continue;
    if (walk.root !== undefined && (await isLeftOut(entry, path, walk.root))) walk.onLeftOut?.(path);
    else if (entry.isDirectory()) yield* filesIn(path, walk);
    else if (await isFile(entry, path)) yield path;
  }
}

/** Whether an entry is hidden, or a link out of the folder. */
async function isLeftOut(entry: Dirent, path: string, root: string): Promise<boolean> {
  if (entry.name.startsWith(".")) return true;
  if (!entry.isSymbolicLink()) return false;
  const target = await realpath(path).catch(() => undefined);
  return target !== undefined && !target.startsWith(`${root}${sep}`);
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
