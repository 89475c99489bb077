/** Every figure of the image engine in one table. Sources: `images.md` (spec, observed) and our choices (chosen). */

/** Limits of judging and rendering; each can be given as an option. */
export interface ImageLimits {
  /** Largest upload, in bytes (10 MB, spec; read as 10 * 1024 * 1024, chosen). */
  readonly uploadBytes: number;
  /** Most pixels of one frame, and of all frames of an animation together (observed). */
  readonly inputPixels: number;
  /** Longest side in pixels; WebP and AVIF are free of it (observed). */
  readonly inputSide: number;
  /** Most frames of an animation, each of which takes its time however small it is (chosen). */
  readonly inputFrames: number;
  /** An animation of more pixels than this, all frames counted, is delivered untransformed (observed). */
  readonly transformedAnimationPixels: number;
  /** Most pixels of an output, all frames counted (chosen). */
  readonly outputPixels: number;
  /** Most pixels of an AVIF output; larger ones fall to the next format (chosen). */
  readonly avifPixels: number;
  /** An original of more bytes than this is served re-encoded as the base image (spec; the figure is chosen). */
  readonly baseBytes: number;
  /** Seconds that one decode or one rendering may take (chosen). */
  readonly processingSeconds: number;
  /** Deepest nesting of elements in an SVG (chosen). */
  readonly svgDepth: number;
  /** Most elements in an SVG, copies made by `use` counted (chosen). */
  readonly svgElements: number;
  /** Most characters that entities may add to an SVG (chosen). */
  readonly svgEntityCharacters: number;
}

/** The limits where no option says otherwise. */
export const imageLimits: ImageLimits = {
  uploadBytes: 10_485_760,
  inputPixels: 100_000_000,
  inputSide: 12_000,
  inputFrames: 10_000,
  transformedAnimationPixels: 50_000_000,
  outputPixels: 25_000_000,
  avifPixels: 2_000_000,
  baseBytes: 5_242_880,
  processingSeconds: 30,
  svgDepth: 256,
  svgElements: 100_000,
  svgEntityCharacters: 100_000,
};

/** Fills in what an option object leaves out. */
export function withDefaults(limits: Partial<ImageLimits> | undefined): ImageLimits {
  return limits ? { ...imageLimits, ...limits } : imageLimits;
}
