/** HEIC files: those of heif-enc 1.15 with x265 3.5 in `fixtures/images`, and others around their coded picture, box by box. */
import { readFile } from "node:fs/promises";
import { type AvifItem, type AvifLayout, box, type CodedPicture, writeAvif } from "./avif-files.ts";

/** A file, with the size that heif-info 1.15 prints for it. */
export interface HeicFile {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Bytes at the end that the picture does not need: EXIF data, a thumbnail. */
  readonly spare?: number;
}

/** A fixture. */
export function readHeic(name: string): Promise<Buffer> {
  return readFile(new URL(`../../../../fixtures/images/${name}-heif-enc.heic`, import.meta.url));
}

/** The coded picture of 64 x 64 pixels that the grid of a fixture shows 61 x 45 pixels of. */
export async function codedHevc(): Promise<CodedPicture> {
  const file = await readHeic("grid-alpha");
  const configurationAt = file.indexOf("hvcC") - 4;
  const configuration = file.subarray(configurationAt, configurationAt + file.readUInt32BE(configurationAt));
  return { coding: "hvc1", configuration, data: file.subarray(file.indexOf("mdat") + 4) };
}

/** A file of items. */
export function writeHeic(layout: Omit<AvifLayout, "primary"> & { readonly primary?: number }): Buffer {
  return writeAvif({ primary: 1, brand: "heic", compatible: ["mif1", "heic"], ...layout });
}

export async function heicFiles(): Promise<Record<string, HeicFile>> {
  const coded = await codedHevc();
  const plain: AvifItem = { id: 1, width: 64, height: 64, coded };
  const tiles = [2, 3, 4, 5, 6, 7].map((id): AvifItem => ({ ...plain, id, hidden: true }));
  const grid = { rows: 2, columns: 3, tiles: tiles.map(({ id }) => id) };
  const file = (
    items: readonly AvifItem[],
    width: number,
    height: number,
    layout: Partial<AvifLayout> = {},
  ) => ({
    bytes: writeHeic({ items, ...layout }),
    width,
    height,
  });
  return {
    "grid of one tile, alpha": { bytes: await readHeic("grid-alpha"), width: 61, height: 45 },
    "EXIF, orientation 6": { bytes: await readHeic("exif"), width: 64, height: 48, spare: 206 },
    thumbnail: { bytes: await readHeic("thumbnail"), width: 64, height: 48, spare: 131 },
    plain: file([plain], 64, 64),
    "brand mif1": file([plain], 64, 64, { brand: "mif1", compatible: ["mif1", "miaf"] }),
    "brand heix": file([plain], 64, 64, { brand: "heix" }),
    part: file([{ ...plain, part: { width: 50, height: 30 } }], 50, 30),
    "part, quarter turn": file([{ ...plain, part: { width: 50, height: 30 }, rotation: 1 }], 30, 50),
    "part, half turn": file([{ ...plain, part: { width: 50, height: 30 }, rotation: 2 }], 50, 30),
    "part, three quarter turns, mirror": file(
      [{ ...plain, part: { width: 50, height: 30 }, rotation: 3, mirror: 0 }],
      30,
      50,
    ),
    mirror: file([{ ...plain, part: { width: 50, height: 30 }, mirror: 1 }], 50, 30),
    grid: file([{ id: 1, width: 180, height: 100, grid }, ...tiles], 180, 100),
    "grid in idat, quarter turn": file(
      [{ id: 1, width: 180, height: 100, grid, rotation: 3 }, ...tiles],
      100,
      180,
      {
        storage: "idat",
      },
    ),
    "primary item last": file(
      [
        { ...plain, hidden: true },
        { ...plain, id: 9, part: { width: 20, height: 60 } },
      ],
      20,
      60,
      {
        primary: 9,
      },
    ),
    "two extents": file([plain], 64, 64, { storage: "two extents" }),
  };
}

/** Files with a sequence, by their brand or by their track. */
export async function heicSequences(): Promise<Buffer[]> {
  const items: AvifItem[] = [{ id: 1, width: 64, height: 64, coded: await codedHevc() }];
  return [
    writeHeic({ items, brand: "hevc", compatible: ["hevc", "heic", "mif1"] }),
    writeHeic({ items, brand: "msf1", compatible: ["msf1", "hevc"] }),
    writeHeic({ items, after: [box("moov")] }),
  ];
}
