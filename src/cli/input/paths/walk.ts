/** Lists the files of a folder and of the folders in it, in an order that does not depend on the file system. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Limits of a walk: folders below the first, and files. `chosen` */
export const walkLimits = { depth: 12, files: 5_000 } as const;

/** Folders of tools, whose files are generated. */
const skipped = new Set([".terraform", ".git", "node_modules"]);

/**
 * The paths of the files whose names are accepted, nearest folders first. Symbolic links are not followed, so that a
 * walk ends; folders that cannot be read are left out.
 */
export async function walkFiles(
  folder: string,
  accepts: (name: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [{ path: folder, depth: 0 }];
  for (let next = folders.shift(); next && found.length < walkLimits.files; next = folders.shift()) {
    for (const entry of await entriesOf(next.path)) {
      const path = join(next.path, entry.name);
      if (entry.isFile() && accepts(entry.name)) found.push(path);
      if (entry.isDirectory() && !skipped.has(entry.name) && next.depth < walkLimits.depth)
        folders.push({ path, depth: next.depth + 1 });
    }
  }
  return found.slice(0, walkLimits.files);
}

/** The entries of a folder by name; none when it cannot be read. */
export async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
