/** Creates folders. */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { orCannotWrite, type SystemError } from "./file-write-error.ts";

/**
 * Creates a folder and those above it. `recursive` of Node.js never ends where a folder exists that says of a new one in
 * it that the path does not exist, as `/proc` does.
 *
 * @throws {FileWriteError}
 */
export function createFolder(path: string): Promise<void> {
  return orCannotWrite(path, create(path));
}

async function create(path: string): Promise<void> {
  if ((await mkdir(path).catch(codeOf)) === "ENOENT" && dirname(path) !== path) await create(dirname(path));
  // Another task may have created it by now.
  if (!(await isFolder(path)))
    await mkdir(path).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error;
    });
}

function codeOf(error: unknown): string | undefined {
  return (error as SystemError).code;
}

/** Whether a path is that of a folder. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
