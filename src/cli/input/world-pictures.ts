/** Pictures that a world file names by `image_path`: read from beside it. */
import { dirname, resolve } from "node:path";
import { readPictureFile } from "./picture-files.ts";

/**
 * A copy of the world with `image` in place of every `image_path`. Whatever is not of that form stays as it is;
 * the world's own check has a word for it.
 *
 * @throws {UsageError} for a file that cannot be read
 */
export async function withPictures(world: unknown, file: string): Promise<unknown> {
  if (Array.isArray(world)) return Promise.all(world.map((item) => withPictures(item, file)));
  if (typeof world !== "object" || world === null) return world;
  const entries = Object.entries(world).map(async ([name, value]) => {
    if (name !== "image_path" || typeof value !== "string") return [name, await withPictures(value, file)];
    const bytes = await readPictureFile(resolve(dirname(file), value));
    return ["image", Buffer.from(bytes).toString("base64")];
  });
  return Object.fromEntries(await Promise.all(entries));
}
