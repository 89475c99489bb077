/**
 * Recall of `findLogos` on pages of logos of 12 to 22 pixels, by height, and false alarms:
 * `npx tsx --tsconfig tsconfig.build.json bench/logos/pages/small.ts [--part held-out] [--misses]`.
 *
 * Each picture is searched for all logos of the part. A hit must overlap the logo.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { overlaps, type PartIndex, partFolder, partNamed, readPart } from "./cache.ts";
import { hasBrowser, renderSmallLogos } from "./render.ts";
import { exponent, percent, wilson } from "./statistics.ts";

/** A logo on a page that shows it, or not. */
interface Compared {
  /** Height of the logo, in pixels; undefined where it is not shown. */
  readonly height?: number;
  readonly score: number;
  readonly title: string;
}

async function compare({ part, logos, pictures }: PartIndex): Promise<readonly Compared[]> {
  const read = (file: string) => readFileSync(join(partFolder(part), file));
  const compiled: CompiledLogo[] = [];
  for (const { name, file } of logos) {
    const outcome = await compileLogo(read(file));
    if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
    compiled.push(outcome.value);
  }
  const compared: Compared[] = [];
  for (const { id, file, shows } of pictures) {
    const outcome = await findLogos(read(file), compiled);
    if (!outcome.ok) throw new Error(outcome.problems[0].message);
    for (const [i, hit] of outcome.value.findings.entries()) {
      const name = logos[i]?.name ?? "";
      const box = shows.find((each) => each.name === name)?.box;
      const isThere = box && overlaps(hit, box);
      const title = `${name} in ${id}, ${hit.kind}${box && !isThere ? ", elsewhere" : ""}`;
      const score = box && !isThere ? 0 : hit.score;
      compared.push({ title, score, ...(box && { height: box[3] - box[1] }) });
    }
  }
  return compared;
}

function report(compared: readonly Compared[], heights: readonly number[]): void {
  const shown = compared.filter(({ height }) => height !== undefined);
  const row = (title: string, list: readonly Compared[]) => {
    const rates = [0.75, 0.85].map((limit) => percent(shareFrom(list, limit)));
    console.log(`${title.padEnd(16)}${String(list.length).padStart(5)}  ${rates.join("  ")}`);
  };
  for (const height of heights)
    row(
      `${height} px`,
      shown.filter((each) => each.height === height),
    );
  row(
    "16 to 23 px",
    shown.filter(({ height = 0 }) => height >= 16 && height < 24),
  );
  const missing = compared.filter(({ height }) => height === undefined);
  for (const limit of [0.75, 0.85]) {
    const rate = shareFrom(missing, limit);
    console.log(`pairs without the logo, at ${limit}: ${rate.hits} of ${rate.of}, ${exponent(rate)}`);
  }
}

function shareFrom(list: readonly Compared[], limit: number) {
  return wilson(list.filter(({ score }) => score >= limit).length, list.length);
}

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "tuning" },
    misses: { type: "boolean", default: false },
  },
});
const part = partNamed(values.part);
if (!readPart(part, "small") && !hasBrowser()) {
  console.error("SKIPPED: the pages are not rendered and there is no Chromium. Nothing was measured.");
} else {
  await renderSmallLogos(part);
  const index = readPart(part, "small");
  if (!index) throw new Error(`The small logos of the part ${part} are not rendered.`);
  const compared = await compare(index);
  const heights = new Set(compared.flatMap(({ height }) => height ?? []));
  report(
    compared,
    [...heights].sort((a, b) => a - b),
  );
  const wrong = compared.filter(({ height, score }) => (height === undefined ? score >= 0.85 : score < 0.85));
  for (const { height, title, score } of values.misses ? wrong : [])
    console.log(height === undefined ? "alarm" : `missed, ${height} px`, score.toFixed(3), title);
}
