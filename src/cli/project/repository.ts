/** Finds the repository that a folder is in. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The innermost folder at or around a folder that has `.git`. */
export function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}
