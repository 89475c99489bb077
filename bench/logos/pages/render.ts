/**
 * Renders both parts into the cache with headless Chromium.
 * The layouts and the pictures are fixed: rendering again draws the same pictures, except for the browser's version.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { chance } from "../collection.ts";
import { isVisibleOn, render as renderArtwork } from "../transformations.ts";
import {
  type Occurrence,
  type PageLogo,
  type PagePicture,
  type Part,
  type PartIndex,
  partFolder,
  readPart,
  writeToPart,
} from "./cache.ts";
import { hardTransformations } from "./hard.ts";
import { heldOutLayouts } from "./held-out-layouts.ts";
import type { PageContent, PageLayout } from "./html.ts";
import { pageLogos } from "./page-logos.ts";
import { installPhotos } from "./sources.ts";
import { tuningLayouts } from "./tuning-layouts.ts";
import { picturesWithoutLogo } from "./without-logo.ts";

const executable = process.env["EDGEPROOF_CHROMIUM"] ?? "/usr/bin/chromium";
/** Default number of pictures of a layout. */
const defaultPicturesOfLayout = 20;

/** Renders a part, unless it was rendered before with at least so many pictures of a layout; returns its index. */
export async function renderPart(
  part: Part,
  picturesOfLayout: number = defaultPicturesOfLayout,
): Promise<PartIndex> {
  const known = readPart(part);
  if (known && known.picturesOfLayout >= picturesOfLayout) return known;
  const photos = await installPhotos();
  const half = photos.filter((_, i) => (i % 2 === 0) === (part === "tuning"));
  const content: PageContent = { photo: (i) => pathToFileURL(half[i % half.length] ?? "").href };
  const logos = await writeLogos(part);
  const pictures: PagePicture[] = [];
  const browser = await launch();
  try {
    for (const layout of part === "tuning" ? tuningLayouts : heldOutLayouts) {
      pictures.push(...(await renderLayout(browser, part, fewer(layout, picturesOfLayout), logos, content)));
      console.log(`${part}: ${layout.name}`);
    }
    pictures.push(...(await picturesWithoutLogo(part, browser, content)));
  } finally {
    await browser.close();
  }
  pictures.push(...(await hardTransformations(part, logos, half)));
  const index: PartIndex = { part, picturesOfLayout, logos, pictures };
  writeToPart(part, "index.json", JSON.stringify(index));
  return index;
}

/** A layout with at most so many pictures: the first ones, so that more can be rendered later. */
function fewer(layout: PageLayout, picturesOfLayout: number): PageLayout {
  return { ...layout, count: Math.min(layout.count ?? defaultPicturesOfLayout, picturesOfLayout) };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--allow-file-access-from-files",
    ],
  });
}

/** Writes the logos of a part as SVG and PNG. */
async function writeLogos(part: Part): Promise<readonly PageLogo[]> {
  const logos: PageLogo[] = [];
  for (const { content, ...logo } of pageLogos(part)) {
    const file = logo.name.replace(/[^\w-]+/g, "_");
    const { png } = await renderArtwork(logo.name, content, logo.color, logo.color);
    writeToPart(part, `logos/${file}.svg`, content);
    writeToPart(part, `logos/${file}.png`, png);
    logos.push({ ...logo, file: `logos/${file}.png`, svg: `logos/${file}.svg` });
  }
  return logos;
}

/** Runs in the page: shows the logos with these addresses; returns their boxes in CSS pixels. */
const showLogos = `async (addresses) => {
  const images = [...document.querySelectorAll("img[data-logo]")];
  for (const image of images) {
    image.src = addresses[Number(image.dataset.logo) % addresses.length];
    await image.decode();
  }
  return images.map((image) => {
    const { left, top, right, bottom } = image.getBoundingClientRect();
    return [left, top + scrollY, right, bottom + scrollY];
  });
}`;

/** One picture of a layout for each group of logos that it shows. */
async function renderLayout(
  browser: Browser,
  part: Part,
  layout: PageLayout,
  logos: readonly PageLogo[],
  content: PageContent,
): Promise<readonly PagePicture[]> {
  const { name, viewport, scale = 1, count = defaultPicturesOfLayout, logos: shown = 1 } = layout;
  const groups = await logoGroups(part, layout, logos, count, shown);
  const slug = name.replace(/[^\w-]+/g, "_");
  const source = join(partFolder(part), "html", `${slug}.html`);
  writeToPart(part, `html/${slug}.html`, layout.html(content));
  const page = await browser.newPage({
    viewport: { width: viewport[0], height: viewport[1] },
    deviceScaleFactor: scale,
  });
  const pictures: PagePicture[] = [];
  try {
    await page.goto(pathToFileURL(source).href);
    for (const [i, group] of groups.entries()) {
      const sources = group.map(({ svg }) => pathToFileURL(join(partFolder(part), svg)).href);
      const boxes = await page.evaluate<readonly number[][]>(`(${showLogos})(${JSON.stringify(sources)})`);
      const shows = group.map(({ name: logo }, k): Occurrence => {
        const [left = 0, top = 0, right = 0, bottom = 0] = (boxes[k] ?? []).map((v) => Math.round(v * scale));
        return { name: logo, box: [left, top, right, bottom] };
      });
      const extension = layout.jpeg ? "jpg" : layout.webp ? "webp" : "png";
      const file = `pictures/${slug}-${i}.${extension}`;
      // Kept from a run that was stopped.
      if (!existsSync(join(partFolder(part), file))) {
        const screenshot = await page.screenshot({ fullPage: layout.fullPage ?? false, timeout: 300_000 });
        writeToPart(part, file, await encoded(screenshot, layout));
      }
      const { width = 0, height = 0 } = await sharp(join(partFolder(part), file)).metadata();
      pictures.push({ id: `${slug}-${i}`, group: "page", layout: name, file, width, height, shows });
    }
  } finally {
    await page.close();
  }
  return pictures;
}

function encoded(screenshot: Buffer, { jpeg, webp }: PageLayout): Promise<Buffer> {
  const image = sharp(screenshot).removeAlpha();
  if (jpeg) return image.jpeg({ quality: jpeg }).toBuffer();
  return webp ? image.webp({ quality: webp }).toBuffer() : image.png({ compressionLevel: 4 }).toBuffer();
}

/** `count` groups of `shown` logos that are visible on the layout's background, the same each time. */
async function logoGroups(
  part: Part,
  { name, background }: PageLayout,
  logos: readonly PageLogo[],
  count: number,
  shown: number,
): Promise<readonly (readonly PageLogo[])[]> {
  const ranked = [...logos]
    .map((logo) => ({ logo, rank: chance(name, logo.name) }))
    .sort((a, b) => a.rank - b.rank);
  const usable: PageLogo[] = [];
  for (const { logo } of ranked) {
    if (background === undefined || (await isLogoVisible(part, logo, background))) usable.push(logo);
    if (usable.length === count * shown) break;
  }
  const groups = Math.floor(usable.length / shown);
  return Array.from({ length: Math.min(count, groups) }, (_, i) => usable.slice(i * shown, (i + 1) * shown));
}

async function isLogoVisible(part: Part, { file }: PageLogo, background: string): Promise<boolean> {
  const { data, info } = await sharp(join(partFolder(part), file))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return isVisibleOn({ data, width: info.width, height: info.height }, background);
}
