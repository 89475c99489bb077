/**
 * Recall of `findLogos` by the height of the logo, by its package, and by the page:
 * `npx tsx --tsconfig tsconfig.build.json bench/logos/pages/heights.ts [--part held-out] [--pictures 6]`.
 *
 * Each picture of a page is searched for the logos that it shows. A hit must overlap the logo.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { grouped, type Occurrence, overlaps, type Part, partFolder, partNamed, readPart } from "./cache.ts";
import { hasBrowser, renderPart } from "./render.ts";
import { percent, wilson } from "./statistics.ts";

/** A shown logo and its score, 0 when the place is another one. */
interface Shown {
  readonly height: string;
  readonly family: string;
  readonly page: string;
  readonly score: number;
}

/** Upper bounds of the heights, in pixels. */
const heights = [16, 24, 40, 80] as const;

function heightOf([, top, , bottom]: readonly [number, number, number, number]): string {
  const height = bottom - top;
  const end = heights.find((bound) => height < bound);
  return end === undefined ? "80 px and more" : `below ${end} px`;
}

function kindOfPage(layout: string): string {
  const kinds = [
    /mobile/,
    /full page|long/,
    /photo/,
    /dark|black/,
    /dialog|consent/,
    /card|sign-in/,
    /header|bar|tabs/,
  ];
  return kinds.find((kind) => kind.test(layout))?.source ?? "other";
}

async function measure(part: Part, picturesOfLayout: number): Promise<readonly Shown[]> {
  await renderPart(part, picturesOfLayout);
  const index = readPart(part);
  if (!index) throw new Error(`The part ${part} is not rendered.`);
  const compiled = new Map<string, CompiledLogo>();
  const read = (file: string) => readFileSync(join(partFolder(part), file));
  const shown: Shown[] = [];
  for (const { group, layout, file, shows } of index.pictures) {
    const places = shows.flatMap(({ name, box }: Occurrence) => (box ? [{ name, box }] : []));
    if (group !== "page" || places.length === 0) continue;
    const logos: CompiledLogo[] = [];
    for (const { name } of places) {
      const source = index.logos.find((logo) => logo.name === name);
      const outcome = compiled.get(name) ?? (source && (await compileLogo(read(source.file))));
      if (!outcome || ("ok" in outcome && !outcome.ok)) throw new Error(`${name} cannot be compiled.`);
      const logo = "ok" in outcome ? outcome.value : outcome;
      compiled.set(name, logo);
      logos.push(logo);
    }
    const found = await findLogos(read(file), logos);
    if (!found.ok) throw new Error(found.problems[0].message);
    for (const [i, { name, box }] of places.entries()) {
      const hit = found.value.findings[i];
      const score = hit && overlaps(hit, box) ? hit.score : 0;
      shown.push({
        height: heightOf(box),
        family: name.split("/")[0] ?? "",
        page: kindOfPage(layout),
        score,
      });
    }
  }
  return shown;
}

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "held-out" },
    pictures: { type: "string", default: "6" },
  },
});
const part = partNamed(values.part);
if (readPart(part) || hasBrowser()) {
  const shown = await measure(part, Number(values.pictures));
  for (const by of ["height", "family", "page"] as const) {
    for (const [title, list] of [...grouped(shown, (each) => each[by])].sort()) {
      const rates = [0.75, 0.85].map((limit) =>
        percent(wilson(list.filter(({ score }) => score >= limit).length, list.length)),
      );
      console.log(
        `${by.padEnd(8)}${title.padEnd(24)}${String(list.length).padStart(5)}  ${rates.join("  ")}`,
      );
    }
  }
} else console.error("SKIPPED: the pages are not rendered and there is no Chromium. Nothing was measured.");
