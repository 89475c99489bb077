/**
 * Counts false alarms on pages of running text: `npm run bench:text -- [--part tuning|held-out] [--pages 2000]
 * [--logos 100] [--from 0] [--compare]`.
 *
 * Logos of the part, and marks of one to three letters, are searched as `findLogos` does; with `--compare` also without
 * what text costs. The fonts of the pages and of the marks are not in the atlas. A pair of a logo and a page whose text
 * has its name, or the letters of the mark, as a word is counted apart. Pages are rendered into the cache; without
 * Chromium nothing is measured. On the held-out part, too many alarms of logos are an error.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { chance } from "../collection.ts";
import { grouped } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { hasBrowser } from "../pages/render.ts";
import { installIcons } from "../pages/sources.ts";
import { exponent, wilson } from "../pages/statistics.ts";
import { render } from "../transformations.ts";
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
  },
});
if (values.part !== "tuning" && values.part !== "held-out")
  throw new Error(`--part must be tuning or held-out; found ${values.part}`);
if (hasBrowser()) await evaluate(values.part);
else
  console.error(
    `SKIPPED: there is no Chromium at /usr/bin/chromium (EDGEPROOF_CHROMIUM). Nothing was measured. The fonts are packages of Debian: ${fontPackages.join(" ")}`,
  );
