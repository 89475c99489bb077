/**
 * Recall of `findLogos` at 0.85 by effect, and false alarms: `npm run bench:effects -- <folder of
 * pages> [--part held-out] [--logos 30] [--skip 0] [--only covered] [--misses]`.
 *
 * Logos that others drew are pasted on windows of pages that others made, and each picture is searched for all logos of the
 * part. A hit must overlap the logo. Logos whose brand is the name of a page are left out. Nothing is chosen on the
 * held-out part: it has other logos, and other pages.
 */

import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type CompiledLogo, compileLogo, findLogos } from "../../../src/engine/logo/find-logos.ts";
import { chance } from "../collection.ts";
import { parts } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { installIcons } from "../pages/sources.ts";
import { exponent, percent, wilson } from "../pages/statistics.ts";
import { render } from "../transformations.ts";
import { type Effect, effects, partEffects, symbolEffects } from "./effects.ts";
import { lockups, tiles } from "./logo-parts.ts";
import { backgroundsOf, paste } from "./paste.ts";

interface Sample {
  readonly effect: Effect;
  /** Name of the searched logo. */
  readonly name: string;
  /** The drawn part of the logo. */
  readonly png: Buffer;
}

const { values, positionals } = parseArgs({
  options: {
    part: { type: "string", default: "tuning" },
    logos: { type: "string", default: "30" },
    skip: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    misses: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
const part = parts.find((each) => each === values.part);
if (!folder || !part) throw new Error(`Name the folder of the pages; --part must be ${parts.join(" or ")}.`);

installIcons();
const pages = backgroundsOf(folder, part);
if (pages.length === 0) throw new Error(`There are no pictures of the ${part} part in ${folder}.`);
const familyOf = (name: string) =>
  name
    .split("/")
    .at(-1)
    ?.toLowerCase()
    .split(/[^a-z0-9]+/)[0] ?? "";
const families = new Set(parts.flatMap((each) => backgroundsOf(folder, each)).map((file) => familyOf(file)));
const take = <T extends { readonly name: string }>(list: readonly T[]) =>
  [...list]
    .filter(({ name }) => !families.has(familyOf(name)))
    .sort((a, b) => chance("effects", a.name) - chance("effects", b.name))
    .slice(Number(values.skip), Number(values.skip) + Number(values.logos));

const files = new Map<string, Buffer>();
const samples: Sample[] = [];
for (const { name, kind, content, color } of take(pageLogos(part))) {
  const { png } = await render(name, content, color, color);
  files.set(name, png);
  for (const effect of effects) if (!effect.free || kind === "free") samples.push({ effect, name, png });
}
for (const { name, png, parts: drawn } of take(await lockups(part))) {
  if ([...files.keys()].some((known) => familyOf(known) === familyOf(name))) continue;
  files.set(name, png);
  const all = Object.entries({ whole: png, ...drawn });
  for (const [of, half] of all)
    for (const effect of partEffects)
      samples.push({ effect: { ...effect, name: `lock-up: ${of}${effect.name}` }, name, png: half });
}
for (const { name, png, parts: drawn } of take(await tiles(part))) {
  files.set(name, png);
  for (const effect of symbolEffects) samples.push({ effect, name, png: drawn["symbol"] as Buffer });
}

const compiled: CompiledLogo[] = [];
const names = [...files.keys()];
const before = process.cpuUsage();
for (const name of names) {
  const outcome = await compileLogo(files.get(name) as Buffer);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.problems[0].message}`);
  compiled.push(outcome.value);
}
const compileTime = process.cpuUsage(before);
const wanted = samples.filter(({ effect }) => effect.name.includes(values.only));
const scores = new Map<string, number[]>();
const alarms = { of: 0, at75: 0, at85: 0 };
let searchTime = 0;
for (const { effect, name, png } of wanted) {
  const seed = `${effect.name} ${name}`;
  const height = effect.heights[Math.floor(chance("height", seed) * effect.heights.length)] as number;
  const page = pages[Math.floor(chance("page", seed) * pages.length)] as string;
  const { file, box } = await paste(page, await effect.draw(png, name), height, seed);
  const start = process.cpuUsage();
  const outcome = await findLogos(file, compiled);
  const used = process.cpuUsage(start);
  searchTime += used.user + used.system;
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  for (const [i, hit] of outcome.value.findings.entries()) {
    const { score, kind, box: at } = hit;
    if (names[i] === name) {
      const isThere =
        at && at.x < box[2] && at.x + at.width > box[0] && at.y < box[3] && at.y + at.height > box[1];
      scores.set(effect.name, [...(scores.get(effect.name) ?? []), isThere ? score : 0]);
      if (values.misses && !(isThere && score >= 0.85))
        console.log(
          "missed",
          effect.name,
          name,
          `${height} px`,
          score.toFixed(3),
          kind,
          isThere ? "" : "elsewhere",
        );
      continue;
    }
    alarms.of++;
    if (score >= 0.75) alarms.at75++;
    if (score < 0.85) continue;
    alarms.at85++;
    console.log("alarm", names[i], "in", seed, basename(page), score.toFixed(3), kind, JSON.stringify(at));
  }
}
const seconds = (us: number) => (us / 1e6).toFixed(3);
console.log(
  `${part}: ${names.length} logos, compiled in ${seconds((compileTime.user + compileTime.system) / names.length)} s of processor time each; ${wanted.length} pictures, ${seconds(searchTime / wanted.length)} s each`,
);
for (const [effect, list] of scores) {
  const rates = [0.75, 0.85].map((limit) =>
    percent(wilson(list.filter((score) => score >= limit).length, list.length)),
  );
  console.log(`${effect.padEnd(32)}${String(list.length).padStart(4)}  ${rates.join("  ")}`);
}
const rate = (hits: number) => `${hits} of ${alarms.of}, ${exponent(wilson(hits, alarms.of))}`;
console.log(`pairs without the logo: at 0.75 ${rate(alarms.at75)}; at 0.85 ${rate(alarms.at85)}`);
