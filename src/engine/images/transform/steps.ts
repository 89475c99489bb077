/**
 * The steps of a transformation, in their order (`observed`). Each is planned for a size. The library runs the operations of
 * one pipeline in an order of its own, so steps share a pipeline only as long as that order is theirs.
 */
import type { Sharp } from "sharp";
import { inRows, runStepsAsync, type Steps } from "../../../core/work/steps.ts";
import { type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import { blurPicture } from "../render/blur.ts";
import {
  type Box,
  cropAround,
  planBox,
  type Rectangle,
  type Size,
  sizeBeforeCrop,
} from "../render/geometry.ts";
import { openPixels, type Pixels, readPixels } from "../render/pixels.ts";
import { maxBoxSide } from "../render/variant.ts";
import { white } from "./color.ts";
import type { Length, TrimBox } from "./edges.ts";
import type { TransformOptions } from "./options.ts";
import { toneOf } from "./tones.ts";

/** Operations of the library in its own order; tones are of bytes, so that the pixels before them are computed. */
const order = {
  extract: 1,
  flatten: 2,
  resize: 3,
  extend: 4,
  blur: 5,
  recomb: 6,
  sharpen: 7,
  tones: 8,
} as const;

/** A step for an image of one size. */
export interface Step {
  /** The size after it; that before it when only the pixels tell. */
  readonly size: Size;
  /** Its first and last operation in the library's order. */
  readonly first: number;
  readonly last: number;
  readonly apply: (picture: Sharp, limits: ImageLimits) => Sharp | Promise<Sharp>;
  /** Only the pixels tell the size after it. */
  readonly searches?: boolean;
  /** It can be applied to all frames of an animation at once. */
  readonly keepsFrames?: boolean;
  /** The size that it scales the whole image to, before it is cut; absent when it does not begin with that. */
  readonly scaled?: Size;
  /** Lines above and below are cut off then. */
  readonly cutsLines?: boolean;
  /** Transparent pixels that it may add. */
  readonly isTranslucent?: boolean;
}

/** Plans a step; undefined when the options do not ask for it. */
type Planner = (size: Size, options: TransformOptions) => Step | CodedDiagnostic | undefined;

/** Maximum factor of the sizes (`observed`). */
export const maxDensity = 3;
/** Maximum side of an image that is scaled to be cut, in pixels (chosen). */
const maxScaledSide = 16_777_216;

function at(operation: keyof typeof order, last: keyof typeof order = operation) {
  return { first: order[operation], last: order[last] };
}

/** Lengths in pixels of the device. */
function densityOf({ dpr = 1 }: TransformOptions): number {
  return Math.min(dpr, maxDensity);
}

const trim: Planner = (size, options) => {
  const { trim: given } = options;
  if (given === undefined) return undefined;
  const density = densityOf(options);
  if ("box" in given) {
    const part = trimRectangle(size, given.box, density);
    if ("code" in part) return part;
    const { width, height } = part;
    // Without an extract the decoder can reduce what it reads.
    if (width === size.width && height === size.height) return undefined;
    return { size: { width, height }, ...at("extract"), apply: (picture) => picture.extract(part) };
  }
  const { color, tolerance, keep } = given.border;
  const search = {
    threshold: tolerance,
    margin: Math.round(keep * density),
    ...(color && { background: color }),
  };
  return { size, ...at("extract"), searches: true, apply: (picture) => picture.trim(search) };
};

/** A part of one axis. */
interface Part {
  readonly start: number;
  readonly length: number;
}

/** The rectangle that stays, or why there is none. */
function trimRectangle(source: Size, box: TrimBox, density: number): Rectangle | CodedDiagnostic {
  const { width, height } = source;
  const across = partOf(width, [box.left, box.width, box.right], density);
  const down = partOf(height, [box.top, box.height, box.bottom], density);
  const found = `the image of ${width} x ${height} pixels`;
  if (!across || !down)
    return problem(9401, `\`trim\` must have a width and a height that its edges leave of ${found}.`);
  if (across.length < 1 || down.length < 1) return problem(9401, `\`trim\` must leave a part of ${found}.`);
  return { left: across.start, top: down.start, width: across.length, height: down.length };
}

/** The part between two edges, or of a length from the edge that is given; undefined when the three contradict. */
function partOf(
  side: number,
  lengths: readonly [start: Length | undefined, length: Length | undefined, end: Length | undefined],
  density: number,
): Part | undefined {
  const [start, length, end] = lengths.map((given) =>
    given === undefined ? given : Math.round(given < 1 ? given * side : given * density),
  );
  const from = start ?? 0;
  const left = side - from - (end ?? 0);
  if (length === undefined) return { start: from, length: left };
  // Shares of a side are rounded one by one.
  if (start !== undefined && end !== undefined && Math.abs(left - length) > 1) return undefined;
  const kept = Math.min(length, left);
  return { start: start === undefined && end !== undefined ? side - end - kept : from, length: kept };
}

/** The box that options ask for; undefined without a side. */
export function boxOf(options: TransformOptions): Box | undefined {
  const { width, height, fit = "scale-down" } = options;
  const scaled = (side: number | "auto" | undefined) =>
    typeof side === "number"
      ? Math.min(maxBoxSide, Math.max(1, Math.round(side * densityOf(options))))
      : undefined;
  const box = { fit, width: scaled(width), height: scaled(height) };
  return box.width === undefined && box.height === undefined ? undefined : box;
}

/**
 * Flip, rotation and resize. The library resizes first, so that a decoder can reduce what it reads: a quarter turn swaps
 * the sides of the resize before it.
 */
const shape: Planner = (size, options) => {
  const { flip = "", rotate = 0, gravity, background = white } = options;
  const angle = rotate % 360;
  const isQuarter = angle % 180 !== 0;
  const swapped = <T extends Size>({ width, height }: T): Size =>
    isQuarter ? { width: height, height: width } : { width, height };
  const turned = swapped(size);
  const box = boxOf(options);
  if (!box && flip === "" && angle === 0) return undefined;
  const turn = (picture: Sharp) => picture.flip(flip.includes("v")).flop(flip.includes("h")).rotate(angle);
  const keepsFrames = flip === "" && angle === 0;
  if (!box) return { size: turned, ...at("resize"), apply: turn, keepsFrames };
  const plan = planBox(turned, box);
  const covering = sizeBeforeCrop(turned, plan);
  if (Math.max(covering.width, covering.height) > maxScaledSide) return tooWide(turned, covering);
  const scale = (picture: Sharp, to: Size) => {
    const { width, height } = swapped(to);
    return turn(picture.resize(width, height, { fit: "fill" }));
  };
  const { inner, output, left, top } = plan;
  const whole = { size: output, ...at("resize"), keepsFrames };
  if (plan.kind === "scale") {
    const [right, bottom] = [output.width - inner.width - left, output.height - inner.height - top];
    const scaling = { ...whole, scaled: inner };
    if (!left && !top && !right && !bottom) return { ...scaling, apply: (picture) => scale(picture, inner) };
    return {
      ...scaling,
      ...at("resize", "extend"),
      isTranslucent: background.alpha < 1,
      apply: (picture) => scale(picture, inner).extend({ left, top, right, bottom, background }),
    };
  }
  const point = typeof gravity === "object" ? gravity : isQuarter && !isSearch(gravity) ? middle : undefined;
  if (point) {
    const { scaled, part } = cropAround(turned, plan, point);
    return { ...whole, apply: (picture) => scale(picture, scaled).extract(part) };
  }
  const position = gravity === "auto" ? "attention" : gravity === "entropy" ? "entropy" : "centre";
  const cover = (picture: Sharp) => picture.resize(inner.width, inner.height, { fit: "cover", position });
  if (!isQuarter)
    return {
      ...whole,
      keepsFrames: keepsFrames && position === "centre",
      ...(position === "centre" && { scaled: covering, cutsLines: covering.height > inner.height }),
      apply: (picture) => turn(cover(picture)),
    };
  // The library would search in the sides before the turn.
  return {
    ...whole,
    apply: async (picture, limits) =>
      cover(await openPixels(await readPixels(scale(picture, covering)), limits)),
  };
};

const middle = { x: 0.5, y: 0.5, mode: "remainder" } as const;

function isSearch(gravity: TransformOptions["gravity"]): boolean {
  return gravity === "auto" || gravity === "entropy";
}

/** A covered box of an extreme ratio: the library's coordinates end between this side and ten times as much (measured). */
function tooWide(source: Size, { width, height }: Size): CodedDiagnostic {
  const allowed = `at most ${maxScaledSide} pixels on each side`;
  const found = `${width} x ${height}, scaled from ${source.width} x ${source.height}`;
  return problem(9413, `The image must have ${allowed} before it is cut; found ${found}.`);
}

/** A transparent background has an effect only around a padded image. */
const flatten: Planner = (size, { background }) =>
  background?.alpha === 1
    ? { size, ...at("flatten"), keepsFrames: true, apply: (picture) => picture.flatten({ background }) }
    : undefined;

const tones: Planner = (size, options) => {
  const tone = toneOf(options);
  if (!tone) return undefined;
  return {
    size,
    ...at("tones"),
    apply: async (picture, limits) => {
      const pixels = await readPixels(picture);
      // The library cuts fractions off.
      if ("line" in tone) return (await openPixels(pixels, limits)).linear(tone.line[0], tone.line[1] + 0.5);
      await runStepsAsync(lookUp(pixels, tone.table));
      return openPixels(pixels, limits);
    },
  };
};

/** Replaces the colors of pixels by those of a table. */
function lookUp({ data, width, height, channels }: Pixels, table: Uint8Array): Steps<void> {
  return inRows(0, height, width, (from, to) => {
    for (let at = from * width * channels; at < to * width * channels; at++)
      if (channels === 3 || (at & 3) !== 3) data[at] = table[data[at] as number] as number;
  });
}

/** Weights of red, green and blue in the luminance of BT.709. */
const luminance = [0.2126, 0.7152, 0.0722] as const;

const saturate: Planner = (size, { saturation: amount = 1 }) => {
  if (amount === 1) return undefined;
  const row = (own: number) =>
    luminance.map((weight, i) => weight * (1 - amount) + (i === own ? amount : 0)) as [
      number,
      number,
      number,
    ];
  return { size, ...at("recomb"), apply: (picture) => picture.recomb([row(0), row(1), row(2)]) };
};

const blur: Planner = (size, { blur: radius = 0 }) =>
  radius === 0
    ? undefined
    : { size, ...at("blur"), apply: (picture, limits) => blurPicture(picture, radius / 2, limits) };

const sharpen: Planner = (size, { sharpen: amount = 0 }) =>
  amount === 0
    ? undefined
    : { size, ...at("sharpen"), apply: (picture) => picture.sharpen({ sigma: 1, m2: amount }) };

const addBorder: Planner = ({ width, height }, options) => {
  const { border } = options;
  if (!border) return undefined;
  const scaled = (side: "top" | "right" | "bottom" | "left") => Math.round(border[side] * densityOf(options));
  const [top, right, bottom, left] = [scaled("top"), scaled("right"), scaled("bottom"), scaled("left")];
  return {
    size: { width: width + left + right, height: height + top + bottom },
    ...at("extend"),
    isTranslucent: border.color.alpha < 1,
    apply: (picture) => picture.extend({ top, right, bottom, left, background: border.color }),
  };
};

/** The steps in their order; padding is blurred and brightened with the image (`observed`). */
export const planners: readonly Planner[] = [trim, shape, flatten, tones, saturate, blur, sharpen, addBorder];
