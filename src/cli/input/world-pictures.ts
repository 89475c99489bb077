/** Pictures that a world file names by `image_path`, relative to the world file. */

import { basename, dirname, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { defaultLimits } from "../../service/limits.ts";
import type { Io } from "../command.ts";
import { readPictureFile } from "./picture-files.ts";

/** Members of an account that have lists of pictures, and the maximum size of each picture in bytes. */
const lists = [
  { area: "brand", list: "logo_queries", maxBytes: defaultLimits.logoBytes, hasName: false },
  { area: "brand", list: "scans", maxBytes: defaultLimits.logoBytes, hasName: false },
  { area: "images", list: "images", maxBytes: defaultLimits.imageUploadBytes, hasName: true },
] as const;

type PictureList = (typeof lists)[number];

/**
 * A copy of the world with `image` in place of every `image_path`. Everything else is copied unchanged; the validation
 * of the world reports its problems.
 *
 * @throws {UsageError} for a file that cannot be read
 */
export async function withPictures(world: unknown, file: string, io: Io): Promise<unknown> {
  const folder = dirname(file);
  return change(world, "accounts", (accounts) =>
    mapList(accounts, async (account) => {
      let changed = account;
      for (const one of lists)
        changed = await change(changed, one.area, (area) =>
          change(area, one.list, (list) => mapList(list, (item) => withPicture(item, one, folder, io))),
        );
      return changed;
    }),
  );
}

async function withPicture(
  item: unknown,
  { maxBytes, hasName }: PictureList,
  folder: string,
  io: Io,
): Promise<unknown> {
  if (!isJsonObject(item) || typeof item["image_path"] !== "string") return item;
  const { image_path: path, ...rest } = item;
  const file = resolve(folder, path);
  io.onInputFile?.(file);
  const bytes = await readPictureFile(file, maxBytes);
  const name: JsonObject = hasName ? { filename: basename(path) } : {};
  return { ...name, ...rest, image: Buffer.from(bytes).toString("base64") };
}

/** The object with one member changed; another value as it is. */
async function change(
  value: unknown,
  name: string,
  edit: (member: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: await edit(value[name]) };
}

/** The pictures are read one after another, so that few files are open. */
async function mapList(value: unknown, edit: (item: unknown) => Promise<unknown>): Promise<unknown> {
  if (!Array.isArray(value)) return value;
  const items: unknown[] = [];
  for (const item of value) items.push(await edit(item));
  return items;
}
