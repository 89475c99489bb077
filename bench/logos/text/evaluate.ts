/**
 * Counts false alarms on pages of running text: `npm run bench:text -- [--part tuning|held-out] [--pages 2000]
 * [--logos 100] [--from 0] [--compare] [--placed]`.
 *
 * Logos of the part, and marks of one to three letters, are searched as `findLogos` does; with `--compare` also without
 * what text costs. The fonts of the pages and of the marks are not in the atlas. A pair of a logo and a page whose text
 * has its name, or the letters of the mark, as a word is counted apart. Pages are rendered into the cache; without
 * Chromium nothing is measured. On the held-out part, too many alarms of logos are an error.
 *
 * With `--placed` each mark is placed on pages of text at three heights, and those that are found there are counted.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import sharp, { type Sharp } from "sharp";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { chance } from "../collection.ts";
import { grouped, overlaps } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { hasBrowser } from "../pages/render.ts";
import { installIcons } from "../pages/sources.ts";
import { exponent, percent, wilson } from "../pages/statistics.ts";
import { isVisibleOn, pixelsOf, render } from "../transformations.ts";
import { fontPackages, type TextFamily } from "./debian-fonts.ts";
import type { FontPart } from "./fonts.ts";
import { letterMarks, pageFamilies, textPages } from "./text-pages.ts";

/** Alarms at 0.85 that logos may have in 200,000 pairs, and that one logo may have. */
const maxAlarms = { all: 20, pairs: 200_000, logo: 2 } as const;

/** A searched logo. */
interface Searched {
  readonly name: string;
  readonly kind: "logo" | "mark";
  /** Its letters as a word. */
  readonly word: RegExp;
  readonly compiled: CompiledLogo;
}

async function compiled(name: string, kind: Searched["kind"], png: Uint8Array): Promise<Searched> {
  const outcome = await compileLogo(png);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
  return { name, kind, word: wordOf(name, kind), compiled: outcome.value };
}

/** The letters of a mark, or the name of a brand, as a word: the whole name, or its first word. */
function wordOf(name: string, kind: Searched["kind"]): RegExp {
  const brand = kind === "mark" ? name : name.slice(name.indexOf("/") + 1);
  const parts = brand.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [parts.join("[^\\p{L}\\p{N}]"), parts[0] ?? ""];
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
}

/** The same logo without the cost of text. */
function withoutTextCost({ descriptor, detector }: CompiledLogo): CompiledLogo {
  const calibration = { ...detector.calibration, textFull: 0, textSilhouette: 0 };
  return { descriptor, detector: { ...detector, calibration } };
}

async function searchedLogos(
  part: FontPart,
  families: readonly TextFamily[],
  count: number,
): Promise<readonly Searched[]> {
  installIcons();
  const searched: Searched[] = [];
  const logos = [...pageLogos(part)]
    .sort((a, b) => chance("text", a.name) - chance("text", b.name))
    .slice(0, count);
  for (const { name, content, color } of logos) {
    const { png } = await render(name, content, color, color);
    searched.push(await compiled(name, "logo", png));
  }
  for (const { name, png } of await letterMarks(part, families))
    searched.push(await compiled(name, "mark", png));
  return searched;
}

interface Alarm {
  readonly name: string;
  readonly group: "logo" | "mark" | "word";
  readonly how: string;
  readonly score: number;
}

const titles = {
  logo: "logos",
  mark: "marks of letters",
  word: "logos and marks whose letters are a word of the page",
} as const;
const [withCost, withoutCost] = ["with the cost of text", "without it"];

async function evaluate(part: FontPart): Promise<void> {
  const [from, count] = [Number(values.from), Number(values.pages)];
  const families = await pageFamilies(part);
  console.log(`${families.length} families: ${families.map(({ name }) => name).join(", ")}`);
  const searched = await searchedLogos(part, families, Number(values.logos));
  const all = searched.flatMap(({ compiled: logo }) =>
    values.compare ? [logo, withoutTextCost(logo)] : [logo],
  );
  const pages = (await textPages(part, families, from + count)).slice(from);
  const languages = [...grouped(pages, ({ language }) => language)].map(
    ([language, { length }]) => `${language} ${length}`,
  );
  console.log(`${pages.length} pages: ${languages.join(", ")}`);
  const alarms: Alarm[] = [];
  const pairs = { logo: 0, mark: 0, word: 0 };
  for (const { file, text, family, language } of pages) {
    const groups = searched.map(({ kind, word }) => (word.test(text) ? "word" : kind));
    for (const group of groups) pairs[group]++;
    const outcome = await findLogos(readFileSync(file), all);
    if (!outcome.ok) throw new Error(`${file}: ${outcome.problems[0].message}`);
    for (const [i, { score, kind: by, box }] of outcome.value.findings.entries()) {
      if (score < 0.75) continue;
      const n = values.compare ? i >> 1 : i;
      const { name } = searched[n] as Searched;
      const group = groups[n] as Alarm["group"];
      const how = values.compare && i % 2 === 1 ? withoutCost : withCost;
      alarms.push({ name, group, how, score });
      if (how === withCost && score >= 0.85)
        console.log("alarm", group, name, score.toFixed(3), by, file, family, language, JSON.stringify(box));
    }
  }
  for (const group of ["logo", "mark", "word"] as const) {
    for (const how of values.compare ? [withCost, withoutCost] : [withCost]) {
      const own = alarms.filter((each) => each.how === how && each.group === group);
      const high = own.filter(({ score }) => score >= 0.85);
      const names = [...grouped(high, ({ name }) => name)].map(([name, { length }]) => `${name} ${length}`);
      const of = pairs[group];
      console.log(
        `${titles[group]} ${how}: at 0.85 ${high.length} of ${of}, ${exponent(wilson(high.length, of))}; at 0.75 ${own.length}, ${exponent(wilson(own.length, of))}. ${names.join(", ")}`,
      );
    }
  }
  if (part === "held-out") checkBound(alarms, pairs.logo);
}

/** Heights of placed marks, in pixels, and the gap around them as a share. */
const placedHeights = [16, 28, 48] as const;
const placedGap = 0.25;

/** Counts the marks that are found where they are placed: in their color, or in white where that is hardly visible. */
async function evaluatePlaced(part: FontPart): Promise<void> {
  const families = await pageFamilies(part);
  const marks = await letterMarks(part, families);
  const pages = await textPages(part, families, marks.length * placedHeights.length);
  const found = placedHeights.map(() => 0);
  for (const [i, { name, png }] of marks.entries()) {
    const logo = await compiled(name, "mark", png);
    for (const [k, height] of placedHeights.entries()) {
      const page = sharp(readFileSync(pages[i * placedHeights.length + k]?.file ?? ""));
      const { picture, box } = await placedOn(page, png, height, chance("placed", name, height));
      const outcome = await findLogos(picture, [logo.compiled]);
      const [hit] = outcome.ok ? outcome.value.findings : [];
      const isFound = hit !== undefined && hit.score >= 0.85 && overlaps(hit, box);
      if (isFound) found[k] = (found[k] ?? 0) + 1;
      else console.log("missed", name, height, hit?.score.toFixed(3));
    }
  }
  for (const [k, height] of placedHeights.entries())
    console.log(`${height} pixels: ${percent(wilson(found[k] ?? 0, marks.length))} of ${marks.length}`);
  const all = found.reduce((a, b) => a + b, 0);
  const of = marks.length * placedHeights.length;
  console.log(`placed marks found at 0.85: ${all} of ${of}, ${percent(wilson(all, of))}`);
}

/** A page with a mark at a place that a number from 0 to 1 selects, on the color of the page. */
async function placedOn(page: Sharp, png: Uint8Array, height: number, at: number) {
  const { data, info } = await page.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const margin = 3 * (350 * info.width + 4);
  const ground = `#${Buffer.from(data.subarray(margin, margin + 3)).toString("hex")}`;
  const gap = Math.round(height * placedGap);
  const sized = await sharp(png).resize({ height }).png().toBuffer();
  const isVisible = isVisibleOn(await pixelsOf(sharp(sized)), ground);
  const inked = isVisible ? sharp(sized) : sharp(sized).linear([0, 0, 0, 1], [255, 255, 255, 0]);
  const around = { top: gap, bottom: gap, left: gap, right: gap, background: "#0000" };
  const plate = await sharp(await inked.extend(around).png().toBuffer())
    .flatten({ background: ground })
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = Math.floor(at * (info.width - plate.info.width));
  const top = Math.floor(((at * 7919) % 1) * (info.height - plate.info.height));
  const picture = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .composite([{ input: plate.data, left, top }])
    .png()
    .toBuffer();
  const box = [left + gap, top + gap, left + plate.info.width - gap, top + plate.info.height - gap] as const;
  return { picture, box };
}

/** Sets the exit code when logos have too many alarms. */
function checkBound(alarms: readonly Alarm[], pairs: number): void {
  const high = alarms.filter(
    ({ group, how, score }) => group === "logo" && how === withCost && score >= 0.85,
  );
  const limit = Math.max(1, Math.round((maxAlarms.all * pairs) / maxAlarms.pairs));
  const worst = Math.max(0, ...[...grouped(high, ({ name }) => name)].map(([, { length }]) => length));
  if (high.length <= limit && worst <= maxAlarms.logo) return;
  console.error(
    `FAILED: ${high.length} alarms of logos, at most ${limit}; ${worst} of one logo, at most ${maxAlarms.logo}.`,
  );
  process.exitCode = 1;
}

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "tuning" },
    pages: { type: "string", default: "2000" },
    logos: { type: "string", default: "100" },
    from: { type: "string", default: "0" },
    compare: { type: "boolean", default: false },
    placed: { type: "boolean", default: false },
  },
});
if (values.part !== "tuning" && values.part !== "held-out")
  throw new Error(`--part must be tuning or held-out; found ${values.part}`);
if (hasBrowser()) await (values.placed ? evaluatePlaced : evaluate)(values.part);
else
  console.error(
    `SKIPPED: there is no Chromium at /usr/bin/chromium (EDGEPROOF_CHROMIUM). Nothing was measured. The fonts are packages of Debian: ${fontPackages.join(" ")}`,
  );
