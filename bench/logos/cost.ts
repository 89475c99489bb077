/**
 * Processor time of compiling, describing and searching, and the longest turn of the event loop: `npm run bench:dense
 * -- <folder of pages> [--every 4] [--logos 1000] [--photographs <folder>]`.
 *
 * The pages are screenshots of others, as JPEG; the logos are those of icon packages, all different. Without a folder
 * of photographs the pages of the folder count as such of which most blocks have details. Each row has a bound, and a
 * row that misses it sets the exit code.
 */

import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { runSteps } from "../../src/core/work/steps.ts";
import { decodeLogo } from "../../src/engine/logo/decode/decode.ts";
import { describeSteps } from "../../src/engine/logo/describe.ts";
import { type CompiledLogo, compileLogo, findLogos } from "../../src/engine/logo/find-logos.ts";
import { timed } from "../harness.ts";
import { chooseLogos } from "./collection.ts";
import { detailOf, longestTurn, quantile } from "./cost-measures.ts";

const { values, positionals } = parseArgs({
  options: {
    every: { type: "string", default: "4" },
    logos: { type: "string", default: "1000" },
    photographs: { type: "string" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error("Name the folder of the pages.");

/** Bounds of milliseconds of processor time. */
const bounds = { compile: 150, few: 0.5, many: 0.3, turn: 50 } as const;
/**
 * Half of what describing took before its loops became WebAssembly, in decodings of the same files, whose time depends
 * on the machine alike: the median and the 95th percentile of 45 sign-in pages.
 */
const describeBounds = [10, 10.5] as const;
/** Factor of the bounds on photographs. */
const photographFactor = 2;
/** Share of blocks with details from which a page counts as a photograph. */
const photographDetail = 0.5;
const warmUps = 3;

/** The pages, and before them some that are not measured. */
function warmedUp(pages: readonly Buffer[]): readonly Buffer[] {
  const first = Array.from({ length: warmUps }, (_, i) => pages[i % pages.length] as Buffer);
  return [...first, ...pages];
}

function report(what: string, measured: number, bound: number, unit: string): void {
  const isMet = measured <= bound;
  if (!isMet) process.exitCode = 1;
  console.log(
    `${isMet ? "met   " : "MISSED"} ${what}: ${measured.toFixed(2)} ${unit}, at most ${bound.toFixed(2)}`,
  );
}

async function jpegs(from: string): Promise<readonly Buffer[]> {
  const files = readdirSync(from)
    .filter((file) => /\.(png|jpe?g|webp)$/.test(file))
    .sort();
  const wanted = files.filter((_, i) => i % Number(values.every) === 0);
  return Promise.all(
    wanted.map((file) =>
      sharp(readFileSync(join(from, file)))
        .flatten({ background: "#fff" })
        .jpeg({ quality: 85 })
        .toBuffer(),
    ),
  );
}

async function compiledLogos(): Promise<readonly CompiledLogo[]> {
  const compiled: CompiledLogo[] = [];
  const times: number[] = [];
  for (const { name, svg } of chooseLogos("tuning", Number(values.logos), 1)) {
    const png = await sharp(Buffer.from(svg)).png().toBuffer();
    const [ms, outcome] = await timed(() => compileLogo(png));
    if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
    compiled.push(outcome.value);
    times.push(ms);
  }
  const warm = times.slice(warmUps);
  report(`compile a logo, median of ${warm.length}`, quantile(warm, 0.5), bounds.compile, "ms");
  console.log(`       compile a logo, 95th percentile: ${quantile(warm, 0.95).toFixed(2)} ms`);
  return compiled;
}

async function describing(pages: readonly Buffer[]): Promise<void> {
  const described: number[] = [];
  const decoded: number[] = [];
  for (const [i, page] of warmedUp(pages).entries()) {
    // The shortest of three: what other threads collect of earlier garbage counts as time of this process.
    const decodeTimes: number[] = [];
    for (let n = 0; n < 3; n++) {
      const [decodeMs, raster] = await timed(() => decodeLogo(page, "scan", {}));
      if (!raster.ok) throw new Error(raster.problems[0].message);
      decodeTimes.push(decodeMs);
      if (n < 2) continue;
      const [ms] = await timed(() => runSteps(describeSteps(raster.value, "scan")));
      if (i >= warmUps) described.push(ms);
    }
    if (i >= warmUps) decoded.push(Math.min(...decodeTimes));
  }
  for (const [n, share] of [0.5, 0.95].entries()) {
    const [ms, decodeMs] = [quantile(described, share), quantile(decoded, share)];
    const what = `describe a page, quantile ${share} (${ms.toFixed(1)} ms, decode ${decodeMs.toFixed(1)} ms)`;
    report(what, ms / decodeMs, describeBounds[n] ?? 0, "decodings");
  }
}

/** Searches pages for logos: the time of a logo and page, and the longest turn of the event loop. */
async function searching(
  title: string,
  pages: readonly Buffer[],
  logos: readonly CompiledLogo[],
  factor: number,
): Promise<void> {
  const times: number[] = [];
  const turns: number[] = [];
  for (const [i, page] of warmedUp(pages).entries()) {
    const [without] = await timed(() => findLogos(page, []));
    const [ms] = await timed(async () => {
      const turn = await longestTurn(() => findLogos(page, logos));
      if (i >= warmUps) turns.push(turn);
    });
    if (i >= warmUps) times.push((ms - without) / logos.length);
  }
  const bound = factor * (logos.length > 100 ? bounds.many : bounds.few);
  const what = `a logo and page, of ${logos.length} logos, ${title}`;
  report(`${what}, median of ${times.length}`, quantile(times, 0.5), bound, "ms");
  console.log(`       ${what}, 95th percentile: ${quantile(times, 0.95).toFixed(2)} ms`);
  report(`longest turn of a search, ${logos.length} logos, ${title}`, Math.max(...turns), bounds.turn, "ms");
}

const load = () => loadavg()[0]?.toFixed(1);
console.log(`load ${load()}`);
const pages = await jpegs(folder);
if (pages.length === 0) throw new Error(`There are no pictures of pages in ${folder}.`);
await describing(pages);
const logos = await compiledLogos();
const details = await Promise.all(pages.map(detailOf));
const detailed = values.photographs
  ? await jpegs(values.photographs)
  : pages.filter((_, i) => (details[i] ?? 0) >= photographDetail);
for (const some of [logos.slice(0, 100), logos]) {
  await searching("pages", pages, some, 1);
  if (detailed.length > 0) await searching("photographs", detailed, some, photographFactor);
}
if (detailed.length === 0)
  console.log("SKIPPED photographs: no page has details in most blocks. Nothing was measured for them.");
console.log(`load ${load()}`);
