/** The pixels that a file declares, without decoding it: how much memory to expect. */
import { largestHeifItem } from "../picture/heif-boxes.ts";
import { readHeader } from "../picture/read-header.ts";
import { sniffImage } from "./sniff.ts";

/** Pixels of all frames, as the header says; of an AVIF those of its largest item. 0 where nothing is decoded, as of HEIC. */
export function declaredPixels(bytes: Uint8Array): number {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind !== "image" || sniffed.type === "svg" || sniffed.type === "heic") return 0;
  if (sniffed.type === "avif") return largestHeifItem(bytes);
  const { width = 0, height = 0, frames = 0 } = readHeader(bytes, sniffed.type) ?? {};
  return width * height * frames;
}
