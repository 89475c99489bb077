/**
 * Renders pages of running text with headless Chromium: paragraphs, headings, menus, buttons, tables and code in many
 * families, weights and sizes, dark on light and light on dark, with outlines and shadows; Latin, Cyrillic, Greek,
 * Japanese and Chinese. They show no logo, so that whatever is found in them is a false alarm.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { chance } from "../collection.ts";
import { cacheFolder } from "../pages/cache.ts";
import { packageFolder } from "../pages/sources.ts";
import { type FontPart, fontFamilies, installFonts } from "./fonts.ts";

/** A rendered page of text. */
export interface TextPage {
  readonly file: string;
  /** The family of most of its text. */
  readonly family: string;
  /** Its words. */
  readonly text: string;
}

const executable = process.env["EDGEPROOF_CHROMIUM"] ?? "/usr/bin/chromium";

/** The pages of a part: rendered once, the same each time but for the browser's version. */
export async function textPages(part: FontPart, count: number): Promise<readonly TextPage[]> {
  installFonts();
  const folder = join(cacheFolder(), "text", part);
  mkdirSync(folder, { recursive: true });
  const families = fontFamilies[part];
  const browser = await launch();
  const pages: TextPage[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    for (let n = 0; n < count; n++) {
      const family = families[n % families.length] ?? "";
      const other = families[Math.floor(chance("other", n) * families.length)] ?? "";
      const { html, text } = pageOf(`${part} ${n}`, [family, other, families.at(-1) ?? ""]);
      const isJpeg = chance("jpeg", n) < 0.4;
      const file = join(folder, `${n}.${isJpeg ? "jpg" : "png"}`);
      if (!existsSync(file)) {
        const source = join(folder, "page.html");
        writeFileSync(source, html);
        await page.goto(pathToFileURL(source).href);
        await page.evaluate("document.fonts.ready.then(() => 0)");
        const picture = sharp(await page.screenshot()).removeAlpha();
        const quality = 50 + Math.floor(chance("quality", n) * 45);
        await (isJpeg ? picture.jpeg({ quality }) : picture.png({ compressionLevel: 4 })).toFile(file);
      }
      pages.push({ file, family, text });
    }
  } finally {
    await browser.close();
  }
  return pages;
}

const marks =
  "me OI Aya go up in hi ox by co ai io ev um ra Ma Li ub ko ze M a K Ka sun win abc she are".split(" ");

/** Marks of one to three letters, each in a family of the part, as PNG files with transparency. */
export async function letterMarks(
  part: FontPart,
): Promise<readonly { readonly name: string; readonly png: Uint8Array }[]> {
  installFonts();
  const folder = join(cacheFolder(), "text", `${part}-marks`);
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
    const drawn: { readonly name: string; readonly png: Uint8Array }[] = [];
    for (const [i, name] of marks.entries()) {
      const families = fontFamilies[part];
      const family = families[i % families.length] ?? "";
      const source = join(folder, "mark.html");
      const style = `font:700 320px '${nameOf(family)}';color:${["#d22", "#226", "#181", "#93c", "#000"][i % 5]}`;
      writeFileSync(source, `<meta charset="utf-8">${stylesOf(family)}<span style="${style}">${name}</span>`);
      await page.goto(pathToFileURL(source).href);
      await page.evaluate("document.fonts.ready.then(() => 0)");
      const shot = await page.screenshot({ omitBackground: true });
      drawn.push({
        name,
        png: await sharp(shot).trim().resize(512, 512, { fit: "inside" }).png().toBuffer(),
      });
    }
    return drawn;
  } finally {
    await browser.close();
  }
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--no-first-run"],
  });
}

/** The style sheets of a family: all weights of all alphabets that it has. */
function stylesOf(family: string): string {
  const folder = packageFolder(`@fontsource/${family}`);
  return ["400", "500", "700", "800", "400-italic"]
    .map((name) => join(folder, `${name}.css`))
    .filter((path) => existsSync(path))
    .map((path) => `<link rel="stylesheet" href="${pathToFileURL(path).href}">`)
    .join("");
}

function nameOf(family: string): string {
  const [, name = family] =
    /font-family: '([^']+)'/.exec(
      readFileSync(join(packageFolder(`@fontsource/${family}`), "400.css"), "utf8"),
    ) ?? [];
  return name;
}

let prose: readonly string[] | undefined;

/** English words in the order of prose: the documentation of installed packages. */
function proseWords(): readonly string[] {
  if (prose) return prose;
  const root = new URL("../../../node_modules/", import.meta.url).pathname;
  const texts = readdirSync(root)
    .sort()
    .flatMap((name) => ["README.md", "readme.md", "LICENSE"].map((file) => join(root, name, file)))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8").slice(0, 20_000));
  prose = texts
    .join(" ")
    .split(/\s+/)
    .filter((word) => /^[A-Za-z][\w'’,.;:()!?-]{0,16}$/.test(word) || /^\d[\d.,%]{0,6}$/.test(word));
  return prose;
}

/** Names of languages, regions and currencies in a language. */
function displayNames(language: string): readonly string[] {
  const regions =
    "AR AT AU BE BR CA CH CL CN CZ DE DK EG ES FI FR GB GR HU IE IL IN IS IT JP KE KR MX NL NO NZ PE PL PT RO RU SE SG TH TR UA US VN ZA";
  const languages =
    "ar bg cs da de el en es et fi fr he hi hu it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk vi zh";
  const ofType = (type: "region" | "language", codes: string) => {
    const names = new Intl.DisplayNames([language], { type });
    return codes.split(" ").map((code) => names.of(code) ?? code);
  };
  return [...ofType("region", regions), ...ofType("language", languages)];
}

const otherLanguages = ["ru", "uk", "bg", "el", "ja", "zh", "de", "fr", "pl", "tr", "vi", "es"];

function pageOf(
  seed: string,
  [family, other, fallback]: readonly [string, string, string],
): { html: string; text: string } {
  const random = (...more: (string | number)[]) => chance(seed, ...more);
  const pick = <T>(list: readonly T[], ...more: (string | number)[]) =>
    list[Math.floor(random(...more) * list.length)] as T;
  const said: string[] = [];
  let at = 0;
  const own = proseWords();
  const language = random("language") < 0.3 ? pick(otherLanguages, "which") : undefined;
  const foreign = language ? displayNames(language) : [];
  const words = (count: number): string => {
    at++;
    const from = Math.floor(random("from", at) * (own.length - count));
    const list =
      language && random("foreign", at) < 0.7
        ? Array.from({ length: count }, (_, i) => pick(foreign, "word", at, i))
        : own.slice(from, from + count);
    const joined = list.join(" ").replace(/[<>&]/g, "");
    said.push(joined);
    return joined;
  };
  const dark = random("dark") < 0.35;
  const hue = Math.floor(random("hue") * 360);
  const ground = dark
    ? pick(["#000", "#14181f", "#1b2a4a", "#202124", `hsl(${hue} 60% 22%)`], "g")
    : pick(["#fff", "#fff", "#f6f7f9", "#fffbe8", `hsl(${hue} 70% 95%)`], "g");
  const ink = dark
    ? pick(["#fff", "#e8eaed", "#ccc"], "i")
    : pick(["#000", "#222", "#444", "#1a1a6b", `hsl(${hue} 70% 30%)`], "i");
  const accent = `hsl(${hue} 75% ${dark ? 65 : 42}%)`;
  const effect = pick(
    [
      "",
      "",
      "text-shadow:1px 1px 2px #0008",
      "-webkit-text-stroke:1px currentColor",
      "letter-spacing:.08em",
      "letter-spacing:-.03em",
      "text-transform:uppercase",
      "font-style:italic",
      "opacity:.7",
    ],
    "effect",
  );
  const size = pick([11, 12, 13, 14, 15, 16, 18, 20, 24], "size");
  const weight = () => pick([400, 400, 500, 700, 800], "weight", at++);
  const block = (tag: string, px: number, count: number, style = "") =>
    `<${tag} style="font-size:${px}px;font-weight:${weight()};margin:6px 0;${style}">${words(count)}</${tag}>`;
  const menu = `<div style="display:flex;gap:22px;padding:12px 20px;background:${accent};color:${dark ? "#111" : "#fff"};font-size:${pick([14, 16, 20], "menu")}px">${Array.from({ length: 7 }, () => `<span style="font-weight:${weight()}">${words(1)}</span>`).join("")}</div>`;
  const heads = [28, 36, 48, 64]
    .map((px) => block("div", px, px > 40 ? 3 : 6, effect))
    .filter((_, i) => random("head", i) < 0.6)
    .join("");
  const table = `<table style="font-size:${size}px">${Array.from({ length: 5 }, () => `<tr>${Array.from({ length: 4 }, () => `<td style="padding:3px 14px;border:1px solid ${ink}">${words(1)}</td>`).join("")}</tr>`).join("")}</table>`;
  const buttons = Array.from(
    { length: 4 },
    (_, i) =>
      `<span style="display:inline-block;margin:4px;padding:6px 14px;border-radius:${6 * i}px;background:${i % 2 ? accent : ink};color:${i % 2 ? "#fff" : ground};font-size:${pick([12, 14, 18, 22], "b", i)}px;font-weight:${weight()}">${words(2)}</span>`,
  ).join("");
  const parts = [
    block("p", size, 60),
    table,
    buttons,
    block("p", size + 4, 35, effect),
    block("p", size, 50, `color:${accent}`),
    `<div style="font-family:'${nameOf(other)}','${nameOf(fallback)}'">${block("p", size + 2, 40)}</div>`,
  ];
  const order = parts.map((part, i) => ({ part, rank: random("order", i) })).sort((a, b) => a.rank - b.rank);
  const html = `<!doctype html><meta charset="utf-8">${stylesOf(family)}${stylesOf(other)}${stylesOf(fallback)}<body style="margin:0;height:700px;overflow:hidden;background:${ground};color:${ink};font-family:'${nameOf(family)}','${nameOf(fallback)}'">${random("menu?") < 0.6 ? menu : ""}<div style="padding:14px 24px">${heads}${order.map(({ part }) => part).join("")}</div>`;
  return { html, text: said.join(" ") };
}
