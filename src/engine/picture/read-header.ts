/** Which reader knows which format's header. */

import type { HeaderReader, ImageHeader, RasterType } from "./header.ts";
import { readGifHeader } from "./header-gif.ts";
import { readJpegHeader } from "./header-jpeg.ts";
import { readPngHeader } from "./header-png.ts";
import { readWebpHeader } from "./header-webp.ts";

/** AVIF has no reader: its boxes allow too much, the decoder's header is cheap beside its decoding. */
const readers: Partial<Record<RasterType, HeaderReader>> = {
  png: readPngHeader,
  jpeg: readJpegHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
};

/** Reads the header of a picture of a known type; undefined when there is none, or no reader for it. */
export function readHeader(bytes: Uint8Array, type: RasterType): ImageHeader | undefined {
  return readers[type]?.(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
