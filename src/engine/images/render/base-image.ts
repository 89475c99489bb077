/** The base image: the original, or for a large one a near-lossless copy (spec; WebP and the threshold are chosen). */

import { type ImageLimits, withDefaults } from "../limits.ts";
import { contentTypes, sniffImage } from "../sniff.ts";
import { cleanSvg } from "../svg/clean-svg.ts";
import { deliver, explainFailure, type Rendering, refuse, writtenFrames } from "./rendering.ts";
import { openSource, readSource, type Source } from "./source.ts";

/** Nearly lossless: of the pixels' preprocessing, 100 would do none, 0 the most (sharp's own default, written down). */
const nearLossless = { nearLossless: true, quality: 60, effort: 0 };
/** Longest side of a WebP (RFC 9649, 2.7.1.1: 14 bits). */
const maxWebpSide = 16_383;

/**
 * Gives the base image of an accepted original: its own bytes up to `limits.baseBytes`, else near-lossless WebP,
 * upright, without metadata. It is its own bytes still when it has more pixels than an output may have, which may
 * take half a minute, or a side that WebP has not (chosen). An SVG is never re-encoded.
 *
 * Codes: 9412 not an accepted image, 9422 it cannot be decoded, 9516 it could not be encoded.
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
  if (bytes.length <= limits.baseBytes || !mayBeCopied(source, limits)) {
    return deliver(bytes, contentTypes[type], source, source.frames, false);
  }
  try {
    const picture = await openSource(bytes, source, limits);
    const encoded = await picture.webp(nearLossless).toBuffer();
    const frames = source.frames > 1 ? writtenFrames(encoded, "webp") : 1;
    return deliver(encoded, contentTypes.webp, source, frames, true);
  } catch (error) {
    return explainFailure(error, bytes, source, limits);
  }
}

function mayBeCopied({ width, height, pixels }: Source, { outputPixels }: ImageLimits): boolean {
  return pixels <= outputPixels && Math.max(width, height) <= maxWebpSide;
}
