/**
 * Bytes to pixels, by sharp, with limits: images are untrusted.
 *
 * Limits `chosen` (brand.md, "Logo queries and matches"); queries PNG or JPEG `observed`. Orientation and colour
 * profile are applied; every pixel is decoded and the end of the file must be there. sharp's process-wide settings
 * are left alone. The only file of the area that loads sharp.
 */

import type { Sharp } from "sharp";
import { type Problem, quote } from "../../../errors.ts";
import { hasDeepProfile } from "../../picture/deep-profile.ts";
import type { LogoRole } from "../descriptor.ts";
import { isAvifSequence, isCutShort, type LogoHeader, readPngHeader } from "./header.ts";
import type { Raster } from "./picture.ts";

/** Most bytes of an image file, unless told otherwise: 5 MB. */
export const defaultMaxBytes = 5 * 1024 * 1024;
/** Most pixels of an image, unless told otherwise: 25 megapixels. */
export const defaultMaxPixels = 25_000_000;

/** Limits of decoding. */
export interface DecodeLimits {
  /** Most bytes of the file; 5,242,880 by default. */
  readonly maxBytes?: number;
  /** Most pixels, width times height; 25,000,000 by default. */
  readonly maxPixels?: number;
}

/** A decoded picture, or why it was refused. */
export type DecodeOutcome =
  | { readonly ok: true; readonly raster: Raster }
  | { readonly ok: false; readonly problems: readonly [Problem] };

/** Formats (sharp's names) that each role takes, and how a message lists them. */
const formats: Readonly<Record<LogoRole, { readonly names: ReadonlySet<string>; readonly list: string }>> = {
  query: { names: new Set(["png", "jpeg"]), list: "PNG or JPEG" },
  scan: { names: new Set(["png", "jpeg", "webp", "gif", "heif"]), list: "PNG, JPEG, WebP, GIF or AVIF" },
};

const damaged = "The image is damaged or cut short; it could not be decoded to its end.";

let loading: Promise<typeof import("sharp")> | undefined;

/** Loads sharp when it is first needed; asking the module system each time would cost a tenth of a decoding. */
function loadSharp(): Promise<typeof import("sharp")> {
  loading ??= import("sharp");
  return loading;
}

/** Decodes an image file for a role. */
export async function decodeLogo(
  bytes: Uint8Array,
  role: LogoRole,
  limits: DecodeLimits = {},
): Promise<DecodeOutcome> {
  const { maxBytes = defaultMaxBytes, maxPixels = defaultMaxPixels } = limits;
  if (bytes.length === 0) return refuse("The image is empty; it must be an image file.");
  if (bytes.length > maxBytes) {
    return refuse(`The image has ${bytes.length} bytes; at most ${maxBytes} are allowed.`);
  }
  const { default: sharp } = await loadSharp();
  const image = sharp(bytes, { limitInputPixels: false, failOn: "warning", pages: 1 });
  const header = await headerOf(image, bytes);
  const refusal = refusalOf(header, bytes, role, maxPixels);
  if (refusal !== undefined) return refuse(refusal);
  return decode(header && hasDeepProfile(header) ? image.withIccProfile("srgb", { attach: false }) : image);
}

/** A PNG's header is read here where that will do: opening the file for it would cost a tenth of describing a logo. */
async function headerOf(image: Sharp, bytes: Uint8Array): Promise<LogoHeader | undefined> {
  const png = readPngHeader(bytes);
  if (png?.certain) return png;
  const header = await image.metadata().catch(() => undefined);
  return header && { ...header, ...png };
}

/** Why an image is refused by its header; undefined when it is not. */
function refusalOf(
  header: LogoHeader | undefined,
  bytes: Uint8Array,
  role: LogoRole,
  maxPixels: number,
): string | undefined {
  const { names, list } = formats[role];
  if (!header) return isCutShort(bytes) ? damaged : `The image is of no known format; ${list} is allowed.`;
  const { format, compression, width, height, pages = 1 } = header;
  if (!names.has(format) || (format === "heif" && compression !== "av1")) {
    return `The image is of format ${quote(format)}; ${list} is allowed.`;
  }
  if (isAvifSequence(bytes)) return "The image is animated; it must be a still picture.";
  if (pages > 1) return `The image is animated (${pages} frames); it must be a still picture.`;
  if (width * height > maxPixels) {
    return `The image has ${width} x ${height} pixels; at most ${maxPixels} are allowed.`;
  }
  return isCutShort(bytes) ? damaged : undefined;
}

/** Decodes every pixel: oriented, sRGB, 8 bits, with alpha. */
async function decode(image: Sharp): Promise<DecodeOutcome> {
  try {
    const { data, info } = await image
      .autoOrient()
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { ok: true, raster: { width: info.width, height: info.height, data } };
  } catch {
    return refuse(damaged);
  }
}

function refuse(message: string): DecodeOutcome {
  return { ok: false, problems: [{ code: 7001, message }] };
}
