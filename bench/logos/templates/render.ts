/**
 * Renders pages of templates with a logo in the place of their brand: at 12 to 48 pixels, alone or beside the name, whole or
 * behind a badge, with text in families of npm, as PNG, JPEG and WebP. The same each time but for the browser's version.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { chance } from "../collection.ts";
import { cacheFolder, type Part } from "../pages/cache.ts";
import { pageLogos, type SourceLogo } from "../pages/page-logos.ts";
import type { TextFamily } from "../text/debian-fonts.ts";
import { pageFamilies } from "../text/text-pages.ts";
import { type TemplatePage, templatePages } from "./packages.ts";

/** A rendered picture. */
export interface TemplatePicture {
  readonly file: string;
  /** The package of the page. */
  readonly packageName: string;
  /** Name of the logo that it shows. */
  readonly logo: string;
  /** Height of the logo, in pixels. */
  readonly height: number;
  /** Left, top, right and bottom of the logo, in pixels. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** The change of the logo or of the picture. */
  readonly effect: Effect;
  /** The source of the page in lower case, to see which brands it names. */
  readonly source: string;
}

/** The change of the logo or of the picture. */
export type Effect = "whole" | "covered" | "JPEG 60";

const executable = process.env["EDGEPROOF_CHROMIUM"] ?? "/usr/bin/chromium";
/** Pictures of a page. */
const picturesOfPage = 5;
/** Heights of the logos, in pixels. */
const heights = [12, 14, 16, 18, 20, 22, 24, 28, 32, 36, 40, 48] as const;
/** Desktops and a phone. */
const viewports = [
  [1366, 768],
  [1440, 900],
  [1280, 720],
  [390, 844],
] as const;
/** Minimum share of the logo's pixels that differ from the page without it, by at least so many levels. */
const visibleShare = 0.5;
const visibleLevels = 48;
/** Maximum difference of the width over the height that a page gives a logo from its own, as a share. */
const maxDistortion = 0.06;
/** Logos that are tried for a picture, until one is visible on the page's color. */
const triedLogos = 8;
/** The origin that the files of a package are served from. */
const origin = "http://template.invalid";

/** The pictures of a part; rendered once. */
export async function templatePictures(part: Part): Promise<readonly TemplatePicture[]> {
  const folder = join(cacheFolder(), "templates", part);
  const index = join(folder, "index.json");
  if (existsSync(index)) return JSON.parse(readFileSync(index, "utf8")) as TemplatePicture[];
  mkdirSync(folder, { recursive: true });
  const families = await pageFamilies(part);
  const logos = pageLogos(part);
  const browser = await launch();
  const pictures: TemplatePicture[] = [];
  try {
    for (const template of templatePages(part)) {
      for (let n = 0; n < picturesOfPage; n++) {
        const seed = `${template.packageName} ${template.path} ${n}`;
        const font = pick(families, "font", seed);
        const drawing = { seed, font, folder, n: pictures.length };
        const picture = await renderPicture(browser, template, logos, drawing);
        if (picture) pictures.push(picture);
      }
      console.log(`${part}: ${template.packageName} ${template.path}, ${pictures.length} pictures`);
    }
  } finally {
    await browser.close();
  }
  writeFileSync(index, JSON.stringify(pictures));
  return pictures;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
}

interface Drawing {
  readonly seed: string;
  /** Family of the text. */
  readonly font: TextFamily;
  readonly folder: string;
  /** Number of the picture. */
  readonly n: number;
}

/** Runs in the page: puts an image in the place of the brand; returns whether there is such a place. */
const placeImage = `({ address, height, font, styles, hasName }) => {
  const shown = (each) => {
    const { left, top, right, bottom, width } = each.getBoundingClientRect();
    return width >= 20 && bottom - top >= 8 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight * 0.8
      && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const selectors = ["[class*=brand]", "[class*=logo]", "header a, nav a, aside a", "h1, h2", "form, .card-body"];
  const place = selectors.flatMap((each) => [...document.querySelectorAll(each)]).find(shown);
  if (!place) return false;
  const image = document.createElement("img");
  image.id = "placed-logo";
  image.src = address;
  image.style.cssText = "height:" + height + "px;width:auto;max-width:" + 6 * height + "px;flex:none;display:inline-block;filter:none;opacity:1;border-radius:0;padding:0;margin:0 6px 0 0;position:static;float:none;max-height:none;min-width:0;background:none;border:0;transform:none";
  const name = place.matches("form, .card-body") ? "" : place.textContent.trim().slice(0, 24);
  if (place.matches("form, .card-body")) place.prepend(image);
  else place.replaceChildren(image, ...(hasName ? [name] : []));
  const rule = "body, h1, h2, h3, h4, p, a, li, td, th, label, input, button, div { font-family: '" + font + "', sans-serif !important }";
  document.head.insertAdjacentHTML("beforeend", styles + "<style>" + rule + "</style>");
  return image.decode().then(() => true, () => false);
}`;

/** Runs in the page: shows or hides the image; returns its box, and the width over the height that the logo has. */
const showImage = `(isShown) => {
  const image = document.getElementById("placed-logo");
  image.style.visibility = isShown ? "visible" : "hidden";
  const { left, top, right, bottom } = image.getBoundingClientRect();
  return [left, top, right, bottom, image.naturalWidth / image.naturalHeight];
}`;

async function renderPicture(
  browser: Browser,
  template: TemplatePage,
  logos: readonly SourceLogo[],
  drawing: Drawing,
): Promise<TemplatePicture | undefined> {
  const { seed, font, folder, n } = drawing;
  const styles = font.styles.replaceAll("file://", `${origin}/placed-fonts`);
  const height = pick(heights, "height", seed);
  const [w, h] = pick(viewports, "viewport", seed);
  const ranked = [...logos].sort((a, b) => chance(seed, a.name) - chance(seed, b.name)).slice(0, triedLogos);
  const page = await browser.newPage({ viewport: { width: w, height: h } });
  try {
    await serve(page, template.root, logos);
    for (const { name } of ranked) {
      await page.goto(`${origin}/${template.path}`, { waitUntil: "load", timeout: 20_000 });
      const address = `${origin}/placed-logos/${encodeURIComponent(name)}`;
      const what = { address, height, font: font.name, styles, hasName: chance("name", seed) < 0.4 };
      const isPlaced = await page.evaluate(`(${placeImage})(${JSON.stringify(what)})`);
      if (!isPlaced) return undefined;
      await page.evaluate("document.fonts.ready.then(() => 0)");
      const without = await shot(page, false);
      const whole = await shot(page, true);
      const { box } = whole;
      const [left, top, right, bottom] = box;
      if (left < 0 || top < 0 || right > w || bottom > h || whole.isDistorted) continue;
      if (!(await isVisible(whole.png, without.png, box))) continue;
      const effect = pick(["whole", "whole", "covered", "JPEG 60"] as const, "effect", seed);
      const file = join(
        folder,
        `${n}.${effect === "JPEG 60" ? "jpg" : pick(["png", "jpg", "webp"], "type", seed)}`,
      );
      const drawn = effect === "covered" ? await covered(whole.png, box, seed) : whole.png;
      await sharp(drawn)
        .removeAlpha()
        .toFormat(file.endsWith("png") ? "png" : file.endsWith("webp") ? "webp" : "jpeg", {
          quality: effect === "JPEG 60" ? 60 : 82,
        })
        .toFile(file);
      const source = readFileSync(join(template.root, template.path), "utf8").toLowerCase();
      return { file, packageName: template.packageName, logo: name, height, box, effect, source };
    }
    return undefined;
  } finally {
    await page.close();
  }
}

function pick<T>(list: readonly T[], ...seed: readonly string[]): T {
  return list[Math.floor(chance(...seed) * list.length)] as T;
}

/** Serves the files of a package, and the logos; every other address has no answer. */
async function serve(page: Page, root: string, logos: readonly SourceLogo[]): Promise<void> {
  await page.route("**/*", async (route) => {
    const { origin: from, pathname } = new URL(route.request().url());
    if (from !== origin) return route.abort();
    const path = decodeURIComponent(pathname);
    if (path.startsWith("/placed-logos/")) {
      const logo = logos.find(({ name }) => path === `/placed-logos/${name}`);
      return logo ? route.fulfill({ contentType: "image/svg+xml", body: logo.content }) : route.abort();
    }
    const file = path.startsWith("/placed-fonts/")
      ? path.slice("/placed-fonts".length)
      : join(root, normalize(path));
    if (!existsSync(file) || extname(file) === "") return route.fulfill({ status: 404, body: "" });
    return route.fulfill({ path: file });
  });
}

async function shot(page: Page, isShown: boolean) {
  const [left, top, right, bottom, aspect] = (await page.evaluate(`(${showImage})(${isShown})`)) as readonly [
    number,
    number,
    number,
    number,
    number,
  ];
  const png = await page.screenshot({ animations: "disabled", timeout: 60_000 });
  const box = [left, top, right, bottom].map(Math.round) as unknown as TemplatePicture["box"];
  const distortion = (right - left) / (bottom - top) / aspect;
  return { box, png, isDistorted: Math.abs(distortion - 1) > maxDistortion };
}

/** Whether most of the logo's pixels differ from the page without it. */
async function isVisible(whole: Buffer, without: Buffer, box: TemplatePicture["box"]): Promise<boolean> {
  const [left, top, right, bottom] = box;
  const area = { left, top, width: right - left, height: bottom - top };
  const [a, b] = await Promise.all(
    [whole, without].map((png) => sharp(png).extract(area).removeAlpha().raw().toBuffer()),
  );
  if (!a || !b) return false;
  let [differ, differMuch] = [0, 0];
  for (let i = 0; i < a.length; i += 3) {
    const difference = Math.max(...[0, 1, 2].map((c) => Math.abs((a[i + c] ?? 0) - (b[i + c] ?? 0))));
    if (difference > 2) differ++;
    if (difference >= visibleLevels) differMuch++;
  }
  return differ * 20 >= area.width * area.height && differMuch >= visibleShare * differ;
}

/** A picture with a badge, a ribbon or a photograph over a quarter of the logo, at a corner or a side. */
async function covered(png: Buffer, [left, top, right, bottom]: TemplatePicture["box"], seed: string) {
  const [width, height] = [right - left, bottom - top];
  const area = 0.25 * width * height;
  const kind = pick(["disc", "ribbon", "tile"] as const, "kind", seed);
  const side = Math.min(height, width, Math.sqrt(area));
  const [w, h] =
    kind === "ribbon"
      ? chance("side", seed) < 0.5
        ? [width / 4, height]
        : [width, height / 4]
      : [side, side];
  const [x, y] = [
    left + (chance("right", seed) < 0.5 ? 0 : width - w),
    top + (chance("below", seed) < 0.5 ? 0 : height - h),
  ];
  const color = `hsl(${Math.floor(360 * chance("hue", seed))} ${pick([0, 70, 90], "much", seed)}% ${pick([20, 50, 65], "light", seed)}%)`;
  const shape =
    kind === "disc"
      ? `<ellipse cx="${x + w / 2}" cy="${y + h / 2}" rx="${w / 2}" ry="${h / 2}" fill="${color}"/>`
      : `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${kind === "tile" ? w / 5 : 0}" fill="${color}"/>`;
  const mark = `<text x="${x + w / 2}" y="${y + h / 2}" fill="#fff" font-family="sans-serif" font-size="${0.7 * Math.min(w, h)}" text-anchor="middle" dominant-baseline="central">${1 + Math.floor(9 * chance("digit", seed))}</text>`;
  const { width: all = 1, height: down = 1 } = await sharp(png).metadata();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="${down}">${shape}${mark}</svg>`;
  return sharp(png)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
}
