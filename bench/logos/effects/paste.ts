/** Pastes logos on pages: windows of pictures that others made. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { chance, halfOf } from "../collection.ts";
import type { Part } from "../pages/cache.ts";
import { isVisibleOn, pixelsOf } from "../transformations.ts";
import type { Drawn } from "./effects.ts";

/** A picture with a logo, and the place of the logo. */
export interface Pasted {
  readonly file: Buffer;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

/** Size of a window: large enough to be searched as a page. */
const [windowWidth, windowHeight] = [720, 480];
/** Pixels around a logo that are free. */
const margin = 8;
/** Places that are tried, and the spread of their colors that is flat. */
const [tries, flat] = [24, 2];

/** The pictures of a folder that belong to a part, by the hash of their names without numbers. */
export function backgroundsOf(folder: string, part: Part): readonly string[] {
  const files = readdirSync(folder)
    .filter((file) => /\.(png|jpe?g|webp)$/.test(file))
    .sort();
  return files
    .filter((file) => halfOf(file.replace(/[-\d]*\.\w+$/, "")) === part)
    .map((file) => join(folder, file));
}

/** A window of a page, enlarged to the size of a window if it is smaller. */
async function windowOf(file: string, seed: string): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(file).metadata();
  const scale = Math.max(1, windowWidth / width, windowHeight / height);
  const [w, h] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const left = Math.floor(chance("left", seed) * (w - windowWidth + 1));
  const top = Math.floor(chance("top", seed) * (h - windowHeight + 1));
  const resized = sharp(file).removeAlpha().resize(w, h, { fit: "fill" });
  return sharp(await resized.png({ compressionLevel: 1 }).toBuffer())
    .extract({ left, top, width: windowWidth, height: windowHeight })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Pastes a logo of a height on a window: where the page is flat and shows it, or on a panel. */
export async function paste(
  background: string,
  { png, panel, jpeg }: Drawn,
  height: number,
  seed: string,
): Promise<Pasted> {
  const base = await windowOf(background, seed);
  const input = await sharp(png)
    .resize(windowWidth - 80, height, { fit: "inside" })
    .png()
    .toBuffer();
  const logo = await pixelsOf(sharp(input));
  const [w, h] = [logo.width + 2 * margin, logo.height + 2 * margin];
  const page = await pixelsOf(sharp(base));
  let [x, y, color] = [0, 0, panel];
  let isFlat = false;
  for (let n = 0; n < tries && !isFlat; n++) {
    x = Math.floor(chance("x", seed, n) * (page.width - w));
    y = Math.floor(chance("y", seed, n) * (page.height - h));
    const ground = colorsOf(page, x, y, w, h);
    isFlat = panel === undefined && ground.spread <= flat && isVisibleOn(logo, ground.color);
  }
  if (!isFlat) color ??= isVisibleOn(logo, "#ffffff") ? "#ffffff" : "#222222";
  const layers = [
    ...(isFlat || !color
      ? []
      : [
          {
            input: { create: { width: w, height: h, channels: 3 as const, background: color } },
            left: x,
            top: y,
          },
        ]),
    { input, left: x + margin, top: y + margin },
  ];
  const made = sharp(base).composite(layers).removeAlpha();
  const file = await (jpeg ? made.jpeg({ quality: jpeg }) : made.png({ compressionLevel: 1 })).toBuffer();
  return { file, box: [x + margin, y + margin, x + margin + logo.width, y + margin + logo.height] };
}

/** The mean color of a rectangle, and the largest deviation from it. */
function colorsOf(
  { data, width }: { data: Buffer; width: number },
  left: number,
  top: number,
  w: number,
  h: number,
) {
  const sums = [0, 0, 0];
  const each = (visit: (value: number, channel: number) => void) => {
    for (let y = top; y < top + h; y++)
      for (let x = left; x < left + w; x++)
        for (let c = 0; c < 3; c++) visit(data[4 * (y * width + x) + c] ?? 0, c);
  };
  each((value, c) => {
    sums[c] = (sums[c] ?? 0) + value;
  });
  const mean = sums.map((sum) => Math.round(sum / (w * h)));
  let spread = 0;
  each((value, c) => {
    spread = Math.max(spread, Math.abs(value - (mean[c] ?? 0)));
  });
  return { color: `#${mean.map((value) => value.toString(16).padStart(2, "0")).join("")}`, spread };
}
