/** Compares a rendered picture with an approved one: size and frames exactly, pixels by `difference.ts`. */
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { openImage } from "../open-image.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { openSharp, pagesOf } from "../render/sharp.ts";
import { differenceOf, maxBlockDifference, type Pixels } from "./difference.ts";

/** The result of a comparison. */
export interface PictureComparison {
  readonly isSame: boolean;
  /** Why the pictures differ, or how little: a clause. */
  readonly reason: string;
  /** A PNG that marks the blocks that differ; absent where pixels were not compared, or are the same. */
  readonly marked?: Uint8Array;
}

/** Compares files of any accepted format. A file that is not an accepted image differs from every other. */
export async function comparePictures(
  actual: Uint8Array,
  golden: Uint8Array,
  options?: Partial<ImageLimits>,
): Promise<PictureComparison> {
  if (Buffer.compare(actual, golden) === 0) return { isSame: true, reason: "the files are the same" };
  const limits = resolveImageLimits(options);
  const [opened, approved] = [await openImage(actual, limits), await openImage(golden, limits)];
  if (!opened.ok) return differs(`the rendered picture cannot be read: ${opened.problems[0].message}`);
  if (!approved.ok) return differs(`the approved picture cannot be read: ${approved.problems[0].message}`);
  if (opened.value.type === "svg" || approved.value.type === "svg") {
    return differs("an SVG must have the same bytes");
  }
  const [found, wanted] = [sizeText(opened.value), sizeText(approved.value)];
  if (found !== wanted) return differs(`the size is ${found}; the approved picture has ${wanted}`);
  return comparePixels([actual, opened.value], [golden, approved.value], limits);
}

type OpenFile = readonly [bytes: Uint8Array, image: RasterImage];

async function comparePixels(
  actual: OpenFile,
  golden: OpenFile,
  limits: ImageLimits,
): Promise<PictureComparison> {
  const pixels = await Promise.all([actual, golden].map((file) => decode(file, limits)));
  const [a, b] = pixels;
  if (!a || !b) return differs("a picture cannot be decoded");
  const { largest, marked } = differenceOf(a, b);
  const found = `the largest difference of a block is ${largest.toFixed(3)} of 1`;
  if (largest <= maxBlockDifference) return { isSame: true, reason: found };
  const raw = { raw: { width: b.width, height: b.height, channels: 4 as const } };
  const png = await (await openSharp(marked, raw, limits)).png().toBuffer();
  return { isSame: false, reason: `${found}; at most ${maxBlockDifference} is allowed`, marked: png };
}

/** Pixels as displayed; undefined when the file cannot be decoded. */
async function decode([bytes, image]: OpenFile, limits: ImageLimits): Promise<Pixels | undefined> {
  try {
    const autoOrient = image.frames === 1;
    const opened = await openSharp(bytes, { ...pagesOf(image), autoOrient }, limits);
    const { data, info } = await opened
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

function sizeText({ width, height, frames }: RasterImage): string {
  return `${width} x ${height} pixels${frames === 1 ? "" : ` in ${frames} frames`}`;
}

function differs(reason: string): PictureComparison {
  return { isSame: false, reason };
}
