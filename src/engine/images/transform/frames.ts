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
  readonly hasAlpha: boolean;
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
    const pixels = await readPixels(canvas.picture);
    const size = { width: pixels.width, height: pixels.height };
    return { picture: await openPixels(pixels, limits), size, hasAlpha: pixels.channels === 4 };
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
