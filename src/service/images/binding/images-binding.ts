/**
 * The Images binding of a Worker, over real pixels and without a server (members `observed`, from the published types; texts
 * of errors from the published runtime).
 */
import { failure, type Result, success } from "../../../core/result.ts";
import { type ImageLimits, imageLimits } from "../../../engine/images/limits.ts";
import { openImage } from "../../../engine/images/open-image.ts";
import { contentTypes } from "../../../engine/images/sniff.ts";
import type { Operation } from "../../../engine/images/transform/operations.ts";
import type { OutputOptions } from "../../../engine/images/transform/output.ts";
import { readOptionObject } from "../../../engine/images/transform/read-options.ts";
import { readPlacement } from "../../../engine/images/transform/read-placement.ts";
import { transformImage } from "../../../engine/images/transform/transform-image.ts";
import { type CodedDiagnostic, problem, quote } from "../../../errors.ts";
import { bindingError } from "./binding-error.ts";
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
  /** A response with the image. */
  response(): Response;
  /** Its media type: an AVIF that is too large is a WebP. */
  contentType(): string;
  /** Its bytes. */
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
  /** Throws an error: text is not simulated. */
  text(): never;
}

/** Options of the binding. */
export interface ImagesBindingOptions {
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ImageLimits>;
  /** The account of a simulator whose images are `hosted`. */
  readonly target?: HostedTarget;
}

const consumedText = "ImageTransformer consumed; you may only call .output() or draw a transformer once";

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
export function imagesBinding({ limits = {}, target }: ImagesBindingOptions = {}): ImagesBinding {
  const own = { ...imageLimits, ...limits };
  const hosted = target && hostedImages(target);
  return {
    info: async (stream, { encoding } = {}) => {
      const bytes = await readInput("INFO", stream, encoding);
      const opened = unwrap("INFO", await openImage(bytes, own));
      const { type, width, height } = opened;
      if (type === "svg") return { format: "image/svg+xml" };
      return { format: contentTypes[type], fileSize: bytes.length, width, height };
    },
    input: (stream, options) => createTransformer(stream, options, own),
    get hosted() {
      if (hosted) return hosted;
      throw new TypeError(
        "hosted must have the option `target` of imagesBinding: { target: { edge, account } }",
      );
    },
    text: () => {
      throw bindingError("TRANSFORM", 9401, "`text` is not simulated.");
    },
  };
}

/** Operations of a transformer, for the one that draws it. */
interface Transformer extends ImageTransformer {
  consume(): Promise<{ readonly bytes: Uint8Array; readonly operations: readonly Operation[] }>;
}

/** An operation that is read when the image is written, as the provider does. */
type Waiting = () => Promise<Operation>;

function createTransformer(
  stream: ReadableStream<Uint8Array>,
  { encoding }: ImageInputOptions = {},
  limits: ImageLimits,
): Transformer {
  const waiting: Waiting[] = [];
  let consumed = false;
  const consume: Transformer["consume"] = async () => {
    if (consumed) throw bindingError("TRANSFORM", 9525, consumedText);
    consumed = true;
    const bytes = await readInput("TRANSFORM", stream, encoding);
    const operations: Operation[] = [];
    for (const read of waiting) operations.push(await read());
    return { bytes, operations };
  };
  const transformer: Transformer = {
    consume,
    transform: (options) => {
      waiting.push(async () => ({
        transform: unwrap("TRANSFORM", readOptionObject(options, "binding")).options,
      }));
      return transformer;
    },
    draw: (image, options = {}) => {
      const source = asTransformer(image, limits);
      waiting.push(async () => {
        const placement = unwrap("TRANSFORM", readPlacement(options));
        return { draw: { ...(await source.consume()), placement } };
      });
      return transformer;
    },
    output: async (options) => {
      const { bytes, operations } = await consume();
      const output = unwrap("TRANSFORM", readOutput(options));
      const image = unwrap("TRANSFORM", await transformImage(bytes, operations, output, { limits }));
      return resultOf(image.bytes, image.contentType);
    },
  };
  return transformer;
}

/** @throws {TypeError} for another value */
function asTransformer(
  image: ReadableStream<Uint8Array> | ImageTransformer,
  limits: ImageLimits,
): Transformer {
  if (image instanceof ReadableStream) return createTransformer(image, {}, limits);
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
  if (!Object.hasOwn(outputFormats, format)) {
    const allowed = Object.keys(outputFormats).join(", ");
    return failure(problem(9401, `\`format\` must be one of ${allowed}; found ${quote(format)}.`));
  }
  const read = readOptionObject({ quality, background, anim }, "fetch");
  return read.ok ? success({ ...read.value.options, format: outputFormats[format] } as OutputOptions) : read;
}

function resultOf(bytes: Uint8Array, contentType: string): ImageTransformationResult {
  const body = (encoding: ImageInputOptions["encoding"]) =>
    encoding === "base64" ? Buffer.from(Buffer.from(bytes).toString("base64")) : bytes;
  const stream = (encoding?: "base64") =>
    new Blob([body(encoding) as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
  return {
    contentType: () => contentType,
    image: ({ encoding } = {}) => stream(encoding),
    response: () => new Response(stream(), { headers: { "content-type": contentType } }),
  };
}

function unwrap<T>(of: "INFO" | "TRANSFORM", result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message } = result.problems[0] as CodedDiagnostic;
  throw bindingError(of, code, message);
}
