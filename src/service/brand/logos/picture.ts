/** Reads and describes untrusted pictures, given as base64 or bytes. */

import { type Failure, type Result, success } from "../../../core/result.ts";
import { contentTypes, sniffImage } from "../../../engine/images/sniff.ts";
import type { DecodeLimits } from "../../../engine/logo/decode/decode.ts";
import type { Raster } from "../../../engine/logo/decode/picture.ts";
import { type LogoDescriptor, type LogoRole, readLogoDescriptor } from "../../../engine/logo/descriptor.ts";
import type { Compute } from "../../compute.ts";
import { reject } from "../invalid-input.ts";
import { compilePicture, describePicture } from "../tasks/logo-tasks.ts";
import type { PackedDetector } from "../tasks/packed-detector.ts";

/** A picture that was decoded and described. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** Detected from the bytes; the type of a data URI is ignored. */
  readonly contentType: string;
  readonly descriptor: LogoDescriptor;
  /** The decoded pixels. */
  readonly raster: Raster;
}

/** A picture of a query, with the templates of the dense search. */
export interface LogoPicture extends Omit<Picture, "raster"> {
  readonly detector: PackedDetector;
}

/** Queries are PNG or JPEG (`observed`); scans are the formats that browsers display. */
const types: Readonly<Record<LogoRole, readonly string[]>> = {
  query: ["png", "jpeg"],
  scan: ["png", "jpeg", "webp", "gif", "avif"],
};

const dataUri = /^\s*data:[^,]{0,200};base64,/i;
const base64 = /^([A-Za-z0-9+/]*)={0,2}$/;

/** Decodes base64 with or without the prefix of a data URI; blanks and line ends are ignored. */
export function readBase64(text: string, maxBytes: number): Result<Uint8Array> {
  const start = dataUri.exec(text)?.[0].length ?? 0;
  const digits = text.slice(start).replace(/\s+/g, "");
  if (!isBase64(digits)) return reject("The image must be base64, with or without a data URI.");
  // Checked before decoding: four digits are three bytes.
  if ((digits.length / 4) * 3 - 2 > maxBytes) return rejectSize(maxBytes);
  return success(Buffer.from(digits, "base64"));
}

/** RFC 4648, section 4: four digits are three bytes; a single further digit is invalid. */
function isBase64(text: string): boolean {
  const digits = base64.exec(text)?.[1];
  return digits !== undefined && digits.length % 4 !== 1;
}

function rejectSize(maxBytes: number): Failure {
  return reject(`The image must be at most ${maxBytes} bytes.`);
}

/** Limits of an account's pictures. */
export type PictureLimits = Required<DecodeLimits>;

/** Validates a picture without decoding it. Returns its content type. */
export function checkPicture(
  bytes: Uint8Array,
  role: LogoRole,
  { maxBytes }: Pick<PictureLimits, "maxBytes">,
): Result<string> {
  if (bytes.length === 0) return reject("The image must be an image file; found no bytes.");
  if (bytes.length > maxBytes) return rejectSize(maxBytes);
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "image" && types[role].includes(sniffed.type)) {
    return success(contentTypes[sniffed.type]);
  }
  const name = "type" in sniffed ? sniffed.type : "name" in sniffed ? sniffed.name : "an unknown format";
  const allowed = role === "query" ? "PNG or JPEG" : "PNG, JPEG, WebP, GIF or AVIF";
  return reject(`The image must be ${allowed}; found ${name}.`);
}

/** Why an account does not take a picture that was described under larger limits; undefined when it does. */
export function rejectionOf(
  { bytes, raster }: Pick<Picture, "bytes" | "raster">,
  { maxBytes, maxPixels }: PictureLimits,
): string | undefined {
  if (bytes.length > maxBytes) return rejectSize(maxBytes).problems[0].message;
  const { width, height } = raster;
  if (width * height <= maxPixels) return undefined;
  return `The image must have at most ${maxPixels} pixels; found ${width} x ${height}.`;
}

/** Decodes and describes a picture. @throws the abort reason of `signal` */
export async function readPicture(
  compute: Compute,
  bytes: Uint8Array,
  role: LogoRole,
  { maxBytes, maxPixels }: PictureLimits,
  signal?: AbortSignal,
): Promise<Result<Picture>> {
  const type = checkPicture(bytes, role, { maxBytes });
  if (!type.ok) return type;
  const limits = { maxBytes, maxPixels };
  const described = await compute.run(describePicture, { bytes, limits, role }, signal);
  if (!described.ok) return reject(described.problems[0].message);
  const { descriptor, raster } = described.value;
  return success({ bytes, contentType: type.value, descriptor: readLogoDescriptor(descriptor), raster });
}

/** Decodes, describes and compiles the picture of a query, given as base64. @throws the abort reason of `signal` */
export async function readLogo(
  compute: Compute,
  text: string,
  { maxBytes, maxPixels }: PictureLimits,
  signal?: AbortSignal,
): Promise<Result<LogoPicture>> {
  const read = readBase64(text, maxBytes);
  if (!read.ok) return read;
  const bytes = read.value;
  const type = checkPicture(bytes, "query", { maxBytes });
  if (!type.ok) return type;
  const compiled = await compute.run(compilePicture, { bytes, limits: { maxBytes, maxPixels } }, signal);
  if (!compiled.ok) return reject(compiled.problems[0].message);
  const { descriptor, detector } = compiled.value;
  return success({ bytes, contentType: type.value, descriptor: readLogoDescriptor(descriptor), detector });
}
