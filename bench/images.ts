/**
 * Rendering variants: against sharp alone with the same options, against ipx for the same output, against jimp.
 *
 * Each body renders the three variants of one picture at once. ipx brings its own sharp; its progressive
 * JPEG is switched off and its orientation on, so that both do the same; for GIF it keeps sharp's default effort. jimp is pure JavaScript, knows no animation,
 * and gets a few rounds only.
 */

import { type CompleteVariantOptions, renderVariant } from "edgeproof/images";
import sharp, { type Sharp } from "sharp";
import type { RasterType } from "../src/engine/picture/header.ts";
import { type Contest, measureAll, type Rows, type Target } from "./harness.ts";
import { createIPX, Jimp } from "./peers/images.ts";

interface Picture {
  readonly name: string;
  readonly type: RasterType;
  readonly bytes: Buffer;
  readonly variants: readonly Variant[];
  /** Minimum speed, as a fraction of sharp's own. */
  readonly share: number;
  /** Minimum speed relative to jimp; absent where jimp cannot do it. */
  readonly overJimp?: Target;
}

type Variant = CompleteVariantOptions;

const notice = "(c) 2026 A. Photographer";
const white = { r: 255, g: 255, b: 255, alpha: 1 };
/** Rounds of a body that runs for seconds. */
const fewRounds = { rounds: 3, roundMs: 1, warmUpMs: 1 };
const effort = { rounds: 41, roundMs: 60, budgetMs: 3000, warmUpMs: 300 };

function variants(large: number, middle: number, little: number): Variant[] {
  return [
    { fit: "scale-down", width: large, height: large, metadata: "keep" },
    { fit: "cover", width: middle, height: middle, metadata: "copyright" },
    { fit: "pad", width: little, height: little, metadata: "none" },
  ];
}

/** Soft shapes with grain: similar to a photograph for an encoder. */
async function photograph(width: number, height: number): Promise<Sharp> {
  const grain = await noise(width, height, 6).png({ compressionLevel: 1 }).toBuffer();
  const shapes = await noise(width >> 6, height >> 6, 60)
    .resize(width, height, { fit: "fill", kernel: "cubic" })
    .composite([{ input: grain, blend: "soft-light" }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(shapes);
}

function noise(width: number, height: number, sigma: number): Sharp {
  const background = { r: 0, g: 0, b: 0 };
  return sharp({
    create: { width, height, channels: 3, background, noise: { type: "gaussian", mean: 128, sigma } },
  });
}

/** A logo on white: edges and a gradient. */
function logo(side: number): Sharp {
  return drawing(side, side, 16, 16, [
    `<linearGradient id="sky" y2="1"><stop stop-color="#0a84ff"/><stop offset="1" stop-color="#5e2ca5"/></linearGradient>`,
    `<rect x="1" y="1" width="14" height="14" rx="4" fill="url(#sky)"/>`,
    `<path d="M4 11 8 4l4 7z" fill="none" stroke="#fff" stroke-width="1.2"/>`,
  ]);
}

/** Similar to a screenshot: a bar, cards, and lines of strokes as long as words. */
function screenshot(width: number, height: number): Sharp {
  const cards = Array.from({ length: 6 }, (_, card) => {
    const x = 40 + (card % 3) * 380;
    const y = 100 + Math.floor(card / 3) * 370;
    const lines = Array.from({ length: 10 }, (_, line) => {
      const words = `${7 + line} 3 ${12 + card} 4 21 5`;
      return `<path d="M${x + 20} ${y + 40 + line * 26}h${180 + ((card * 37 + line * 53) % 120)}" stroke-dasharray="${words}"/>`;
    });
    return `<rect x="${x}" y="${y}" width="340" height="320" rx="12" fill="#eef"/>
      <g stroke="#345" stroke-width="9">${lines.join("")}</g>`;
  });
  return drawing(width, height, 1200, 850, [`<path fill="#235" d="M0 0h1200v60H0z"/>`, ...cards]);
}

/** Draws in units of `unitsX` by `unitsY` on white. */
function drawing(width: number, height: number, unitsX: number, unitsY: number, parts: string[]): Sharp {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${unitsX} ${unitsY}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: white });
}

async function pictures(): Promise<Picture[]> {
  const photo = (await photograph(4000, 3000)).withExif({ IFD0: { Copyright: notice, Make: "Camera" } });
  const screen = await photograph(1200, 850);
  const thumbnail = await photograph(256, 256);
  const frames = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      screen
        .clone()
        .resize(320, 240)
        .modulate({ hue: n * 36 })
        .png()
        .toBuffer(),
    ),
  );
  return [
    {
      name: "12-megapixel JPEG",
      type: "jpeg",
      bytes: await photo.jpeg({ quality: 90 }).toBuffer(),
      variants: variants(1366, 512, 256),
      share: 0.95,
      overJimp: { atLeast: 30 },
    },
    {
      name: "1-megapixel PNG",
      type: "png",
      bytes: await screenshot(1200, 850).png().toBuffer(),
      variants: variants(800, 400, 200),
      share: 0.95,
      overJimp: { atLeast: 4 },
    },
    {
      name: "small PNG",
      type: "png",
      bytes: await logo(512).png().toBuffer(),
      variants: variants(384, 256, 128),
      share: 0.9,
      overJimp: { atLeast: 4 },
    },
    {
      // Grain hardly compresses: much of the time is spent in zlib, which jimp also uses.
      name: "photograph as 1-megapixel PNG",
      type: "png",
      bytes: await screen.clone().png().toBuffer(),
      variants: variants(800, 400, 200),
      share: 0.95,
      overJimp: "report",
    },
    {
      // A third of it is the constant cost of a call of sharp.
      name: "photograph as 256 px PNG",
      type: "png",
      bytes: await thumbnail.png().toBuffer(),
      variants: variants(192, 128, 64),
      share: 0.9,
      overJimp: "report",
    },
    {
      name: "animated GIF",
      type: "gif",
      bytes: await sharp(frames, { join: { animated: true } })
        .gif({ effort: 3 })
        .toBuffer(),
      variants: variants(200, 120, 80),
      share: 0.95,
    },
  ];
}

/** Renders all variants of an image at once, like a server. */
function each(picture: Picture, render: (variant: Variant) => Promise<unknown>): () => Promise<unknown> {
  return () => Promise.all(picture.variants.map(render));
}

function ours(picture: Picture): () => Promise<unknown> {
  return each(picture, async (variant) => {
    const rendering = await renderVariant(picture.bytes, variant);
    if (!rendering.ok) throw new Error(rendering.problems[0].message);
    return rendering.value.bytes;
  });
}

const fitOf = {
  "scale-down": "inside",
  contain: "inside",
  cover: "cover",
  crop: "cover",
  pad: "contain",
} as const;

/** The corresponding metadata call; only JPEG has EXIF. */
function withMetadata(pipe: Sharp, type: RasterType, metadata: Variant["metadata"]): Sharp {
  if (type !== "jpeg" || metadata === "none") return pipe;
  return metadata === "keep" ? pipe.keepExif() : pipe.withExif({ IFD0: { Copyright: notice } });
}

/** The encoders' options of `renderVariant`. */
const encoders: Partial<Record<RasterType, (pipe: Sharp) => Sharp>> = {
  jpeg: (pipe) => pipe.jpeg({ quality: 85 }),
  png: (pipe) => pipe.png(),
  gif: (pipe) => pipe.gif({ effort: 3, reuse: false, keepDuplicateFrames: true }),
};

function sharpAlone({ bytes, type, ...picture }: Picture): () => Promise<unknown> {
  const input = type === "gif" ? { animated: true } : { autoOrient: true };
  return each({ bytes, type, ...picture }, ({ fit, width, height, metadata }) => {
    const options = { fit: fitOf[fit], background: white, withoutEnlargement: fit === "scale-down" };
    const pipe = sharp(bytes, input).resize(width, height, options);
    return encoders[type]!(withMetadata(pipe, type, metadata)).toBuffer();
  });
}

function throughIpx(picture: Picture): () => Promise<unknown> {
  const options = picture.type === "gif" ? {} : { autoOrient: true };
  const ipx = createIPX({
    storage: { name: "memory", getMeta: () => ({}), getData: () => new Uint8Array(picture.bytes).buffer },
    sharpOptions: { jpegProgressive: false, ...options } as object,
  });
  return each(picture, async ({ fit, width, height }) => {
    const quality = picture.type === "jpeg" ? { quality: "85" } : {};
    const modifiers = { fit: fitOf[fit], background: "ffffff", resize: `${width}x${height}`, ...quality };
    return (await ipx("picture", modifiers).process()).data;
  });
}

function throughJimp(picture: Picture): () => Promise<unknown> {
  return each(picture, async ({ fit, width: w, height: h }) => {
    const image = await Jimp.read(picture.bytes);
    if (fit === "cover") image.cover({ w, h });
    else if (fit === "pad") image.background = 0xffffffff;
    if (fit === "pad") image.contain({ w, h });
    if (fit === "scale-down") image.scaleToFit({ w, h });
    return picture.type === "jpeg"
      ? image.getBuffer("image/jpeg", { quality: 85 })
      : image.getBuffer("image/png");
  });
}

function contest(picture: Picture, peer: string, body: () => Promise<unknown>, target: Target): Contest {
  const what = `renderVariant / ${peer}, ${picture.name}, three variants`;
  const ops = picture.variants.length;
  return { what, ours: ours(picture), peer: body, target, oursOps: ops, peerOps: ops };
}

/** Measures every image; ratios are speeds, ours divided by the peer's. */
export async function* benchImages(): Rows {
  const all = await pictures();
  yield* measureAll(
    all.flatMap((picture) => [
      contest(picture, "sharp alone", sharpAlone(picture), { atLeast: picture.share }),
      contest(picture, "ipx", throughIpx(picture), { atLeast: 1 }),
    ]),
    effort,
  );
}

/** Measures every image against jimp, of which a call takes up to seconds. */
export async function* benchImagesJimp(): Rows {
  const all = await pictures();
  const slow = all.flatMap((picture) =>
    picture.overJimp === undefined ? [] : [contest(picture, "jimp", throughJimp(picture), picture.overJimp)],
  );
  const [jpeg, ...pngs] = slow;
  yield* measureAll([jpeg!], fewRounds);
  yield* measureAll(pngs, effort);
}
