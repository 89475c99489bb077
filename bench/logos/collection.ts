/**
 * The logos of the evaluation: simple-icons and @iconify-json/logos (both CC0), one logo a brand.
 *
 * Brands whose names share the first word have similar logos, so only one of each such family is chosen. The SHA-256 of
 * the name selects the half: an even first byte is the tuning half, an odd one the held-out half.
 */

import { createHash } from "node:crypto";
import { icons as iconify } from "@iconify-json/logos";
import * as simpleIcons from "simple-icons";

/** A logo as SVG. */
export interface Logo {
  readonly name: string;
  readonly svg: string;
  /** A color of the brand, as #rrggbb. */
  readonly color: string;
}

export type Half = "tuning" | "held-out";

/** Longest side of a rendered logo, in pixels. */
const renderedSide = 512;

/** The half of a logo. */
export function halfOf(name: string): Half {
  return createHash("sha256").update(name).digest()[0]! % 2 === 0 ? "tuning" : "held-out";
}

/** A pseudorandom number, at least 0 and below 1, the same for the same values. */
export function chance(...values: readonly (string | number)[]): number {
  return createHash("sha256").update(values.join("\n")).digest().readUInt32LE(0) / 2 ** 32;
}

/** `count` logos of a half, chosen by the seed from both sets; fewer when the half has fewer. */
export function chooseLogos(half: Half, count: number, seed: number): readonly Logo[] {
  const families = new Set<string>();
  const chosen: Logo[] = [];
  const ranked = [...simple(), ...colored()]
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

/** Every second logo of simple-icons, so that both sets have similar sizes. */
function simple(): readonly Logo[] {
  const all = Object.values(simpleIcons) as readonly { title: string; path: string; hex: string }[];
  return all
    .filter((_, i) => i % 2 === 0)
    .map(({ title, path, hex }) => ({
      name: `simple/${title}`,
      color: `#${hex}`,
      svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${renderedSide}" height="${renderedSide}" viewBox="0 0 24 24"><path fill="#${hex}" d="${path}"/></svg>`,
    }));
}

function colored(): readonly Logo[] {
  const { icons, width: usualWidth = 256, height: usualHeight = 256 } = iconify;
  return Object.entries(icons)
    .filter(([, icon]) => !icon.hidden)
    .map(([name, { body, width = usualWidth, height = usualHeight }]) => {
      const scale = renderedSide / Math.max(width, height);
      const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`;
      return {
        name: `logos/${name}`,
        color: /fill="(#[0-9a-f]{6})"/i.exec(body)?.[1] ?? "#336699",
        svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size} viewBox="0 0 ${width} ${height}">${body}</svg>`,
      };
    });
}
