/**
 * The type of a file by its bytes, never by its name (`docs/interface/images.md`, Upload; signatures from the formats'
 * specifications).
 */

import { aUint8Array, requireArgument } from "../../core/arguments.ts";
import { viewOf } from "../../core/view-of.ts";
import type { HeaderType } from "../picture/header.ts";
import { readHeifCoding } from "../picture/header-heic.ts";
import { isImageSequence } from "../picture/heif-boxes.ts";
import { signatureType } from "../picture/signature.ts";
import { isSvgText } from "./svg/source-text.ts";

/** Formats of images; `heic` is accepted by an option only, and its header alone is read. */
export type ImageType = HeaderType | "svg";

/** Media types of the accepted formats. */
export const contentTypes: Record<ImageType, string> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  heic: "image/heic",
  svg: "image/svg+xml",
};

/** Media types that a rendition can have: never HEIC. */
export const renditionTypes: readonly string[] = Object.values(contentTypes).filter(
  (type) => type !== contentTypes.heic,
);

/** A file in an accepted format. */
export interface AcceptedFile {
  /** Discriminates the outcomes. */
  readonly kind: "image";
  /** The format. */
  readonly type: ImageType;
}

/** An image in a format that is not accepted. */
export interface RejectedFile {
  /** Discriminates the outcomes. */
  readonly kind: "rejected";
  /** Name of the format, such as `TIFF`. */
  readonly name: string;
}

/** A file that is not an image. */
export interface UnknownFile {
  /** Discriminates the outcomes. */
  readonly kind: "unknown";
}

/** The outcome of sniffing a file. */
export type SniffedFile = AcceptedFile | RejectedFile | UnknownFile;

interface Signature {
  readonly bytes: readonly number[];
  readonly name: string;
}

/** Signatures of formats that are not accepted. */
const signatures: readonly Signature[] = [
  { bytes: [0x49, 0x49, 0x2a, 0x00], name: "TIFF" },
  { bytes: [0x4d, 0x4d, 0x00, 0x2a], name: "TIFF" },
  { bytes: [0x49, 0x49, 0x2b, 0x00], name: "TIFF" },
  { bytes: [0x4d, 0x4d, 0x00, 0x2b], name: "TIFF" },
  { bytes: [0xff, 0x0a], name: "JPEG XL" },
  { bytes: [0, 0, 0, 0x0c, ...ascii("JXL ")], name: "JPEG XL" },
  { bytes: [0, 0, 0, 0x0c, ...ascii("jP  ")], name: "JPEG 2000" },
  { bytes: [0, 0, 1, 0], name: "ICO" },
  { bytes: ascii("8BPS"), name: "PSD" },
];

/** Brands of ISO base media files that are images coded with AV1. */
const avifBrands = new Set(["avif", "avis"]);
/** Brands of images coded with HEVC, and of their sequences. */
const hevcBrands = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
/** Brands of images of any coding. */
const heifBrands = new Set(["mif1", "msf1"]);
/** Codings of HEVC (ISO/IEC 14496-15). */
const hevcCodings = ["hvc1", "hev1", "lhv1"];
/** Maximum number of compatible brands to read; real files have under ten. */
const maxBrands = 64;
/** Bytes of a bitmap's file header and the smallest info header after it. */
const minBmpBytes = 26;

/**
 * Determines the format of a file by its first bytes.
 *
 * @example
 * ```ts
 * sniffImage(Buffer.from("GIF89a...")); // => { kind: "image", type: "gif" }
 * ```
 */
export function sniffImage(bytes: Uint8Array): SniffedFile {
  requireArgument("bytes", bytes, aUint8Array);
  const signed = signatureType(bytes);
  if (signed) return image(signed);
  const known = signatures.find((signature) => startsWith(bytes, signature.bytes));
  if (known) return rejected(known.name);
  if (text(bytes, 4, 8) === "ftyp") return sniffBrands(bytes);
  if (isBmp(bytes)) return rejected("BMP");
  return isSvgText(bytes) ? image("svg") : { kind: "unknown" };
}

/** HEIC and AVIF share a container: the major brand decides, then the compatible ones, then the coding of the picture. */
function sniffBrands(bytes: Uint8Array): SniffedFile {
  const size = Math.min(viewOf(bytes).getUint32(0), bytes.length, 16 + 4 * maxBrands);
  const brands = [text(bytes, 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) brands.push(text(bytes, at, at + 4));
  const decisive = brands.find((brand) => avifBrands.has(brand) || hevcBrands.has(brand));
  if (decisive === undefined && !brands.some((brand) => heifBrands.has(brand))) return { kind: "unknown" };
  const isAvif = decisive !== undefined && avifBrands.has(decisive);
  if (decisive === undefined && !hevcCodings.includes(readHeifCoding(bytes) ?? "")) return rejected("HEIF");
  if (isImageSequence(bytes)) return rejected(isAvif ? "an AVIF image sequence" : "a HEIC image sequence");
  return image(isAvif ? "avif" : "heic");
}

/** "BM" also begins many texts: the size of the info header must be an existing one. */
function isBmp(bytes: Uint8Array): boolean {
  if (bytes.length < minBmpBytes || text(bytes, 0, 2) !== "BM") return false;
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(viewOf(bytes).getUint32(14, true));
}

function image(type: ImageType): SniffedFile {
  return { kind: "image", type };
}

function rejected(name: string): SniffedFile {
  return { kind: "rejected", name };
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, at) => bytes[at] === byte);
}

function ascii(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return bytes.length < end ? "" : String.fromCharCode(...bytes.subarray(start, end));
}
