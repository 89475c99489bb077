/**
 * The descriptor of a picture: everything that logo comparison needs, as bytes to store and as a record to read.
 *
 * Layout (little endian): version, role, kind, view count; colour (3), 0; digest (32); block hash (32); width and
 * height (4 + 4); thumbnail (768); then the views. A new layout gets a new version byte.
 */

import { featureSizes } from "./features/features.ts";
import { gateBytes, gateWords } from "./features/prefilter-hash.ts";
import type { View } from "./regions/views.ts";
import { thumbSide } from "./tuning.ts";

/** `query`: a logo that is sought. `scan`: a picture it may be in. The two are compared with each other. */
export type LogoRole = "query" | "scan";

/** A described picture. */
export interface LogoDescriptor {
  readonly role: LogoRole;
  /** The picture's size as decoded, in pixels. */
  readonly width: number;
  readonly height: number;
  /** image-hash's block-mean hash, 64 hexadecimal digits. */
  readonly blockHash: string;
  /** Whether nothing stands out of the background; such pictures are compared by colour alone. */
  readonly solid: boolean;
  /** Mean colour: red, green, blue, 0 to 255. */
  readonly colour: readonly [number, number, number];
  /** Digest of the decoded pixels: equal digests are equal pictures. */
  readonly digest: Uint8Array;
  /** The whole picture at 16 x 16, three bytes a pixel. */
  readonly thumb: Uint8Array;
  readonly views: readonly View[];
  /** The descriptor as bytes to store; `readLogoDescriptor` is the way back. */
  readonly bytes: Uint8Array;
}

const version = 1;
/** Bytes of the digest of the pixels. */
export const digestBytes = 32;
const hashBytes = 32;
const thumbBytes = thumbSide * thumbSide * 3;
const digestAt = 8;
const hashAt = digestAt + digestBytes;
const sizeAt = hashAt + hashBytes;
const thumbAt = sizeAt + 8;
const viewsAt = thumbAt + thumbBytes;
const gateAt = 24;
const mapAt = gateAt + gateBytes;
const coloursAt = mapAt + featureSizes.map;
const shapeAt = coloursAt + featureSizes.colours;
const viewBytes = shapeAt + featureSizes.shape;
const regionUnit = 65_535;
const aspectUnit = 1024;

/** Writes a descriptor; the record that comes back is what `readLogoDescriptor` reads from the bytes. */
export function writeLogoDescriptor(parts: Omit<LogoDescriptor, "bytes">): LogoDescriptor {
  const bytes = new Uint8Array(viewsAt + parts.views.length * viewBytes);
  const data = new DataView(bytes.buffer);
  bytes.set([
    version,
    parts.role === "query" ? 0 : 1,
    parts.solid ? 1 : 0,
    parts.views.length,
    ...parts.colour,
  ]);
  bytes.set(parts.digest, digestAt);
  bytes.set(Buffer.from(parts.blockHash, "hex"), hashAt);
  data.setUint32(sizeAt, parts.width, true);
  data.setUint32(sizeAt + 4, parts.height, true);
  bytes.set(parts.thumb, thumbAt);
  for (const [i, view] of parts.views.entries()) writeView(bytes, data, viewsAt + i * viewBytes, view);
  return readLogoDescriptor(bytes);
}

function writeView(bytes: Uint8Array, data: DataView, at: number, view: View): void {
  const { left, top, width, height } = view.region;
  for (const [i, share] of [left, top, width, height].entries()) {
    data.setUint16(at + 2 * i, Math.round(share * regionUnit), true);
  }
  data.setInt16(at + 8, Math.round(view.aspect * aspectUnit), true);
  bytes[at + 10] = Math.round(view.stock * 255);
  bytes[at + 11] = view.spread;
  for (const [i, length] of view.lengths.entries()) data.setFloat32(at + 12 + 4 * i, length, true);
  bytes.set(view.gate, at + gateAt);
  bytes.set(view.map, at + mapAt);
  bytes.set(view.colours, at + coloursAt);
  bytes.set(new Uint8Array(view.shape.buffer, view.shape.byteOffset, view.shape.length), at + shapeAt);
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
  assertDescriptor(bytes);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const part = (at: number, length: number) => bytes.subarray(at, at + length);
  return {
    role: bytes[1] === 0 ? "query" : "scan",
    width: data.getUint32(sizeAt, true),
    height: data.getUint32(sizeAt + 4, true),
    blockHash: Buffer.from(part(hashAt, hashBytes)).toString("hex"),
    solid: bytes[2] === 1,
    colour: [bytes[4]!, bytes[5]!, bytes[6]!],
    digest: part(digestAt, digestBytes),
    thumb: part(thumbAt, thumbBytes),
    views: Array.from({ length: bytes[3]! }, (_, i) => readView(bytes, data, viewsAt + i * viewBytes)),
    bytes,
  };
}

function assertDescriptor(bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("A logo descriptor is a Uint8Array.");
  const fits = bytes.length >= viewsAt && bytes.length === viewsAt + bytes[3]! * viewBytes;
  if (bytes[0] !== version || bytes[1]! > 1 || bytes[2]! > 1 || !fits) {
    throw new TypeError(
      `These ${bytes.length} bytes are not a logo descriptor of version ${version}; describe the picture again.`,
    );
  }
}

function readView(bytes: Uint8Array, data: DataView, at: number): View {
  const part = (from: number, length: number) => bytes.subarray(at + from, at + from + length);
  const share = (i: number) => data.getUint16(at + 2 * i, true) / regionUnit;
  const length = (i: number) => data.getFloat32(at + 12 + 4 * i, true);
  const gate = part(gateAt, gateBytes);
  return {
    region: { left: share(0), top: share(1), width: share(2), height: share(3) },
    aspect: data.getInt16(at + 8, true) / aspectUnit,
    stock: bytes[at + 10]! / 255,
    spread: bytes[at + 11]!,
    lengths: [length(0), length(1), length(2)],
    gate,
    words: gateWords(gate),
    map: part(mapAt, featureSizes.map),
    colours: part(coloursAt, featureSizes.colours),
    shape: new Int8Array(bytes.buffer, bytes.byteOffset + at + shapeAt, featureSizes.shape),
  };
}
