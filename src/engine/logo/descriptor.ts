/**
 * The descriptor of a picture: everything that logo comparison needs, as bytes to store and as a record to read.
 *
 * Layout (little endian): version, role, solid, view count; color (3), 0; digest (32); block hash (32); width and
 * height (4 + 4); thumbnail (768); then the views. A new layout gets a new version byte.
 */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { featureSizes, normsOf } from "./features/features.ts";
import { packBytes, packSigned, unpackBytes, unpackSigned } from "./features/nibbles.ts";
import { hashWords, prefilterHashBytes } from "./features/prefilter-hash.ts";
import { plainLogoNotes } from "./plain-logo.ts";
import type { View } from "./regions/views.ts";
import { thumbnailSide } from "./tuning.ts";

/** `query`: a logo to search for. `scan`: a picture to search in. A query is compared with a scan. */
export type LogoRole = "query" | "scan";

/** A described picture. */
export interface LogoDescriptor {
  /** The role that the picture was described for. */
  readonly role: LogoRole;
  /** Width of the decoded picture in pixels, from 1. */
  readonly width: number;
  /** Height of the decoded picture in pixels, from 1. */
  readonly height: number;
  /** image-hash's block-mean hash, 64 hexadecimal digits. */
  readonly blockHash: string;
  /** Whether the picture has no foreground; such pictures are compared by color alone. */
  readonly solid: boolean;
  /** Mean color: red, green, blue, 0 to 255. */
  readonly color: readonly [red: number, green: number, blue: number];
  /** SHA-256 of the decoded size and pixels, 32 bytes: equal digests are equal pictures. */
  readonly digest: Uint8Array;
  /** The whole picture at 16 x 16, three bytes a pixel. */
  readonly thumbnail: Uint8Array;
  /** The views that are compared, at most 255; none when `solid`. */
  readonly views: readonly View[];
  /** Remarks about a queried logo: that it is a plain shape, and what to search for instead. Not stored. */
  readonly notes: readonly Diagnostic[];
  /** The descriptor as bytes to store; `readLogoDescriptor` reads them. */
  readonly bytes: Uint8Array;
}

/**
 * The version of the layout and of the views. A descriptor of another version is never compared: its picture is
 * described again.
 */
export const logoDescriptorVersion = 2;
/** Bytes of the digest of the pixels. */
const digestBytes = 32;
const blockHashBytes = 32;
const thumbnailBytes = thumbnailSide * thumbnailSide * 3;
const digestAt = 8;
const blockHashAt = digestAt + digestBytes;
const sizeAt = blockHashAt + blockHashBytes;
const thumbnailAt = sizeAt + 8;
const viewsAt = thumbnailAt + thumbnailBytes;
const prefilterHashAt = 12;
const mapHistogramAt = prefilterHashAt + prefilterHashBytes;
const colorHistogramAt = mapHistogramAt + featureSizes.mapHistogram / 2;
const centeredMapAt = colorHistogramAt + featureSizes.colorHistogram / 2;
const viewBytes = centeredMapAt + featureSizes.centeredMap / 2;
const regionUnit = 65_535;
const aspectUnit = 1024;

/** Writes a descriptor; the returned record is the one that `readLogoDescriptor` reads from the bytes. */
export function writeLogoDescriptor(parts: Omit<LogoDescriptor, "bytes" | "notes">): LogoDescriptor {
  const bytes = new Uint8Array(viewsAt + parts.views.length * viewBytes);
  const data = new DataView(bytes.buffer);
  bytes.set([
    logoDescriptorVersion,
    parts.role === "query" ? 0 : 1,
    parts.solid ? 1 : 0,
    parts.views.length,
    ...parts.color,
  ]);
  bytes.set(parts.digest, digestAt);
  bytes.set(Buffer.from(parts.blockHash, "hex"), blockHashAt);
  data.setUint32(sizeAt, parts.width, true);
  data.setUint32(sizeAt + 4, parts.height, true);
  bytes.set(parts.thumbnail, thumbnailAt);
  for (const [i, view] of parts.views.entries()) writeView(bytes, data, viewsAt + i * viewBytes, view);
  return readLogoDescriptor(bytes);
}

function writeView(bytes: Uint8Array, data: DataView, at: number, view: View): void {
  const { left, top, width, height } = view.region;
  for (const [i, share] of [left, top, width, height].entries()) {
    data.setUint16(at + 2 * i, Math.round(share * regionUnit), true);
  }
  data.setInt16(at + 8, Math.round(view.aspect * aspectUnit), true);
  bytes[at + 10] = Math.round(view.commonShapeSimilarity * 255);
  bytes[at + 11] = view.spread;
  bytes.set(view.prefilterHash, at + prefilterHashAt);
  bytes.set(packBytes(view.mapHistogram), at + mapHistogramAt);
  bytes.set(packBytes(view.colorHistogram), at + colorHistogramAt);
  bytes.set(packSigned(view.centeredMap), at + centeredMapAt);
}

/** Whether bytes begin as a descriptor of this version does; others are described again from their picture. */
export function isCurrentLogoDescriptor(bytes: Uint8Array): boolean {
  return bytes[0] === logoDescriptorVersion;
}

/**
 * Reads a descriptor from its bytes.
 *
 * @throws {TypeError} when the bytes are not a descriptor of this version
 * @example
 * ```ts
 * const { bytes } = describeRaster({ width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) }, "query");
 * readLogoDescriptor(bytes).role;
 * // => "query"
 * ```
 */
export function readLogoDescriptor(bytes: Uint8Array): LogoDescriptor {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("A logo descriptor must be a Uint8Array.");
  return readDescriptorWith(bytes, () => true);
}

/** The facts that decide whether two views are compared. */
export type PrefilterView = Pick<View, "prefilterHash" | "prefilterWords" | "aspect">;

/**
 * As `readLogoDescriptor`, with some of the views: unpacking the others would take most of the time.
 *
 * @throws {TypeError} when the bytes are not a descriptor of this version
 */
export function readDescriptorWith(
  bytes: Uint8Array,
  isNeeded: (view: PrefilterView) => boolean,
): LogoDescriptor {
  assertDescriptor(bytes);
  const [_version, role, solid, viewCount = 0, red = 0, green = 0, blue = 0] = bytes;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const part = (at: number, length: number) => bytes.subarray(at, at + length);
  const described: Omit<LogoDescriptor, "notes"> = {
    role: role === 0 ? "query" : "scan",
    width: data.getUint32(sizeAt, true),
    height: data.getUint32(sizeAt + 4, true),
    blockHash: Buffer.from(part(blockHashAt, blockHashBytes)).toString("hex"),
    solid: solid === 1,
    color: [red, green, blue],
    digest: part(digestAt, digestBytes),
    thumbnail: part(thumbnailAt, thumbnailBytes),
    views: Array.from({ length: viewCount }, (_, i) => viewsAt + i * viewBytes).flatMap((at) => {
      const view = readPrefilterView(bytes, data, at);
      return isNeeded(view) ? [readView(bytes, data, at, view)] : [];
    }),
    bytes,
  };
  return { ...described, notes: plainLogoNotes(described) };
}

function assertDescriptor(bytes: Uint8Array): void {
  const [version, role = 0, solid = 0, viewCount = 0] = bytes;
  const fits = bytes.length >= viewsAt && bytes.length === viewsAt + viewCount * viewBytes;
  if (version === logoDescriptorVersion && role <= 1 && solid <= 1 && fits) return;
  throw new TypeError(
    `These ${bytes.length} bytes are not a logo descriptor of version ${logoDescriptorVersion}; describe the picture again.`,
  );
}

/** The parts of a descriptor that a prefilter needs. */
export interface PrefilterData extends Pick<LogoDescriptor, "solid" | "digest" | "thumbnail"> {
  /** Hash and aspect of each view. */
  readonly views: readonly Pick<View, "prefilterHash" | "aspect">[];
}

/**
 * Reads what a prefilter needs from the bytes of a descriptor of this version, in a fraction of the time of
 * `readLogoDescriptor`. The parts are views of the bytes.
 *
 * @throws {TypeError} when the bytes are not a descriptor of this version
 */
export function readPrefilterData(bytes: Uint8Array): PrefilterData {
  assertDescriptor(bytes);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const views = Array.from({ length: bytes[3] ?? 0 }, (_, i) => {
    const at = viewsAt + i * viewBytes;
    const hashAt = at + prefilterHashAt;
    return {
      prefilterHash: bytes.subarray(hashAt, hashAt + prefilterHashBytes),
      aspect: data.getInt16(at + 8, true) / aspectUnit,
    };
  });
  return {
    solid: bytes[2] === 1,
    digest: bytes.subarray(digestAt, blockHashAt),
    thumbnail: bytes.subarray(thumbnailAt, viewsAt),
    views,
  };
}

function readPrefilterView(bytes: Uint8Array, data: DataView, at: number): PrefilterView {
  const hashAt = at + prefilterHashAt;
  const prefilterHash = bytes.subarray(hashAt, hashAt + prefilterHashBytes);
  const aspect = data.getInt16(at + 8, true) / aspectUnit;
  return { prefilterHash, prefilterWords: hashWords(prefilterHash), aspect };
}

function readView(bytes: Uint8Array, data: DataView, at: number, prefilter: PrefilterView): View {
  const part = (from: number, length: number) => bytes.subarray(at + from, at + from + length);
  const share = (i: number) => data.getUint16(at + 2 * i, true) / regionUnit;
  const features = {
    mapHistogram: unpackBytes(part(mapHistogramAt, featureSizes.mapHistogram / 2)),
    colorHistogram: unpackBytes(part(colorHistogramAt, featureSizes.colorHistogram / 2)),
    centeredMap: unpackSigned(part(centeredMapAt, featureSizes.centeredMap / 2)),
  };
  return {
    region: { left: share(0), top: share(1), width: share(2), height: share(3) },
    commonShapeSimilarity: data.getUint8(at + 10) / 255,
    spread: data.getUint8(at + 11),
    norms: normsOf(features),
    ...prefilter,
    ...features,
  };
}
