/** Compares a rendered picture with an approved one: size and frames exactly, pixels by `difference.ts`. */
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { openImage } from "../open-image.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { firstLine, openSharp, pagesOf } from "../render/sharp.ts";
import { differenceOf, type Measure, maxDifferences, type Pixels } from "./difference.ts";

/** The result of a comparison. */
export interface PictureComparison {
  readonly isSame: boolean;
  /** False when one of the files is not a picture that can be read: nothing was compared. */
  readonly isCompared: boolean;
  /** Why the pictures differ, or how little: a clause. */
  readonly reason: string;
  /** A PNG that marks the blocks that differ; absent where pixels were not compared, or are the same. */
  readonly marked?: Uint8Array;
}

/** How pictures are compared. */
export interface ComparisonOptions {
  /** Factor of the maximum differences, 0 (the pixels must be equal) to 20. Default 1. */
  readonly tolerance?: number | undefined;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits>;
}

/** Compares files of any accepted format. A file that is not an accepted image differs from every other. */
export async function comparePictures(
  actual: Uint8Array,
  golden: Uint8Array,
  { tolerance = 1, limits: own }: ComparisonOptions = {},
): Promise<PictureComparison> {
  const limits = resolveImageLimits(own);
  const [opened, approved] = [await openImage(actual, limits), await openImage(golden, limits)];
  if (!opened.ok) return unreadable(`the rendered picture cannot be read: ${opened.problems[0].message}`);
  if (!approved.ok) return unreadable(`the approved picture cannot be read: ${approved.problems[0].message}`);
  if (Buffer.compare(actual, golden) === 0) return same("the files are the same");
  if (opened.value.type === "svg" || approved.value.type === "svg") {
    return differs("an SVG must have the same bytes");
  }
  const [found, wanted] = [sizeText(opened.value), sizeText(approved.value)];
  if (found !== wanted) return differs(`the size is ${found}; the approved picture has ${wanted}`);
  return comparePixels([actual, opened.value], [golden, approved.value], tolerance, limits);
}

type OpenFile = readonly [bytes: Uint8Array, image: RasterImage];

async function comparePixels(
  actual: OpenFile,
  golden: OpenFile,
  tolerance: number,
  limits: ImageLimits,
): Promise<PictureComparison> {
  const [a, b] = await Promise.all([decode(actual, limits), decode(golden, limits)]);
  if (typeof a === "string") return unreadable(`the rendered picture cannot be decoded: ${a}`);
  if (typeof b === "string") return unreadable(`the approved picture cannot be decoded: ${b}`);
  const frameHeight = b.height / golden[1].frames;
  const { largest, mark } = differenceOf(a, b, { frameHeight, tolerance });
  const measures = Object.keys(maxDifferences) as Measure[];
  const found = measures.map((measure) => {
    const max = maxDifferences[measure] * tolerance;
    return `${measure} ${largest[measure].toFixed(4)} (at most ${max.toFixed(4)})`;
  });
  const reason = `the largest differences are ${found.join(", ")}`;
  if (measures.every((measure) => largest[measure] <= maxDifferences[measure] * tolerance))
    return same(reason);
  const raw = { raw: { width: b.width, height: b.height, channels: 4 as const } };
  const png = await (await openSharp(mark(), raw, limits)).png().toBuffer();
  return { ...differs(reason), marked: png };
}

/** Pixels as displayed, or why the file cannot be decoded. */
async function decode([bytes, image]: OpenFile, limits: ImageLimits): Promise<Pixels | string> {
  try {
    const autoOrient = image.frames === 1;
    const opened = await openSharp(bytes, { ...pagesOf(image), autoOrient }, limits);
    const { data, info } = await opened
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    return firstLine(error);
  }
}

function sizeText({ width, height, frames }: RasterImage): string {
  return `${width} x ${height} pixels${frames === 1 ? "" : ` in ${frames} frames`}`;
}

function same(reason: string): PictureComparison {
  return { isSame: true, isCompared: true, reason };
}

function differs(reason: string): PictureComparison {
  return { isSame: false, isCompared: true, reason };
}

function unreadable(reason: string): PictureComparison {
  return { isSame: false, isCompared: false, reason };
}
