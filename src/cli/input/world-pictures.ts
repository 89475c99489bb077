/** Pictures that a world file names by `image_path`, relative to the world file. */

import { dirname, resolve } from "node:path";
import type { Io } from "../command.ts";
import { readPictureFile } from "./picture-files.ts";

/**
 * A copy of the world with `image` in place of every `image_path`. Everything else is copied unchanged; the validation
 * of the world reports its problems.
 *
 * @throws {UsageError} for a file that cannot be read
 */
export async function withPictures(world: unknown, file: string, io: Io): Promise<unknown> {
  if (Array.isArray(world)) return Promise.all(world.map((item) => withPictures(item, file, io)));
  if (typeof world !== "object" || world === null) return world;
  const entries = Object.entries(world).map(async ([name, value]) => {
    if (name !== "image_path" || typeof value !== "string")
      return [name, await withPictures(value, file, io)];
    const path = resolve(dirname(file), value);
    io.onInputFile?.(path);
    const bytes = await readPictureFile(path);
    return ["image", Buffer.from(bytes).toString("base64")];
  });
  return Object.fromEntries(await Promise.all(entries));
}
