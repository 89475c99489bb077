/** Every limit of the image engine in one table. Sources: `docs/interface/images.md` (spec, observed); ours are chosen. */
import { aNumber, eachMember, optional, optionsOf, requireArgument } from "../../core/arguments.ts";

/** Limits of validation and rendering; each can be passed as an option. */
export interface ImageLimits {
  /** Maximum size of an upload, in bytes (10 MB, spec; read as 10 * 1024 * 1024, chosen). */
  readonly uploadBytes: number;
  /** Maximum pixels of one frame, and of all frames of an animation together (observed). */
  readonly inputPixels: number;
  /** Maximum length of a side, in pixels; WebP and AVIF are exempt (observed). */
  readonly inputSide: number;
  /** Maximum frames of an animation; each costs time, however small it is (chosen). */
  readonly inputFrames: number;
  /**
   * An animation of more pixels than this, all frames counted, is delivered untransformed (observed); an output of more
   * is rejected (chosen).
   */
  readonly transformedAnimationPixels: number;
  /** Maximum pixels of an output, of one frame of an animation (chosen). */
  readonly outputPixels: number;
  /** Maximum length of an AVIF output's longer side, in pixels; larger ones get the next format (observed). */
  readonly avifSide: number;
  /** An original of more bytes than this is served re-encoded as the base image (spec; the figure is chosen). */
  readonly baseBytes: number;
  /** Maximum time of one decode or one rendering, in seconds (chosen). */
  readonly processingSeconds: number;
  /** Maximum nesting of elements in an SVG (chosen). */
  readonly svgDepth: number;
  /** Maximum number of elements in an SVG, copies made by `use` counted (chosen). */
  readonly svgElements: number;
  /** Maximum number of characters that entities may add to an SVG (chosen). */
  readonly svgEntityCharacters: number;
}

/** The default limits. */
export const imageLimits: ImageLimits = {
  uploadBytes: 10_485_760,
  inputPixels: 100_000_000,
  inputSide: 12_000,
  inputFrames: 10_000,
  transformedAnimationPixels: 50_000_000,
  outputPixels: 25_000_000,
  avifSide: 1_200,
  baseBytes: 5_242_880,
  processingSeconds: 30,
  svgDepth: 256,
  svgElements: 100_000,
  svgEntityCharacters: 100_000,
};

const limitOptions = optionsOf<ImageLimits>("image limits", eachMember(imageLimits, optional(aNumber)));

/** The options, completed with the defaults. */
export function resolveImageLimits(limits: Partial<ImageLimits> | undefined): ImageLimits {
  if (limits === undefined) return imageLimits;
  requireArgument("limits", limits, limitOptions);
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...imageLimits, ...Object.fromEntries(given) };
}
