/** The file that a transformation writes: its format, its quality, and the frames of an animation (formats `observed`). */
import type { Sharp } from "sharp";
import type { RasterType } from "../../picture/header.ts";
import type { ImageLimits } from "../limits.ts";
import { bestFormat } from "../render/accept.ts";
import type { Size } from "../render/geometry.ts";
import type { TransformOptions } from "./options.ts";

/** Pixels without a file: how many channels each has. */
export const rawChannels = { rgb: 3, rgba: 4 } as const;

/** The options of the file that is written; the binding has formats that addresses do not have. */
export type OutputOptions = Pick<
  TransformOptions,
  "quality" | "metadata" | "anim" | "compression" | "background"
> & {
  readonly format?: TransformOptions["format"] | "gif" | keyof typeof rawChannels;
};

/** The format of an output: of a file, or of pixels. */
export type OutputType = RasterType | keyof typeof rawChannels;

/** The facts that decide on the format of an output. */
export interface OutputRequest extends Size {
  /** The original's format. */
  readonly type: RasterType;
  readonly frames: number;
  /** Whether the output can have transparent pixels. */
  readonly hasAlpha: boolean;
  /** The request's `Accept` header. */
  readonly accept: string | undefined;
}

/** The format of an output, and what was chosen otherwise than asked for. */
export interface OutputFormat {
  readonly type: OutputType;
  readonly warnings: readonly string[];
}

/** Maximum longest side of an AVIF that an option asks for, in pixels (`observed`). */
const maxExplicitAvifSide = 1_600;

/** JPEG is progressive between these sizes, in pixels of the area (`observed`). */
const minProgressive = 50 * 50;
const maxProgressive = 3_000 * 3_000;

const tooLargeForAvif = "image too large for AVIF";

/** Chooses the format. */
export function outputFormat(
  { format, compression }: OutputOptions,
  { type, frames, width, height, hasAlpha, accept }: OutputRequest,
  limits: ImageLimits,
): OutputFormat {
  if (compression === "fast") return { type: frames > 1 ? type : hasAlpha ? "png" : "jpeg", warnings: [] };
  switch (format) {
    case "auto":
      return {
        type: bestFormat(accept, { type, frames, side: Math.max(width, height) }, limits),
        warnings: [],
      };
    case "avif": {
      const fits = frames === 1 && Math.max(width, height) <= maxExplicitAvifSide;
      return fits ? { type: "avif", warnings: [] } : { type: "webp", warnings: [tooLargeForAvif] };
    }
    case "webp":
      return { type: "webp", warnings: [] };
    case "jpeg":
    case "baseline-jpeg":
      return { type: "jpeg", warnings: [] };
    case "png":
      return hasAlpha
        ? { type: "png", warnings: [] }
        : { type: "jpeg", warnings: ["JPEG vs PNG selection is automatic"] };
    case "png-force":
      return { type: "png", warnings: [] };
    case "gif":
    case "rgb":
    case "rgba":
      return { type: format, warnings: [] };
    default:
      return { type, warnings: [] };
  }
}

/** Whether a format can have several frames. */
export function isAnimated(type: OutputType): boolean {
  return type === "gif" || type === "webp";
}

/** Frames of an animation: how long each is shown, in milliseconds, and how often all are; 0 is always. */
export interface Timing {
  readonly delay?: number[];
  readonly loop?: number;
}

/** JPEG quality (observed), and those of the variants of other formats. */
const usualQuality: Partial<Record<OutputType, number>> = { jpeg: 85, webp: 80, avif: 50 };
/** Effort 4 of AVIF costs ten times as much for the same size, effort 7 of GIF nine times (measured). */
const avifEffort = 2;
const gifEffort = 3;

/** Encodes a picture. */
export function encodeAs(
  picture: Sharp,
  type: OutputType,
  { quality: asked, format }: OutputOptions,
  { width, height }: Size,
  timing: Timing = {},
): Sharp {
  const quality = asked ?? usualQuality[type];
  const area = width * height;
  switch (type) {
    case "jpeg": {
      const isProgressive = format !== "baseline-jpeg" && area >= minProgressive && area <= maxProgressive;
      return picture.jpeg({ ...(quality !== undefined && { quality }), progressive: isProgressive });
    }
    case "png":
      // A quality is only for the palette: without one every color stays.
      return asked === undefined ? picture.png() : picture.png({ palette: true, quality: asked });
    case "gif":
      return picture.gif({ effort: gifEffort, reuse: false, keepDuplicateFrames: true, ...timing });
    case "webp":
      return asked === 100
        ? picture.webp({ lossless: true, ...timing })
        : picture.webp({ ...(quality !== undefined && { quality }), ...timing });
    case "rgb":
      return picture.removeAlpha().raw();
    case "rgba":
      return picture.ensureAlpha().raw();
    case "avif":
      return picture.avif({ ...(quality !== undefined && { quality }), effort: avifEffort });
  }
}
