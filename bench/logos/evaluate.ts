/**
 * Recall and false alarms of the logo search: `npm run bench:logos [-- --seed 1] [--logos 400] [--workers 2] [--half tuning] [--quick]`.
 *
 * The logos form two halves by name: the numbers in `tuning.ts` were fixed on the tuning half, never on the held-out
 * half, which has page layouts of its own. Every logo is compared with every transformed picture of its half, and
 * searched densely in its own ones, where the scale of the dense search applies.
 */

import { parseArgs } from "node:util";
import { type LogoDescriptor, readLogoDescriptor } from "../../src/engine/logo/descriptor.ts";
import { hammingDistance } from "../../src/engine/logo/features/prefilter-hash.ts";
import { createLogoIndex } from "../../src/engine/logo/index/search-index.ts";
import { scoreBreakpoints } from "../../src/engine/logo/tuning.ts";
import { assertFonts } from "./layouts.ts";
import { falseAlarms, pooled, recall, scoreAtRate, type Trials } from "./measures.ts";
import { type EvaluationSize, type PreparedHalf, prepareHalf } from "./prepare.ts";

/** Name of the pictures without a logo among the transformations. */
const noLogo = "no logo";
/** Scores with a documented false-alarm rate. */
const documentedScores = [0.75, 0.85] as const;
const rates = [1e-3, 1e-4] as const;

/** Scores of one method over a half, overall and for each logo. */
interface Results {
  readonly trials: Trials;
  /** By transformation the score of both searches, in pictures that show the logo. */
  readonly withDense: ReadonlyMap<string, readonly number[]>;
  /** False-alarm rate of each logo at the higher documented score. */
  readonly byLogo: readonly number[];
}

interface Scan {
  readonly owner: string;
  readonly transformation: string;
  readonly descriptor: LogoDescriptor;
  /** The score of both searches for the owner; 0 without one. */
  readonly bothScore: number;
}

function scansOf({ logos, withoutLogo }: PreparedHalf): readonly Scan[] {
  const own = logos.flatMap(({ name, scans }) =>
    scans.map(({ transformation, bytes, bothScore }) => ({
      owner: name,
      transformation,
      descriptor: readLogoDescriptor(bytes),
      bothScore,
    })),
  );
  const bare = withoutLogo.map((bytes) => ({
    owner: "",
    transformation: noLogo,
    descriptor: readLogoDescriptor(bytes),
    bothScore: 0,
  }));
  return [...own, ...bare];
}

/** Computes the score of each scan for a queried logo. */
type Scorer = (query: LogoDescriptor) => Promise<Float64Array>;

/** The shipped pipeline with its index. */
function shippedScorer(scans: readonly Scan[]): Scorer {
  const index = createLogoIndex();
  for (const [i, { descriptor }] of scans.entries()) index.add(i, descriptor);
  return async (query) => {
    const scores = new Float64Array(scans.length);
    for (const { id, score } of await index.search(query, { threshold: Number.MIN_VALUE }))
      scores[Number(id)] = score;
    return scores;
  };
}

/** The control: image-hash's block hash, 1 less the share of different bits. */
function controlScorer(scans: readonly Scan[]): Scorer {
  const hashes = scans.map(({ descriptor }) => Buffer.from(descriptor.blockHash, "hex"));
  return async (query) => {
    const own = Buffer.from(query.blockHash, "hex");
    return Float64Array.from(hashes, (hash) => 1 - hammingDistance(own, hash) / 256);
  };
}

async function measure(
  { logos }: PreparedHalf,
  scans: readonly Scan[],
  scorer: Scorer,
  queryOf: "query" | "controlQuery",
): Promise<Results> {
  const positives = new Map<string, number[]>();
  const withDense = new Map<string, number[]>();
  const negatives = new Map<string, { scores: number[]; pairs: number }>();
  const byLogo: number[] = [];
  for (const { name, [queryOf]: query } of logos) {
    const scores = await scorer(readLogoDescriptor(query));
    let alarms = 0;
    let pairs = 0;
    for (const [i, { owner, transformation, bothScore }] of scans.entries()) {
      if (owner === name) {
        listOf(positives, transformation, () => []).push(scores[i]!);
        listOf(withDense, transformation, () => []).push(bothScore);
        continue;
      }
      const list = listOf(negatives, transformation, () => ({ scores: [], pairs: 0 }));
      list.pairs++;
      pairs++;
      if (scores[i]! > 0) list.scores.push(scores[i]!);
      if (scores[i]! >= documentedScores[1]) alarms++;
    }
    byLogo.push(alarms / pairs);
  }
  return { trials: { positives, negatives }, withDense, byLogo };
}

function listOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "-".padStart(6) : (100 * share).toFixed(1).padStart(6);
}

function rate(share: number): string {
  return Number.isNaN(share) ? "-".padStart(8) : share.toExponential(1).padStart(8);
}

const pages = /^page /;

/** Rows of the table: each transformation, then groups of them. */
function groupsOf({ positives }: Trials): readonly (readonly [string, readonly string[]])[] {
  const names = [...positives.keys()];
  return [
    ...names.map((name) => [name, [name]] as const),
    ["page screenshots", names.filter((n) => pages.test(n))],
    ["all but page screenshots", names.filter((n) => !pages.test(n))],
    ["all", names],
  ];
}

function printTable(ours: Results, theirs: Results): void {
  const limits = rates.map((r) => scoreAtRate(ours.trials, r));
  const theirLimits = rates.map((r) => scoreAtRate(theirs.trials, r));
  console.log("recall in %; rates are false alarms over pairs; image-hash is the control\n");
  console.log(
    `${"".padEnd(30)}     n   1e-3   1e-4 | at .75  at .85 | with dense .75 .85 |  rate .75 rate .85 | image-hash 1e-3 1e-4`,
  );
  for (const [title, names] of groupsOf(ours.trials)) {
    const own = pooled(names.map((n) => ours.trials.positives.get(n) ?? []));
    const both = pooled(names.map((n) => ours.withDense.get(n) ?? []));
    const control = pooled(names.map((n) => theirs.trials.positives.get(n) ?? []));
    const alarms = documentedScores.map((s) =>
      falseAlarms(ours.trials, s, names.length === 1 ? names[0] : undefined),
    );
    console.log(
      `${title.padEnd(30)}${String(own.length).padStart(6)} ${limits.map((l) => percent(recall(own, l))).join(" ")} | ${documentedScores.map((s) => percent(recall(own, s))).join("  ")} |     ${documentedScores.map((s) => percent(recall(both, s))).join("  ")} | ${(names.length === 1 || title === "all" ? alarms : [Number.NaN, Number.NaN]).map(rate).join(" ")} |       ${theirLimits.map((l) => percent(recall(control, l))).join(" ")}`,
    );
  }
  console.log(
    `${noLogo.padEnd(30)}${"".padStart(6)} ${"".padStart(13)} | ${"".padStart(14)} | ${"".padStart(18)} | ${documentedScores.map((s) => rate(falseAlarms(ours.trials, s, noLogo))).join(" ")} |`,
  );
}

function printSummary({ trials, byLogo }: Results): void {
  const good = byLogo.filter((r) => r <= 1e-3).length / byLogo.length;
  console.log(`\nlogos with a false-alarm rate <= 1e-3 at ${documentedScores[1]}: ${percent(good)} %`);
  const limits = [1e-2, 1e-3, 1e-4, 1e-5].map((r) => {
    const score = scoreAtRate(trials, r);
    return `${r.toExponential(0)}: ${score.toFixed(4)} (${rawOf(score).toFixed(4)})`;
  });
  console.log(`scores (raw similarities) at false-alarm rates: ${limits.join("  ")}`);
}

/** The raw similarity of a score, from which `scoreBreakpoints` in tuning.ts are set. */
function rawOf(score: number): number {
  const above = Math.max(
    1,
    scoreBreakpoints.findIndex(([, y]) => y >= score),
  );
  const [[x0, y0], [x1, y1]] = [scoreBreakpoints[above - 1]!, scoreBreakpoints[above]!];
  return x0 + ((x1 - x0) * (score - y0)) / (y1 - y0);
}

async function evaluate(prepared: PreparedHalf, seed: number): Promise<void> {
  const scans = scansOf(prepared);
  const ours = await measure(prepared, scans, shippedScorer(scans), "query");
  const theirs = await measure(prepared, scans, controlScorer(scans), "controlQuery");
  const views = scans.reduce((sum, { descriptor }) => sum + descriptor.views.length, 0) / scans.length;
  const invisible = prepared.logos.reduce((sum, { invisible: list }) => sum + list.length, 0);
  console.log(
    `\n== ${prepared.half} half, seed ${seed}: ${prepared.logos.length} logos, ${scans.length} pictures, ${views.toFixed(1)} views a picture`,
  );
  console.log(`left out because the logo is not visible: ${invisible} pictures\n`);
  printTable(ours, theirs);
  printSummary(ours);
}

const halfNames = ["tuning", "held-out"] as const;

function sizeFromArguments(): EvaluationSize & { halves: readonly PreparedHalf["half"][] } {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      logos: { type: "string" },
      workers: { type: "string", default: "2" },
      quick: { type: "boolean", default: false },
      half: { type: "string" },
    },
  });
  const halves = halfNames.filter((h) => values.half === undefined || h === values.half);
  if (halves.length === 0) throw new Error(`--half must be ${halfNames.join(" or ")}; found ${values.half}`);
  const total = countOf("logos", values.logos ?? (values.quick ? "80" : "400"));
  const workers = countOf("workers", values.workers);
  return { seed: countOf("seed", values.seed), logos: Math.ceil(total / 2), workers, halves };
}

function countOf(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be an integer from 1; found ${text}`);
}

await assertFonts();
const size = sizeFromArguments();
for (const half of size.halves) await evaluate(await prepareHalf(half, size), size.seed);
