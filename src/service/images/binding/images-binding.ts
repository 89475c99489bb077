/**
 * The Images binding of a Worker, over real pixels and without a server (members `observed`, from the published types; texts
 * of errors from the published runtime).
 */
import {
  aBoolean,
  aFunction,
  anyObject,
  aString,
  objectWith,
  optional,
  optionsOf,
  requireArgument,
} from "../../../core/arguments.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type ImageLimits, resolveImageLimits } from "../../../engine/images/limits.ts";
import { openHeader } from "../../../engine/images/open-image.ts";
import { contentTypes } from "../../../engine/images/sniff.ts";
import { drawText } from "../../../engine/images/text/draw-text.ts";
import { readText, type TextOptions, textOptionNames } from "../../../engine/images/text/read-text.ts";
import type { OutputOptions } from "../../../engine/images/transform/output.ts";
import type { Operation } from "../../../engine/images/transform/plan.ts";
import { readOptionObject } from "../../../engine/images/transform/read-options.ts";
import { placementNames, readPlacement } from "../../../engine/images/transform/read-placement.ts";
import { planImage } from "../../../engine/images/transform/transform-image.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import {
  bindingError,
  type ReportUnknown,
  unknownMembers,
  unknownReporter,
  type WarningOptions,
} from "./binding-error.ts";
import { type HostedImages, type HostedTarget, hostedImages } from "./hosted-images.ts";
import { type ImageInputOptions, readInput } from "./read-input.ts";

/** The file that is written. */
export interface ImageOutputOptions {
  /** A media type; `rgb` and `rgba` are the pixels themselves. */
  readonly format: "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/avif" | "rgb" | "rgba";
  /** 1 to 100. */
  readonly quality?: number;
  /** A color of CSS under transparent pixels. */
  readonly background?: string;
  /** Whether an animation keeps its frames; true by default. */
  readonly anim?: boolean;
}

/** A written image. */
export interface ImageTransformationResult {
  /** A response with the image, and with further headers; its content type is the image's (`observed`). */
  response(options?: { readonly headers?: RequestInit["headers"] }): Response;
  /** Its media type: an AVIF that is too large is a WebP. */
  contentType(): string;
  /** Its bytes, once, as those of a response: a stream that was read cannot be read again. */
  image(options?: ImageInputOptions): ReadableStream<Uint8Array>;
}

/** An image with operations that wait for its output. */
export interface ImageTransformer {
  /** Adds a transformation; operations are applied in the order of the calls. */
  transform(options: Readonly<Record<string, unknown>>): ImageTransformer;
  /** Draws an image, or the result of another transformer, which is used up. */
  draw(
    image: ReadableStream<Uint8Array> | ImageTransformer,
    options?: Readonly<Record<string, unknown>>,
  ): ImageTransformer;
  /** Writes the image, once. Rejects with an error that has the `code` of its message. */
  output(options: ImageOutputOptions): Promise<ImageTransformationResult>;
}

/** The description of an image. */
export type ImageInfo =
  | {
      /** An SVG has no size of its own. */
      readonly format: "image/svg+xml";
    }
  | {
      /** Media type. */
      readonly format: string;
      /** Bytes of the file. */
      readonly fileSize: number;
      /** Pixels. */
      readonly width: number;
      /** Pixels. */
      readonly height: number;
    };

/** The Images binding. */
export interface ImagesBinding {
  /** Describes an image. Rejects with an error that has the `code` of its message. */
  info(stream: ReadableStream<Uint8Array>, options?: ImageInputOptions): Promise<ImageInfo>;
  /** Begins a transformation. */
  input(stream: ReadableStream<Uint8Array>, options?: ImageInputOptions): ImageTransformer;
  /** The images of an account; without one in the options, reading this throws an error. */
  readonly hosted: HostedImages;
  /** Begins a transformation of a picture of text, on a transparent ground. A rejected text rejects the output. */
  text(content: string, options: TextOptions): ImageTransformer;
}

/** Options of the binding's transformations. */
export interface ImagesBindingFetchOptions extends WarningOptions {
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits>;
}

/** Options of the binding. */
export interface ImagesBindingOptions extends ImagesBindingFetchOptions {
  /** The account of a simulator whose images are `hosted`. */
  readonly target?: HostedTarget;
}

const consumedText = "ImageTransformer consumed; you may only call .output() or draw a transformer once";

/** The kinds of the options of transformations. */
export const transformationOptions = {
  limits: optional(anyObject),
  onWarning: optional(aFunction),
  strict: optional(aBoolean),
} as const;

const bindingOptions = optionsOf<ImagesBindingOptions>("imagesBinding", {
  ...transformationOptions,
  target: optional(objectWith({ edge: objectWith({ images: anyObject }), account: aString })),
});

/**
 * The Images binding of a Worker, for tests in Node: `worker.fetch(request, { IMAGES: imagesBinding() })`.
 *
 * @example
 * ```ts
 * const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * const images = imagesBinding();
 * const result = await images.input(new Blob([pixel]).stream()).transform({ width: 4, fit: "contain" }).output({ format: "image/webp" });
 * result.contentType(); // => "image/webp"
 * ```
 */
export function imagesBinding(options: ImagesBindingOptions = {}): ImagesBinding {
  requireArgument("options", options, bindingOptions);
  const { target } = options;
  const hosted = target && hostedImages(target, unknownReporter(options));
  return {
    ...imageTransformations(options),
    get hosted() {
      if (hosted) return hosted;
      throw new TypeError(
        "hosted must have the option `target` of imagesBinding: { target: { edge, account } }",
      );
    },
  };
}

/** The part of the binding that needs no account. */
export type ImageTransformations = Omit<ImagesBinding, "hosted">;

/** Runs a rendering as soon as there is memory for the pixels that it has at any time. */
export type RunRendering = <T>(pixels: number, work: () => Promise<T>) => Promise<T>;

export function imageTransformations(
  options: ImagesBindingFetchOptions,
  run: RunRendering = (_pixels, work) => work(),
): ImageTransformations {
  const { limits, onWarning = () => undefined } = options;
  const report = unknownReporter(options);
  const own = { limits: resolveImageLimits(limits), report, onWarning, run };
  return {
    info: async (stream, input = {}) => {
      requireArgument("options", input, anyObject);
      const { encoding } = input;
      const bytes = await readInput("INFO", stream, encoding);
      const opened = unwrap("INFO", await openHeader(bytes, "info", own.limits, "accept"));
      const { type, width, height } = opened;
      if (type === "svg") return { format: "image/svg+xml" };
      return { format: contentTypes[type], fileSize: bytes.length, width, height };
    },
    input: (stream, input = {}) => {
      requireArgument("options", input, anyObject);
      return createTransformer(() => readInput("TRANSFORM", stream, input.encoding), own);
    },
    text: (content, options) => createTransformer(() => readTextInput(content, options, own), own),
  };
}

/** Operations of a transformer, for the one that draws it. */
interface Transformer extends ImageTransformer {
  consume(): Promise<{ readonly bytes: Uint8Array; readonly operations: readonly Operation[] }>;
}

/** Settings of the binding that all of its transformers share. */
interface TransformerSettings {
  readonly limits: ImageLimits;
  readonly report: ReportUnknown;
  readonly onWarning: (message: string) => void;
  readonly run: RunRendering;
}

/** An operation that is read when the image is written, as the provider does. */
type Waiting = () => Promise<Operation>;

/** The picture of a text. */
async function readTextInput(
  content: unknown,
  options: unknown,
  { limits, report, onWarning }: TransformerSettings,
): Promise<Uint8Array> {
  const { picture, warnings } = unwrap("TRANSFORM", readText(content, options));
  report("TRANSFORM", unknownMembers(options as TextOptions, textOptionNames));
  for (const warning of warnings) onWarning(warning);
  return drawText(picture, limits);
}

/** @param read reads the image when it is written */
function createTransformer(read: () => Promise<Uint8Array>, settings: TransformerSettings): Transformer {
  const { limits, report, onWarning, run } = settings;
  const waiting: Waiting[] = [];
  let consumed = false;
  const consume: Transformer["consume"] = async () => {
    if (consumed) throw bindingError("TRANSFORM", 9525, consumedText);
    consumed = true;
    const bytes = await read();
    const operations: Operation[] = [];
    for (const readOperation of waiting) operations.push(await readOperation());
    return { bytes, operations };
  };
  const transformer: Transformer = {
    consume,
    transform: (options) => {
      waiting.push(async () => {
        const read = unwrap("TRANSFORM", readOptionObject(options, "binding"));
        report("TRANSFORM", read.warnings);
        return { transform: read.options };
      });
      return transformer;
    },
    draw: (image, options = {}) => {
      const source = asTransformer(image, settings);
      waiting.push(async () => {
        const placement = unwrap("TRANSFORM", readPlacement(options));
        report("TRANSFORM", unknownMembers(options, placementNames));
        return { draw: { ...(await source.consume()), placement } };
      });
      return transformer;
    },
    output: async (options) => {
      const { bytes, operations } = await consume();
      const output = unwrap("TRANSFORM", readOutput(options));
      report("TRANSFORM", unknownMembers(options, ["format", "quality", "background", "anim"]));
      // The color is under the transparent pixels of every format.
      const { background } = output;
      const all = background ? [...operations, { transform: { background } }] : operations;
      const planned = unwrap("TRANSFORM", await planImage(bytes, all, output, { place: "binding", limits }));
      const image = unwrap("TRANSFORM", await run(planned.pixels, planned.render));
      for (const warning of image.warnings) onWarning(warning);
      return resultOf(image.bytes, image.contentType);
    },
  };
  return transformer;
}

/** @throws {TypeError} for another value */
function asTransformer(
  image: ReadableStream<Uint8Array> | ImageTransformer,
  settings: TransformerSettings,
): Transformer {
  if (image instanceof ReadableStream)
    return createTransformer(() => readInput("TRANSFORM", image, undefined), settings);
  if (isTransformer(image)) return image;
  throw new TypeError("draw must have a ReadableStream or a transformer of this binding");
}

function isTransformer(image: ImageTransformer): image is Transformer {
  return typeof (image as Partial<Transformer>).consume === "function";
}

/** The formats of an output, with the option of each. */
const outputFormats = {
  "image/jpeg": "jpeg",
  "image/png": "png-force",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  rgb: "rgb",
  rgba: "rgba",
} as const satisfies { readonly [Format in ImageOutputOptions["format"]]: OutputOptions["format"] };

function readOutput({ format, quality, background, anim }: ImageOutputOptions): Result<OutputOptions> {
  if (typeof format !== "string" || !Object.hasOwn(outputFormats, format)) {
    const allowed = Object.keys(outputFormats).join(", ");
    return failure(problem(9401, `\`format\` must be one of ${allowed}; found ${quote(format)}.`));
  }
  const read = readOptionObject({ quality, background, anim }, "fetch");
  return read.ok ? success({ ...read.value.options, format: outputFormats[format] } as OutputOptions) : read;
}

/** The bytes have one stream, as the body of a response of the runtime has. */
function resultOf(bytes: Uint8Array, contentType: string): ImageTransformationResult {
  const source = new Response(bytes as Uint8Array<ArrayBuffer>);
  const image = ({ encoding }: ImageInputOptions = {}) => {
    const body = source.body as ReadableStream<Uint8Array>;
    if (source.bodyUsed || body.locked)
      throw new TypeError(
        "The image was read already; its bytes can be read once, by image() or response().",
      );
    if (encoding !== "base64") return body;
    const toText = new TransformStream<Uint8Array, Uint8Array>({
      transform: () => undefined,
      flush: (controller) => controller.enqueue(Buffer.from(Buffer.from(bytes).toString("base64"))),
    });
    return body.pipeThrough(toText);
  };
  return {
    contentType: () => contentType,
    image,
    response: ({ headers: given } = {}) => {
      const headers = new Headers(given);
      // The runtime replaces another one.
      headers.set("content-type", contentType);
      return new Response(image(), { headers });
    },
  };
}

function unwrap<T>(of: "INFO" | "TRANSFORM", result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message } = result.problems[0] as CodedDiagnostic;
  throw bindingError(of, code, message);
}
