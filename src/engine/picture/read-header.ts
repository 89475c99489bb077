/** Selects the header reader of a format. */

import { viewOf } from "../../core/view-of.ts";
import type { HeaderReader, HeaderType, ImageHeader } from "./header.ts";
import { readGifHeader } from "./header-gif.ts";
import { readHeicHeader } from "./header-heic.ts";
import { readJpegHeader } from "./header-jpeg.ts";
import { readPngHeader } from "./header-png.ts";
import { readWebpHeader } from "./header-webp.ts";

/** AVIF has no reader: its box structure varies too much, and opening the file costs little compared with decoding it. */
const readers: Partial<Record<HeaderType, HeaderReader>> = {
  png: readPngHeader,
  jpeg: readJpegHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
  heic: readHeicHeader,
};

/** Reads the header of a picture of a known type; undefined without a header, or without a reader for the type. */
export function readHeader(bytes: Uint8Array, type: HeaderType): ImageHeader | undefined {
  return readers[type]?.(bytes, viewOf(bytes));
}
