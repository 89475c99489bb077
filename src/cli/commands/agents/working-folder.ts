/** Keeps the files that an agent names inside of the working folder. Links are resolved before they are compared. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { UsageError } from "../../command.ts";
import { cannotReadError } from "../../input/files.ts";

/** Maximum size of a file in bytes. `chosen` */
const maxBytes = 64 * 1024 * 1024;

/** Checks a path before it is read. @throws {UsageError} when it must not be read */
export type CheckPath = (path: string) => void;

/**
 * The check of paths for a working folder: the file or folder exists, is inside of it, and is not a device or a pipe, which
 * could have no end. A link that is changed between the check and the reading is not noticed.
 */
export function insideOf(folder: string): CheckPath {
  const root = realpathSync(folder);
  return (path) => {
    if (/^[a-z][\w+.-]+:\/\//i.test(path) || path.startsWith("-"))
      throw new UsageError(`${path} is not a path of a file in the working folder`);
    const { real, stats } = find(resolve(root, path), path);
    const inside = relative(root, real);
    if (inside === ".." || inside.startsWith("../") || inside.startsWith("..\\") || isAbsolute(inside))
      throw new UsageError(`${path} is outside of the working folder, ${root}; copy it there`);
    if (!stats.isFile() && !stats.isDirectory())
      throw new UsageError(`${path} is neither a file nor a folder`);
    if (stats.size > maxBytes)
      throw new UsageError(`${path} has ${stats.size} bytes; at most ${maxBytes} are read here`);
  };
}

function find(absolute: string, path: string) {
  try {
    const real = realpathSync(absolute);
    return { real, stats: statSync(real) };
  } catch (error) {
    throw cannotReadError(path, error);
  }
}
