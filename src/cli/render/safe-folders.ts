/** Checks before anything is rendered that no output replaces an input, or becomes one of the next run. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { UsageError } from "../command.ts";

/** @throws {UsageError} when a folder of outputs is the folder of inputs, or in it */
export async function assertOutside(inputs: string, outputs: string, name: string): Promise<void> {
  const [from, to] = [await realPath(inputs), await realPath(outputs)];
  const path = relative(from, to);
  if (path !== "" && (path === ".." || path.startsWith(`..${sep}`))) return;
  throw new UsageError(
    `${name} is the folder of the pictures, ${inputs}, or in it: the next run would render its files; choose a folder outside`,
  );
}

/** Whether two paths are the same file, through symbolic links too. */
export async function isSamePath(a: string, b: string): Promise<boolean> {
  return (await realPath(a)) === (await realPath(b));
}

/** The path without symbolic links; of a path that does not exist, that of the folder that does. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
