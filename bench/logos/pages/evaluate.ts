/**
 * Evaluates logo search on rendered pages: `npx tsx bench/logos/pages/evaluate.ts [--part tuning|held-out] [--sample]
 * [--pictures 20] [--scorers regions] [--group hard] [--render] [--alarms 20] [--misses]`.
 *
 * Every logo of a part is compared with every picture of it. Without Chromium and without rendered pages it does
 * nothing, and reports so. `--pictures` is the number of rendered pictures of a layout; a larger one renders the
 * others. `--sample` takes a small part of the pictures, for tuning; `--group` those of one group (page, hard or none).
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  cacheFolder,
  grouped,
  type PagePicture,
  type Part,
  type PartIndex,
  partFolder,
  partNamed,
  readPart,
  sampleOf,
} from "./cache.ts";
import { defaultPicturesOfLayout, hasBrowser, removePart, renderPart } from "./render.ts";
import { type PageScorer, scorers } from "./scorers.ts";
import { exponent, percent, scoreAtRate, shareAt } from "./statistics.ts";

/** The documented scores and their false-alarm rates. */
const documented = [
  [0.75, 1e-3],
  [0.85, 1e-4],
] as const;

/** Scores of one method: a row a picture, a column a logo. */
type Scores = readonly Float64Array[];

async function scoresOf(index: PartIndex, scorer: PageScorer, sample: boolean): Promise<Scores> {
  const folder = join(cacheFolder(), "scores");
  const name = `${scorer.name}-${scorer.version}-${index.part}${sample ? "-sample" : ""}.jsonl`;
  const file = scorer.version && join(folder, name);
  const known = file && existsSync(file) ? readValues(file) : new Map<string, Float64Array>();
  const read = (path: string) => readFileSync(join(partFolder(index.part), path));
  const prepared = await scorer.prepare(index.logos.map((logo) => read(logo.file)));
  mkdirSync(folder, { recursive: true });
  const scores: Float64Array[] = [];
  for (const [i, { id, file: picture }] of index.pictures.entries()) {
    const values = known.get(id) ?? (await prepared.values(read(picture), `${index.part}-${id}`));
    scores.push(prepared.scoresOf(values));
    if (file && !known.has(id)) appendFileSync(file, `${JSON.stringify([id, [...values]])}\n`);
    if (process.stderr.isTTY) process.stderr.write(`\r${scorer.name}: ${i + 1} of ${index.pictures.length} `);
  }
  return scores;
}

/** The values of an earlier run by picture; a last line that is not complete is left out. */
function readValues(file: string): Map<string, Float64Array> {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const rows = lines.map((line) => JSON.parse(line) as [id: string, values: number[]]);
  return new Map(rows.map(([id, values]) => [id, Float64Array.from(values)]));
}

interface Pair {
  readonly logo: number;
  readonly picture: number;
  readonly score: number;
}

function pairsOf(index: PartIndex, scores: Scores, positive: boolean): Pair[] {
  const pairs: Pair[] = [];
  for (const [p, picture] of index.pictures.entries()) {
    const shown = new Set(picture.shows.map(({ name }) => name));
    for (const [l, { name }] of index.logos.entries()) {
      if (shown.has(name) === positive) pairs.push({ logo: l, picture: p, score: scores[p]?.[l] ?? 0 });
    }
  }
  return pairs;
}

const scoresIn = (pairs: readonly Pair[]) => Float64Array.from(pairs, ({ score }) => score);

function report(
  index: PartIndex,
  name: string,
  scores: Scores,
  options: { alarms: number; misses: boolean },
): void {
  const positives = pairsOf(index, scores, true);
  const negatives = pairsOf(index, scores, false);
  const limits = [1e-3, 1e-4].map((rate) => scoreAtRate(scoresIn(negatives), rate));
  console.log(
    `\n== ${name}, ${index.part} part: ${index.logos.length} logos, ${index.pictures.length} pictures, ${positives.length} positive and ${negatives.length} negative pairs`,
  );
  console.log("recall in % with 95 % intervals (Wilson); rates are false alarms over pairs\n");
  console.log(
    `${"".padEnd(44)}    n  at 1e-3                at 1e-4                at .75                 at .85`,
  );
  const row = (title: string, pairs: readonly Pair[]) => {
    const cells = [...limits, ...documented.map(([score]) => score)].map((limit) =>
      percent(shareAt(scoresIn(pairs), limit)),
    );
    console.log(`${title.padEnd(44)}${String(pairs.length).padStart(5)}  ${cells.join("  ")}`);
  };
  const pictureOf = ({ picture }: Pair) => index.pictures[picture] as PagePicture;
  for (const group of ["page", "hard"] as const) {
    const own = positives.filter((pair) => pictureOf(pair).group === group);
    if (own.length === 0) continue;
    const byLayout = grouped(own, (pair) => pictureOf(pair).layout);
    for (const [layout, pairs] of byLayout) row(layout, pairs);
    row(`ALL of ${group}`, own);
    const worst = [...byLayout].map(
      ([layout, pairs]) => [layout, shareAt(scoresIn(pairs), limits[1] ?? 1)] as const,
    );
    const [layout, rate] = worst.reduce((a, b) => (a[1].hits / a[1].of <= b[1].hits / b[1].of ? a : b));
    console.log(`worst at 1e-4: ${layout}, ${percent(rate)}\n`);
  }
  reportScale(index, negatives, limits);
  if (options.alarms > 0) listAlarms(index, negatives, options.alarms);
  if (options.misses) listMisses(index, positives, limits[1] ?? 1);
}

/** Whether the documented scores mean their rates, for all logos and for plain ones. */
function reportScale(index: PartIndex, negatives: readonly Pair[], limits: readonly number[]): void {
  console.log(`scores at 1e-3 and 1e-4: ${limits.map((limit) => limit.toFixed(4)).join(", ")}`);
  const kindOf = new Map(index.logos.map(({ name, kind }) => [name, kind]));
  const isPlain = ({ picture }: Pair) => {
    const { shows, layout } = index.pictures[picture] as PagePicture;
    return (
      shows.some(({ name }) => kindOf.get(name) !== "free") || layout === "shape" || layout === "montage"
    );
  };
  const groups: readonly (readonly [string, readonly Pair[]])[] = [
    ["all", negatives],
    [
      "tile or disc in pictures of tiles or discs",
      negatives.filter((p) => index.logos[p.logo]?.kind !== "free" && isPlain(p)),
    ],
    ...["free", "tile", "disc"].map(
      (kind) => [`logo: ${kind}`, negatives.filter((p) => index.logos[p.logo]?.kind === kind)] as const,
    ),
    ...["page", "hard", "none"].map(
      (group) =>
        [`picture: ${group}`, negatives.filter((p) => index.pictures[p.picture]?.group === group)] as const,
    ),
  ];
  for (const [title, pairs] of groups) {
    const rates = documented.map(([score]) => `${score}: ${exponent(shareAt(scoresIn(pairs), score))}`);
    console.log(`${title.padEnd(44)}${String(pairs.length).padStart(8)} pairs  ${rates.join("   ")}`);
  }
  const byLogo = grouped(negatives, ({ logo }) => String(logo));
  for (const [score, rate] of documented) {
    const above = [...byLogo]
      .map(
        ([logo, pairs]) => [index.logos[Number(logo)]?.name ?? "", shareAt(scoresIn(pairs), score)] as const,
      )
      .filter(([, { hits, of }]) => hits / of > 10 * rate)
      .sort((a, b) => b[1].hits - a[1].hits);
    const names = above.slice(0, 12).map(([name, { hits }]) => `${name} ${hits}`);
    console.log(
      `logos above ten times the rate at ${score}: ${above.length} of ${byLogo.size} ${names.join(", ")}`,
    );
  }
}

function listAlarms(index: PartIndex, negatives: readonly Pair[], count: number): void {
  console.log("\nhighest false alarms:");
  for (const { logo, picture, score } of [...negatives].sort((a, b) => b.score - a.score).slice(0, count)) {
    const { id, shows } = index.pictures[picture] as PagePicture;
    console.log(
      `${score.toFixed(3)} ${index.logos[logo]?.name} in ${id} (${shows.map(({ name }) => name).join(", ")})`,
    );
  }
}

function listMisses(index: PartIndex, positives: readonly Pair[], limit: number): void {
  console.log("\nmissed at 1e-4:");
  for (const { logo, picture, score } of positives.filter((pair) => pair.score < limit))
    console.log(`${score.toFixed(3)} ${index.logos[logo]?.name} in ${index.pictures[picture]?.id}`);
}

function optionsFromArguments() {
  const { values } = parseArgs({
    options: {
      part: { type: "string", default: "tuning" },
      sample: { type: "boolean", default: false },
      scorers: { type: "string", default: "regions,dense,both" },
      pictures: { type: "string", default: String(defaultPicturesOfLayout) },
      group: { type: "string" },
      render: { type: "boolean", default: false },
      alarms: { type: "string", default: "0" },
      misses: { type: "boolean", default: false },
    },
  });
  const part = partNamed(values.part);
  const names = values.scorers.split(",");
  const unknown = names.find((name) => !scorers[name]);
  if (unknown) throw new Error(`--scorers must be of ${Object.keys(scorers).join(", ")}; found ${unknown}`);
  return { ...values, part, names, alarms: Number(values.alarms), pictures: Number(values.pictures) };
}

async function evaluate(part: Part, options: ReturnType<typeof optionsFromArguments>): Promise<void> {
  const whole = readPart(part);
  if (!whole) return;
  const sample = options.sample ? sampleOf(whole) : whole;
  const { group } = options;
  const pictures = group ? sample.pictures.filter((picture) => picture.group === group) : sample.pictures;
  const index = { ...sample, pictures };
  for (const name of options.names) {
    const scorer = scorers[name]?.();
    if (!scorer) continue;
    report(index, name, await scoresOf(index, scorer, options.sample), options);
  }
}

const options = optionsFromArguments();
if (options.render) removePart(options.part);
if (!readPart(options.part) && !hasBrowser()) {
  console.error(
    "SKIPPED: the pages are not rendered and there is no Chromium at /usr/bin/chromium (EDGEPROOF_CHROMIUM). Nothing was measured.",
  );
} else {
  await renderPart(options.part, options.pictures);
  await evaluate(options.part, options);
}
