/**
 * A JPEG that shows its decoder's doubts about its last lines (ITU-T T.81, A.2 and B.2).
 *
 * libvips asks before each strip of 8 lines whether libjpeg has warned, and never behind the last strip (observed):
 * whatever is wrong there goes unseen. A picture that says to be taller has one strip more.
 */

import { walkSegments } from "./header-jpeg.ts";

/** Lines of a block, and of the decoder's strip. */
const blockLines = 8;
/** Tallest picture that libjpeg reads. */
const maxHeight = 65_500;
/** Frames whose lines are decoded while they are read: baseline and extended, both in Huffman codes. */
const sequentialFrames = new Set([0xc0, 0xc1]);

interface Tall {
  readonly bytes: Uint8Array;
  /** Size as stored, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly addedLines: number;
}

/**
 * A copy of a JPEG that is taller by the fewest lines that make its last coded ones be looked at; the file itself when
 * its scans are read as a whole before the first line. Undefined when it has no frame header.
 */
export function withTailInSight(bytes: Uint8Array): Tall | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { frameAt, end } = walkSegments(bytes, view);
  if (frameAt === undefined) return undefined;
  const width = view.getUint16(frameAt + 7);
  const height = view.getUint16(frameAt + 5);
  const taller = tallerHeight(bytes, frameAt, end, height);
  if (taller === height || taller > maxHeight) return { bytes, width, height, addedLines: 0 };
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(taller, frameAt + 5);
  return { bytes: copy, width, height: taller, addedLines: taller - height };
}

/**
 * Rows of two blocks or more are read at once and looked at in their second strip, which the file holds whether it is
 * seen or not. Behind a row of one block another row is begun; what the decoder says of that one goes unseen in turn.
 */
function tallerHeight(bytes: Uint8Array, frameAt: number, scanAt: number, height: number): number {
  const components = bytes[frameAt + 9] ?? 0;
  const inOneScan = bytes[scanAt + 4] === components;
  if (!sequentialFrames.has(bytes[frameAt + 1]!) || !inOneScan) return height;
  let blocks = 1;
  for (let n = 0; n < components; n++) blocks = Math.max(blocks, (bytes[frameAt + 11 + 3 * n] ?? 0) & 15);
  if (blocks === 1) return roundUp(height, blockLines) + 1;
  // A single component is coded without the blocks that fill a row up.
  return components === 1 ? height : roundUp(height, blocks * blockLines);
}

function roundUp(lines: number, step: number): number {
  return Math.ceil(lines / step) * step;
}
