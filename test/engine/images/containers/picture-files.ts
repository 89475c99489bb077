/** PNG, GIF, WebP, JPEG and AVIF files with the features of their containers. */
import sharp from "sharp";
import {
  animation,
  colorProfile,
  deepPng,
  exifBlock,
  jpegWithExif,
  orientationEntry,
  plain,
  pngChunk,
  quarters,
} from "../pictures.ts";
import { type AvifItem, box, codedPicture, writeAvif } from "./avif-files.ts";

/** A file, and the size and color of what it shows. */
export interface ContainerFile {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Red of its pixels, where it has one color. */
  readonly red?: number;
  /** Bytes at the end that the picture does not need; 0 without it. */
  readonly spare?: number;
}

const full = { width: 64, height: 40 };
const small = { width: 32, height: 20 };

/** AVIF files: several items, grids, thumbnails, pyramids, gain maps. */
export async function avifFiles(): Promise<Record<string, ContainerFile>> {
  const [red, dark, little] = await Promise.all([
    codedPicture(64, 40, 200),
    codedPicture(64, 40, 20),
    codedPicture(32, 20, 100),
  ]);
  const a: AvifItem = { id: 1, ...full, coded: red };
  const b: AvifItem = { id: 2, ...full, coded: dark };
  const c: AvifItem = { id: 3, ...small, coded: little };
  const grid: AvifItem = { id: 9, width: 128, height: 40, grid: { rows: 1, columns: 2, tiles: [1, 2] } };
  const cropped: AvifItem = { ...grid, width: 100, height: 30 };
  const of = (items: readonly AvifItem[], primary: number) => writeAvif({ items, primary });
  return {
    "one item": { bytes: of([a], 1), ...full, red: 200 },
    "two items of one size": { bytes: of([a, b], 1), ...full, red: 200, spare: dark.data.length },
    "two items, the second primary": { bytes: of([a, b], 2), ...full, red: 20 },
    "a smaller primary item after another": { bytes: of([a, c], 3), ...small, red: 100 },
    "a pyramid": { bytes: of([a, c], 1), ...full, red: 200, spare: little.data.length },
    "a pyramid with the smallest first": { bytes: of([c, a], 1), ...full, red: 200 },
    "a thumbnail": {
      bytes: of([a, { ...c, belongsTo: { kind: "thmb", id: 1 } }], 1),
      ...full,
      red: 200,
      spare: little.data.length,
    },
    "a hidden gain map": {
      bytes: of([a, { ...c, hidden: true }], 1),
      ...full,
      red: 200,
      spare: little.data.length,
    },
    "an alpha plane": { bytes: of([a, { ...b, belongsTo: { kind: "auxl", id: 1 } }], 1), ...full },
    "a grid of hidden tiles": {
      bytes: of([grid, { ...a, hidden: true }, { ...b, hidden: true }], 9),
      width: 128,
      height: 40,
    },
    "a grid of shown tiles": { bytes: of([a, b, grid], 9), width: 128, height: 40 },
    "a grid that is cropped": { bytes: of([a, b, cropped], 9), width: 100, height: 30 },
    "a grid in two extents each": {
      bytes: writeAvif({ items: [a, b, grid], primary: 9, storage: "two extents" }),
      width: 128,
      height: 40,
    },
    "a grid inside the metadata": {
      bytes: writeAvif({ items: [a, b, grid], primary: 9, storage: "idat" }),
      width: 128,
      height: 40,
    },
    "a rotated primary item": { bytes: of([c, { ...a, rotation: 1 }], 1), width: 40, height: 64, red: 200 },
    "the sequence brand as a compatible one only": {
      bytes: writeAvif({ items: [a], primary: 1, compatible: ["avif", "avis", "mif1"] }),
      ...full,
      red: 200,
    },
  };
}

/** AVIF files whose picture lacks data, with the reason. */
export async function incompleteAvifFiles(): Promise<Record<string, { bytes: Buffer; message: string }>> {
  const [red, dark] = await Promise.all([codedPicture(64, 40, 200), codedPicture(64, 40, 20)]);
  const a: AvifItem = { id: 1, ...full, coded: red };
  const b: AvifItem = { id: 2, ...full, coded: dark };
  const gridOf = (id: number, tiles: readonly number[]): AvifItem => {
    return { id, width: 128, height: 40, grid: { rows: 1, columns: 2, tiles } };
  };
  const of = (items: readonly AvifItem[], more: object = {}) => writeAvif({ items, primary: 9, ...more });
  const gridFirst = [gridOf(9, [1, 2]), a, b];
  const chain = Array.from({ length: 40 }, (_, n) => gridOf(9 + n, [1, 10 + n]));
  return {
    "a cut tile": { bytes: of(gridFirst).subarray(0, -1), message: "the data of item 2 is cut off" },
    "a cut tile in two extents": {
      bytes: of(gridFirst, { storage: "two extents" }).subarray(0, -1),
      message: "the data of item 2 is cut off",
    },
    "cut data in the metadata": {
      bytes: of(gridFirst, { storage: "idat" }).subarray(0, -1),
      message: "its metadata is cut off",
    },
    "a cut alpha plane of a tile": {
      bytes: of([gridOf(9, [1, 1]), a, { ...b, belongsTo: { kind: "auxl", id: 1 } }]).subarray(0, -1),
      message: "the data of item 2 is cut off",
    },
    "a tile of unstated length": {
      bytes: of(gridFirst, { isOpenEnded: true }),
      message: "the length of the data of item 2 is not stated",
    },
    "a grid of too few tiles": {
      bytes: of([a, gridOf(9, [1])]),
      message: "the grid of item 9 has 1 of 2 tiles",
    },
    "a tile that does not exist": { bytes: of([a, gridOf(9, [1, 7])]), message: "item 7 does not exist" },
    "a grid of itself": { bytes: of([a, gridOf(9, [1, 9])]), message: "item 9 is derived from itself" },
    "two grids of each other": {
      bytes: of([a, gridOf(8, [1, 9]), gridOf(9, [1, 8])]),
      message: "item 9 is derived from itself",
    },
    "its own alpha plane": {
      bytes: of([{ ...a, id: 9 }], { references: [["auxl", 9, [9]]] }),
      message: "item 9 is derived from itself",
    },
    "grids of grids": { bytes: of([a, ...chain]), message: "its items are nested more than 32 deep" },
    "no primary item": { bytes: of([a], { primary: 5 }), message: "item 5 does not exist" },
  };
}

/** AVIF image sequences. */
export async function avifSequences(): Promise<Record<string, Buffer>> {
  const item: AvifItem = { id: 1, ...full, coded: await codedPicture(64, 40, 200) };
  const still = { items: [item], primary: 1 };
  return {
    "by its major brand": writeAvif({ ...still, brand: "avis", compatible: ["avis", "avif", "msf1"] }),
    "by its track": writeAvif({ ...still, compatible: ["avif", "avis"], after: [box("moov", box("trak"))] }),
  };
}

/** PNG files: interlaced, of 16 bits, with an orientation, animated. */
export async function pngFiles(): Promise<Record<string, ContainerFile>> {
  const base = await quarters(64, 40);
  const turned = exifBlock([orientationEntry(6)]);
  return {
    interlaced: { bytes: await sharp(base).png({ progressive: true }).toBuffer(), ...full },
    "a palette": { bytes: await sharp(base).png({ palette: true }).toBuffer(), ...full },
    "one bit": { bytes: await sharp(base).png({ palette: true, colors: 2 }).toBuffer(), ...full },
    "gray with alpha": {
      bytes: await sharp(base).toColourspace("b-w").ensureAlpha(0.5).png().toBuffer(),
      ...full,
    },
    "16 bits": { bytes: deepPng(64, 40, [200, 80, 40]), ...full },
    "16 bits with a profile": { bytes: deepPng(64, 40, [200, 80, 40], await colorProfile("p3")), ...full },
    "eXIf with an orientation": {
      bytes: withChunk(base, pngChunk("eXIf", turned)),
      width: 40,
      height: 64,
    },
    "APNG, read as its still picture": {
      bytes: withChunk(base, pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
      ...full,
    },
  };
}

/** GIF, WebP and JPEG files. */
export async function otherFiles(): Promise<Record<string, ContainerFile>> {
  const base = await quarters(64, 40);
  const jpeg = await sharp(base).jpeg().toBuffer();
  const gif = await sharp(base).gif().toBuffer();
  return {
    "GIF, interlaced": { bytes: await sharp(base).gif({ progressive: true }).toBuffer(), ...full },
    "GIF, animated": { bytes: await animation(3, 64, 40, "gif"), ...full },
    "GIF with a comment": {
      bytes: Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, 0xfe, 2, 0x68, 0x69, 0, 0x3b])]),
      ...full,
    },
    "WebP, lossless": { bytes: await sharp(base).webp({ lossless: true }).toBuffer(), ...full },
    "WebP with alpha": { bytes: await plain(64, 40).ensureAlpha(0.5).webp().toBuffer(), ...full },
    "WebP, animated": { bytes: await animation(3, 64, 40, "webp"), ...full },
    "WebP with an orientation": {
      bytes: await sharp(base).withMetadata({ orientation: 8 }).webp().toBuffer(),
      width: 40,
      height: 64,
    },
    "JPEG, progressive": { bytes: await sharp(base).jpeg({ progressive: true }).toBuffer(), ...full },
    "JPEG, CMYK": { bytes: await sharp(base).toColourspace("cmyk").jpeg().toBuffer(), ...full },
    "JPEG, gray": { bytes: await sharp(base).toColourspace("b-w").jpeg().toBuffer(), ...full },
    "JPEG with an orientation": {
      bytes: jpegWithExif(jpeg, exifBlock([orientationEntry(6)])),
      width: 40,
      height: 64,
    },
    "JPEG with two blocks of EXIF": {
      bytes: jpegWithExif(
        jpegWithExif(jpeg, exifBlock([orientationEntry(6)])),
        exifBlock([orientationEntry(1)]),
      ),
      ...full,
    },
  };
}

/** Inserts a chunk after a PNG's header. */
function withChunk(png: Buffer, chunk: Buffer): Buffer {
  const headerEnd = 8 + 25;
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** A GIF of 1,000,000 pixels a frame; the frames after the first draw one pixel only. */
export function longGif(first: Uint8Array, frames: number): Buffer {
  const dot = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    first.subarray(0, -1),
    ...Array.from({ length: frames - 1 }, () => dot),
    Buffer.of(0x3b),
  ]);
}
