/** Logos that others drew in two ways: lock-ups with their symbol, and tiles whose symbol is drawn apart. */

import sharp from "sharp";
import { iconify } from "../../peers/logos.ts";
import { halfOf } from "../collection.ts";
import type { Part } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { pixelsOf } from "../transformations.ts";

/** A logo, and parts of it. PNG with transparency. */
export interface LogoWithParts {
  readonly name: string;
  readonly png: Buffer;
  readonly parts: Readonly<Record<string, Buffer>>;
}

async function drawn(name: string): Promise<Buffer> {
  const { icons, width: usualWidth = 256, height: usualHeight = 256 } = iconify;
  const { body = "", width = usualWidth, height = usualHeight } = icons[name] ?? {};
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
  return trimmed(await sharp(Buffer.from(svg)).resize(512, 512, { fit: "inside" }).png().toBuffer());
}

/** Columns with ink of a picture. */
async function inkColumns(png: Buffer): Promise<readonly boolean[]> {
  const { data, width, height } = await pixelsOf(sharp(png));
  return Array.from({ length: width }, (_, x) => {
    for (let y = 0; y < height; y++) if ((data[4 * (y * width + x) + 3] ?? 0) > 24) return true;
    return false;
  });
}

/** The widest gap between columns: its first column and the one after it. */
function widestGap(ink: readonly boolean[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let start = 0;
  for (const [x, filled] of ink.entries()) {
    if (!filled) continue;
    if (x - start > best[1] - best[0]) best = [start, x];
    start = x + 1;
  }
  return best;
}

const side = 32;
const minSame = 0.8;

function trimmed(png: Buffer): Promise<Buffer> {
  return sharp(png).trim().png().toBuffer();
}

async function thumbnail(png: Buffer): Promise<Uint8Array> {
  const alpha = sharp(await trimmed(png)).extractChannel("alpha");
  return alpha.resize(side, side, { fit: "fill" }).raw().toBuffer();
}

/** Correlation of two thumbnails. */
function correlation(a: Uint8Array, b: Uint8Array): number {
  const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(a), mean(b)];
  let [dot, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const [p, q] = [value - x, (b[i] ?? 0) - y];
    dot += p * q;
    aa += p * p;
    bb += q * q;
  }
  return dot / Math.sqrt(Math.max(1, aa * bb));
}

/** The lock-ups of a part: those of a package that has the symbol under a name of its own. */
export async function lockups(part: Part): Promise<readonly LogoWithParts[]> {
  const found: LogoWithParts[] = [];
  for (const name of Object.keys(iconify.icons)) {
    if (!iconify.icons[`${name}-icon`] || halfOf(`logos/${name}`) !== part) continue;
    const png = await drawn(name);
    const { width = 1, height = 1 } = await sharp(png).metadata();
    const [end, begin] = widestGap(await inkColumns(png));
    if (width < 2 * height || end < 0.1 * width || end > 0.6 * width) continue;
    const symbol = await drawn(`${name}-icon`);
    const left = await sharp(png).extract({ left: 0, top: 0, width: end, height }).png().toBuffer();
    if (correlation(await thumbnail(left), await thumbnail(symbol)) < minSame) continue;
    const right = { left: begin, top: 0, width: width - begin, height };
    const word = await trimmed(await sharp(png).extract(right).png().toBuffer());
    found.push({ name: `logos/${name}`, png, parts: { symbol, word } });
  }
  return found;
}

/** The tiles of a part whose first shape is the tile, with their symbols. */
export async function tiles(part: Part): Promise<readonly LogoWithParts[]> {
  const found: LogoWithParts[] = [];
  for (const { name, kind, content } of pageLogos(part)) {
    if (kind !== "tile" || !/<rect [^>]*(width="256"|height="256")[^>]*\/>/.test(content)) continue;
    const render = (svg: string) =>
      sharp(Buffer.from(svg)).resize(512, 512, { fit: "inside" }).png().toBuffer();
    const bare = content.replace(/<rect [^>]*(width="256"|height="256")[^>]*\/>/, "");
    const symbol = await sharp(await render(bare))
      .trim()
      .png()
      .toBuffer();
    const { width = 1 } = await sharp(symbol).metadata();
    if (width > 480) continue;
    found.push({ name, png: await render(content), parts: { symbol } });
  }
  return found;
}
