/** The size that a file declares, without decoding it: how much memory to expect. */
import { largestAvifItem } from "../picture/avif-boxes.ts";
import { readHeader } from "../picture/read-header.ts";
import { sniffImage } from "./sniff.ts";

/** A size in pixels; zeros where nothing is decoded. */
export interface DeclaredSize {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** The size in the header; of an AVIF the pixels of its largest item, as one line. */
export function declaredSize(bytes: Uint8Array): DeclaredSize {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind !== "image" || sniffed.type === "svg") return { width: 0, height: 0, frames: 0 };
  if (sniffed.type === "avif") return { width: largestAvifItem(bytes), height: 1, frames: 1 };
  return readHeader(bytes, sniffed.type) ?? { width: 0, height: 0, frames: 0 };
}
