/** The operations on an image, in order: transformations, and pictures that are drawn on it. */
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import { openImage } from "../open-image.ts";
import type { Size } from "../render/geometry.ts";
import { createPipeline } from "../render/raster.ts";
import { checkInput } from "../render/render.ts";
import type { TransformOptions } from "./options.ts";
import { drawOverlay, type OverlayPlacement } from "./overlays.ts";
import { applySteps, type Canvas, openPixels, type Pixels, planSize, readPixels } from "./steps.ts";

/** A picture that is drawn on another. */
export interface Overlay {
  readonly bytes: Uint8Array;
  /** The operations on it, before it is drawn. */
  readonly operations: readonly Operation[];
  readonly placement: OverlayPlacement;
}

/** One operation. */
export type Operation = { readonly transform: TransformOptions } | { readonly draw: Overlay };

/** An operation whose overlay is decoded. */
export type ReadyOperation =
  | { readonly transform: TransformOptions }
  | { readonly pixels: Pixels; readonly placement: OverlayPlacement };

/** Maximum depth of overlays that have overlays (chosen). */
const maxDepth = 8;

/** The size after operations, before a pixel is decoded. */
export function planOperations(
  source: Size,
  operations: readonly Operation[],
  limits: ImageLimits,
): Size | CodedDiagnostic {
  let size = source;
  for (const operation of operations) {
    if (!("transform" in operation)) continue;
    const planned = planSize(size, operation.transform, limits);
    if ("code" in planned) return planned;
    size = planned;
  }
  return size;
}

/** Decodes the overlays, once for all frames of an animation. */
export async function prepareOperations(
  operations: readonly Operation[],
  limits: ImageLimits,
  depth = 0,
): Promise<readonly ReadyOperation[] | CodedDiagnostic> {
  const ready: ReadyOperation[] = [];
  for (const operation of operations) {
    if ("transform" in operation) {
      ready.push(operation);
      continue;
    }
    if (depth === maxDepth) return problem(9401, `Overlays must be nested at most ${maxDepth} levels deep.`);
    const { bytes, operations: own, placement } = operation.draw;
    const pixels = await renderOverlay(bytes, own, limits, depth + 1);
    if ("code" in pixels) return pixels;
    ready.push({ pixels, placement });
  }
  return ready;
}

async function renderOverlay(
  bytes: Uint8Array,
  operations: readonly Operation[],
  limits: ImageLimits,
  depth: number,
): Promise<Pixels | CodedDiagnostic> {
  const opened = await openImage(bytes, limits);
  if (!opened.ok) return opened.problems[0];
  const image = opened.value;
  if (image.type === "svg") return problem(9412, "An overlay must be a raster image; found SVG.");
  const wrong = checkInput(image, limits) ?? planOperations(image, operations, limits);
  if ("code" in wrong) return wrong;
  const ready = await prepareOperations(operations, limits, depth);
  if ("code" in ready) return ready;
  const picture = await createPipeline(bytes, { ...image, frames: 1 }, limits);
  const canvas = await applyOperations({ picture, width: image.width, height: image.height }, ready, limits);
  return "code" in canvas ? canvas : readPixels(canvas.picture.ensureAlpha());
}

/** Applies operations to one frame. */
export async function applyOperations(
  start: Canvas,
  operations: readonly ReadyOperation[],
  limits: ImageLimits,
): Promise<Canvas | CodedDiagnostic> {
  let canvas = start;
  for (const [index, operation] of operations.entries()) {
    const settled = index === 0 ? canvas : await settle(canvas, limits);
    const next =
      "transform" in operation
        ? await applySteps(settled, operation.transform, limits)
        : await drawOverlay(settled, operation.pixels, operation.placement, limits);
    if ("code" in next) return next;
    canvas = next;
  }
  return canvas;
}

async function settle(canvas: Canvas, limits: ImageLimits): Promise<Canvas> {
  const pixels = await readPixels(canvas.picture);
  return { picture: await openPixels(pixels, limits), width: pixels.width, height: pixels.height };
}
