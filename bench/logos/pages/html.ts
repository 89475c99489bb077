/** The parts that layouts are made of: text, cards, headers, backgrounds. All of it is drawn by a browser. */

import { chance } from "../collection.ts";

/** The contents of a layout. */
export interface PageContent {
  /** `file:` address of a photograph by number. */
  photo(number: number): string;
}

/** A page to render. */
export interface PageLayout {
  readonly name: string;
  readonly viewport: readonly [width: number, height: number];
  /** Pixels of the screen per CSS pixel; 1 by default. */
  readonly scale?: number;
  /** Renders the whole page; its height is set by its content. */
  readonly fullPage?: boolean;
  /** Color behind the logo, to leave out logos that would be invisible; absent on photographs and for silhouettes. */
  readonly background?: string;
  readonly jpeg?: number;
  readonly webp?: number;
  /** Logos shown at once; 1 by default. */
  readonly logos?: number;
  /** Pictures of this layout; the default otherwise. */
  readonly count?: number;
  readonly html: (content: PageContent) => string;
}

const words =
  "account market service update review report project summer travel secure delivery status payment simple guide open price order green garden paper window letter music studio office team learn more support contact history event member daily offer weather kitchen mountain river engine network cloud camera ticket library health sport season article author chapter".split(
    " ",
  );

/** So many words, the same for the same seed. */
export function text(count: number, seed: string | number): string {
  const chosen = Array.from(
    { length: count },
    (_, i) => words[Math.floor(chance("text", seed, i) * words.length)],
  );
  const sentence = chosen.join(" ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Paragraphs of words. */
export function paragraphs(count: number, seed: string | number, length = 60): string {
  return Array.from({ length: count }, (_, i) => `<p>${text(length, `${seed} ${i}`)}.</p>`).join("");
}

/** The place of a logo: its height in CSS pixels, and more style. */
export function logo(height: number, style = "", which = 0): string {
  return `<img class="logo" data-logo="${which}" style="height:${height}px;width:auto;max-width:${8 * height}px;vertical-align:middle;${style}">`;
}

/** Turns a logo into a silhouette of one color, black or white. */
export const whiteFilter = "filter:brightness(0) invert(1);";

/** A drawn icon: a disc, tile, ring, star, bars. */
export function icon(size: number, seed: string | number, color?: string): string {
  const fill = color ?? `hsl(${Math.floor(chance("hue", seed) * 360)} 60% 50%)`;
  const shapes = [
    `<circle cx="12" cy="12" r="11" fill="${fill}"/>`,
    `<rect x="1" y="1" width="22" height="22" rx="5" fill="${fill}"/>`,
    `<circle cx="12" cy="12" r="9" fill="none" stroke="${fill}" stroke-width="3"/>`,
    `<path d="M12 1l3.2 7 7.6.8-5.7 5.1 1.6 7.5L12 17.600l-6.700 3.800 1.600-7.500L1.200 8.800l7.600-.8z" fill="${fill}"/>`,
    `<path d="M3 12h4v9H3zM10 4h4v17h-4zM17 8h4v13h-4z" fill="${fill}"/>`,
    `<path d="M4 6h16M4 12h16M4 18h10" stroke="${fill}" stroke-width="3"/>`,
    `<circle cx="10" cy="10" r="7" fill="none" stroke="${fill}" stroke-width="3"/><path d="M15 15l7 7" stroke="${fill}" stroke-width="3"/>`,
  ];
  const shape = shapes[Math.floor(chance("shape", seed) * shapes.length)] ?? "";
  return `<svg width="${size}" height="${size}" viewBox="0 0 24 24" style="vertical-align:middle">${shape}</svg>`;
}

/** A disc or tile with a letter, as profile pictures have. */
export function initial(size: number, seed: string | number, radius = size / 2): string {
  const letter = String.fromCharCode(65 + Math.floor(chance("letter", seed) * 26));
  const hue = Math.floor(chance("hue", seed) * 360);
  return `<span style="display:inline-block;width:${size}px;height:${size}px;border-radius:${radius}px;background:hsl(${hue} 55% 45%);color:#fff;text-align:center;font-size:${Math.round(size * 0.5)}px;line-height:${size}px;vertical-align:middle">${letter}</span>`;
}

/** A page with a body's style. */
export function page(bodyStyle: string, body: string, font = "DejaVu Sans, sans-serif"): string {
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;font:15px/1.5 ${font};color:#222;${bodyStyle}}a{color:#1a56db;text-decoration:none}h1,h2,h3,p{margin:0 0 12px}button,.b{display:inline-block;border:0;border-radius:6px;padding:9px 18px;background:#2563eb;color:#fff;font:inherit}input{display:block;width:100%;border:1px solid #c4c9d4;border-radius:5px;padding:9px;font:inherit;margin:0 0 12px;background:#fff}</style><body>${body}`;
}

/** Links of a menu. */
export function menu(count: number, seed: string, color = "#333"): string {
  return Array.from(
    { length: count },
    (_, i) => `<a style="color:${color};margin-left:22px">${text(1, `${seed} menu ${i}`)}</a>`,
  ).join("");
}

/** A header bar with a logo at the left. */
export function header(color: string, height: number, logoHeight: number, more = "", logoStyle = ""): string {
  return `<header style="background:${color};height:${height}px;display:flex;align-items:center;padding:0 32px;${more}">${logo(logoHeight, logoStyle)}<nav style="margin-left:auto">${menu(5, color)}</nav></header>`;
}

/** A grid of cards, each with a photograph or an icon, a title and text. */
export function cards(
  content: PageContent,
  count: number,
  columns: number,
  { photos = true, cell = "#fff", seed = "card" }: { photos?: boolean; cell?: string; seed?: string } = {},
): string {
  const all = Array.from({ length: count }, (_, i) => {
    const top =
      photos && i % 3 !== 2
        ? `<div style="height:110px;border-radius:6px;background:url(${content.photo(i + count)}) center/cover"></div>`
        : `<div>${icon(36, `${seed} ${i}`)}</div>`;
    return `<div style="background:${cell};border:1px solid #e2e5ea;border-radius:8px;padding:14px">${top}<h3 style="margin-top:10px;font-size:16px">${text(3, `${seed} title ${i}`)}</h3><div style="font-size:13px;color:#555">${text(14, `${seed} body ${i}`)}</div></div>`;
  });
  return `<section style="display:grid;grid-template-columns:repeat(${columns},1fr);gap:18px;padding:28px 32px">${all.join("")}</section>`;
}

/** The fields of a sign-in form. */
export function signInForm(seed: string): string {
  return `<h2 style="font-size:20px;margin-top:16px">Sign in</h2><input value="name@example.com"><input type="password" value="12345678"><button style="width:100%">Continue</button><p style="font-size:12px;color:#666;margin-top:14px">${text(12, seed)}</p>`;
}

/** A lock-up: logo, gap and name. */
export function lockUp(height: number, gap: number, name: string, style = ""): string {
  return `<span style="display:inline-flex;align-items:center;gap:${gap}px;${style}">${logo(height)}<b style="font-size:${Math.round(height * 0.62)}px;line-height:1">${name}</b></span>`;
}
