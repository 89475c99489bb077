/**
 * The logos of the evaluation: simple-icons and @iconify-json/logos (both CC0), one logo a brand.
 *
 * Brands that share the first word of their name share their look, so only one of each such family is taken.
 * The halves are told apart by the SHA-256 of the name: even first byte tunes, odd is never tuned on.
 */

import { createHash } from "node:crypto";
import { icons as iconify } from "@iconify-json/logos";
import * as simpleIcons from "simple-icons";

/** A logo as SVG. */
export interface Logo {
  readonly name: string;
  readonly svg: string;
  /** A colour of the brand, as #rrggbb. */
  readonly colour: string;
}

export type Half = "tuning" | "held-out";

/** Longest side of a rendered logo, in pixels. */
const renderedSide = 512;

/** The half that a logo belongs to. */
export function halfOf(name: string): Half {
  return createHash("sha256").update(name).digest()[0]! % 2 === 0 ? "tuning" : "held-out";
}

/** A number from 0 up to 1 that is the same for the same texts. */
export function chance(...texts: readonly (string | number)[]): number {
  return createHash("sha256").update(texts.join("\n")).digest().readUInt32LE(0) / 2 ** 32;
}

/** `count` logos of a half, chosen by the seed; as many of either set as there are. */
export function chooseLogos(half: Half, count: number, seed: number): readonly Logo[] {
  const families = new Set<string>();
  const chosen: Logo[] = [];
  const ranked = [...simple(), ...coloured()]
    .filter(({ name }) => halfOf(name) === half)
    .map((logo) => ({ logo, rank: chance(seed, logo.name) }))
    .sort((a, b) => a.rank - b.rank);
  for (const { logo } of ranked) {
    const family = familyOf(logo.name);
    if (chosen.length === count || families.has(family)) continue;
    families.add(family);
    chosen.push(logo);
  }
  return chosen;
}

function familyOf(name: string): string {
  return (
    name
      .split("/")[1]!
      .toLowerCase()
      .split(/[^a-z0-9]+/)[0] ?? name
  );
}

/** Every second of simple-icons, so that both sets weigh alike. */
function simple(): readonly Logo[] {
  const all = Object.values(simpleIcons) as readonly { title: string; path: string; hex: string }[];
  return all
    .filter((_, i) => i % 2 === 0)
    .map(({ title, path, hex }) => ({
      name: `simple/${title}`,
      colour: `#${hex}`,
      svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${renderedSide}" height="${renderedSide}" viewBox="0 0 24 24"><path fill="#${hex}" d="${path}"/></svg>`,
    }));
}

function coloured(): readonly Logo[] {
  const { icons, width: usualWidth = 256, height: usualHeight = 256 } = iconify;
  return Object.entries(icons)
    .filter(([, icon]) => !icon.hidden)
    .map(([name, { body, width = usualWidth, height = usualHeight }]) => {
      const scale = renderedSide / Math.max(width, height);
      const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`;
      return {
        name: `logos/${name}`,
        colour: /fill="(#[0-9a-f]{6})"/i.exec(body)?.[1] ?? "#336699",
        svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size} viewBox="0 0 ${width} ${height}">${body}</svg>`,
      };
    });
}
