/** The logos that a command line names: files and folders, grouped into brands. */

import { join, relative, resolve, sep } from "node:path";
import { addTo } from "../../core/groups.ts";
import { UsageError } from "../command.ts";
import { pictureFiles } from "./picture-files.ts";

/** A brand: the files of its logos. */
export interface BrandFiles {
  /** The path of its only file, or of the folder that has its logos. */
  readonly name: string;
  /** At least one path, by name. */
  readonly files: readonly string[];
}

/**
 * The brands in files and folders: a named file and each file in a named folder is one of its own, and a folder in a named
 * folder is a brand of all pictures in it. Each file is in one brand.
 *
 * @param asOne whether all of them are logos of one brand
 * @throws {UsageError} for a path that does not exist, and without any picture
 */
export async function brandFiles(
  paths: readonly string[],
  asOne: boolean,
  signal: AbortSignal,
): Promise<readonly BrandFiles[]> {
  const brands = new Map<string, string[]>();
  const known = new Set<string>();
  for (const path of paths) {
    for (const file of await pictureFiles([path], signal)) {
      const key = resolve(file);
      if (known.has(key)) continue;
      known.add(key);
      const name = asOne ? (paths[0] ?? path) : brandOf(file, path);
      addTo(brands, name, file);
    }
  }
  if (brands.size === 0 && !signal.aborted)
    throw new UsageError(`there are no logos in ${paths.join(", ")}; they must be PNG or JPEG files`);
  return Array.from(brands, ([name, files]) => ({ name, files }));
}

/** The file itself, or the folder in the named folder that has it. */
function brandOf(file: string, path: string): string {
  const [first = "", ...deeper] = relative(path, file).split(sep);
  return deeper.length === 0 ? file : join(path, first);
}
