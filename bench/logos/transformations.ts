/**
 * Modifications of a logo on phishing pages: each transformation makes an image file from a logo.
 *
 * The same for both halves, except the page screenshots, whose layouts differ (see `layouts.ts`).
 */

import sharp, { type Sharp } from "sharp";
import { chance, type Half } from "./collection.ts";
import { type Layout, layouts } from "./layouts.ts";

/** A rendered logo. */
export interface Artwork {
  readonly name: string;
  /** PNG with transparency, longest side 512. */
  readonly png: Buffer;
  /** The same as pixels: red, green, blue, alpha. */
  readonly pixels: Pixels;
  readonly color: string;
  /** Color of another brand. */
  readonly otherColor: string;
  /** The background that suits the logo: white, or dark for a bright logo. */
  readonly background: string;
}

/** Decoded pixels with alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Makes an image file; undefined when the logo would not be visible in it. */
export type Transformation = (art: Artwork, seed: number) => Promise<Buffer | undefined>;

/** Renders a logo from its SVG. */
export async function render(name: string, svg: string, color: string, otherColor: string): Promise<Artwork> {
  const png = await sharp(Buffer.from(svg))
    .resize(512, 512, { fit: "inside" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const pixels = await pixelsOf(sharp(png));
  return {
    name,
    png,
    pixels,
    color,
    otherColor,
    background: brightnessOf(pixels) > 200 ? "#222222" : "#ffffff",
  };
}

export async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function brightnessOf({ data }: Pixels): number {
  let light = 0;
  let visible = 0;
  for (let i = 0; i < data.length; i += 4) {
    light += data[i + 3]! * (0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!);
    visible += data[i + 3]!;
  }
  return visible > 0 ? light / visible : 0;
}

/** Contrast (of 255) from which a pixel of a logo is visible. */
const visibleContrast = 40;
/** Minimum share of the pixels that must be visible. */
const visibleShare = 0.5;

/** Whether at least half of a logo can be seen on a color. */
export function isVisibleOn({ data }: Pixels, background: string): boolean {
  const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(background.slice(i, i + 2), 16)) as [
    number,
    number,
    number,
  ];
  let seen = 0;
  let all = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3]! < 128) continue;
    all++;
    const contrast = Math.max(Math.abs(data[i]! - r), Math.abs(data[i + 1]! - g), Math.abs(data[i + 2]! - b));
    if (contrast >= visibleContrast) seen++;
  }
  return all > 0 && seen / all >= visibleShare;
}

/** The logo at a size, with transparency. */
async function logoAt(art: Artwork, side: number): Promise<Buffer> {
  return sharp(art.png).resize(side, side, { fit: "inside" }).png({ compressionLevel: 1 }).toBuffer();
}

/** The logo on a background with a margin, without transparency. */
async function onBackground(
  art: Artwork,
  side: number,
  padding: number,
  background = art.background,
): Promise<Sharp> {
  const margin = Math.round(side * padding);
  const placed = await sharp(await logoAt(art, side))
    .extend({
      top: margin,
      bottom: margin,
      left: margin,
      right: margin,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(placed).flatten({ background });
}

const usualSide = 256;
const usualPadding = 0.1;

/** The logo as most transformations start from it. */
export function plain(art: Artwork): Promise<Sharp> {
  return onBackground(art, usualSide, usualPadding);
}

export function png(image: Sharp): Promise<Buffer> {
  return image.png({ compressionLevel: 1 }).toBuffer();
}

/** A change of the logo on its background. */
function changed(change: (image: Sharp) => Sharp): Transformation {
  return async (art) => png(change(sharp(await png(await plain(art)))));
}

function sized(side: number): Transformation {
  return async (art) => png(await onBackground(art, side, usualPadding));
}

function jpeg(quality: number): Transformation {
  return async (art) => (await plain(art)).jpeg({ quality }).toBuffer();
}

/** Changes pixels one by one. */
async function perPixel(image: Sharp, change: (data: Buffer) => void): Promise<Buffer> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  change(data);
  return png(sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } }));
}

/** Gaussian noise that is the same for the same logo and seed. */
function noise(deviation: number): Transformation {
  return async (art, seed) =>
    perPixel(await plain(art), (data) => {
      let state = Math.floor(chance(seed, art.name, deviation) * 2 ** 32) | 1;
      const next = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
      };
      for (let i = 0; i < data.length; i++) {
        const normal = next() + next() + next() + next() - 2;
        data[i] = Math.min(255, Math.max(0, data[i]! + normal * Math.sqrt(3) * deviation));
      }
    });
}

function onColor(colorOf: (art: Artwork) => string): Transformation {
  return async (art) => {
    const background = colorOf(art);
    return isVisibleOn(art.pixels, background)
      ? png(await onBackground(art, usualSide, usualPadding, background))
      : undefined;
  };
}

/** Composites a transparent picture on the center of an SVG background. */
async function onSvg(logo: Buffer, width: number, height: number, svg: string): Promise<Buffer> {
  return png(
    sharp(Buffer.from(svg))
      .resize(width, height, { fit: "fill" })
      .composite([{ input: logo }]),
  );
}

const gradient: Transformation = async (art) => {
  const [from, to] = art.background === "#ffffff" ? ["#ffffff", "#b8d4f0"] : ["#101820", "#40506a"];
  if (!isVisibleOn(art.pixels, from!) || !isVisibleOn(art.pixels, to!)) return undefined;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="320" height="320" fill="url(#g)"/></svg>`;
  return onSvg(await logoAt(art, usualSide), 320, 320, svg);
};

/** The logo's outline filled with white, on a color. */
async function whitened(art: Artwork, side: number): Promise<Buffer> {
  const { data, width, height } = await pixelsOf(sharp(await logoAt(art, side)));
  for (let i = 0; i < data.length; i += 4) data.fill(255, i, i + 3);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

const silhouette =
  (colorOf: (art: Artwork) => string): Transformation =>
  async (art) => {
    const logo = await whitened(art, usualSide);
    const background = colorOf(art);
    const color = luminance(background) > 180 ? "#1d4ed8" : background;
    return png(
      sharp({ create: { width: 320, height: 320, channels: 3, background: color } }).composite([
        { input: logo },
      ]),
    );
  };

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(color.slice(i, i + 2), 16)) as [
    number,
    number,
    number,
  ];
  return 0.299 * r + 0.587 * g + 0.114 * b;
}

function padded(share: number): Transformation {
  return async (art) => png(await onBackground(art, usualSide, share));
}

/** Cuts shares off the sides of the logo itself. */
function cropped(left: number, top: number, right: number, bottom: number): Transformation {
  return async (art) => {
    const image = sharp(await png(await onBackground(art, usualSide, 0)));
    const { width, height } = await image.metadata();
    const x = Math.round(left * width);
    const y = Math.round(top * height);
    const area = {
      left: x,
      top: y,
      width: Math.max(1, width - x - Math.round(right * width)),
      height: Math.max(1, height - y - Math.round(bottom * height)),
    };
    return png(image.extract(area));
  };
}

function rotated(degrees: number): Transformation {
  return async (art) =>
    png(sharp(await png(await plain(art))).rotate(degrees, { background: art.background }));
}

function stretched(aspect: number): Transformation {
  return async (art) => {
    const { width, height } = art.pixels;
    const scale = usualSide / Math.max(width * Math.sqrt(aspect), height / Math.sqrt(aspect));
    const size = [width * scale * Math.sqrt(aspect), (height * scale) / Math.sqrt(aspect)].map(Math.round);
    const image = sharp(art.png).resize(size[0]!, size[1]!, { fit: "fill" });
    return png(
      image
        .flatten({ background: art.background })
        .extend({ top: 26, bottom: 26, left: 26, right: 26, background: art.background }),
    );
  };
}

function textColorOn(background: string): string {
  return luminance(background) > 128 ? "#202124" : "#f1f3f4";
}

const textBeside: Transformation = async (art) => {
  const logo = await logoAt(art, 160);
  const { width, height } = await sharp(logo).metadata();
  const total = width + 260;
  const tall = height + 40;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${tall}"><rect width="100%" height="100%" fill="${art.background}"/><text x="${width + 44}" y="${tall / 2 + 14}" font-family="sans-serif" font-size="40" fill="${textColorOn(art.background)}">Sign in</text></svg>`;
  return png(sharp(Buffer.from(svg)).composite([{ input: logo, left: 20, top: 20 }]));
};

const textBelow: Transformation = async (art) => {
  const logo = await logoAt(art, 180);
  const { width, height } = await sharp(logo).metadata();
  const total = Math.max(width, 240) + 40;
  const tall = height + 100;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${tall}"><rect width="100%" height="100%" fill="${art.background}"/><text x="${total / 2}" y="${height + 74}" text-anchor="middle" font-family="sans-serif" font-size="32" fill="${textColorOn(art.background)}">My account</text></svg>`;
  return png(
    sharp(Buffer.from(svg)).composite([{ input: logo, left: Math.round((total - width) / 2), top: 20 }]),
  );
};

/** A badge over the lower right corner of the logo's box. */
function overlaid(share: number): Transformation {
  return async (art) => {
    const image = sharp(await png(await plain(art)));
    const { width, height } = await image.metadata();
    const margin = Math.round(usualSide * usualPadding);
    const side = Math.round(share * Math.min(width - 2 * margin, height - 2 * margin));
    const badge = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="${side / 2}" cy="${side / 2}" r="${side / 2}" fill="#d93025"/></svg>`;
    const left = width - margin - side;
    return png(image.composite([{ input: Buffer.from(badge), left, top: height - margin - side }]));
  };
}

function page(kind: Layout["kind"], half: Half, which: number): Transformation {
  const layout = layouts.filter((l) => l.kind === kind && l.half === half)[which]!;
  return async (art) => {
    if (!isVisibleOn(art.pixels, layout.background)) return undefined;
    const [boxWidth, boxHeight] = layout.box;
    const logo = await sharp(art.png)
      .resize(boxWidth, boxHeight, { fit: "inside" })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const { width, height } = await sharp(logo).metadata();
    const [x, y] =
      layout.anchor === "center"
        ? [layout.at[0] - width / 2, layout.at[1] - height / 2]
        : [layout.at[0], layout.at[1] - height / 2];
    const screenshot = sharp(Buffer.from(layout.svg(art.color))).composite([
      { input: logo, left: Math.round(x), top: Math.round(y) },
    ]);
    return layout.jpeg
      ? screenshot.removeAlpha().jpeg({ quality: layout.jpeg }).toBuffer()
      : png(screenshot.removeAlpha());
  };
}

/** The picture of another transformation, modified again. */
function then(first: Transformation, change: (image: Sharp) => Sharp | Promise<Sharp>): Transformation {
  return async (art, seed) => {
    const made = await first(art, seed);
    return made && (await change(sharp(made))).toBuffer();
  };
}

/** All transformations of a half by name, with the page layouts of the half. */
export function transformationsOf(half: Half): Readonly<Record<string, Transformation>> {
  return {
    ...Object.fromEntries([32, 48, 64, 128, 512].map((side) => [`size ${side}`, sized(side)])),
    ...Object.fromEntries([30, 60, 90].map((q) => [`jpeg ${q}`, jpeg(q)])),
    "webp 50": async (art) => (await plain(art)).webp({ quality: 50 }).toBuffer(),
    "blur 1": changed((i) => i.blur(1)),
    "blur 3": changed((i) => i.blur(3)),
    "noise 10": noise(10),
    "noise 25": noise(25),
    "brightness 0.7": changed((i) => i.linear(0.7, 0)),
    "brightness 1.3": changed((i) => i.linear(1.3, 0)),
    "contrast 0.6": changed((i) => i.linear(0.6, 51)),
    "contrast 1.5": changed((i) => i.linear(1.5, -64)),
    "gamma 0.6": async (art) => perPixel(await plain(art), gammaOf(0.6)),
    "gamma 1.8": async (art) => perPixel(await plain(art), gammaOf(1.8)),
    gray: changed((i) => i.greyscale()),
    inverted: changed((i) => i.negate()),
    "hue 90": changed((i) => i.modulate({ hue: 90 })),
    "hue 180": changed((i) => i.modulate({ hue: 180 })),
    "white background": onColor(() => "#ffffff"),
    "black background": onColor(() => "#000000"),
    "brand background": onColor((art) => art.otherColor),
    "gradient background": gradient,
    "silhouette on brand": silhouette((art) => art.color),
    "silhouette on dark": silhouette(() => "#202124"),
    ...Object.fromEntries([5, 10, 20, 40].map((p) => [`padding ${p}%`, padded(p / 100)])),
    "crop left 10%": cropped(0.1, 0, 0, 0),
    "crop right 20%": cropped(0, 0, 0.2, 0),
    "crop top 10%": cropped(0, 0.1, 0, 0),
    "crop bottom 20%": cropped(0, 0, 0, 0.2),
    "crop center 5%": cropped(0.05, 0.05, 0.05, 0.05),
    ...Object.fromEntries([2, -5, 7, -10].map((d) => [`rotated ${d}`, rotated(d)])),
    ...Object.fromEntries([0.67, 0.8, 1.25, 1.5].map((a) => [`aspect ${a}`, stretched(a)])),
    "text beside": textBeside,
    "text below": textBelow,
    "overlay 10%": overlaid(0.1),
    "overlay 20%": overlaid(0.2),
    mirrored: changed((i) => i.flop()),
    "page header 1": page("header", half, 0),
    "page header 2": page("header", half, 1),
    "page body 1": page("body", half, 0),
    "page body 2": page("body", half, 1),
    ...(half === "tuning" ? { "page body 3": page("body", half, 2) } : {}),
    "size 96 + jpeg 40": then(sized(96), (i) => i.jpeg({ quality: 40 })),
    "gray + rotated 3 + jpeg 60": then(rotated(3), (i) => i.greyscale().jpeg({ quality: 60 })),
    "crop 10% + blur 1": then(cropped(0.1, 0, 0, 0), (i) => i.blur(1).png()),
    "brand background + jpeg 50": then(
      onColor((art) => art.otherColor),
      (i) => i.jpeg({ quality: 50 }),
    ),
    "inverted + size 64": then(sized(64), (i) => i.negate().png()),
    "text beside + jpeg 60": then(textBeside, (i) => i.jpeg({ quality: 60 })),
    "aspect 1.25 + noise 10": async (art, seed) => {
      const made = await stretched(1.25)(art, seed);
      return made && noise(10)({ ...art, png: made }, seed);
    },
  };
}

function gammaOf(exponent: number): (data: Buffer) => void {
  const table = Uint8Array.from({ length: 256 }, (_, v) => Math.round(255 * (v / 255) ** exponent));
  return (data) => {
    for (let i = 0; i < data.length; i++) data[i] = table[data[i]!]!;
  };
}
