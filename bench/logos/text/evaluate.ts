/**
 * Counts false alarms on pages of running text: `npx tsx --tsconfig tsconfig.build.json bench/logos/text/evaluate.ts
 * [--part tuning|held-out] [--pages 300] [--from 0]`.
 *
 * Logos of the part, and marks of one to three letters, are searched as `findLogos` does, once with what text costs and
 * once without. The fonts of the pages and of the marks are not in the atlas. Pages whose text has a mark as a word are
 * counted apart. Pages are rendered into the cache; without Chromium nothing is measured.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { grouped } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { hasBrowser } from "../pages/render.ts";
import { installIcons } from "../pages/sources.ts";
import { exponent, wilson } from "../pages/statistics.ts";
import { render } from "../transformations.ts";
import type { FontPart } from "./fonts.ts";
import { letterMarks, textPages } from "./text-pages.ts";

/** A searched logo. */
interface Searched {
  readonly name: string;
  readonly kind: "logo" | "mark";
  readonly compiled: CompiledLogo;
}

async function compiled(name: string, kind: Searched["kind"], png: Uint8Array): Promise<Searched> {
  const outcome = await compileLogo(png);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
  return { name, kind, compiled: outcome.value };
}

/** The same logo without the cost of text. */
function withoutTextCost({ descriptor, detector }: CompiledLogo): CompiledLogo {
  const calibration = { ...detector.calibration, textFull: 0, textSilhouette: 0 };
  return { descriptor, detector: { ...detector, calibration } };
}

async function searchedLogos(part: FontPart): Promise<readonly Searched[]> {
  installIcons();
  const searched: Searched[] = [];
  for (const { name, content, color } of pageLogos(part)) {
    const { png } = await render(name, content, color, color);
    searched.push(await compiled(name, "logo", png));
  }
  for (const { name, png } of await letterMarks(part)) searched.push(await compiled(name, "mark", png));
  return searched;
}

interface Alarm {
  readonly name: string;
  readonly kind: Searched["kind"];
  readonly how: string;
  readonly score: number;
  /** Whether the text has the letters of the mark as a word. */
  readonly isWord: boolean;
}

function hasWord(text: string, { name, kind }: Searched): boolean {
  return kind === "mark" && new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, "iu").test(text);
}

const titles = { logo: "logos", mark: "marks", word: "marks that are words of the page" } as const;

async function evaluate(part: FontPart, from: number, count: number): Promise<void> {
  const searched = await searchedLogos(part);
  const all = searched.flatMap(({ compiled: logo }) => [logo, withoutTextCost(logo)]);
  const pages = (await textPages(part, from + count)).slice(from);
  const alarms: Alarm[] = [];
  const counts = { logo: 0, mark: 0, word: 0 };
  for (const { file, text } of pages) {
    for (const each of searched) counts[hasWord(text, each) ? "word" : each.kind]++;
    const outcome = await findLogos(readFileSync(file), all);
    if (!outcome.ok) throw new Error(`${file}: ${outcome.problems[0].message}`);
    for (const [i, { score, kind: by }] of outcome.value.findings.entries()) {
      const each = searched[i >> 1] as Searched;
      const { name, kind } = each;
      const isWord = hasWord(text, each);
      const how = i % 2 === 0 ? "with the cost of text" : "without it";
      if (score >= 0.75) alarms.push({ name: `${name} (${by})`, kind, how, score, isWord });
    }
  }
  for (const group of ["logo", "mark", "word"] as const) {
    for (const how of ["with the cost of text", "without it"]) {
      const own = alarms.filter((each) => each.how === how && (each.isWord ? "word" : each.kind) === group);
      const high = own.filter(({ score }) => score >= 0.85);
      const names = [...grouped(high, ({ name }) => name)].map(([name, { length }]) => `${name} ${length}`);
      const of = counts[group];
      console.log(
        `${titles[group]} ${how}: at 0.85 ${high.length} of ${of}, ${exponent(wilson(high.length, of))}; at 0.75 ${own.length}. ${names.join(", ")}`,
      );
    }
  }
}

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "tuning" },
    pages: { type: "string", default: "300" },
    from: { type: "string", default: "0" },
  },
});
if (values.part !== "tuning" && values.part !== "held-out")
  throw new Error(`--part must be tuning or held-out; found ${values.part}`);
if (hasBrowser()) await evaluate(values.part, Number(values.from), Number(values.pages));
else
  console.error(
    "SKIPPED: there is no Chromium at /usr/bin/chromium (EDGEPROOF_CHROMIUM). Nothing was measured.",
  );
