/** Draws the picture of a text: a PNG on a transparent ground, which goes wherever an image goes. */
import type { ImageLimits } from "../limits.ts";
import { openSharp } from "../render/sharp.ts";
import type { TextPicture } from "./lay-out.ts";

/** A PNG of the size of the picture. */
export async function drawText({ svg }: TextPicture, limits: ImageLimits): Promise<Uint8Array> {
  return (await openSharp(Buffer.from(svg), {}, limits)).png({ compressionLevel: 1 }).toBuffer();
}
