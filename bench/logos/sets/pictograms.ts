/** Pages of interface icons, which are not logos: of packages of icons, one of which is kept apart. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import sharp from "sharp";
import { chance } from "../collection.ts";
import type { Part } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { render } from "../transformations.ts";
import type { DataSet } from "./data-set.ts";

/** The packages, and their folders of icons. Icons of the held-out part are neither in the atlas nor in tuning. */
const packages: Readonly<Record<Part, readonly (readonly [name: string, folder: string])[]>> = {
  tuning: [
    ["lucide-static", "icons"],
    ["@tabler/icons", "icons"],
    ["bootstrap-icons", "icons"],
  ],
  "held-out": [["remixicon", "icons"]],
};
const brands = /(^|\/)(brand-|Logos\/)/;

const [width, height] = [1280, 800];
const grounds = ["#ffffff", "#ffffff", "#f3f4f6", "#1f2937", "#0f172a", "#eff6ff"];

/** The icons of a package: name and SVG of 24 units a side. */
export function iconsOf(part: Part): readonly { readonly name: string; readonly path: string }[] {
  const require = createRequire(import.meta.url);
  return packages[part].flatMap(([name, folder]) => {
    const root = join(dirname(require.resolve(`${name}/package.json`)), folder);
    return (readdirSync(root, { recursive: true }) as string[])
      .filter((path) => path.endsWith(".svg") && !brands.test(path))
      .sort()
      .map((path) => ({ name: basename(path, ".svg"), path: join(root, path) }));
  });
}

/** An icon as a part of a page, in a color. */
export function placedIcon(path: string, x: number, y: number, side: number, color: string): string {
  return readFileSync(path, "utf8")
    .replace(/^[\s\S]*?<svg/, "<svg")
    .replace(/<svg([^>]*)>/, (_, attributes: string) => {
      const kept = attributes.replace(/\s(width|height|class|x|y|id)="[^"]*"/g, "");
      return `<svg${kept} x="${x}" y="${y}" width="${side}" height="${side}" color="${color}"${/fill=/.test(kept) ? "" : ` fill="${color}"`}>`;
    });
}

/** A page of icons: rows of one size each, plain, on buttons or in discs. */
function pageOf(icons: ReturnType<typeof iconsOf>, seed: string) {
  const pick = (use: string) => chance("pictogram", use, seed);
  const ground = grounds[Math.floor(pick("ground") * grounds.length)] as string;
  const isDark = ground < "#7";
  const names: string[] = [];
  let body = `<rect width="${width}" height="${height}" fill="${ground}"/>`;
  for (let y = 12, row = 0; ; row++) {
    const side = [16, 18, 20, 24, 24, 28, 32, 40, 48][Math.floor(pick(`side ${row}`) * 9)] as number;
    if (y + side + 12 > height) break;
    const look = pick(`look ${row}`);
    const hue = Math.floor(360 * pick(`hue ${row}`));
    const color = look < 0.5 ? (isDark ? "#e5e7eb" : "#374151") : `hsl(${hue},60%,${isDark ? 70 : 40}%)`;
    const gap = side * (0.7 + pick(`gap ${row}`));
    for (let x = 16, column = 0; x + side + 16 < width; x += side + gap, column++) {
      const icon = icons[Math.floor(pick(`icon ${row} ${column}`) * icons.length)];
      if (!icon) break;
      names.push(icon.name);
      const margin = side * 0.3;
      const isFilled = look > 0.8;
      if (isFilled)
        body += `<rect x="${x - margin}" y="${y - margin}" width="${side + 2 * margin}" height="${side + 2 * margin}" rx="${look > 0.9 ? side : 6}" fill="hsl(${hue},65%,42%)"/>`;
      body += placedIcon(icon.path, x, y, side, isFilled ? "#ffffff" : color);
    }
    y += side * 1.9;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`;
  return { svg, names };
}

/** Logos of a part, and so many pages of icons. */
export async function pictograms(part: Part, count: number): Promise<DataSet> {
  const icons = iconsOf(part);
  const sources = pageLogos(part);
  const families = new Map(sources.map(({ name, family }) => [name, family]));
  const art = await Promise.all(
    sources.map(({ name, content, color }) => render(name, content, color, color)),
  );
  return {
    logos: art.map(({ name, png }) => ({ name, png })),
    async *pictures() {
      for (let n = 0; n < count; n++) {
        const { svg, names } = pageOf(icons, `${part} ${n}`);
        const page = sharp(Buffer.from(svg)).removeAlpha();
        const bytes = await (n % 3 === 0 ? page.jpeg({ quality: 80 }) : page.png()).toBuffer();
        const words = new Set(names.flatMap((name) => name.toLowerCase().split(/[^a-z0-9]+/)));
        yield {
          id: `icons ${n}`,
          row: "",
          bytes,
          shows: [],
          isLeftOut: (name) => words.has(families.get(name) ?? ""),
        };
      }
    },
  };
}
