/** Reads the fields of a box of an ISO base media file one after another, never beyond the box (ISO/IEC 14496-12, 4.2). */
import type { Box } from "./heif-boxes.ts";

/** Reads fields. */
export interface BoxReader {
  readonly version: number;
  readonly flags: number;
  /** The next field, an unsigned number of 0 to 8 bytes. */
  readonly unsigned: (bytes: number) => number;
  /** The next field, characters of one byte each. */
  readonly text: (bytes: number) => string;
  /** Offset of the next field in the file. */
  readonly position: () => number;
}

/**
 * Opens a box.
 *
 * @param options `isPlain`: the box has no version and no flags
 * @throws {RangeError} here and in every function of the result, when the box is cut off
 */
export function boxReader(view: DataView, { start, end }: Box, { isPlain = false } = {}): BoxReader {
  let at = start;
  const take = (bytes: number): number => {
    if (at + bytes > end) throw new RangeError("The box is cut off.");
    at += bytes;
    return at - bytes;
  };
  const unsigned = (bytes: number): number => {
    let value = 0;
    for (let from = take(bytes); from < at; from++) value = value * 256 + view.getUint8(from);
    return value;
  };
  const text = (bytes: number): string => {
    const from = take(bytes);
    return Buffer.from(view.buffer, view.byteOffset + from, bytes).toString("latin1");
  };
  const head = isPlain ? 0 : unsigned(4);
  return { version: head >>> 24, flags: head & 0xffffff, unsigned, text, position: () => at };
}
