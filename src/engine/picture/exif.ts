/**
 * The EXIF block of a JPEG: reads untrusted blocks, and writes them with the kept tags unchanged (EXIF 2.32, TIFF 6.0).
 *
 * A block is the TIFF structure without the `Exif\0\0` before it. Libraries decode and re-encode strings; this file
 * copies the bytes of a tag.
 */
import { viewOf } from "../../core/view-of.ts";

interface ExifEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Offset of the entry's twelve bytes. */
  readonly at: number;
}

interface ExifBlock {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly little: boolean;
  readonly entries: readonly ExifEntry[];
}

const orientationTag = 0x0112;
const copyrightTag = 0x8298;
const shortType = 3;
/** Types with one byte a value, which have no byte order: BYTE, ASCII, UNDEFINED, UTF-8 (EXIF 3.0). */
const byteTypes = new Set([1, 2, 7, 129]);
const headerBytes = 8;
const entryBytes = 12;
/** The identifier before the block in an APP1 segment: `Exif\0\0`. */
const identifier = [0x45, 0x78, 0x69, 0x66, 0, 0];
/** Maximum value of a segment's length field. */
const maxSegmentBytes = 65_535;

/**
 * The orientation of a block, 1 to 8; 1 when it has none. "unclear" when it is not the single short that the
 * specification requires, because decoders may read it differently.
 */
export function exifOrientation(bytes: Uint8Array): number | "unclear" {
  const block = parseBlock(bytes);
  if (!block) return "unclear";
  const found = block.entries.filter((entry) => entry.tag === orientationTag);
  const [first] = found;
  if (!first) return 1;
  if (found.length > 1 || first.type !== shortType || first.count !== 1) return "unclear";
  const value = block.view.getUint16(first.at + 8, block.little);
  return value >= 1 && value <= 8 ? value : "unclear";
}

/** The block with orientation 1 and everything else unchanged; undefined when it cannot be read. */
export function uprightExif(bytes: Uint8Array): Uint8Array | undefined {
  const block = parseBlock(bytes);
  if (!block) return undefined;
  // Not `slice`, which shares the memory of a Buffer.
  const upright = new Uint8Array(bytes);
  const view = viewOf(upright);
  for (const { tag, at } of block.entries) {
    if (tag !== orientationTag) continue;
    view.setUint16(at + 2, shortType, block.little);
    view.setUint32(at + 4, 1, block.little);
    view.setUint32(at + 8, 0, block.little);
    view.setUint16(at + 8, 1, block.little);
  }
  return upright;
}

/** A block with only the copyright tag of another block, its bytes unchanged; undefined without that tag. */
export function copyrightExif(bytes: Uint8Array): Uint8Array | undefined {
  const block = parseBlock(bytes);
  const entry = block?.entries.find(({ tag, type }) => tag === copyrightTag && byteTypes.has(type));
  const value = block && entry && tagValue(block, entry);
  return value && value.length > 0 ? writeBlock(block.little, entry.type, value) : undefined;
}

/** Inserts a block into a JPEG after its JFIF header; a block that is too long for a segment is left out. */
export function insertExif(jpeg: Uint8Array, block: Uint8Array): Uint8Array {
  const length = 2 + identifier.length + block.length;
  if (length > maxSegmentBytes) return jpeg;
  const at = endOfJfif(jpeg);
  const segment = [0xff, 0xe1, length >> 8, length & 0xff, ...identifier];
  return Buffer.concat([jpeg.subarray(0, at), Uint8Array.from(segment), block, jpeg.subarray(at)]);
}

/** The first directory of a block; undefined when the block is invalid or the directory exceeds it. */
function parseBlock(bytes: Uint8Array): ExifBlock | undefined {
  const order = String.fromCharCode(...bytes.subarray(0, 2));
  if (bytes.length < headerBytes + 2 || (order !== "II" && order !== "MM")) return undefined;
  const little = order === "II";
  const view = viewOf(bytes);
  const directory = view.getUint32(4, little);
  if (view.getUint16(2, little) !== 42 || directory + 2 > bytes.length) return undefined;
  const count = view.getUint16(directory, little);
  if (directory + 2 + count * entryBytes > bytes.length) return undefined;
  const entries = Array.from({ length: count }, (_, n) =>
    readEntry(view, directory + 2 + n * entryBytes, little),
  );
  return { bytes, view, little, entries };
}

function readEntry(view: DataView, at: number, little: boolean): ExifEntry {
  return {
    tag: view.getUint16(at, little),
    type: view.getUint16(at + 2, little),
    count: view.getUint32(at + 4, little),
    at,
  };
}

/** The bytes of a value of a byte type: in the entry itself up to four bytes, at an offset otherwise. */
function tagValue({ bytes, view, little }: ExifBlock, { count, at }: ExifEntry): Uint8Array | undefined {
  const start = count <= 4 ? at + 8 : view.getUint32(at + 8, little);
  return start + count <= bytes.length ? bytes.subarray(start, start + count) : undefined;
}

function writeBlock(little: boolean, type: number, value: Uint8Array): Uint8Array {
  const valueAt = headerBytes + 2 + entryBytes + 4;
  const bytes = new Uint8Array(value.length <= 4 ? valueAt : valueAt + value.length + (value.length % 2));
  const view = viewOf(bytes);
  bytes.set(little ? [0x49, 0x49] : [0x4d, 0x4d]);
  view.setUint16(2, 42, little);
  view.setUint32(4, headerBytes, little);
  view.setUint16(8, 1, little);
  view.setUint16(10, copyrightTag, little);
  view.setUint16(12, type, little);
  view.setUint32(14, value.length, little);
  if (value.length > 4) view.setUint32(18, valueAt, little);
  bytes.set(value, value.length <= 4 ? 18 : valueAt);
  return bytes;
}

/** Offset of the next segment after the start marker and the JFIF segment, if there is one. */
function endOfJfif(jpeg: Uint8Array): number {
  const hasJfif = jpeg[2] === 0xff && jpeg[3] === 0xe0;
  return hasJfif ? 4 + viewOf(jpeg).getUint16(4) : 2;
}
