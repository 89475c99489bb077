/**
 * Searches labelled pictures for logos: `npx tsx --tsconfig tsconfig.build.json bench/logos/labelled-pages.ts <folder>
 * [--misses] [--alarms]`.
 *
 * The folder has `queries/<logo>.png`, and `index.json`: a list of `{ page, shows, older }`. `older` are logos that count
 * neither as shown nor as missing. Pages of one prefix that look the same (states of one template) are in the same half,
 * by the hash of the first of them: numbers may be chosen on the tuning half, and the kept-apart one is only reported.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { compileLogo, findLogos } from "../../src/engine/logo/find-logos.ts";
import { exponent, percent, wilson } from "./pages/statistics.ts";

interface Label {
  readonly page: string;
  readonly shows: readonly string[];
  readonly older: readonly string[];
}

type Half = "tuning" | "kept apart";

/** Side of the thumbnails that are compared, and the mean difference of two states of one template. */
const thumbnailSide = 24;
const maxDifference = 12;

/** The half of each page, by its template. */
async function halvesOf(folder: string, labels: readonly Label[]): Promise<readonly Half[]> {
  const templates: { readonly page: string; readonly prefix: string; readonly thumbnail: Uint8Array }[] = [];
  const halves: Half[] = [];
  for (const { page } of labels) {
    const picture = sharp(join(folder, page)).greyscale();
    const thumbnail = await picture.resize(thumbnailSide, thumbnailSide, { fit: "fill" }).raw().toBuffer();
    const prefix = page.replace(/-\d+\.\w+$/, "");
    const same = templates.find(
      (each) => each.prefix === prefix && difference(each.thumbnail, thumbnail) <= maxDifference,
    );
    if (!same) templates.push({ page, prefix, thumbnail });
    const hash = createHash("sha256")
      .update(same?.page ?? page)
      .digest();
    halves.push((hash[0] ?? 0) % 2 === 0 ? "tuning" : "kept apart");
  }
  console.log(`${labels.length} pages of ${templates.length} templates`);
  return halves;
}

function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

const { values, positionals } = parseArgs({
  options: {
    misses: { type: "boolean", default: false },
    alarms: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error("Name the folder of the labelled pages.");
const labels = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as readonly Label[];
const halves = await halvesOf(folder, labels);
const names = readdirSync(join(folder, "queries")).filter((file) => file.endsWith(".png"));
const compiled = [];
for (const name of names) {
  const outcome = await compileLogo(readFileSync(join(folder, "queries", name)));
  if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
  compiled.push(outcome.value);
}
const hasParts = compiled.map(({ detector }) => (detector.parts ?? []).length > 0);
const scores = { shown: new Map<Half, number[]>(), missing: new Map<Half, number[]>() };
for (const [i, { page, shows, older }] of labels.entries()) {
  const half = halves[i] as Half;
  const outcome = await findLogos(readFileSync(join(folder, page)), compiled);
  if (!outcome.ok) throw new Error(`${page}: ${outcome.problems[0].message}`);
  for (const [n, { score, kind, box }] of outcome.value.findings.entries()) {
    const name = names[n]?.replace(".png", "") ?? "";
    const isShown = shows.includes(name);
    // A lock-up is matched by its parts: where its symbol alone is shown, it is neither shown nor missing.
    const isPartShown = !isShown && hasParts[n] && shows.includes(`${name}-icon`);
    if (older.includes(name) || isPartShown) continue;
    const group = scores[isShown ? "shown" : "missing"];
    group.set(half, [...(group.get(half) ?? []), score]);
    if (isShown ? values.misses && score < 0.85 : values.alarms && score >= 0.85)
      console.log(
        isShown ? "missed" : "alarm",
        half,
        page,
        name,
        score.toFixed(3),
        kind,
        JSON.stringify(box),
      );
  }
}
for (const half of ["tuning", "kept apart"] as const) {
  const count = (group: "shown" | "missing", limit: number) => {
    const all = scores[group].get(half) ?? [];
    return wilson(all.filter((score) => score >= limit).length, all.length);
  };
  for (const limit of [0.75, 0.85]) {
    const [found, alarms] = [count("shown", limit), count("missing", limit)];
    console.log(
      `${half}, at ${limit}: found ${found.hits} of ${found.of}, ${percent(found)} %; alarms ${alarms.hits} of ${alarms.of}, ${exponent(alarms)}`,
    );
  }
}
