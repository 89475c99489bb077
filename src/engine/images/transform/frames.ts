/** Applies a plan to the frames of an image: to each by itself, unless the library keeps them apart. */
import type { Sharp } from "sharp";
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import type { Size } from "../render/geometry.ts";
import { openPixels, type Pixels, readPixels } from "../render/pixels.ts";
import { createPipeline } from "../render/raster.ts";
import type { RasterImage } from "../render/raster-image.ts";
import { openSharp } from "../render/sharp.ts";
import type { Timing } from "./output.ts";
import { drawOverlay } from "./overlays.ts";
import { type Drawing, type OperationPlan, planOperations } from "./plan.ts";

/** A picture that waits for its encoding. */
export interface Drawn {
  readonly picture: Sharp;
  /** Size of a frame. */
  readonly size: Size;
  /** Undefined when only the pixels tell: the picture is still a pipeline with its last operations. */
  readonly hasAlpha: boolean | undefined;
  readonly timing?: Timing;
}

/** @returns the frames, or the problem of a step whose size only the pixels tell */
export async function renderFrames(
  bytes: Uint8Array,
  image: RasterImage,
  plan: OperationPlan,
  limits: ImageLimits,
): Promise<Drawn | CodedDiagnostic> {
  const decoder = await createPipeline(bytes, image, limits);
  const { steps, size } = plan;
  const first = steps[0];
  if (image.frames > 1 && steps.length <= 1 && (!first || ("apply" in first && first.keepsFrames)))
    return { picture: first ? await first.apply(decoder, limits) : decoder, size, hasAlpha: undefined };
  if (image.frames > 1) return renderAnimation(decoder, image.frames, plan, limits);
  const applied = await applyPlan([decoder], plan, limits);
  if ("code" in applied) return applied;
  const [picture] = applied.pictures as [Sharp];
  const isOpaque = image.type === "jpeg" && steps.every((step) => "apply" in step && !step.isTranslucent);
  const { size: found } = applied;
  return { picture: picture.toColourspace("srgb"), size: found, hasAlpha: isOpaque ? false : undefined };
}

async function renderAnimation(
  decoder: Sharp,
  frames: number,
  plan: OperationPlan,
  limits: ImageLimits,
): Promise<Drawn | CodedDiagnostic> {
  const { delay, loop } = await decoder.clone().metadata();
  const all = await readPixels(decoder);
  const length = all.data.length / frames;
  const parts = Array.from({ length: frames }, (_, i) => ({
    ...all,
    height: all.height / frames,
    data: all.data.subarray(i * length, (i + 1) * length),
  }));
  const applied = await applyPlan(await openAll(parts, limits), plan, limits);
  if ("code" in applied) return applied;
  const done = await readAll(applied.pictures.map((picture) => picture.ensureAlpha()));
  const { width, height, channels } = done[0] as Pixels;
  const raw = { width, height: height * frames, channels, pageHeight: height };
  const joined = Buffer.concat(done.map(({ data }) => data));
  return {
    picture: await openSharp(joined, { raw, limitInputPixels: false }, limits),
    size: { width, height },
    hasAlpha: true,
    timing: { ...(delay && { delay }), ...(loop !== undefined && { loop }) },
  };
}

/** Frames after all steps, and their size. */
interface Applied {
  readonly pictures: readonly Sharp[];
  readonly size: Size;
}

/** Steps share a pipeline as long as their order is the library's. */
async function applyPlan(
  start: readonly Sharp[],
  plan: OperationPlan,
  limits: ImageLimits,
): Promise<Applied | CodedDiagnostic> {
  let pictures = start;
  let last = 0;
  for (const step of plan.steps) {
    if ("image" in step) {
      const overlay = await renderOverlay(step, limits);
      if ("code" in overlay) return overlay;
      pictures = await eachOf(pictures, (picture) => drawOverlay(picture, overlay, step.placement, limits));
      last = 0;
      continue;
    }
    if (step.first <= last) pictures = await openAll(await readAll(pictures), limits);
    pictures = await eachOf(pictures, async (picture) => step.apply(picture, limits));
    ({ last } = step);
    if (!("next" in step)) continue;
    const found = await readAll(pictures);
    const { width, height } = found[0] as Pixels;
    if (found.some((frame) => frame.width !== width || frame.height !== height))
      return problem(9401, "`trim` must leave the same size in all frames of an animation.");
    const rest = planOperations({ width, height, frames: found.length }, step.next, limits);
    return "code" in rest ? rest : applyPlan(await openAll(found, limits), rest, limits);
  }
  return { pictures, size: plan.size };
}

/** Decodes an overlay when it is drawn, so that one is in memory at a time. */
async function renderOverlay(
  { bytes, image, plan }: Drawing,
  limits: ImageLimits,
): Promise<Pixels | CodedDiagnostic> {
  const drawn = await renderFrames(bytes, image, plan, limits);
  return "code" in drawn ? drawn : readPixels(drawn.picture.ensureAlpha());
}

/** One after the other: each needs memory. */
async function eachOf<A, B>(all: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (const item of all) done.push(await work(item));
  return done;
}

function readAll(pictures: readonly Sharp[]): Promise<Pixels[]> {
  return eachOf(pictures, readPixels);
}

function openAll(frames: readonly Pixels[], limits: ImageLimits): Promise<Sharp[]> {
  return eachOf(frames, (frame) => openPixels(frame, limits));
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
