/**
 * The base image: the original, or for a large one a near-lossless copy (spec; WebP and the threshold are chosen).
 *
 * A copy is made where it can be made soon and is smaller; everything else is given as it was uploaded (chosen). What
 * lossy formats hold grows to several times its size when it is written nearly without loss.
 */

import { type ImageLimits, withDefaults } from "./limits.ts";
import { deliver, explainFailure, type Rendering, refuse, writtenFrames } from "./rendering.ts";
import { contentTypes, sniffImage } from "./sniff.ts";
import { openSource, readSource, type Source } from "./source.ts";
import { cleanSvg } from "./svg.ts";

/** Nearly lossless: of the pixels' preprocessing, 100 would do none, 0 the most (sharp's own default, written down). */
const nearLossless = { nearLossless: true, quality: 60, effort: 0 };
/** Most pixels of a copy, all frames counted: 8 million take 1 to 2 seconds of a processor, 16 million 4 (measured). */
const maxCopyPixels = 8_000_000;
/** Longest side of a WebP (RFC 9649, 2.7.1.1: 14 bits). */
const maxWebpSide = 16_383;

/**
 * Gives the base image of an accepted original: its own bytes up to `limits.baseBytes`, else near-lossless WebP,
 * upright, without metadata. It is its own bytes still when it has more than 8 megapixels or a side that WebP has not,
 * and when the copy would not be smaller. An SVG is never re-encoded.
 *
 * Codes: 9412 not an accepted image, 9422 it cannot be decoded.
 */
export async function renderBase(bytes: Uint8Array, options?: Partial<ImageLimits>): Promise<Rendering> {
  const limits = withDefaults(options);
  const sniffed = sniffImage(bytes);
  if (sniffed.kind !== "image") return refuse(9412, "The file is not an image that can be delivered.");
  const { type } = sniffed;
  if (type === "svg") {
    const cleaned = cleanSvg(bytes, limits);
    if (!cleaned.ok) return refuse(9422, `The SVG cannot be delivered: ${cleaned.reason}.`);
    return deliver(bytes, contentTypes.svg, cleaned, 1, false);
  }
  const source = await readSource(bytes, type, limits);
  if (!source) return refuse(9422, "The image's header cannot be read.");
  const copy =
    bytes.length > limits.baseBytes && mayBeCopied(source) && (await copyOf(bytes, source, limits));
  if (copy && !(copy.ok && copy.bytes.length >= bytes.length)) return copy;
  return deliver(bytes, contentTypes[type], source, source.frames, false);
}

function mayBeCopied({ width, height, pixels }: Source): boolean {
  return pixels <= maxCopyPixels && Math.max(width, height) <= maxWebpSide;
}

/** The copy, or why the original is damaged; undefined when only the encoder failed. */
async function copyOf(
  bytes: Uint8Array,
  source: Source,
  limits: ImageLimits,
): Promise<Rendering | undefined> {
  try {
    const picture = await openSource(bytes, source, limits);
    const encoded = await picture.webp(nearLossless).toBuffer();
    const frames = source.frames > 1 ? writtenFrames(encoded, "webp") : 1;
    return deliver(encoded, contentTypes.webp, source, frames, true);
  } catch (error) {
    const failure = await explainFailure(error, bytes, source, limits);
    return failure.ok || failure.problem.code === 9422 ? failure : undefined;
  }
}
