/**
 * The EXIF block of a JPEG: read defensively, and written without touching what is kept (EXIF 2.32, TIFF 6.0).
 *
 * A block is the TIFF structure alone, without the `Exif\0\0` in front of it. Libraries decode and re-encode texts;
 * here the bytes of a tag stay the bytes of the tag.
 */

interface ExifEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Where the twelve bytes of the entry start. */
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
/** Types of one byte a value: BYTE, ASCII, UNDEFINED, UTF-8 (EXIF 3.0). Their values have no byte order. */
const byteTypes = new Set([1, 2, 7, 129]);
const headerBytes = 8;
const entryBytes = 12;
/** Bytes of an APP1 segment's length field, and of the identifier before the block. */
const identifier = [0x45, 0x78, 0x69, 0x66, 0, 0];
const maxSegmentBytes = 65_535;

/**
 * The orientation 1..8 of a block, 1 when it has none; "unclear" when it is not the single short that the
 * specification asks for, and readers may differ.
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

/** The block with its orientation set to 1, everything else as it was; undefined when it cannot be read. */
export function uprightExif(bytes: Uint8Array): Uint8Array | undefined {
  const block = parseBlock(bytes);
  if (!block) return undefined;
  // Not `slice`: of a Buffer it would be the same memory.
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

/** A block with only the copyright tag of another one, its bytes unchanged; undefined when there is none. */
export function copyrightExif(bytes: Uint8Array): Uint8Array | undefined {
  const block = parseBlock(bytes);
  const entry = block?.entries.find(({ tag, type }) => tag === copyrightTag && byteTypes.has(type));
  const value = block && entry && tagValue(block, entry);
  return value && value.length > 0 ? writeBlock(block.little, entry.type, value) : undefined;
}

/** Puts a block into a JPEG, behind its JFIF header. */
export function insertExif(jpeg: Uint8Array, block: Uint8Array): Uint8Array {
  const length = 2 + identifier.length + block.length;
  if (length > maxSegmentBytes) return jpeg;
  const at = endOfJfif(jpeg);
  const segment = [0xff, 0xe1, length >> 8, length & 0xff, ...identifier];
  return Buffer.concat([jpeg.subarray(0, at), Uint8Array.from(segment), block, jpeg.subarray(at)]);
}

/** The first directory of a block; undefined when the block is not one or the directory leaves it. */
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

/** The bytes of a value of a byte type: in the entry itself up to four, elsewhere beyond. */
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

/** Where the next segment may stand: behind the start marker and the JFIF segment, if there is one. */
function endOfJfif(jpeg: Uint8Array): number {
  const hasJfif = jpeg[2] === 0xff && jpeg[3] === 0xe0;
  return hasJfif ? 4 + viewOf(jpeg).getUint16(4) : 2;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
