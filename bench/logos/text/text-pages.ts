/**
 * Renders pages of running text with headless Chromium: paragraphs, headings, menus, buttons, tables and code in many
 * families, weights and sizes, dark on light and light on dark, with outlines and shadows; Latin, Cyrillic, Greek,
 * Japanese and Chinese. They show no logo, so that whatever is found in them is a false alarm.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { glyphAtlasTable } from "../../../src/engine/logo/text/glyph-atlas-table.ts";
import { chance } from "../collection.ts";
import { cacheFolder } from "../pages/cache.ts";
import { atlasSimilarity, sameFace } from "./atlas-comparison.ts";
import type { TextFamily } from "./debian-fonts.ts";
import { type FontPart, textFamilies } from "./fonts.ts";

/** A rendered page of text. */
export interface TextPage {
  readonly file: string;
  /** The family of most of its text. */
  readonly family: string;
  /** The language of most of its text. */
  readonly language: string;
  /** Its words. */
  readonly text: string;
}

const executable = process.env["EDGEPROOF_CHROMIUM"] ?? "/usr/bin/chromium";

/** The families of a part that are not in the atlas, neither by name nor by their outlines. */
export async function pageFamilies(part: FontPart): Promise<readonly TextFamily[]> {
  const folder = join(cacheFolder(), "text-pages");
  mkdirSync(folder, { recursive: true });
  // Similarities to another atlas do not count.
  const atlas = createHash("sha256").update(glyphAtlasTable).digest("hex").slice(0, 8);
  const path = join(folder, `similarity-${atlas}.json`);
  const known = (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}) as Record<string, number>;
  const browser = await launch();
  const kept: TextFamily[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 2600, height: 100 } });
    for (const family of textFamilies(part)) {
      known[family.name] ??= await atlasSimilarity(page, family, join(folder, "letters.html"));
      if ((known[family.name] ?? 1) < sameFace) kept.push(family);
      else console.log(`${family.name} has the outlines of a face of the atlas; no page is set in it.`);
    }
  } finally {
    await browser.close();
  }
  writeFileSync(path, JSON.stringify(known));
  return kept;
}

/** The languages of the pages, as far as a family of the part has their letters: more than a third English, a fifth with the same letters, the others with their own. */
const languages =
  "en de ru en ja el en fr zh en digits uk en pl en ru en vi ja en el tr en zh digits en bg es en".split(" ");

/** The pages of a part: rendered once, the same each time but for the browser's version. */
export async function textPages(
  part: FontPart,
  families: readonly TextFamily[],
  count: number,
): Promise<readonly TextPage[]> {
  const folder = join(cacheFolder(), "text-pages", part);
  mkdirSync(folder, { recursive: true });
  const known = languages.filter((language) =>
    families.some((family) => family.languages.has(codeOf(language))),
  );
  const browser = await launch();
  const pages: TextPage[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    for (let n = 0; n < count; n++) {
      const seed = `${part} ${n}`;
      const language = known[n % known.length] ?? "en";
      const chosen = familiesOf(families, language, seed);
      const { html, text } = pageOf(seed, language, chosen);
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
      pages.push({ file, family: chosen[0].name, language, text });
    }
  } finally {
    await browser.close();
  }
  return pages;
}

/** The code of a language in families. */
function codeOf(language: string): string {
  return { zh: "zh-cn", digits: "en" }[language] ?? language;
}

/** The family of a page, one of another part of it, and one for letters that both do not have. */
function familiesOf(
  families: readonly TextFamily[],
  language: string,
  seed: string,
): readonly [TextFamily, TextFamily, TextFamily] {
  const able = families.filter((family) => family.languages.has(codeOf(language)));
  const latin = able.filter((family) => family.languages.has("en"));
  const pick = (list: readonly TextFamily[], use: string) => {
    const family = list[Math.floor(chance(use, seed) * list.length)];
    if (!family) throw new Error(`No family of the part has the letters of ${language}.`);
    return family;
  };
  return [pick(able, "family"), pick(able, "other"), pick(latin.length > 0 ? latin : families, "fallback")];
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--no-first-run"],
  });
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

/** Numbers as tables, prices, dates and telephone numbers have them. */
function numbers(seed: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const value = (limit: number) => Math.floor(chance(seed, "number", i, limit) * limit);
    const forms = [
      `${value(99_999)}`,
      `${value(999)}.${value(99)}`,
      `$${value(9_999)}`,
      `${value(100)} %`,
      `${2000 + value(30)}-${10 + value(3)}-${10 + value(19)}`,
      `+${value(99)} ${value(9_999)} ${value(99_999)}`,
    ];
    return forms[value(forms.length)] as string;
  });
}

function pageOf(
  seed: string,
  language: string,
  [family, other, fallback]: readonly [TextFamily, TextFamily, TextFamily],
): { html: string; text: string } {
  const random = (...more: (string | number)[]) => chance(seed, ...more);
  const pick = <T>(list: readonly T[], ...more: (string | number)[]) =>
    list[Math.floor(random(...more) * list.length)] as T;
  const said: string[] = [];
  let at = 0;
  const own = proseWords();
  const isEnglish = language === "en";
  const foreign = isEnglish ? [] : language === "digits" ? numbers(seed, 200) : displayNames(language);
  const words = (count: number): string => {
    at++;
    const from = Math.floor(random("from", at) * (own.length - count));
    const list =
      !isEnglish && random("foreign", at) < 0.8
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
    `<div style="font-family:'${other.name}','${fallback.name}'">${block("p", size + 2, 40)}</div>`,
  ];
  const order = parts.map((part, i) => ({ part, rank: random("order", i) })).sort((a, b) => a.rank - b.rank);
  const html = `<!doctype html><meta charset="utf-8">${family.styles}${other.styles}${fallback.styles}<body style="margin:0;height:700px;overflow:hidden;background:${ground};color:${ink};font-family:'${family.name}','${fallback.name}'">${random("menu?") < 0.6 ? menu : ""}<div style="padding:14px 24px">${heads}${order.map(({ part }) => part).join("")}</div>`;
  return { html, text: said.join(" ") };
}
