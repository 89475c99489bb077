/** JPEG: the segments up to the first scan, and its last marker (ITU-T T.81, annex B; EXIF 2.32, 4.7.2). */

import { viewOf } from "../../core/view-of.ts";
import { exifOrientation } from "./exif.ts";
import type { HeaderReader } from "./header.ts";

const startOfScan = 0xda;
const endOfImage = 0xd9;
const app1 = 0xe1;
const quantization = 0xdb;
/** Steps of a quantization table. */
const stepsOfTable = 64;
const exifIdentifier = "Exif\0\0";

interface JpegSegments {
  readonly frame?: { readonly width: number; readonly height: number };
  /** Index of the quantization table of the first component. */
  readonly tableOfFirst: number | undefined;
  /** The mean step of each quantization table, by its index. */
  readonly meanSteps: ReadonlyMap<number, number>;
  readonly exifs: readonly Uint8Array[];
  /** Offset of the first scan, or of the end of the segments without one. */
  readonly end: number;
}

/** Reads the header of a JPEG. */
export const readJpegHeader: HeaderReader = (bytes, view) => {
  const { frame, exifs, end } = readSegments(bytes, view);
  if (!frame || frame.width === 0 || frame.height === 0) return undefined;
  const [exif] = exifs;
  const orientation = exif ? exifOrientation(exif) : 1;
  const certain = exifs.length < 2 && orientation !== "unclear";
  const known = { ...frame, frames: 1, orientation: orientation === "unclear" ? 1 : orientation };
  return { ...known, certain, complete: hasEnd(bytes, end), ...(exif && { exif }) };
};

/**
 * How coarsely a JPEG keeps brightness: the mean step of the quantization table of its first component, from 1; about 17
 * at quality 85 and 72 at 40 with the tables of annex K. Undefined for a file without one.
 */
export function readMeanStep(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  const { tableOfFirst, meanSteps } = readSegments(bytes, view);
  return tableOfFirst === undefined ? undefined : meanSteps.get(tableOfFirst);
}

function readSegments(bytes: Uint8Array, view: DataView): JpegSegments {
  const exifs: Uint8Array[] = [];
  const meanSteps = new Map<number, number>();
  let frame: JpegSegments["frame"];
  let tableOfFirst: number | undefined;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === startOfScan) break;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === app1 && isExif(bytes, at + 4)) exifs.push(bytes.subarray(at + 10, end));
    if (marker === quantization) readTables(bytes.subarray(at + 4, end), meanSteps);
    if (isFrame(marker) && at + 9 <= bytes.length) {
      tableOfFirst ??= bytes[at + 12];
      frame ??= { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at = end;
  }
  return { ...(frame && { frame }), tableOfFirst, meanSteps, exifs, end: at };
}

/** Adds the tables of a segment; one that is cut off is left out. */
function readTables(segment: Uint8Array, meanSteps: Map<number, number>): void {
  let at = 0;
  while (at < segment.length) {
    const kind = segment[at] ?? 0;
    const bytesOfStep = kind >> 4 === 0 ? 1 : 2;
    const table = segment.subarray(at + 1, at + 1 + stepsOfTable * bytesOfStep);
    if (table.length < stepsOfTable * bytesOfStep) return;
    const sum = table.reduce(
      (total, byte, n) => total + byte * (n % bytesOfStep < bytesOfStep - 1 ? 256 : 1),
      0,
    );
    meanSteps.set(kind & 0x0f, sum / stepsOfTable);
    at += 1 + table.length;
  }
}

/**
 * Whether the end marker follows the segments and scans from an offset. A truncated file has none, although the decoder
 * may have all pixels before the missing bytes; the marker's bytes may be inside a segment, such as a comment.
 */
function hasEnd(bytes: Uint8Array, from: number): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] ?? 0;
    if (marker === endOfImage) return true;
    if (marker === 0xff) at++;
    else if (isAlone(marker) || at + 4 > file.length) at += 2;
    else at += 2 + file.readUInt16BE(at + 2);
  }
  return false;
}

/** Markers without a length: an escaped byte of coded pixels, TEM, restarts, the start of the image. */
function isAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isExif(bytes: Uint8Array, at: number): boolean {
  return String.fromCharCode(...bytes.subarray(at, at + exifIdentifier.length)) === exifIdentifier;
}

/** SOF0 to SOF15, without the table markers and the reserved marker between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
