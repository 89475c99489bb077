/**
 * The steps of a transformation, in their order (`observed`): each plans its own size, and applies to the pixels that the
 * step before has made. sharp runs the operations of one pipeline in an order of its own, so each step has a pipeline.
 */
import type { Sharp } from "sharp";
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import { blurPicture } from "../render/blur.ts";
import type { Plan, Size } from "../render/geometry.ts";
import { checkOutput } from "../render/render.ts";
import { openSharp } from "../render/sharp.ts";
import { white } from "./color.ts";
import type { TransformOptions } from "./options.ts";
import { toneTable } from "./tones.ts";
import { boxOf, cropAround, maxDensity, planBox, trimRectangle } from "./transform-geometry.ts";

/** Pixels of one frame: a pipeline without operations, or with those that decode a file. */
export interface Canvas extends Size {
  readonly picture: Sharp;
}

/** Pixels in memory, 3 or 4 channels of a byte. */
export interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 3 | 4;
}

/** A step for an image of one size. */
interface Planned {
  /** The size after it; that before it when only the pixels tell (`trim.border`). */
  readonly size: Size;
  readonly apply: (picture: Sharp, limits: ImageLimits) => Sharp | Promise<Sharp>;
}

/** Plans a step; undefined when the options do not ask for it. */
type Step = (size: Size, options: TransformOptions) => Planned | CodedDiagnostic | undefined;

/** Computes the pixels of a pipeline. */
export async function readPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** A pipeline of pixels. */
export function openPixels({ data, width, height, channels }: Pixels, limits: ImageLimits): Promise<Sharp> {
  return openSharp(data, { raw: { width, height, channels } }, limits);
}

const trim: Step = (size, { trim: given, dpr }) => {
  if (given === undefined) return undefined;
  if ("box" in given) {
    const rectangle = trimRectangle(size, given.box, dpr);
    if (!rectangle)
      return problem(
        9401,
        `\`trim\` must leave a part of the image of ${size.width} x ${size.height} pixels.`,
      );
    const { width, height } = rectangle;
    return { size: { width, height }, apply: (picture) => picture.extract(rectangle) };
  }
  const { color, tolerance, keep } = given.border;
  const margin = Math.round(keep * Math.min(dpr ?? 1, maxDensity));
  const options = { threshold: tolerance, margin, ...(color && { background: color }) };
  return { size, apply: (picture) => picture.trim(options) };
};

const flip: Step = (size, { flip: axes = "" }) => {
  if (axes === "") return undefined;
  return { size, apply: (picture) => picture.flip(axes.includes("v")).flop(axes.includes("h")) };
};

const rotate: Step = ({ width, height }, { rotate: degrees = 0 }) => {
  const angle = degrees % 360;
  if (angle === 0) return undefined;
  const size = angle === 180 ? { width, height } : { width: height, height: width };
  return { size, apply: (picture) => picture.rotate(angle) };
};

const resize: Step = (size, options) => {
  const box = boxOf(options);
  if (!box) return undefined;
  const plan = planBox(size, box);
  return { size: plan.output, apply: (picture, limits) => applyPlan(picture, size, plan, options, limits) };
};

async function applyPlan(
  picture: Sharp,
  source: Size,
  plan: Plan,
  { gravity, background = white }: TransformOptions,
  limits: ImageLimits,
): Promise<Sharp> {
  const { kind, inner, output, left, top } = plan;
  if (kind === "crop" && typeof gravity === "object") {
    const { scaled, part } = cropAround(source, plan, gravity);
    const pixels = await readPixels(picture.resize(scaled.width, scaled.height, { fit: "fill" }));
    return (await openPixels(pixels, limits)).extract(part);
  }
  if (kind === "crop") {
    const position = gravity === "auto" ? "attention" : gravity === "entropy" ? "entropy" : "centre";
    return picture.resize(inner.width, inner.height, { fit: "cover", position });
  }
  const scaled = picture.resize(inner.width, inner.height, { fit: "fill" });
  const right = output.width - inner.width - left;
  const bottom = output.height - inner.height - top;
  return left || top || right || bottom ? scaled.extend({ left, top, right, bottom, background }) : scaled;
}

/** A transparent background has an effect only around a padded image. */
const flatten: Step = (size, { background }) =>
  background?.alpha === 1 ? { size, apply: (picture) => picture.flatten({ background }) } : undefined;

const tones: Step = (size, options) => {
  const table = toneTable(options);
  if (!table) return undefined;
  return {
    size,
    apply: async (picture, limits) => {
      const pixels = await readPixels(picture);
      const { data, channels } = pixels;
      for (let at = 0; at < data.length; at++)
        if (channels === 3 || (at & 3) !== 3) data[at] = table[data[at] as number] as number;
      return openPixels(pixels, limits);
    },
  };
};

/** Weights of red, green and blue in the luminance of BT.709. */
const luminance = [0.2126, 0.7152, 0.0722] as const;

const saturate: Step = (size, { saturation: amount = 1 }) => {
  if (amount === 1) return undefined;
  const row = (own: number) =>
    luminance.map((weight, i) => weight * (1 - amount) + (i === own ? amount : 0)) as [
      number,
      number,
      number,
    ];
  return { size, apply: (picture) => picture.recomb([row(0), row(1), row(2)]) };
};

const blur: Step = (size, { blur: radius = 0 }) =>
  radius === 0
    ? undefined
    : { size, apply: (picture, limits) => blurPicture(picture, radius / 2, 1, limits) };

const sharpen: Step = (size, { sharpen: amount = 0 }) =>
  amount === 0 ? undefined : { size, apply: (picture) => picture.sharpen({ sigma: 1, m2: amount }) };

const addBorder: Step = ({ width, height }, { border, dpr = 1 }) => {
  if (!border) return undefined;
  const scaled = (side: number) => Math.round(side * Math.min(dpr, maxDensity));
  const [top, right, bottom, left] = [border.top, border.right, border.bottom, border.left].map(scaled) as [
    number,
    number,
    number,
    number,
  ];
  return {
    size: { width: width + left + right, height: height + top + bottom },
    apply: (picture) => picture.extend({ top, right, bottom, left, background: border.color }),
  };
};

/** The steps in their order; padding is blurred and brightened with the image (`observed`). */
const steps: readonly Step[] = [
  trim,
  flip,
  rotate,
  resize,
  flatten,
  tones,
  saturate,
  blur,
  sharpen,
  addBorder,
];

/** The size after all steps, before a pixel is decoded; a border that is searched counts as absent. */
export function planSize(
  source: Size,
  options: TransformOptions,
  limits: ImageLimits,
): Size | CodedDiagnostic {
  let size = source;
  for (const step of steps) {
    const planned = checked(step(size, options), limits);
    if (planned && "code" in planned) return planned;
    size = planned?.size ?? size;
  }
  return size;
}

/** The step, unless its output is too large. */
function checked(planned: ReturnType<Step>, limits: ImageLimits): ReturnType<Step> {
  if (!planned || "code" in planned) return planned;
  return checkOutput(planned.size, 1, limits) ?? planned;
}

/** Applies all steps. @returns the pixels with the last operation, or the problem of a step */
export async function applySteps(
  start: Canvas,
  options: TransformOptions,
  limits: ImageLimits,
): Promise<Canvas | CodedDiagnostic> {
  let canvas = start;
  let waits = false;
  for (const step of steps) {
    if (!step(canvas, options)) continue;
    if (waits) {
      const pixels = await readPixels(canvas.picture);
      canvas = { picture: await openPixels(pixels, limits), width: pixels.width, height: pixels.height };
    }
    const planned = checked(step(canvas, options), limits);
    if (!planned) continue;
    if ("code" in planned) return planned;
    const { width, height } = planned.size;
    canvas = { picture: await planned.apply(canvas.picture, limits), width, height };
    waits = true;
  }
  return canvas;
}
