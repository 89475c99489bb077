/** Paths in a configuration file: relative to its folder, and written only inside of the repository. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UsageError } from "../command.ts";
import type { MapPath } from "../declare.ts";
import { standardInput } from "../standard-input.ts";
import { repositoryAround } from "./repository.ts";

/**
 * Returns a function from paths in a configuration file to paths from the current folder. `-` and names of worlds stay
 * as they are.
 *
 * @throws {UsageError} for a file that would be written outside of the repository
 */
export function pathMapper(file: string, worlds: ReadonlySet<string>): MapPath {
  const folder = dirname(resolve(file));
  const root = repositoryAround(folder) ?? folder;
  return (path, use) => {
    if (path === standardInput || worlds.has(path)) return path;
    const absolute = resolve(folder, path);
    if (use !== "read" && !isInside(realRoot(root), realPath(absolute)))
      throw new UsageError(
        `${path} is outside of ${relative(process.cwd(), root) || "the current folder"}; a configuration file names only files inside of the repository to write`,
      );
    return relative(process.cwd(), absolute) || ".";
  };
}

function realRoot(root: string): string {
  return realpathSync(root);
}

/** The path without symbolic links, as far as it exists. */
function realPath(path: string): string {
  const parent = dirname(path);
  if (existsSync(path) || parent === path) return realpathSync(path);
  return join(realPath(parent), relative(parent, path));
}

/** Whether a path is that of a folder, or of something in it. */
export function isInside(root: string, path: string): boolean {
  const inner = relative(root, path);
  return !/^\.\.(?:[\\/]|$)/.test(inner) && !isAbsolute(inner);
}
