/** Pictures that a world file names by `image_path`, relative to the world file. */

import { basename, dirname, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { defaultLimits } from "../../service/limits.ts";
import { type Io, UsageError } from "../command.ts";
import { readPictureFile } from "./picture-files.ts";

/** Members of an account that have lists of pictures, and the maximum size of each picture in bytes. */
const lists = [
  { area: "brand", list: "logo_queries", maxBytes: defaultLimits.logoBytes, hasName: false },
  { area: "brand", list: "scans", maxBytes: defaultLimits.logoBytes, hasName: false },
  { area: "images", list: "images", maxBytes: defaultLimits.imageUploadBytes, hasName: true },
] as const;

type PictureList = (typeof lists)[number];

/** A world with the pictures of its files. */
export interface PicturedWorld {
  /** A copy with `image` in place of every `image_path` whose file can be read; everything else is unchanged. */
  readonly world: unknown;
  /** Why the other files cannot be read, by the RFC 6901 pointer of `image_path`. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Reads the pictures of a world. The validation of the world reports its problems. */
export async function withPictures(given: unknown, file: string, io: Io): Promise<PicturedWorld> {
  const folder = dirname(file);
  const unreadable = new Map<string, string>();
  const world = await change({ value: given, at: "" }, "accounts", (accounts) =>
    mapList(accounts, async (account) => {
      let changed = account.value;
      for (const pictures of lists)
        changed = await change({ ...account, value: changed }, pictures.area, (area) =>
          change(area, pictures.list, (list) =>
            mapList(list, (item) => withPicture(item, pictures, folder, unreadable, io)),
          ),
        );
      return changed;
    }),
  );
  return { world, unreadable };
}

/** A value and its RFC 6901 pointer. */
interface PartOfWorld {
  readonly value: unknown;
  readonly at: string;
}

async function withPicture(
  { value: item, at }: PartOfWorld,
  { maxBytes, hasName }: PictureList,
  folder: string,
  unreadable: Map<string, string>,
  io: Io,
): Promise<unknown> {
  if (!isJsonObject(item) || typeof item["image_path"] !== "string") return item;
  const { image_path: path, ...rest } = item;
  const file = resolve(folder, path);
  io.onInputFile?.(file);
  try {
    const bytes = await readPictureFile(file, maxBytes);
    const name: JsonObject = hasName ? { filename: basename(path) } : {};
    return { ...name, ...rest, image: Buffer.from(bytes).toString("base64") };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    unreadable.set(`${at}/image_path`, error.message);
    return item;
  }
}

/** The object with one member changed; another value as it is. */
async function change(
  { value, at }: PartOfWorld,
  name: string,
  edit: (member: PartOfWorld) => Promise<unknown>,
): Promise<unknown> {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: await edit({ value: value[name], at: `${at}/${name}` }) };
}

/** The pictures are read one after another, so that few files are open. */
async function mapList(
  { value, at }: PartOfWorld,
  edit: (item: PartOfWorld) => Promise<unknown>,
): Promise<unknown> {
  if (!Array.isArray(value)) return value;
  const items: unknown[] = [];
  for (const [i, item] of value.entries()) items.push(await edit({ value: item, at: `${at}/${i}` }));
  return items;
}
