/** Picture files: those that are named, and those in folders that are named, in a fixed order. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { cannotRead } from "./files.ts";

/** Endings of files that are looked at in folders; a file that is named is looked at whatever it is called. */
const endings = /\.(png|jpe?g|webp|gif|avif)$/i;

/** Paths of all pictures. @throws {UsageError} for a path that is not there */
export async function pictureFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) found.push(...(await filesAt(path)));
  return [...new Set(found)];
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => endings.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** A file's bytes. @throws {UsageError} */
export async function readPictureFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}
