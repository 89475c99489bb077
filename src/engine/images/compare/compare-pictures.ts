/** Compares a rendered picture with an approved one: size, frames and timing exactly, pixels by `difference.ts`. */
import { decoderMessage } from "../../picture/sharp.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { openImage } from "../open-image.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { openSharp, pagesOf } from "../render/sharp.ts";
import { coarsenessOf, maxCoarseness, type OpenFile } from "./coarseness.ts";
import { differenceOf, maxDifferences } from "./difference.ts";
import type { Pixels } from "./pixels.ts";

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
  const [opened, approved] = [
    await openImage(actual, "delivery", limits),
    await openImage(golden, "delivery", limits),
  ];
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

async function comparePixels(
  actual: OpenFile,
  golden: OpenFile,
  tolerance: number,
  limits: ImageLimits,
): Promise<PictureComparison> {
  const [a, b] = await Promise.all([decode(actual, limits), decode(golden, limits)]);
  if (typeof a === "string") return unreadable(`the rendered picture cannot be decoded: ${a}`);
  if (typeof b === "string") return unreadable(`the approved picture cannot be decoded: ${b}`);
  const timing = timingDifference(a, b);
  if (timing !== undefined) return differs(timing);
  const frameHeight = b.height / golden[1].frames;
  const { largest, mark } = differenceOf(a, b, { frameHeight, tolerance });
  const found = { ...largest, coarseness: coarsenessOf(actual, golden) };
  const measured = Object.entries({ ...maxDifferences, coarseness: maxCoarseness }).map(([measure, max]) => ({
    measure,
    value: found[measure as keyof typeof found],
    max: max * tolerance,
  }));
  const values = measured.map(
    ({ measure, value, max }) => `${measure} ${value.toFixed(4)} (at most ${max.toFixed(4)})`,
  );
  const reason = `the largest differences are ${values.join(", ")}`;
  if (measured.every(({ value, max }) => value <= max)) return same(reason);
  const raw = { raw: { width: b.width, height: b.height, channels: 4 as const } };
  const png = await (await openSharp(mark(), raw, limits)).png().toBuffer();
  return { ...differs(reason), marked: png };
}

/** Browsers show frames with a shorter or equal time for longer, in ms (observed). */
const [replacedDelayMs, shownDelayMs] = [10, 100] as const;

/** All frames of a file, and how an animation plays. */
interface DecodedFile extends Pixels {
  /** How long each frame is shown, in ms; none for a still picture. */
  readonly delays: readonly number[];
  /** The count of loops in the file, 0 forever; undefined for a still picture. */
  readonly loop: number | undefined;
}

/** Pixels as displayed, or why the file cannot be decoded. */
async function decode([bytes, image]: OpenFile, limits: ImageLimits): Promise<DecodedFile | string> {
  try {
    const autoOrient = image.frames === 1;
    const opened = await openSharp(bytes, { ...pagesOf(image), autoOrient }, limits);
    const { delay = [], loop = 0 } = image.frames === 1 ? {} : await opened.clone().metadata();
    const { data, info } = await opened
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const delays = delay.map((ms) => (ms > replacedDelayMs ? ms : shownDelayMs));
    return { data, width, height, delays, loop: image.frames === 1 ? undefined : loop };
  } catch (error) {
    return decoderMessage(error);
  }
}

/** How two animations with the same number of frames play differently; undefined when they do not. */
function timingDifference(actual: DecodedFile, golden: DecodedFile): string | undefined {
  const frame = golden.delays.findIndex((delay, n) => delay !== actual.delays[n]);
  if (frame >= 0) {
    const [found, wanted] = [actual.delays[frame], golden.delays[frame]];
    return `frame ${frame + 1} is shown for ${found} ms; in the approved picture for ${wanted} ms`;
  }
  if (actual.loop === golden.loop) return undefined;
  return `the animation loops ${loopText(actual.loop)}; the approved picture loops ${loopText(golden.loop)}`;
}

function loopText(loop: number | undefined): string {
  return loop === 0 ? "forever" : `${loop} times`;
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
