/**
 * Recall of `findLogos` on pages of templates that others made, by height and effect, and false alarms:
 * `npm run bench:templates -- [--part held-out] [--misses]`.
 *
 * Each picture is searched for all logos of the part. A hit must overlap the logo. A pair of a logo and a page whose source
 * has the logo's name, as an icon or a link, is left out. Nothing was chosen on the held-out part, whose first misses are why
 * the colors of a logo count.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { grouped, overlaps, type Part, partNamed } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { hasBrowser } from "../pages/render.ts";
import { exponent, percent, wilson } from "../pages/statistics.ts";
import { render } from "../transformations.ts";
import { type TemplatePicture, templatePictures } from "./render.ts";

/** A shown logo, and its score: 0 when the place is another one. */
interface Shown extends Pick<TemplatePicture, "height" | "effect" | "packageName"> {
  readonly score: number;
}

/** The scores at which rates are reported. */
const limits = [0.75, 0.85] as const;
/** Upper bounds of the heights, in pixels. */
const heightBounds = [16, 24, 40, 60] as const;

async function evaluate(part: Part, listsMisses: boolean): Promise<void> {
  const pictures = await templatePictures(part);
  if (pictures.length === 0) throw new Error(`No picture of the ${part} part could be rendered.`);
  const logos = pageLogos(part);
  const compiled: CompiledLogo[] = [];
  for (const { name, content, color } of logos) {
    const outcome = await compileLogo((await render(name, content, color, color)).png);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
    compiled.push(outcome.value);
  }
  const shown: Shown[] = [];
  const missing: number[] = [];
  let named = 0;
  for (const picture of pictures) {
    const { file, logo, height, box, effect, packageName, source } = picture;
    const outcome = await findLogos(readFileSync(file), compiled);
    if (!outcome.ok) throw new Error(`${file}: ${outcome.problems[0].message}`);
    for (const [i, hit] of outcome.value.findings.entries()) {
      const { name = "", family = "" } = logos[i] ?? {};
      if (name === logo) {
        const score = overlaps(hit, box) ? hit.score : 0;
        shown.push({ height, effect, packageName, score });
        if (listsMisses && score < 0.85)
          console.log(
            "missed",
            effect,
            name,
            `${height} px`,
            hit.score.toFixed(3),
            hit.kind,
            score === 0 ? "elsewhere" : "",
            file,
          );
      } else if (source.includes(family)) named++;
      else {
        missing.push(hit.score);
        if (hit.score >= 0.85)
          console.log("alarm", name, hit.score.toFixed(3), hit.kind, file, JSON.stringify(hit.box));
      }
    }
  }
  report(shown, missing);
  console.log(`${named} pairs are left out, because the page has the name of the logo`);
}

function heightOf({ height }: Shown): string {
  return `below ${heightBounds.find((bound) => height < bound)} px`;
}

function report(shown: readonly Shown[], missing: readonly number[]): void {
  const row = (title: string, list: readonly Shown[]) => {
    const rates = limits.map((limit) =>
      percent(wilson(list.filter(({ score }) => score >= limit).length, list.length)),
    );
    console.log(`${title.padEnd(36)}${String(list.length).padStart(5)}  ${rates.join("  ")}`);
  };
  const intact = shown.filter(({ effect }) => effect !== "covered");
  row("all that is not covered", intact);
  row(
    "the same, from 16 px",
    intact.filter(({ height }) => height >= 16),
  );
  for (const keyOf of [heightOf, ({ packageName }: Shown) => packageName])
    for (const [title, list] of [...grouped(intact, keyOf)].sort()) row(title, list);
  for (const [title, list] of [...grouped(shown, ({ effect }) => effect)].sort()) row(title, list);
  row(
    "covered, from 24 px",
    shown.filter(({ effect, height }) => effect === "covered" && height >= 24),
  );
  for (const limit of limits) {
    const rate = wilson(missing.filter((score) => score >= limit).length, missing.length);
    console.log(`pairs without the logo, at ${limit}: ${rate.hits} of ${rate.of}, ${exponent(rate)}`);
  }
}

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "tuning" },
    misses: { type: "boolean", default: false },
  },
});
const part = partNamed(values.part);
if (hasBrowser()) await evaluate(part, values.misses);
else console.error("SKIPPED: there is no Chromium. Nothing was measured.");
