/**
 * The logos of the pages: two packages of the main evaluation, and four more, among them app tiles and coins.
 *
 * A brand is in one part only: by the SHA-256 of its first word, and a brand that another evaluation used for tuning is
 * never held out.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chance, chooseLogos, halfOf } from "../collection.ts";
import type { PageLogo, Part } from "./cache.ts";

/** A logo with its SVG. */
export interface SourceLogo extends Pick<PageLogo, "name" | "family" | "kind" | "color"> {
  readonly content: string;
}

const side = 512;
/** The packages of the evaluation. */
const packages = new URL("../node_modules", import.meta.url).pathname;

/** Logos of a part from each source. */
const quotas: readonly (readonly [source: Source, count: number])[] = [
  ["simple", 36],
  ["logos", 38],
  ["devicon", 26],
  ["skill-icons", 14],
  ["super-tiny", 12],
  ["coins", 14],
];

type Source = "simple" | "logos" | "devicon" | "skill-icons" | "super-tiny" | "coins";

/** The logos of a part: 140, one a brand. */
export function pageLogos(part: Part): readonly SourceLogo[] {
  const usedForTuning =
    part === "held-out" ? new Set(pageLogos("tuning").map(({ family }) => family)) : new Set();
  const families = new Set<string>();
  return quotas.flatMap(([source, count]) => {
    const ranked = logosOf(source, part)
      .filter(({ name }) => partOf(name, source) === part)
      .map((logo) => ({ logo, rank: chance("pages", logo.name) }))
      .sort((a, b) => a.rank - b.rank);
    const chosen: SourceLogo[] = [];
    for (const { logo } of ranked) {
      if (chosen.length === count || families.has(logo.family) || usedForTuning.has(logo.family)) continue;
      families.add(logo.family);
      chosen.push(logo);
    }
    return chosen;
  });
}

function partOf(name: string, source: Source): Part {
  if (source === "simple" || source === "logos") return halfOf(name);
  return createHash("sha256").update(familyOf(name)).digest()[0]! % 2 === 0 ? "tuning" : "held-out";
}

function familyOf(name: string): string {
  const plain = name.slice(name.indexOf("/") + 1).toLowerCase();
  return plain.split(/[^a-z0-9]+/)[0] || plain;
}

function logosOf(source: Source, part: Part): readonly SourceLogo[] {
  switch (source) {
    case "simple":
    case "logos":
      return chooseLogos(part, 400, 7)
        .filter(({ name }) => name.startsWith(`${source}/`))
        .map(({ name, svg, color }) => ({ name, color, kind: "free", family: familyOf(name), content: svg }));
    case "devicon":
      return iconifyLogos("devicon", "free").filter(({ name }) => !/wordmark|line/.test(name));
    case "skill-icons":
      return iconifyLogos("skill-icons", "tile");
    case "coins":
      return iconifyLogos("cryptocurrency-color", "disc");
    case "super-tiny":
      return superTinyLogos();
  }
}

interface IconSet {
  readonly width?: number;
  readonly height?: number;
  readonly icons: Readonly<Record<string, { body: string; width?: number; height?: number }>>;
}

function iconifyLogos(set: string, kind: PageLogo["kind"]): readonly SourceLogo[] {
  const file = join(packages, "@iconify-json", set, "icons.json");
  const { icons, width = 16, height = 16 } = JSON.parse(readFileSync(file, "utf8")) as IconSet;
  return Object.entries(icons).map(([name, icon]) => {
    const [w, h] = [icon.width ?? width, icon.height ?? height];
    const scale = side / Math.max(w, h);
    return {
      name: `${set}/${name}`,
      family: familyOf(`${set}/${name}`),
      kind,
      color: colorOf(icon.body),
      content: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${Math.round(w * scale)}" height="${Math.round(h * scale)}" viewBox="0 0 ${w} ${h}">${icon.body}</svg>`,
    };
  });
}

function superTinyLogos(): readonly SourceLogo[] {
  const folder = join(packages, "super-tiny-icons", "images", "svg");
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const name = `super-tiny/${file.replace(/\.svg$/, "")}`;
      const content = readFileSync(join(folder, file), "utf8").replace(
        /<svg /,
        `<svg width="${side}" height="${side}" `,
      );
      return { name, family: familyOf(name), kind: "tile", color: colorOf(content), content };
    });
}

function colorOf(svg: string): string {
  const found = /fill="#([0-9a-f]{6}|[0-9a-f]{3})"/i.exec(svg)?.[1] ?? "336699";
  return `#${found.length === 3 ? [...found].map((c) => c + c).join("") : found}`;
}
