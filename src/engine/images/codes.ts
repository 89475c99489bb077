/** The code of a file that is not an image to work with, by the place that received it (`observed`). */
import type { Code } from "../../errors.ts";

/** The receiver: an upload, the delivery of a stored image, the address of a transformation, or a part of the Images binding. */
export type FilePlace = "upload" | "delivery" | "address" | "binding" | "draw" | "info";

const ofBinding = { unknown: 9412, format: 9412, undecoded: 9520, broken: 9516 } as const;

/**
 * `unknown`: not an image; `format`: a format that is not accepted; `undecoded`: a format that is accepted, but whose pixels
 * are needed and not decoded here; `broken`: a header or pixels that cannot be read.
 */
const codes = {
  upload: { unknown: 5415, format: 5455, undecoded: 5455, broken: 9422 },
  delivery: { unknown: 9412, format: 9412, undecoded: 9520, broken: 9422 },
  address: { unknown: 9412, format: 9520, undecoded: 9520, broken: 9516 },
  binding: ofBinding,
  draw: ofBinding,
  info: ofBinding,
} as const satisfies Readonly<Record<FilePlace, Readonly<Record<string, Code>>>>;

export function codeFor(place: FilePlace, fault: keyof typeof ofBinding): Code {
  return codes[place][fault];
}
