/**
 * Judges an upload by its bytes: kind, size, pixels, frames, and a full decode (`images.md`, Upload).
 *
 * What can be told without decoding is told first: a bomb is refused by its header.
 */

import type { Problem } from "../../errors.ts";
import type { RasterType } from "../picture/header.ts";
import { type ImageLimits, withDefaults } from "./limits.ts";
import { decodeFault } from "./render/sharp.ts";
import { readSource, type Source } from "./render/source.ts";
import { contentTypes, type ImageType, sniffImage } from "./sniff.ts";
import { cleanSvg } from "./svg/clean-svg.ts";

/** What an upload is, or the first reason to refuse it. */
export type ImageJudgement =
  | {
      readonly ok: true;
      readonly type: ImageType;
      readonly contentType: string;
      /** Size as displayed, in pixels, after the EXIF orientation. */
      readonly width: number;
      readonly height: number;
      readonly frames: number;
    }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Judges an upload.
 *
 * Codes: 5400 empty, 5413 too many bytes or pixels, 5415 no image, 5443 animation too large or of too many frames,
 * 5455 a format that is not accepted, 9422 it cannot be decoded or is cut off.
 *
 * @example
 * ```ts
 * const judgement = await judgeImage(Buffer.from("<html>"));
 * judgement.ok || judgement.problem.code; // => 5415
 * ```
 */
export async function judgeImage(bytes: Uint8Array, options?: Partial<ImageLimits>): Promise<ImageJudgement> {
  const limits = withDefaults(options);
  if (bytes.length === 0) return refuse(5400, "the file is empty, it must hold an image");
  if (bytes.length > limits.uploadBytes) {
    return refuse(5413, `the file has ${bytes.length} bytes, at most ${limits.uploadBytes} are allowed`);
  }
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "unknown") return refuse(5415, `the file is no image, it must be ${accepted}`);
  if (sniffed.kind === "refused") {
    return refuse(5455, `the image is ${sniffed.name}, which is not accepted, it must be ${accepted}`);
  }
  return sniffed.type === "svg" ? judgeSvg(bytes, limits) : judgeRaster(bytes, sniffed.type, limits);
}

const accepted = "PNG, JPEG, GIF, WebP, AVIF or SVG";
/** Types whose sides are free. */
const freeSides: ReadonlySet<RasterType> = new Set(["webp", "avif"]);

function judgeSvg(bytes: Uint8Array, limits: ImageLimits): ImageJudgement {
  const cleaned = cleanSvg(bytes, limits);
  if (!cleaned.ok) return refuse(9422, cleaned.reason);
  return allow("svg", { width: cleaned.width, height: cleaned.height, frames: 1 });
}

async function judgeRaster(
  bytes: Uint8Array,
  type: RasterType,
  limits: ImageLimits,
): Promise<ImageJudgement> {
  const source = await readSource(bytes, type, limits);
  if (!source) return refuse(9422, `the ${type.toUpperCase()} image's header cannot be read`);
  const problem = checkSource(source, limits);
  if (problem) return { ok: false, problem };
  if (!source.complete) return refuse(9422, `the ${type.toUpperCase()} image is cut off before its end`);
  const fault = await decodeFault(bytes, source, limits);
  if (fault !== undefined) {
    return refuse(9422, `the ${type.toUpperCase()} image cannot be decoded: ${fault}`);
  }
  return allow(type, source);
}

/** Refuses by the header alone. */
function checkSource(source: Source, limits: ImageLimits): Problem | undefined {
  const { type, width, height, frames, pixels } = source;
  if (frames > limits.inputFrames) {
    return problem(5443, `the animation has ${frames} frames, at most ${limits.inputFrames} are allowed`);
  }
  if (frames > 1 && pixels > limits.inputPixels) {
    const found = `the animation has ${frames} frames of ${width} x ${height} pixels`;
    return problem(5443, `${found}, at most ${limits.inputPixels} pixels are allowed in all frames together`);
  }
  if (pixels > limits.inputPixels) {
    return problem(
      5413,
      `the image has ${width} x ${height} pixels, at most ${limits.inputPixels} are allowed`,
    );
  }
  if (Math.max(width, height) <= limits.inputSide || freeSides.has(type)) return undefined;
  return problem(
    5413,
    `the image has ${width} x ${height} pixels, at most ${limits.inputSide} are allowed on a side`,
  );
}

function allow(
  type: ImageType,
  { width, height, frames }: Pick<Source, "width" | "height" | "frames">,
): ImageJudgement {
  return { ok: true, type, contentType: contentTypes[type], width, height, frames };
}

function refuse(code: Problem["code"], message: string): ImageJudgement {
  return { ok: false, problem: problem(code, message) };
}

function problem(code: Problem["code"], message: string): Problem {
  return { code, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` };
}
