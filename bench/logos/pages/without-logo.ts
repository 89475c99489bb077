/**
 * Pictures without a logo of the part: discs, tiles, rings and letters, alone and many together, text, photographs and
 * pages of them. Plain shapes are what a logo that is a disc or a tile is mistaken for.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { chance } from "../collection.ts";
import { type PagePicture, type Part, partFolder, writeToPart } from "./cache.ts";
import { cards, icon, initial, type PageContent, page, paragraphs, text } from "./html.ts";

type Html = readonly [name: string, width: number, height: number, html: string];

const fonts = [
  "DejaVu Sans",
  "DejaVu Serif",
  "DejaVu Sans Mono",
  "Liberation Sans",
  "Liberation Serif",
  "Noto Sans",
];

function hue(seed: string): string {
  return `hsl(${Math.floor(chance("hue", seed) * 360)} ${40 + Math.floor(chance("s", seed) * 50)}% ${30 + Math.floor(chance("l", seed) * 35)}%)`;
}

/** One shape in the middle: disc, ring, tile, letter in a disc or a tile, a bare letter, a drawn icon. */
function shape(seed: string): string {
  const kinds = [
    "disc",
    "ring",
    "tile",
    "square",
    "letter disc",
    "letter tile",
    "letter",
    "icon",
    "two discs",
    "bars",
  ];
  const kind = kinds[Math.floor(chance("kind", seed) * kinds.length)] ?? "";
  const color = hue(seed);
  const font = fonts[Math.floor(chance("font", seed) * fonts.length)];
  const letter = String.fromCharCode(65 + Math.floor(chance("letter", seed) * 26));
  const radius = kind.includes("disc")
    ? 100
    : kind === "square"
      ? 0
      : 30 + Math.floor(40 * chance("radius", seed));
  const base = `display:inline-block;width:200px;height:200px;`;
  if (kind === "ring")
    return `<div style="${base}border-radius:50%;border:${14 + Math.floor(40 * chance("w", seed))}px solid ${color}"></div>`;
  if (kind === "letter")
    return `<div style="${base}font:bold 200px/200px '${font}';color:${color}">${letter}</div>`;
  if (kind === "icon") return icon(200, seed);
  if (kind === "two discs")
    return `<div style="${base}border-radius:50%;background:${color}"></div><div style="${base}margin-left:-70px;border-radius:50%;background:${hue(`${seed}b`)}"></div>`;
  if (kind === "bars")
    return [1, 2, 3]
      .map(
        (i) =>
          `<div style="width:200px;height:${20 + 30 * chance("bar", seed, i)}px;margin:14px auto;background:${color}"></div>`,
      )
      .join("");
  const inner = kind.startsWith("letter") ? letter : "";
  return `<div style="${base}border-radius:${radius}px;background:${color};color:#fff;font:bold 120px/200px '${font}';text-align:center">${inner}</div>`;
}

function montage(seed: string, count: number, size: number): string {
  return Array.from({ length: count }, (_, i) =>
    chance("m", seed, i) < 0.5
      ? initial(size, `${seed} ${i}`, chance("r", seed, i) < 0.5 ? size / 2 : size / 5)
      : icon(size, `${seed} ${i}`),
  )
    .map((item) => `<span style="margin:9px">${item}</span>`)
    .join("");
}

function documentsOf(part: Part, content: PageContent): readonly Html[] {
  const shapes = Array.from(
    { length: 90 },
    (_, i): Html => [
      "shape",
      280,
      280,
      page(
        `background:${i % 4 === 3 ? "#20242c" : "#fff"};text-align:center;padding:40px`,
        shape(`${part} ${i}`),
      ),
    ],
  );
  const montages = Array.from(
    { length: 24 },
    (_, i): Html => [
      "montage",
      900,
      600,
      page(
        `background:${i % 3 === 2 ? "#161a22" : "#fff"};padding:24px`,
        montage(`${part} ${i}`, 60, 32 + 8 * (i % 5)),
      ),
    ],
  );
  const texts = Array.from(
    { length: 10 },
    (_, i): Html => [
      "text",
      1366,
      768,
      page(
        "background:#fff;padding:40px",
        `<h1>${text(6, `${part} ${i}`)}</h1>${paragraphs(6, `${part} ${i}`, 80)}`,
        fonts[i % fonts.length],
      ),
    ],
  );
  const grids = Array.from(
    { length: 12 },
    (_, i): Html => [
      "cards",
      1366,
      768,
      page("background:#f4f5f7", cards(content, 6 + 2 * i, 3 + (i % 4), { seed: `${part} grid ${i}` })),
    ],
  );
  return [...shapes, ...montages, ...texts, ...grids];
}

/** Renders the pictures without a logo. */
export async function picturesWithoutLogo(
  part: Part,
  browser: Browser,
  content: PageContent,
): Promise<readonly PagePicture[]> {
  const view = await browser.newPage();
  const pictures: PagePicture[] = [];
  const counts = new Map<string, number>();
  try {
    for (const [layout, width, height, html] of documentsOf(part, content)) {
      const number = counts.get(layout) ?? 0;
      counts.set(layout, number + 1);
      const id = `none-${layout}-${number}`;
      const file = `pictures/${id}.png`;
      pictures.push({ id, group: "none", layout, file, width, height, shows: [] });
      if (existsSync(join(partFolder(part), file))) continue;
      writeToPart(part, "html/none.html", html);
      await view.setViewportSize({ width, height });
      await view.goto(pathToFileURL(join(partFolder(part), "html/none.html")).href);
      const bytes = await sharp(await view.screenshot())
        .removeAlpha()
        .png({ compressionLevel: 4 })
        .toBuffer();
      writeToPart(part, file, bytes);
    }
  } finally {
    await view.close();
  }
  return pictures;
}
