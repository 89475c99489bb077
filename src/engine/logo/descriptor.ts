/**
 * The descriptor of a picture: what is compared of it as a whole, as bytes to store and as a record to read.
 *
 * Layout (little endian): version, role, solid, 0; color (3), 0; digest (32); block hash (32); width and
 * height (4 + 4); thumbnail (768); then the sketch. A new layout gets a new version byte.
 */

import { aBoolean, aNumber, arrayOf, aString, aUint8Array, objectWith, oneOf } from "../../core/arguments.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { viewOf } from "../../core/view-of.ts";
import { solidLogoNotes } from "./plain-logo.ts";
import { thumbnailSide } from "./tuning.ts";

/** `query`: a logo to search for. `scan`: a picture to search in. A query is searched for in a scan. */
export type LogoRole = "query" | "scan";

/** A described picture. */
export interface LogoDescriptor {
  /** The role that the picture was described for. */
  readonly role: LogoRole;
  /** Width of the decoded picture in pixels, from 1. */
  readonly width: number;
  /** Height of the decoded picture in pixels, from 1. */
  readonly height: number;
  /** image-hash's block hash of the thumbnail, 64 hexadecimal digits. */
  readonly blockHash: string;
  /** Whether the picture has one color; such pictures are compared by color alone. */
  readonly solid: boolean;
  /** Mean color: red, green, blue, 0 to 255. */
  readonly color: readonly [red: number, green: number, blue: number];
  /** SHA-256 of the decoded size and pixels, 32 bytes: equal digests are equal pictures. */
  readonly digest: Uint8Array;
  /** The whole picture at 16 x 16, three bytes a pixel. */
  readonly thumbnail: Uint8Array;
  /** The edges of a scan, by which stored pictures are chosen that are searched for a new logo; empty for a query. */
  readonly sketch: Uint8Array;
  /** Remarks about a queried logo: that it is a plain shape, and what to search for instead. Not stored. */
  readonly notes: readonly Diagnostic[];
  /** The descriptor as bytes to store; `readLogoDescriptor` reads them. */
  readonly bytes: Uint8Array;
}

/**
 * The version of the layout and of the sketch. A descriptor of another version is never compared: its picture is
 * described again.
 */
export const logoDescriptorVersion = 3;
/** Bytes of the digest of the pixels. */
const digestBytes = 32;
const blockHashBytes = 32;
const thumbnailBytes = thumbnailSide * thumbnailSide * 3;
const digestAt = 8;
const blockHashAt = digestAt + digestBytes;
const sizeAt = blockHashAt + blockHashBytes;
const thumbnailAt = sizeAt + 8;
const sketchAt = thumbnailAt + thumbnailBytes;

/** Writes a descriptor; the returned record is the one that `readLogoDescriptor` reads from the bytes. */
export function writeLogoDescriptor(parts: Omit<LogoDescriptor, "bytes" | "notes">): LogoDescriptor {
  const bytes = new Uint8Array(sketchAt + parts.sketch.length);
  const data = new DataView(bytes.buffer);
  bytes.set([logoDescriptorVersion, parts.role === "query" ? 0 : 1, parts.solid ? 1 : 0, 0, ...parts.color]);
  bytes.set(parts.digest, digestAt);
  bytes.set(Buffer.from(parts.blockHash, "hex"), blockHashAt);
  data.setUint32(sizeAt, parts.width, true);
  data.setUint32(sizeAt + 4, parts.height, true);
  bytes.set(parts.thumbnail, thumbnailAt);
  bytes.set(parts.sketch, sketchAt);
  return readLogoDescriptor(bytes);
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
  assertDescriptor(bytes);
  const [_version, role, solid, _zero, red = 0, green = 0, blue = 0] = bytes;
  const data = viewOf(bytes);
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
    sketch: bytes.subarray(sketchAt),
    bytes,
  };
  return { ...described, notes: solidLogoNotes(described) };
}

function assertDescriptor(bytes: Uint8Array): void {
  const [version, role = 0, solid = 0] = bytes;
  if (version === logoDescriptorVersion && role <= 1 && solid <= 1 && bytes.length >= sketchAt) return;
  throw new TypeError(
    `These ${bytes.length} bytes are not a logo descriptor of version ${logoDescriptorVersion}; describe the picture again.`,
  );
}

/** A descriptor, by the members that comparisons read first. */
export const aDescriptor = objectWith({
  role: oneOf("query", "scan"),
  blockHash: aString,
  solid: aBoolean,
  color: arrayOf(aNumber),
  digest: aUint8Array,
  thumbnail: aUint8Array,
  sketch: aUint8Array,
});
