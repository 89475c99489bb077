/** One plan of all operations on an image, made before a pixel is decoded: the steps, and the sizes that they have. */
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import { codeFor } from "../codes.ts";
import type { ImageLimits } from "../limits.ts";
import { openImage } from "../open-image.ts";
import type { Size } from "../render/geometry.ts";
import type { RasterImage } from "../render/raster-image.ts";
import type { TransformOptions } from "./options.ts";
import type { OverlayPlacement } from "./overlays.ts";
import { planners, type Step } from "./steps.ts";

/** A picture that is drawn on another. */
export interface Overlay {
  readonly bytes: Uint8Array;
  /** The operations on it, before it is drawn. */
  readonly operations: readonly Operation[];
  readonly placement: OverlayPlacement;
  /** Sides as shares of the sides of the image that it is drawn on, for the first transformation of its own. */
  readonly shares?: Partial<Size>;
}

/** One operation. */
export type Operation = { readonly transform: TransformOptions } | { readonly draw: Overlay };

/** An overlay whose header was read. */
interface OpenedOverlay extends Overlay {
  readonly image: RasterImage;
  readonly operations: readonly OpenedOperation[];
}

/** An operation whose overlay is opened, and not decoded yet. */
export type OpenedOperation = { readonly transform: TransformOptions } | { readonly draw: OpenedOverlay };

/** A planned overlay. */
export interface Drawing {
  readonly size: Size;
  readonly bytes: Uint8Array;
  readonly image: RasterImage;
  readonly plan: OperationPlan;
  readonly placement: OverlayPlacement;
}

/** A search, with the operations that wait for the size that it finds. */
interface Search extends Step {
  readonly next: readonly OpenedOperation[];
}

/** The steps of all operations. */
export interface OperationPlan {
  readonly steps: readonly (Step | Search | Drawing)[];
  /** Size of the output; when a border is searched, that of an output without one. */
  readonly size: Size;
  /** Maximum pixels of a frame at any time, overlays included. */
  readonly pixels: number;
  /** Whether only the pixels tell the size. */
  readonly searches: boolean;
}

/** Maximum depth of overlays that have overlays (chosen). */
const maxDepth = 8;

/** Reads the headers of overlays. */
export async function openOperations(
  operations: readonly Operation[],
  limits: ImageLimits,
  depth = 0,
): Promise<readonly OpenedOperation[] | CodedDiagnostic> {
  const opened: OpenedOperation[] = [];
  for (const operation of operations) {
    if ("transform" in operation) {
      opened.push(operation);
      continue;
    }
    const { draw } = operation;
    if (depth === maxDepth) return problem(9401, `Overlays must be nested at most ${maxDepth} levels deep.`);
    const file = await openImage(draw.bytes, "draw", limits);
    if (!file.ok) return file.problems[0];
    const image = file.value;
    if (image.type === "svg")
      return problem(codeFor("draw", "format"), "An overlay must be a raster image; found SVG.");
    const wrong = checkInput(image, limits);
    if (wrong) return wrong;
    const own = await openOperations(draw.operations, limits, depth + 1);
    if ("code" in own) return own;
    opened.push({ draw: { ...draw, image: { ...image, frames: 1 }, operations: own } });
  }
  return opened;
}

/** A still image, or an animation whose frames pass the steps one by one. */
export interface PlannedSource extends Size {
  readonly frames: number;
}

/** Plans operations; the output and all sizes on the way are bounded. */
export function planOperations(
  source: PlannedSource,
  operations: readonly OpenedOperation[],
  limits: ImageLimits,
): OperationPlan | CodedDiagnostic {
  const { frames } = source;
  const areaOf = ({ width, height }: Size) => width * height * frames;
  const steps: OperationPlan["steps"][number][] = [];
  let size: Size = source;
  let pixels = areaOf(source);
  let searches = false;
  for (const [index, operation] of operations.entries()) {
    if ("draw" in operation) {
      const drawing = planDrawing(size, operation.draw, limits);
      if ("code" in drawing) return drawing;
      steps.push(drawing);
      pixels = Math.max(pixels, areaOf(size) + drawing.plan.pixels);
      continue;
    }
    const { trim, ...others } = operation.transform;
    const next = [{ transform: others }, ...operations.slice(index + 1)];
    for (const planner of planners) {
      const step = planner(size, operation.transform);
      if (!step) continue;
      if ("code" in step) return step;
      steps.push(step.searches ? { ...step, next } : step);
      ({ size } = step);
      if (areaOf(size) > limits.inputPixels) return tooLargeBetween(size, frames, limits);
      pixels = Math.max(pixels, areaOf(size));
      searches ||= step.searches === true;
    }
  }
  // The steps after a search are planned again, for the size that it finds.
  if (searches) return { steps, size, pixels: Math.max(pixels, limits.outputPixels), searches };
  return checkOutput(size, frames, limits) ?? { steps, size, pixels, searches };
}

/** Whether an image is small enough to be transformed. */
export function checkInput(
  { frames, pixels }: RasterImage,
  { inputPixels, inputFrames }: ImageLimits,
): CodedDiagnostic | undefined {
  if (pixels > inputPixels)
    return problem(9413, `An image to transform must have at most ${inputPixels} pixels; found ${pixels}.`);
  if (frames <= inputFrames) return undefined;
  return problem(9413, `An image to transform must have at most ${inputFrames} frames; found ${frames}.`);
}

/** One frame is limited as a still image is, and all frames together as those of an original that is transformed. */
function checkOutput(
  { width, height }: Size,
  frames: number,
  { outputPixels, transformedAnimationPixels }: ImageLimits,
): CodedDiagnostic | undefined {
  const found = `${width} x ${height}`;
  if (width * height > outputPixels)
    return problem(9413, `The variant must have at most ${outputPixels} pixels; found ${found}.`);
  if (frames === 1 || width * height * frames <= transformedAnimationPixels) return undefined;
  const allowed = `at most ${transformedAnimationPixels} pixels in all frames together`;
  return problem(9413, `The variant must have ${allowed}; found ${frames} frames of ${found} pixels.`);
}

function tooLargeBetween(
  { width, height }: Size,
  frames: number,
  { inputPixels }: ImageLimits,
): CodedDiagnostic {
  const found = `${width} x ${height}${frames > 1 ? ` in ${frames} frames` : ""}`;
  return problem(9413, `The variant must have at most ${inputPixels} pixels in each step; found ${found}.`);
}

function planDrawing(
  size: Size,
  { bytes, image, operations, placement, shares = {} }: OpenedOverlay,
  limits: ImageLimits,
): Drawing | CodedDiagnostic {
  const sides = (["width", "height"] as const).flatMap((name) => {
    const share = shares[name];
    return share === undefined ? [] : [[name, Math.max(1, Math.round(share * size[name]))] as const];
  });
  const resized = Object.fromEntries(sides);
  const [first, ...others] = operations;
  const own =
    first && "transform" in first
      ? [{ transform: { ...first.transform, ...resized } }, ...others]
      : operations;
  const plan = planOperations(image, own, limits);
  return "code" in plan ? plan : { size, bytes, image, plan, placement };
}
