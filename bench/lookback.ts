/**
 * The prefilter of lookbacks, without targets: `npm run bench -- lookback <folder of pictures>`.
 *
 * Logos of icon packages are pasted on windows of the pictures. Prints how many of those that the dense search finds a whole
 * lookback finds, the share of the pictures that it searches densely, and the processor time of a picture both ways. The
 * pictures of all logos together are the stored ones. With `--folder <labelled folder>` (`queries/` and `index.json`,
 * as for the labelled pages) its pages are the stored pictures instead, and every logo is searched for in each.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { runSteps } from "../src/core/work/steps.ts";
import { decodeLogo } from "../src/engine/logo/decode/decode.ts";
import type { Raster } from "../src/engine/logo/decode/picture.ts";
import { denseScore } from "../src/engine/logo/dense/dense-score.ts";
import { compileDetector, type Detector, searchedTemplates } from "../src/engine/logo/dense/detector.ts";
import { searchSteps } from "../src/engine/logo/dense/search-picture.ts";
import { searchSketchSteps, sketchTemplates } from "../src/engine/logo/dense/search-sketch.ts";
import { readSketch } from "../src/engine/logo/dense/sketch.ts";
import { describeRaster } from "../src/engine/logo/describe.ts";
import { isAlike, rankPictures, searchRounds } from "../src/engine/logo/rank-pictures.ts";
import { chance, chooseLogos } from "./logos/collection.ts";

const { values, positionals } = parseArgs({
  options: {
    logos: { type: "string", default: "40" },
    pages: { type: "string", default: "6" },
    piece: { type: "string", default: "100" },
    folder: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error("Name a folder of pictures.");
const threshold = 0.85;
const [windowWidth, windowHeight] = [1000, 700];

interface Stored {
  readonly raster: Raster;
  readonly sketch: Uint8Array;
  readonly blockHash: string;
  /** The logos that may be there; all, if it is unknown. */
  readonly logos: ReadonlySet<number> | undefined;
}

async function rasterOf(file: Uint8Array, role: "query" | "scan"): Promise<Raster> {
  const decoded = await decodeLogo(file, role);
  if (!decoded.ok) throw new Error(decoded.problems[0].message);
  return decoded.value;
}

async function stored(file: Uint8Array, logos?: ReadonlySet<number>): Promise<Stored> {
  const raster = await rasterOf(file, "scan");
  const { sketch, blockHash } = describeRaster(raster);
  return { raster, sketch, blockHash, logos };
}

/** A logo of 16 to 64 pixels on a window of a page, on a panel half of the time. */
async function pasted(background: string, logo: Buffer, seed: string): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(background).metadata();
  const scale = Math.max(1, windowWidth / width, windowHeight / height);
  const page = await sharp(background)
    .removeAlpha()
    .resize(Math.ceil(width * scale), Math.ceil(height * scale), { fit: "fill" })
    .extract({ left: 0, top: 0, width: windowWidth, height: windowHeight })
    .png()
    .toBuffer();
  const side = Math.round(16 * 4 ** chance("side", seed));
  const small = sharp(logo).resize(4 * side, side, { fit: "inside" });
  const picture = await (chance("panel", seed) < 0.5 ? small.flatten({ background: "#ffffff" }) : small)
    .png()
    .toBuffer();
  const size = await sharp(picture).metadata();
  const left = Math.floor(chance("left", seed) * (windowWidth - (size.width ?? 0)));
  const top = Math.floor(chance("top", seed) * (windowHeight - (size.height ?? 0)));
  return sharp(page)
    .composite([{ input: picture, left, top }])
    .jpeg({ quality: 85 })
    .toBuffer();
}

const pictures: Stored[] = [];
const detectors: Detector[] = [];
if (values.folder) {
  const names = readdirSync(join(folder, "queries")).filter((name) => name.endsWith(".png"));
  for (const name of names)
    detectors.push(compileDetector(await rasterOf(readFileSync(join(folder, "queries", name)), "query")));
  for (const { page } of JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as { page: string }[])
    pictures.push(await stored(readFileSync(join(folder, page))));
} else {
  const files = readdirSync(folder).filter((name) => /\.(png|jpe?g|webp)$/.test(name));
  for (const [i, { svg }] of chooseLogos("held-out", Number(values.logos), 11).entries()) {
    const png = await sharp(Buffer.from(svg)).png().toBuffer();
    detectors.push(compileDetector(await rasterOf(png, "query")));
    for (let n = 0; n < Number(values.pages); n++) {
      const seed = `${i} ${n}`;
      const background = join(folder, files[Math.floor(chance("page", seed) * files.length)] ?? "");
      pictures.push(await stored(await pasted(background, png, seed), new Set([i])));
    }
  }
}
// Pictures of one logo arrive at different times.
pictures.sort((a, b) => chance("order", a.blockHash) - chance("order", b.blockHash));

const userMs = () => process.cpuUsage().user / 1000;
let [found, all, dense, ranked, rankMs, denseMs, searches, bytes] = [0, 0, 0, 0, 0, 0, 0, 0];
for (const { sketch } of pictures) bytes += sketch.length;
const piece = Math.min(Number(values.piece), pictures.length);
for (const [n, detector] of detectors.entries()) {
  const templates = sketchTemplates(searchedTemplates(detector));
  const shows = pictures.map(({ raster, logos }) => {
    if (logos && !logos.has(n)) return false;
    const start = userMs();
    const [match] = runSteps(searchSteps(raster, [detector])).matches;
    denseMs += userMs() - start;
    searches++;
    return match !== undefined && denseScore(match.value) >= threshold;
  });
  all += shows.filter(Boolean).length;
  const pieces = Math.max(1, Math.floor(pictures.length / piece));
  for (let i = 0; i < pieces; i++) {
    const from = i * piece;
    const some = pictures.slice(from, i + 1 < pieces ? from + piece : undefined);
    const start = userMs();
    const order = rankPictures(
      some.map(({ sketch }) => runSteps(searchSketchSteps(readSketch(sketch), templates))),
    );
    rankMs += userMs() - start;
    ranked += some.length;
    const rounds = searchRounds(order, (a, b) => isAlike(some[a]?.blockHash ?? "", some[b]?.blockHash ?? ""));
    for (let next = rounds.next([]); !next.done; ) {
      const hits = next.value.filter((k) => shows[from + k]);
      dense += next.value.length;
      found += hits.length;
      next = rounds.next(hits);
    }
  }
}
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
console.log(`${detectors.length} logos, ${pictures.length} pictures, pieces of ${piece}`);
console.log(
  `found by the lookback ${found} of ${all} that are found in each picture: ${percent(found, all)}`,
);
console.log(`searched densely ${percent(dense, ranked)} of the pictures`);
console.log(
  `a picture: ranked ${(rankMs / ranked).toFixed(2)} ms, searched ${(denseMs / searches).toFixed(1)} ms (user time)`,
);
console.log(`a sketch: ${Math.round(bytes / pictures.length)} bytes`);
