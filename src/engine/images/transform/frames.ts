/** Applies operations to every frame of an image. */
import type { Sharp } from "sharp";
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "../render/geometry.ts";
import { createPipeline } from "../render/raster.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { openSharp } from "../render/sharp.ts";
import { applyOperations, type ReadyOperation } from "./operations.ts";
import type { Timing } from "./output.ts";
import { openPixels, type Pixels, readPixels } from "./steps.ts";

/** A picture that waits for its encoding. */
export interface Drawn {
  readonly picture: Sharp;
  /** Size of a frame. */
  readonly size: Size;
  /** Undefined when only the pixels tell: the picture is still a pipeline with its last operation. */
  readonly hasAlpha: boolean | undefined;
  readonly timing?: Timing;
}

/**
 * Applies operations to the frames of an image, to each by itself: operations on all of them in one picture would mix them.
 *
 * @returns the frames, or the problem of an operation
 */
export async function renderFrames(
  bytes: Uint8Array,
  image: RasterImage,
  operations: readonly ReadyOperation[],
  limits: ImageLimits,
): Promise<Drawn | CodedDiagnostic> {
  const { frames, width, height } = image;
  const decoder = await createPipeline(bytes, image, limits);
  if (frames === 1) {
    const canvas = await applyOperations({ picture: decoder, width, height }, operations, limits);
    if ("code" in canvas) return canvas;
    if (operations.some(searchesBorder)) return settleDrawn(canvas.picture, limits);
    const size = { width: canvas.width, height: canvas.height };
    const hasAlpha = image.type === "jpeg" && operations.every(staysOpaque) ? false : undefined;
    return { picture: canvas.picture.toColourspace("srgb"), size, hasAlpha };
  }
  const { delay, loop } = await decoder.clone().metadata();
  const done: Pixels[] = [];
  for (const frame of splitFrames(await readPixels(decoder), frames)) {
    const picture = await openPixels(frame, limits);
    const canvas = await applyOperations(
      { picture, width: frame.width, height: frame.height },
      operations,
      limits,
    );
    if ("code" in canvas) return canvas;
    done.push(await readPixels(canvas.picture.ensureAlpha()));
  }
  return joinFrames(done, { ...(delay && { delay }), ...(loop !== undefined && { loop }) }, limits);
}

/** Whether only the pixels tell the size. */
function searchesBorder(operation: ReadyOperation): boolean {
  return (
    "transform" in operation && operation.transform.trim !== undefined && "border" in operation.transform.trim
  );
}

/** Whether an opaque picture surely stays opaque. */
function staysOpaque(operation: ReadyOperation): boolean {
  if (!("transform" in operation)) return false;
  const { background, border } = operation.transform;
  return [background, border?.color].every((color) => color === undefined || color.alpha === 1);
}

/** Computes the pixels of a picture, which tell its size and whether it has an alpha channel. */
export async function settleDrawn(
  picture: Sharp,
  limits: ImageLimits,
): Promise<Drawn & { hasAlpha: boolean }> {
  const pixels = await readPixels(picture);
  const size = { width: pixels.width, height: pixels.height };
  return { picture: await openPixels(pixels, limits), size, hasAlpha: pixels.channels === 4 };
}

function splitFrames(all: Pixels, frames: number): Pixels[] {
  const length = all.data.length / frames;
  return Array.from({ length: frames }, (_, i) => ({
    ...all,
    height: all.height / frames,
    data: all.data.subarray(i * length, (i + 1) * length),
  }));
}

async function joinFrames(
  frames: readonly Pixels[],
  timing: Timing,
  limits: ImageLimits,
): Promise<Drawn | CodedDiagnostic> {
  const [first] = frames as readonly [Pixels];
  const { width, height, channels } = first;
  // A searched border may differ from frame to frame.
  if (!frames.every((frame) => frame.width === width && frame.height === height))
    return problem(9401, "`trim` must leave the same size in all frames of an animation.");
  const raw = { width, height: height * frames.length, channels, pageHeight: height };
  const picture = await openSharp(Buffer.concat(frames.map(({ data }) => data)), { raw }, limits);
  return { picture, size: { width, height }, hasAlpha: true, timing };
}
