/**
 * False alarms of the comparison with approved pictures: `npm run bench -- pictures --data folder`. 300 pictures are rendered by two
 * published versions of sharp, with different encoders, in each delivery format at its default quality, and compared;
 * the later version also at 2 more and 2 less. Changes that a person sees are made in the same pictures, and the missed ones counted:
 * a digit of 12 pixels, JPEG of quality 40, a blur. Without a folder the pictures are crops of the demo's photograph, logos and
 * pages of text. Exit code 1 for a false alarm at equal quality.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { photo } from "../src/cli/demo/photo.ts";
import { comparePictures } from "../src/engine/images/compare/compare-pictures.ts";
import { earlier, logos } from "./peers/pictures.ts";

const count = 300;
const at = process.argv.indexOf("--data");
const folder = at < 0 ? undefined : process.argv[at + 1];

/** The encoders of delivery, at their default quality plus a difference. */
const encoders: Readonly<Record<string, (picture: Sharp, more: number) => Sharp>> = {
  jpeg: (picture, more) => picture.jpeg({ quality: 85 + more }),
  webp: (picture, more) => picture.webp({ quality: 80 + more }),
  avif: (picture, more) => picture.avif({ quality: 50 + more, effort: 2 }),
  png: (picture) => picture.png(),
  gif: (picture) => picture.gif({ effort: 3, reuse: false }),
};
const withoutQuality = new Set(["png", "gif"]);

const words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor".split(" ");

function pageOfText(n: number): Buffer {
  const [background, color] = [
    ["#fff", "#222"],
    ["#f6f8fa", "#57606a"],
    ["#1e1e2e", "#ddd"],
    ["#0057b8", "#fff"],
  ][n % 4] as [string, string];
  const lines = Array.from({ length: 18 }, (_, line) => {
    const text = words.map((_, k) => words[(k * 7 + line * 3 + n) % words.length]).slice(0, 7);
    return `<text x="14" y="${26 + line * 22}" font-size="${10 + ((n + line) % 9)}" fill="${color}" font-family="sans-serif">${text.join(" ")}</text>`;
  });
  const panel = `<rect x="340" y="${20 + n}" width="120" height="90" rx="9" fill="hsl(${n * 37},70%,50%)"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="520" height="420"><rect width="520" height="420" fill="${background}"/>${panel}${lines.join("")}</svg>`,
  );
}

function logo(n: number): Buffer {
  const names = Object.keys(logos.icons);
  const icon = logos.icons[names[(n * 17) % names.length] ?? ""];
  const [width, height] = [icon?.width ?? logos.width ?? 256, icon?.height ?? logos.height ?? 256];
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * width}" height="${2 * height}" viewBox="0 0 ${width} ${height}">${icon?.body}</svg>`,
  );
}

async function crop(bytes: Uint8Array, n: number): Promise<Buffer> {
  const upright = await sharp(bytes).autoOrient().png().toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const side = 0.3 + ((n * 13) % 8) / 10;
  const [w, h] = [width, height].map((length) => Math.max(1, Math.floor(length * Math.min(1, side)))) as [
    number,
    number,
  ];
  const left = Math.floor(((width - w) * ((n * 37) % 100)) / 100);
  const top = Math.floor(((height - h) * ((n * 61) % 100)) / 100);
  return sharp(upright).extract({ left, top, width: w, height: h }).png().toBuffer();
}

const files =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => /\.(png|jpe?g|webp)$/i.test(name))
        .sort();

/** A picture as PNG, so that both versions begin with the same pixels. */
async function source(n: number): Promise<Buffer> {
  const file = files[n % files.length];
  if (folder !== undefined && file !== undefined) return crop(readFileSync(join(folder, file)), n);
  if (n % 3 === 0) return crop(photo, n);
  return sharp(n % 3 === 1 ? logo(n) : pageOfText(n))
    .png()
    .toBuffer();
}

function render(
  library: typeof sharp,
  png: Buffer,
  n: number,
  format: string,
  more: number,
): Promise<Buffer> {
  const side = [160, 240, 320, 400, 500][n % 5] ?? 160;
  const resized = library(png).resize(side, side, { fit: n % 2 === 0 ? "cover" : "inside" });
  return (encoders[format] as (picture: Sharp, more: number) => Sharp)(resized, more).toBuffer();
}

type Change = (picture: Buffer) => Promise<readonly [golden: Buffer, actual: Buffer]>;

function label(text: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="22"><rect width="60" height="22" fill="#fff"/><text x="6" y="15" font-size="12" font-family="sans-serif" fill="#222">${text}</text></svg>`,
  );
}

function digit(before: string, after: string): Change {
  return async (picture) => {
    const of = (text: string) =>
      sharp(picture)
        .composite([{ input: label(text), left: 13, top: 11 }])
        .jpeg({ quality: 85 })
        .toBuffer();
    return [await of(before), await of(after)];
  };
}

const jpeg = (picture: Sharp, quality = 85) => picture.jpeg({ quality }).toBuffer();

/** Changes that a person sees; the blur hardly in pictures without detail. */
const changes: Readonly<Record<string, Change>> = {
  "$19 to $79": digit("$19", "$79"),
  "18:30 to 18:36": digit("18:30", "18:36"),
  "JPEG quality 40": async (picture) => [await jpeg(sharp(picture)), await jpeg(sharp(picture), 40)],
  "blur of 1 pixel": async (picture) => [await jpeg(sharp(picture)), await jpeg(sharp(picture).blur(1))],
};

const missed = new Map(Object.keys(changes).map((name) => [name, 0]));
const alarms = new Map<string, number>();
for (let n = 0; n < count; n++) {
  const png = await source(n);
  const base = await sharp(png).resize(240, 240).flatten().png().toBuffer();
  for (const [name, change] of Object.entries(changes)) {
    const [golden, actual] = await change(base);
    const { isSame } = await comparePictures(actual, golden);
    missed.set(name, (missed.get(name) ?? 0) + (isSame ? 1 : 0));
  }
  for (const format of Object.keys(encoders)) {
    const before = await render(earlier as unknown as typeof sharp, png, n, format, 0);
    for (const more of withoutQuality.has(format) ? [0] : [0, 2, -2]) {
      const { isSame, reason } = await comparePictures(await render(sharp, png, n, format, more), before);
      const key = `${format} ${more === 0 ? "same quality" : `quality ${more > 0 ? "+" : ""}${more}`}`;
      alarms.set(key, (alarms.get(key) ?? 0) + (isSame ? 0 : 1));
      if (!isSame) console.error(`${key}, picture ${n}: ${reason}`);
    }
  }
}
console.log(`sharp ${earlier.versions.sharp} and ${sharp.versions.sharp}, ${count} pictures`);
for (const [key, found] of alarms) console.log(`${key}: ${found} of ${count} differ`);
for (const [name, found] of missed) console.log(`${name}: ${found} of ${count} missed`);
process.exitCode = [...alarms].some(([key, found]) => key.endsWith("same quality") && found > 0) ? 1 : 0;
