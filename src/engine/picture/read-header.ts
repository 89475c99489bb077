/** Selects the header reader of a format. */

import type { HeaderReader, ImageHeader, RasterType } from "./header.ts";
import { readGifHeader } from "./header-gif.ts";
import { readJpegHeader } from "./header-jpeg.ts";
import { readPngHeader } from "./header-png.ts";
import { readWebpHeader } from "./header-webp.ts";

/** AVIF has no reader: its box structure varies too much, and opening the file costs little compared with decoding it. */
const readers: Partial<Record<RasterType, HeaderReader>> = {
  png: readPngHeader,
  jpeg: readJpegHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
};

/** Reads the header of a picture of a known type; undefined without a header, or without a reader for the type. */
export function readHeader(bytes: Uint8Array, type: RasterType): ImageHeader | undefined {
  return readers[type]?.(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
