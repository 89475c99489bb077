/**
 * Time of the dense search as ratios within one run: `npx tsx --tsconfig tsconfig.build.json --expose-gc
 * bench/logos/dense-speed.ts`. `cost.ts` has the bounds.
 *
 * Preparation of a drawn page of 1366 x 768 to its JPEG decode, in the memory of the page before, as in a service; one, 100 and 1,000 queries to the preparation; bytes a pixel.
 * The queries are different logos, none of them on the page: one query is a share of 40 at once, 100 queries are the next 100 of them in each round.
 */

import { join } from "node:path";
import sharp from "sharp";
import { cutOut } from "../../src/engine/logo/dense/cutout/cutout.ts";
import { findPlaces } from "../../src/engine/logo/dense/find-best.ts";
import { type PreparedPage, preparePage } from "../../src/engine/logo/dense/prepare-page.ts";
import { type Template, templatesOf } from "../../src/engine/logo/dense/templates.ts";
import { timed } from "../harness.ts";
import { chooseLogos } from "./collection.ts";
import { layouts } from "./layouts.ts";
import { partFolder, readPart } from "./pages/cache.ts";

const rounds = 9;
const logoCount = 1000;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function templatesOfLogos(): Promise<readonly (readonly Template[])[]> {
  const found: (readonly Template[])[] = [];
  for (const { svg } of chooseLogos("tuning", logoCount, 1)) {
    const { data, info } = await sharp(Buffer.from(svg))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const cutout = cutOut({ width: info.width, height: info.height, data });
    if (cutout) found.push(templatesOf(cutout));
  }
  return found;
}

async function pageFile(): Promise<Buffer> {
  const [layout] = layouts.filter(({ half, kind }) => half === "tuning" && kind === "body");
  return sharp(Buffer.from(layout!.svg("#1a73e8")))
    .resize(1366, 768, { fit: "fill" })
    .flatten({ background: "#fff" })
    .jpeg({ quality: 85 })
    .toBuffer();
}

const decode = async (file: Buffer) => {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

const file = await pageFile();
const logos = await templatesOfLogos();
const times = { decode: [], prepare: [], one: [], hundred: [], thousand: [] } as Record<string, number[]>;
let page: PreparedPage | undefined;
for (let round = 0; round < rounds; round++) {
  const [decodeMs, raster] = await timed(() => decode(file));
  const [prepareMs, prepared] = await timed(() => preparePage(raster, { reuse: page }));
  page = prepared;
  const some = logos.slice(round * 100, round * 100 + 100);
  const [oneMs] = await timed(() => findPlaces(prepared, some.slice(0, 40)));
  const [hundredMs] = await timed(() => findPlaces(prepared, some));
  times["decode"]!.push(decodeMs);
  times["prepare"]!.push(prepareMs);
  times["one"]!.push(oneMs / 40);
  times["hundred"]!.push(hundredMs);
  if (round % 2 === 0) {
    const [thousandMs] = await timed(() => findPlaces(prepared, logos));
    times["thousand"]!.push(thousandMs);
  }
}
const [decodeMs, prepareMs, oneMs, hundredMs, thousandMs] = Object.values(times).map(median);
const ratio = (a = 0, b = 1) => (a / b).toFixed(2);
console.log(`path ${page?.path}, ${ratio(page?.layout.bytes, 1366 * 768)} bytes a pixel`);
console.log(
  `decode ${decodeMs?.toFixed(1)} ms, prepare ${prepareMs?.toFixed(1)} ms, one query ${oneMs?.toFixed(2)} ms of processor time`,
);
console.log(`prepare / decode       ${ratio(prepareMs, decodeMs)}`);
console.log(`one query / prepare    ${ratio(oneMs, prepareMs)}`);
console.log(`100 / 1,000 queries ${hundredMs?.toFixed(1)} / ${thousandMs?.toFixed(1)} ms`);
console.log(`100 queries / prepare  ${ratio(hundredMs, prepareMs)}`);
console.log(`1,000 queries / prepare ${ratio(thousandMs, prepareMs)}`);
console.log(`1,000 / 100 queries    ${ratio(thousandMs, hundredMs)}`);

/** Rendered pages, as JPEG files of the same quality: they have more edges than the drawn page. */
const renderedLayouts = ["sign-in card on a flat color", "cards 10", "dark dashboard", "text"];
const rendered = readPart("tuning");
if (!rendered)
  console.warn("SKIPPED rendered pages: `npm run bench:pages -- --render --part tuning` renders them.");

for (const name of rendered ? renderedLayouts : []) {
  const picture = rendered?.pictures.find(
    ({ layout, width, height }) => layout === name && width === 1366 && height === 768,
  );
  if (!picture) continue;
  const jpeg = await sharp(join(partFolder("tuning"), picture.file))
    .jpeg({ quality: 85 })
    .toBuffer();
  const measured = { decode: [], prepare: [], again: [], query: [] } as Record<string, number[]>;
  for (let round = 0; round < 2 * rounds; round++) {
    const [decodeTime, raster] = await timed(() => decode(jpeg));
    const [prepareTime, prepared] = await timed(() => preparePage(raster, { reuse: page }));
    page = prepared;
    const [queryTime] = await timed(() => findPlaces(prepared, logos.slice(0, 40)));
    const [againTime] = await timed(() => preparePage(raster));
    measured["decode"]!.push(decodeTime);
    measured["prepare"]!.push(prepareTime);
    measured["again"]!.push(againTime);
    measured["query"]!.push(queryTime / 40);
  }
  const [a, b, c, d] = Object.values(measured).map(median);
  console.log(
    `${name}: decode ${a?.toFixed(1)} ms, prepare / decode ${ratio(b, a)} (in new memory ${ratio(c, a)}), one query ${d?.toFixed(2)} ms, / prepare ${ratio(d, b)}`,
  );
}
