/** The hard transformations: a logo on a photograph, as an outline, photographed from a screen, warped, cut, dotted. */

import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { chance } from "../collection.ts";
import { isVisibleOn, type Pixels, pixelsOf } from "../transformations.ts";
import { type PageLogo, type PagePicture, type Part, partFolder, writeToPart } from "./cache.ts";

/** A logo to transform. */
interface Source {
  readonly name: string;
  /** PNG with transparency, longest side 512. */
  readonly png: Buffer;
  readonly pixels: Pixels;
  /** White or dark, whichever shows the logo. */
  readonly background: string;
  readonly photos: readonly string[];
}

type Made = Buffer | undefined;
type Transform = (source: Source) => Promise<Made>;

/** Opaque pixels, three bytes each. */
interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

async function rgbOf(image: Sharp): Promise<Rgb> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function imageOf({ data, width, height }: Rgb): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function sized({ png }: Source, side: number): Promise<Buffer> {
  return sharp(png).resize(side, side, { fit: "inside" }).png().toBuffer();
}

/** The logo on its background with a margin. */
async function plain(source: Source, side = 256, margin = 26): Promise<Sharp> {
  const extended = await sharp(await sized(source, side))
    .extend({
      top: margin,
      bottom: margin,
      left: margin,
      right: margin,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .png()
    .toBuffer();
  return sharp(extended).flatten({ background: source.background });
}

async function white(png: Buffer): Promise<Buffer> {
  const { data, width, height } = await pixelsOf(sharp(png));
  for (let i = 0; i < data.length; i += 4) data.fill(255, i, i + 3);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

function onPhoto(change: (png: Buffer) => Promise<Buffer>): Transform {
  return async (source) => {
    const { name, photos } = source;
    const photo = photos[Math.floor(chance("photo", name) * photos.length)];
    const logo = await change(await sized(source, 130 + Math.floor(90 * chance("side", name))));
    const base = await sharp(photo).resize(640, 420, { fit: "cover" }).toBuffer();
    return sharp(base)
      .composite([{ input: logo }])
      .jpeg({ quality: 85 })
      .toBuffer();
  };
}

/** The edge of the alpha, 3 pixels wide, in one color. */
const outline: Transform = async (source) => {
  const padded = await sharp(source.png)
    .resize(256, 256, { fit: "inside" })
    .extend({ top: 30, bottom: 30, left: 30, right: 30, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
  const { data, width, height } = await pixelsOf(sharp(padded));
  const level = (x: number, y: number) => data[(y * width + x) * 4 + 3] ?? 0;
  const out = Buffer.alloc(width * height * 3, 255);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      let min = 255;
      let max = 0;
      for (let d = -1; d <= 1; d++) {
        min = Math.min(min, level(x + d, y), level(x, y + d));
        max = Math.max(max, level(x + d, y), level(x, y + d));
      }
      if (max >= 128 && min < 128) out.fill(32, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return imageOf({ data: out, width, height }).png().toBuffer();
};

/** Draws a picture through an inverse mapping of positions; outside is the color of the corner. */
function warped(
  from: Rgb,
  width: number,
  height: number,
  inverse: (x: number, y: number) => readonly [number, number],
): Rgb {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sx, sy] = inverse(x, y);
      for (let c = 0; c < 3; c++) data[(y * width + x) * 3 + c] = bilinear(from, sx, sy, c);
    }
  }
  return { width, height, data };
}

function bilinear({ width, height, data }: Rgb, x: number, y: number, c: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  let sum = 0.5;
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const px = left + i;
      const py = top + j;
      const inside = px >= 0 && py >= 0 && px < width && py < height;
      const weight = (i ? x - left : 1 - x + left) * (j ? y - top : 1 - y + top);
      sum += weight * (data[inside ? (py * width + px) * 3 + c : c] ?? 0);
    }
  }
  return sum;
}

/** One side seen from farther away, so that it is shorter by a share. */
function perspective(from: Rgb, share: number): Rgb {
  const { width, height } = from;
  return warped(from, width, height, (x, y) => {
    const depth = 1 - (share * x) / width;
    return [x, (y - height / 2) / depth + height / 2];
  });
}

const screenPhoto: Transform = async (source) => {
  const tilted = perspective(await rgbOf(await plain(source, 300, 60)), 0.1);
  const { width, height, data } = tilted;
  const turn = chance("moire", source.name);
  let state = Math.floor(turn * 2 ** 32);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const moire = 16 * Math.sin(x * (1.7 + turn) + y * 0.21) + 12 * Math.sin(y * 2.3 + x * 0.13);
      const light = 0.72 + (0.35 * (x + y)) / (width + height);
      for (let c = 0; c < 3; c++) {
        const i = (y * width + x) * 3 + c;
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const noise = 24 * (state / 2 ** 32 - 0.5);
        data[i] = Math.max(0, Math.min(255, (data[i] ?? 0) * light + moire + noise));
      }
    }
  }
  return imageOf(tilted).blur(0.8).jpeg({ quality: 70 }).toBuffer();
};

function rotated(degrees: number): Transform {
  return async (source) =>
    sharp(await (await plain(source)).png().toBuffer())
      .rotate(degrees, { background: source.background })
      .png()
      .toBuffer();
}

function cropped(left: number, top: number, right: number, bottom: number): Transform {
  return async (source) => {
    const image = sharp(await (await plain(source, 256, 0)).png().toBuffer());
    const { width = 1, height = 1 } = await image.metadata();
    const x = Math.round(left * width);
    const y = Math.round(top * height);
    return image
      .extract({
        left: x,
        top: y,
        width: Math.max(1, width - x - Math.round(right * width)),
        height: Math.max(1, height - y - Math.round(bottom * height)),
      })
      .png()
      .toBuffer();
  };
}

/** A screen of dots at 45 degrees, 5 pixels apart. */
const halftone: Transform = async (source) => {
  const { width, height, data } = await rgbOf((await plain(source)).greyscale().toColourspace("srgb"));
  const out = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = ((x + y) * 2 * Math.PI) / 7;
      const v = ((x - y) * 2 * Math.PI) / 7;
      const cell = 127.5 + 63.5 * (Math.cos(u) + Math.cos(v));
      const i = (y * width + x) * 3;
      out.fill((data[i] ?? 0) + 1 > cell ? 255 : 20, i, i + 3);
    }
  }
  return imageOf({ width, height, data: out }).png().toBuffer();
};

const shear: Transform = async (source) => {
  const from = await rgbOf(await plain(source));
  const slope = Math.tan((12 * Math.PI) / 180);
  const width = Math.round(from.width + slope * from.height);
  return imageOf(warped(from, width, from.height, (x, y) => [x - slope * (from.height - y), y]))
    .png()
    .toBuffer();
};

/** The logo in a disc that touches its corners, as profile pictures show it. */
const avatar: Transform = async (source) => {
  const logo = await sized(source, 150);
  const disc = Buffer.from('<svg width="200" height="200"><circle cx="100" cy="100" r="100"/></svg>');
  const face = await sharp({
    create: {
      width: 200,
      height: 200,
      channels: 4,
      background: source.background === "#ffffff" ? "#eef1f6" : "#30343c",
    },
  })
    .composite([{ input: logo }, { input: disc, blend: "dest-in" }])
    .png()
    .toBuffer();
  return sharp({ create: { width: 260, height: 260, channels: 3, background: source.background } })
    .composite([{ input: face }])
    .png()
    .toBuffer();
};

/** The transformations by name. */
export const hard: Readonly<Record<string, Transform>> = {
  "on a photo": onPhoto(async (png) => png),
  "white on a photo": onPhoto(white),
  outline,
  "photo of a screen": screenPhoto,
  "perspective 18 %": async (source) =>
    imageOf(perspective(await rgbOf(await plain(source)), 0.18))
      .png()
      .toBuffer(),
  "rotated 15": rotated(15),
  "rotated -20": rotated(-20),
  "crop 12 % each side": cropped(0.12, 0.12, 0.12, 0.12),
  "crop left 30 %": cropped(0.3, 0, 0, 0),
  "crop bottom 30 %": cropped(0, 0, 0, 0.3),
  "crop corner 20 + 20 %": cropped(0.2, 0.2, 0, 0),
  halftone,
  "favicon 16": async (source) => (await plain(source, 16, 2)).png().toBuffer(),
  "shear 12": shear,
  "avatar disc": avatar,
};

/** Logos for each transformation. */
const logosOfTransformation = { tuning: 50, "held-out": 110 } as const;

/** Makes the pictures of the hard transformations. */
export async function hardTransformations(
  part: Part,
  logos: readonly PageLogo[],
  photos: readonly string[],
): Promise<readonly PagePicture[]> {
  const pictures: PagePicture[] = [];
  for (const [name, transform] of Object.entries(hard)) {
    const slug = `hard-${name.replace(/[^\w-]+/g, "_")}`;
    const chosen = [...logos]
      .sort((a, b) => chance(name, a.name) - chance(name, b.name))
      .slice(0, logosOfTransformation[part]);
    for (const [i, logo] of chosen.entries()) {
      const bytes = await transform(await sourceOf(part, logo, photos));
      if (!bytes) continue;
      const { width = 0, height = 0, format } = await sharp(bytes).metadata();
      const file = `pictures/${slug}-${i}.${format === "jpeg" ? "jpg" : "png"}`;
      writeToPart(part, file, bytes);
      pictures.push({
        id: `${slug}-${i}`,
        group: "hard",
        layout: name,
        file,
        width,
        height,
        shows: [{ name: logo.name }],
      });
    }
  }
  return pictures;
}

async function sourceOf(part: Part, { name, file }: PageLogo, photos: readonly string[]): Promise<Source> {
  const png = await sharp(join(partFolder(part), file))
    .png()
    .toBuffer();
  const pixels = await pixelsOf(sharp(png));
  return { name, png, pixels, photos, background: isVisibleOn(pixels, "#ffffff") ? "#ffffff" : "#222222" };
}
