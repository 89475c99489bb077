/** Describes a picture: decoding, digest, block hash and sketch in one descriptor. */

import { createHash } from "node:crypto";
import { anyValue, aUint8Array, objectWith, optionsOf, requireArgument } from "../../core/arguments.ts";
import { type Result, success } from "../../core/result.ts";
import { runSteps, runStepsAsync, type Steps, stepWork } from "../../core/work/steps.ts";
import { quote } from "../../errors.ts";
import { type DecodeLimits, decodeLogo, decodeMembers } from "./decode/decode.ts";
import { matteOf, type Raster, rasterPyramid } from "./decode/picture.ts";
import { shrinkSteps, thumbnail, thumbnailLevel } from "./decode/shrink.ts";
import { sketchSteps } from "./dense/sketch.ts";
import { type LogoDescriptor, type LogoRole, writeLogoDescriptor } from "./descriptor.ts";
import { blockHash } from "./features/block-hash.ts";
import type { WholePicture } from "./features/compare.ts";
import { solidSide, solidTolerance, thumbnailSide, workingHeights, workingSide } from "./tuning.ts";

/** The role of an image, and the limits of decoding it. */
export interface DescribeOptions extends DecodeLimits {
  /** `query` for a logo to search for, `scan` (the default) for a picture to search in. */
  readonly role?: LogoRole;
}

const describeOptions = optionsOf<DescribeOptions>("describeLogo", { ...decodeMembers, role: anyValue });

/**
 * Describes an image file: decodes it within limits and computes what is compared of it as a whole. The `notes` of a
 * query report a picture of one color.
 *
 * A bad, oversized, truncated or animated file is a failure with one problem of code 7001, never an exception.
 *
 * @throws {TypeError} when the image is not a Uint8Array, or the role neither `query` nor `scan`
 * @throws {RangeError} when `maxPixels` is not an integer from 1 to 100,000,000
 * @example
 * ```ts
 * const result = await describeLogo(Buffer.from("no image"), { role: "query" });
 * result.ok || result.problems[0].message;
 * // => "The image must be PNG or JPEG; found an unknown format."
 * ```
 */
export async function describeLogo(
  image: Uint8Array,
  options: DescribeOptions = {},
): Promise<Result<LogoDescriptor>> {
  requireArgument("options", options, describeOptions);
  const { role = "scan" } = options;
  if (!(image instanceof Uint8Array)) throw new TypeError("describeLogo takes the bytes of an image file.");
  assertKnownRole(role);
  const decoded = await decodeLogo(image, role, options);
  return decoded.ok ? success(await runStepsAsync(describeSteps(decoded.value, role))) : decoded;
}

/**
 * Describes decoded pixels, without a file and without sharp. The same pixels always have the same descriptor.
 *
 * @throws {RangeError} when width and height are not integers from 1, or the data does not have four bytes for each
 * pixel
 * @throws {TypeError} when the role is neither `query` nor `scan`
 * @example
 * ```ts
 * describeRaster({ width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) }).solid;
 * // => true
 * ```
 */
export function describeRaster(raster: Raster, role: LogoRole = "scan"): LogoDescriptor {
  requireArgument("raster", raster, objectWith({ data: aUint8Array }));
  return runSteps(describeSteps(raster, role));
}

/** The same in steps. */
export function* describeSteps(raster: Raster, role: LogoRole): Steps<LogoDescriptor> {
  assertKnownRole(role);
  const whole = yield* wholeSteps(raster);
  const sketch = role === "query" ? new Uint8Array() : yield* sketchSteps(raster);
  return writeLogoDescriptor({ role, ...whole, sketch });
}

/** Describes a picture as a whole, in steps. */
export function* wholeSteps(raster: Raster): Steps<WholePicture> {
  assertRaster(raster);
  const working = yield* shrinkSteps(raster, workingSide, workingHeights);
  const pyramid = rasterPyramid(working, matteOf(working));
  const level = solidLevel(working);
  yield* pyramid.steps(level);
  yield* pyramid.steps(thumbnailLevel(working));
  const thumbnailBytes = thumbnail(pyramid, working);
  const color = meanColor(thumbnailBytes);
  return {
    width: raster.width,
    height: raster.height,
    blockHash: blockHash({ width: thumbnailSide, height: thumbnailSide, rgb: thumbnailBytes }),
    solid: isSolid(pyramid.at(level).rgb, color),
    color,
    digest: yield* digestOf(raster),
    thumbnail: thumbnailBytes,
  };
}

/** Whether no pixel differs from a color by more than the noise of a compressed picture. */
function isSolid(rgb: Uint8Array, color: readonly number[]): boolean {
  return rgb.every((value, i) => Math.abs(value - (color[i % 3] ?? 0)) <= solidTolerance);
}

/** Number of halvings before it is decided whether a picture has one color. */
function solidLevel({ width, height }: Raster): number {
  const times = Math.max(width, height) / solidSide;
  return times < 1 ? 0 : Math.floor(Math.log2(times)) + 1;
}

function assertKnownRole(role: LogoRole): void {
  if (role === "query" || role === "scan") return;
  throw new TypeError(`\`role\` must be \`query\` or \`scan\`; found ${quote(role)}.`);
}

function assertRaster({ width, height, data }: Raster): void {
  if (![width, height].every((side) => Number.isSafeInteger(side) && side >= 1)) {
    throw new RangeError(
      `\`width\` and \`height\` must be integers from 1; found ${quote(width)} and ${quote(height)}.`,
    );
  }
  const expected = width * height * 4;
  if (data.length === expected) return;
  throw new RangeError(
    `\`data\` of ${width} x ${height} pixels must have ${expected} bytes; found ${data.length}.`,
  );
}

function* digestOf({ width, height, data }: Raster): Steps<Uint8Array> {
  const digest = createHash("sha256").update(Uint32Array.of(width, height));
  for (let at = 0; at < data.length; at += 4 * stepWork) {
    digest.update(data.subarray(at, at + 4 * stepWork));
    yield;
  }
  return digest.digest();
}

function meanColor(rgb: Uint8Array): readonly [red: number, green: number, blue: number] {
  const mean = (channel: number) => {
    let sum = 0;
    for (let i = channel; i < rgb.length; i += 3) sum += rgb[i] ?? 0;
    return Math.round((3 * sum) / rgb.length);
  };
  return [mean(0), mean(1), mean(2)];
}
