/**
 * Recall and false alarms of the logo search, a row a data set, without targets: `npm run bench -- logos
 * [--sets pages,text] [--part tuning] [--count 5] [--scorer file.ts] [--labelled folder] [--rows] [--misses] [--alarms] [--values file]`.
 *
 * Every logo of a set is searched in every picture of it. `--count` samples the pictures. Nothing is chosen on the held-out
 * part. A scorer is a module whose default export is a `Scorer`; the usual one is `findLogos`.
 */

import { appendFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Part, partNamed } from "./pages/cache.ts";
import { exponent, percent, wilson } from "./pages/statistics.ts";
import findLogosScorer, { type Hit, type Scorer } from "./scorer.ts";
import type { DataSet } from "./sets/data-set.ts";
import { isolated } from "./sets/isolated.ts";
import { labelled } from "./sets/labelled.ts";
import { pages } from "./sets/pages.ts";
import { pictograms } from "./sets/pictograms.ts";
import { templates } from "./sets/templates.ts";
import { text } from "./sets/text.ts";

const { values } = parseArgs({
  options: {
    sets: { type: "string" },
    part: { type: "string", default: "held-out" },
    count: { type: "string" },
    scorer: { type: "string" },
    labelled: { type: "string" },
    rows: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    alarms: { type: "boolean", default: false },
    values: { type: "string" },
  },
});

/** A set of a part, with a number of pictures: of logos for isolated ones, of pages of a layout, or of all. */
interface SetEntry {
  readonly count: number;
  readonly load: (part: Part, count: number) => Promise<DataSet>;
}

const sets: Readonly<Record<string, SetEntry>> = {
  labelled: { count: 1000, load: (_, count) => labelled(values.labelled ?? "", count) },
  isolated: { count: 200, load: isolated },
  pages: { count: 20, load: (part, count) => pages(part, "page", count) },
  hard: { count: 20, load: (part, count) => pages(part, "hard", count) },
  without: { count: 20, load: (part, count) => pages(part, "none", count) },
  templates: { count: 1000, load: templates },
  text: { count: 400, load: text },
  pictograms: { count: 75, load: pictograms },
};

/** The documented scores. */
const limits = [0.75, 0.85] as const;

interface Counts {
  /** Scores of shown logos by row. */
  readonly shown: Map<string, number[]>;
  readonly missing: number[];
}

function isAt({ box }: Hit, at: readonly [number, number, number, number] | undefined): boolean {
  if (!at) return true;
  const [left, top, right, bottom] = at;
  return (
    box !== undefined &&
    box.x < right &&
    box.x + box.width > left &&
    box.y < bottom &&
    box.y + box.height > top
  );
}

async function evaluate(name: string, part: Part, scorer: Scorer): Promise<void> {
  const entry = sets[name];
  if (!entry) throw new Error(`--sets must be of ${Object.keys(sets).join(", ")}; found ${name}`);
  const set = await entry.load(part, Number(values.count ?? entry.count));
  const score = await scorer(set.logos.map(({ png }) => png));
  const counts: Counts = { shown: new Map(), missing: [] };
  let pictures = 0;
  const before = process.cpuUsage();
  for await (const { id, row, bytes, shows, isLeftOut } of set.pictures()) {
    pictures++;
    for (const [i, hit] of (await score(bytes)).entries()) {
      const logo = set.logos[i]?.name ?? "";
      const shown = shows.find((each) => each.name === logo);
      if (!shown && isLeftOut?.(logo)) continue;
      const found = shown && !isAt(hit, shown.box) ? { ...hit, score: 0 } : hit;
      if (values.values && (shown || hit.score > 0.3))
        appendFileSync(
          values.values,
          `${JSON.stringify({ set: name, ...found, row, id, logo, shown: shown !== undefined })}\n`,
        );
      if (!shown) {
        counts.missing.push(hit.score);
        if (values.alarms && hit.score >= limits[1]) console.log("alarm", hit.score.toFixed(3), logo, id);
        continue;
      }
      counts.shown.set(row, [...(counts.shown.get(row) ?? []), found.score]);
      if (values.misses && found.score < limits[1]) console.log("missed", hit.score.toFixed(3), logo, id);
    }
  }
  const { user, system } = process.cpuUsage(before);
  print(name, counts);
  console.log(
    `${set.logos.length} logos, ${pictures} pictures, ${((user + system) / 1e6).toFixed(0)} s of processor time\n`,
  );
}

function print(name: string, { shown, missing }: Counts): void {
  const cells = (scores: readonly number[]) =>
    limits.map((limit) => percent(wilson(scores.filter((score) => score >= limit).length, scores.length)));
  const row = (title: string, scores: readonly number[]) =>
    console.log(`${title.padEnd(40)}${String(scores.length).padStart(6)}  ${cells(scores).join("  ")}`);
  if (values.rows || shown.size <= 4) for (const [title, scores] of shown) row(`  ${title}`, scores);
  row(`${name}, all`, [...shown.values()].flat());
  for (const limit of limits) {
    const alarms = wilson(missing.filter((score) => score >= limit).length, missing.length);
    console.log(`  alarms at ${limit}: ${alarms.hits} of ${alarms.of}, ${exponent(alarms)}`);
  }
}

const part = partNamed(values.part);
const scorer = values.scorer
  ? ((await import(pathToFileURL(values.scorer).href)) as { default: Scorer }).default
  : findLogosScorer;
const names =
  values.sets?.split(",") ?? Object.keys(sets).filter((name) => name !== "labelled" || values.labelled);
for (const name of names) await evaluate(name, part, scorer);
