/** The effects on a logo that the rendered pages lack: covers, other tiles, rings, hues, colors of one lightness, sizes. */

import sharp from "sharp";
import { chance } from "../collection.ts";

/** A logo to draw on a page, and what it becomes. */
export interface Drawn {
  /** PNG with transparency. */
  readonly png: Buffer;
  /** The color of the panel below it, as #rrggbb; undefined for one that shows the logo. */
  readonly panel?: string;
  /** Quality as JPEG of the whole page; undefined for PNG. */
  readonly jpeg?: number;
}

/** An effect at a height, of a kind of logos. */
export interface Effect {
  readonly name: string;
  /** Heights of the logo in pixels; one of them is chosen for each picture. */
  readonly heights: readonly number[];
  /** Only of logos that are not tiles and discs. */
  readonly free?: boolean;
  readonly draw: (png: Buffer, name: string) => Promise<Drawn>;
}

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

function pick<T>(items: readonly T[], ...seed: readonly string[]): T {
  return items[Math.floor(chance(...seed) * items.length)] as T;
}

/** A part of a picture behind a badge of a color with a white mark. */
function covered(share: number): Effect["draw"] {
  return async (png, name) => {
    const { width = 1, height = 1 } = await sharp(png).metadata();
    const isRound =
      chance("round", name, `${share}`) < 0.5 && Math.max(width, height) < 2 * Math.min(width, height);
    // A disc fills less of its box than a bar.
    const area = share * width * height;
    const w = isRound ? Math.sqrt((4 * area) / Math.PI) : Math.min(width, Math.sqrt(area * (width / height)));
    const h = isRound ? w : area / w;
    const [across, down] = pick(
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
        [0.5, 0],
        [0.5, 1],
        [0.5, 0.5],
      ] as const,
      "at",
      name,
      `${share}`,
    );
    const x = across * (width - w);
    const y = down * (height - h);
    const color = pick(["#d50000", "#111111", "#2e7d32", "#f9a825", "#5e35b1"], "badge", name, `${share}`);
    const shape = isRound
      ? `<circle cx="${x + w / 2}" cy="${y + h / 2}" r="${w / 2}" fill="${color}"/>`
      : `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${h / 6}" fill="${color}"/>`;
    const bar = `<rect x="${x + w * 0.25}" y="${y + h * 0.42}" width="${w * 0.5}" height="${h * 0.16}" fill="#fff"/>`;
    const badge = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape}${bar}</svg>`;
    return {
      png: await sharp(png)
        .composite([{ input: Buffer.from(badge) }])
        .png()
        .toBuffer(),
    };
  };
}

function silhouette(color: string, panel: string, jpeg: number): Effect["draw"] {
  return async (png) => {
    const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    for (let i = 0; i < data.length; i += 4) data.set([r, g, b], i);
    const { width, height } = info;
    return {
      png: await sharp(data, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
      panel,
      jpeg,
    };
  };
}

function hueRotated(jpeg?: number): Effect["draw"] {
  return async (png, name) => {
    const hue = pick([60, 120, 180, 240, 300], "hue", name);
    return { png: await sharp(png).modulate({ hue }).png().toBuffer(), ...(jpeg && { jpeg }) };
  };
}

const mirrored: Effect["draw"] = async (png) => ({ png: await sharp(png).flop().png().toBuffer() });

function rotated(degrees: number): Effect["draw"] {
  return async (png) => ({
    png: await sharp(png).rotate(degrees, { background: transparent }).png().toBuffer(),
  });
}

/** The logo inside of a drawn shape that is larger than it. */
function within(shape: (side: number) => string): Effect["draw"] {
  return async (png) => {
    const { width = 1, height = 1 } = await sharp(png).metadata();
    const side = Math.round(1.5 * Math.max(width, height));
    const [x, y] = [Math.round((side - width) / 2), Math.round((side - height) / 2)];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${shape(side)}</svg>`;
    const around = sharp(Buffer.from(svg)).extend({ top: 0, background: transparent });
    return {
      png: await around
        .composite([{ input: png, left: x, top: y }])
        .png()
        .toBuffer(),
    };
  };
}

const disc = (color: string) => (side: number) =>
  `<circle cx="${side / 2}" cy="${side / 2}" r="${side / 2}" fill="${color}"/>`;
const ring = (side: number) =>
  `<circle cx="${side / 2}" cy="${side / 2}" r="${side * 0.46}" fill="#fff" stroke="#888" stroke-width="${side * 0.05}"/>`;
const tile = (color: string) => (side: number) => `<rect width="${side}" height="${side}" fill="${color}"/>`;

const plain: Effect["draw"] = async (png) => ({ png });
const usual = [28, 40, 64];

/** The effects on any logo. */
export const effects: readonly Effect[] = [
  ...[12, 14, 16, 18, 20, 22].map(
    (height): Effect => ({ name: `${height} px`, heights: [height], draw: plain }),
  ),
  ...[24, 32, 48].map((height): Effect => ({ name: `${height} px`, heights: [height], draw: plain })),
  { name: "16 to 23 px, JPEG 60", heights: [16, 19, 22], draw: async (png) => ({ png, jpeg: 60 }) },
  ...[0.1, 0.25, 0.4].map(
    (share): Effect => ({ name: `covered by ${100 * share} %`, heights: usual, draw: covered(share) }),
  ),
  { name: "hue rotated", heights: usual, draw: hueRotated() },
  { name: "hue rotated, JPEG 60", heights: usual, draw: hueRotated(60) },
  {
    name: "dark red on blue, JPEG 80",
    free: true,
    heights: usual,
    draw: silhouette("#8b0000", "#1a3fb0", 80),
  },
  {
    name: "dark red on blue, JPEG 50",
    free: true,
    heights: usual,
    draw: silhouette("#8b0000", "#1a3fb0", 50),
  },
  {
    name: "white on orange, JPEG 60",
    free: true,
    heights: usual,
    draw: silhouette("#ffffff", "#ef6c00", 60),
  },
  { name: "mirrored", heights: usual, draw: mirrored },
  ...[5, 10, 20].map(
    (degrees): Effect => ({ name: `rotated by ${degrees} degrees`, heights: usual, draw: rotated(degrees) }),
  ),
];

/** The effects on the symbol of a logo that is drawn on a tile. */
export const symbolEffects: readonly Effect[] = [
  { name: "tile: symbol alone", heights: usual, draw: plain },
  { name: "tile: on a disc", heights: usual, draw: within(disc("#37474f")) },
  { name: "tile: in a ring", heights: usual, draw: within(ring) },
  { name: "tile: on another tile", heights: usual, draw: within(tile("#f3e5c8")) },
];

/** The effects on a part of a lock-up. */
export const partEffects: readonly Effect[] = [
  { name: "", heights: [24, 36, 56], draw: plain },
  { name: ", JPEG 60", heights: [24, 36, 56], draw: async (png) => ({ png, jpeg: 60 }) },
];
