/** Describing a picture: decode, digest, hash, views. */

import { createHash } from "node:crypto";
import type { Problem } from "../../errors.ts";
import { type DecodeLimits, decodeLogo } from "./decode/decode.ts";
import { backdropOf, type Raster, rasterPyramid } from "./decode/picture.ts";
import { shrinkRaster, thumbnail } from "./decode/shrink.ts";
import { type LogoDescriptor, type LogoRole, writeLogoDescriptor } from "./descriptor.ts";
import { blockHash } from "./features/block-hash.ts";
import { queryViews, scanViews } from "./regions/views.ts";
import { blockHashSide, workSide } from "./tuning.ts";

/** What an image is described as, and the limits of decoding it. */
export interface DescribeOptions extends DecodeLimits {
  /** `query` for a logo that is sought, `scan` (the default) for a picture it may be in. */
  readonly role?: LogoRole;
}

/** A descriptor, or why the image was refused (code 7001). */
export type DescribeOutcome =
  | { readonly ok: true; readonly descriptor: LogoDescriptor }
  | { readonly ok: false; readonly problems: readonly [Problem] };

/**
 * Describes an image file: decodes it within limits, and makes everything that comparison needs.
 *
 * A bad, huge, truncated or animated file is an outcome with a problem that names the fault, never an exception.
 *
 * @throws {TypeError} when the image is not a Uint8Array, or the role neither `query` nor `scan`
 * @example
 * ```ts
 * const outcome = await describeLogo(Buffer.from("no image"), { role: "query" });
 * outcome.ok || outcome.problems[0].message;
 * // => "The image is of no known format; PNG or JPEG is allowed."
 * ```
 */
export async function describeLogo(
  image: Uint8Array,
  options: DescribeOptions = {},
): Promise<DescribeOutcome> {
  const { role = "scan" } = options;
  if (!(image instanceof Uint8Array)) throw new TypeError("describeLogo takes the bytes of an image file.");
  assertLogoRole(role);
  const decoded = await decodeLogo(image, role, options);
  return decoded.ok ? { ok: true, descriptor: describeRaster(decoded.raster, role) } : decoded;
}

/**
 * Describes decoded pixels; no file, no sharp. The same pixels always have the same descriptor.
 *
 * @throws {RangeError} when width and height are not whole numbers from 1 up, or the data does not have four bytes for
 * each pixel
 * @throws {TypeError} when the role is neither `query` nor `scan`
 * @example
 * ```ts
 * describeRaster({ width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) }).solid;
 * // => true
 * ```
 */
export function describeRaster(raster: Raster, role: LogoRole = "scan"): LogoDescriptor {
  assertLogoRole(role);
  assertRaster(raster);
  const work = shrinkRaster(raster, workSide);
  const grey = backdropOf(work);
  const pyramid = rasterPyramid(work, grey);
  const views = role === "query" ? queryViews(pyramid, work, grey) : scanViews(pyramid, work);
  const thumb = thumbnail(pyramid, work);
  return writeLogoDescriptor({
    role,
    width: raster.width,
    height: raster.height,
    blockHash: blockHash(pyramid.at(blockHashLevel(work))),
    solid: views.length === 0,
    colour: meanColour(thumb),
    digest: digestOf(raster),
    thumb,
    views,
  });
}

/** How often a picture is halved for the block hash. */
function blockHashLevel({ width, height }: Raster): number {
  const times = Math.max(width, height) / blockHashSide;
  return times < 1 ? 0 : Math.floor(Math.log2(times)) + 1;
}

function assertLogoRole(role: LogoRole): void {
  if (role === "query" || role === "scan") return;
  throw new TypeError(`role is \`query\` or \`scan\`, not \`${role}\`.`);
}

function assertRaster({ width, height, data }: Raster): void {
  if (![width, height].every((side) => Number.isSafeInteger(side) && side >= 1)) {
    throw new RangeError(`width and height are whole numbers from 1 up, not \`${width}\` and \`${height}\`.`);
  }
  if (data.length === width * height * 4) return;
  throw new RangeError(
    `A raster of ${width} x ${height} pixels has ${width * height * 4} bytes, not ${data.length}.`,
  );
}

function digestOf({ width, height, data }: Raster): Uint8Array {
  const size = Uint32Array.of(width, height);
  return createHash("sha256").update(size).update(data).digest();
}

function meanColour(rgb: Uint8Array): readonly [number, number, number] {
  const sum = [0, 0, 0];
  for (let i = 0; i < rgb.length; i += 3) {
    sum[0]! += rgb[i]!;
    sum[1]! += rgb[i + 1]!;
    sum[2]! += rgb[i + 2]!;
  }
  const [r, g, b] = sum.map((v) => Math.round((3 * v) / rgb.length));
  return [r!, g!, b!];
}
