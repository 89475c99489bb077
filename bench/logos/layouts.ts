/**
 * Page screenshots that a logo is inserted into. The held-out half has layouts of its own, which were not used for
 * tuning. Text needs a sans-serif font of the system.
 */

import type { Half } from "./collection.ts";

/** A page, and the position of the logo in it. */
export interface Layout {
  readonly kind: "header" | "body";
  readonly half: Half;
  /** Color of the page behind the logo. */
  readonly background: string;
  /** Maximum size of the logo, in pixels. */
  readonly box: readonly [width: number, height: number];
  /** Left edge or center of the logo, and the center of its height. */
  readonly at: readonly [x: number, y: number];
  readonly anchor: "left" | "center";
  /** JPEG quality; PNG without it. */
  readonly jpeg?: number;
  /** The page without the logo; `accent` is a color of the brand. */
  readonly svg: (accent: string) => string;
}

function svg(width: number, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">${body}</svg>`;
}

function rect(x: number, y: number, w: number, h: number, style: string): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" ${style}/>`;
}

function text(x: number, y: number, size: number, fill: string, content: string, more = ""): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${more}>${content}</text>`;
}

/** Lines of running text. */
function paragraph(x: number, y: number, size: number, fill: string, lines: number): string {
  const words =
    "Your account needs attention please confirm the details below to keep using all of our services today";
  return Array.from({ length: lines }, (_, i) =>
    text(x, y + i * size * 1.5, size, fill, words.slice((i * 7) % 30, ((i * 7) % 30) + 52)),
  ).join("");
}

export const layouts: readonly Layout[] = [
  {
    kind: "header",
    half: "tuning",
    background: "#ffffff",
    box: [180, 44],
    at: [40, 40],
    anchor: "left",
    svg: (accent) =>
      svg(
        1024,
        640,
        rect(0, 0, 1024, 640, 'fill="#ffffff"') +
          text(640, 46, 16, "#333", "Products") +
          text(740, 46, 16, "#333", "Pricing") +
          text(830, 46, 16, "#333", "Help") +
          rect(910, 22, 84, 36, `rx="6" fill="${accent}"`) +
          rect(0, 80, 1024, 1, 'fill="#ddd"') +
          text(120, 200, 44, "#111", "Welcome back") +
          paragraph(120, 250, 18, "#555", 5) +
          rect(120, 420, 300, 48, 'rx="6" fill="none" stroke="#bbb"'),
      ),
  },
  {
    kind: "header",
    half: "tuning",
    background: "#f4f6f8",
    box: [140, 36],
    at: [512, 36],
    anchor: "center",
    jpeg: 75,
    svg: (accent) =>
      svg(
        1024,
        600,
        rect(0, 0, 1024, 600, 'fill="#ffffff"') +
          rect(0, 0, 1024, 72, 'fill="#f4f6f8"') +
          text(40, 42, 15, "#444", "Menu") +
          text(930, 42, 15, "#444", "Log in") +
          rect(0, 72, 1024, 220, `fill="${accent}" opacity="0.15"`) +
          text(300, 180, 38, "#222", "Verify your identity") +
          paragraph(200, 360, 16, "#444", 7),
      ),
  },
  {
    kind: "body",
    half: "tuning",
    background: "#ffffff",
    box: [160, 90],
    at: [512, 180],
    anchor: "center",
    svg: (accent) =>
      svg(
        1024,
        700,
        rect(0, 0, 1024, 700, 'fill="#eef1f5"') +
          rect(332, 100, 360, 480, 'rx="10" fill="#ffffff" stroke="#d5dae0"') +
          text(372, 290, 22, "#222", "Sign in to continue") +
          rect(372, 320, 280, 44, 'rx="4" fill="none" stroke="#b8c0c8"') +
          rect(372, 380, 280, 44, 'rx="4" fill="none" stroke="#b8c0c8"') +
          rect(372, 450, 280, 44, `rx="4" fill="${accent}"`) +
          text(372, 540, 14, "#667", "Forgot your password?"),
      ),
  },
  {
    kind: "body",
    half: "tuning",
    background: "#ffffff",
    box: [220, 120],
    at: [90, 130],
    anchor: "left",
    jpeg: 80,
    svg: () =>
      svg(
        900,
        640,
        rect(0, 0, 900, 640, 'fill="#ffffff"') +
          paragraph(90, 250, 18, "#333", 6) +
          rect(90, 440, 200, 50, 'rx="8" fill="#1a73e8"') +
          text(130, 472, 18, "#fff", "Continue") +
          rect(560, 70, 270, 420, 'fill="#e6eaf0"') +
          text(90, 600, 12, "#888", "Terms of service, privacy and cookies"),
      ),
  },
  {
    kind: "header",
    half: "held-out",
    background: "#ffffff",
    box: [150, 40],
    at: [96, 34],
    anchor: "left",
    jpeg: 85,
    svg: (accent) =>
      svg(
        1280,
        720,
        rect(0, 0, 1280, 720, 'fill="#fafafa"') +
          rect(0, 0, 1280, 68, 'fill="#ffffff"') +
          rect(0, 68, 1280, 2, `fill="${accent}"`) +
          rect(620, 16, 420, 36, 'rx="18" fill="none" stroke="#999"') +
          text(650, 40, 15, "#888", "Search") +
          text(1080, 40, 15, "#333", "Support") +
          text(1170, 40, 15, "#333", "Account") +
          rect(96, 130, 700, 260, 'fill="#dfe7ef"') +
          text(140, 230, 40, "#1b2b3a", "Payment on hold") +
          paragraph(140, 280, 18, "#3b4b5a", 3) +
          [0, 1, 2]
            .map((i) => rect(96 + 370 * i, 440, 340, 200, 'rx="8" fill="#fff" stroke="#ddd"'))
            .join("") +
          [0, 1, 2]
            .map((i) => text(120 + 370 * i, 490, 20, "#222", ["Orders", "Cards", "Safety"][i]!))
            .join(""),
      ),
  },
  {
    kind: "header",
    half: "held-out",
    background: "#ffffff",
    box: [200, 48],
    at: [32, 48],
    anchor: "left",
    svg: (accent) =>
      svg(
        800,
        560,
        rect(0, 0, 800, 560, 'fill="#ffffff"') +
          rect(0, 0, 800, 14, `fill="${accent}"`) +
          text(690, 54, 14, "#0645ad", "English") +
          text(32, 140, 30, "#111", "Unusual activity") +
          paragraph(32, 180, 15, "#333", 8) +
          rect(560, 120, 200, 260, 'fill="#f3f3f3" stroke="#ccc"') +
          text(580, 160, 16, "#333", "Need help?") +
          rect(32, 420, 160, 40, `fill="${accent}"`) +
          rect(0, 520, 800, 40, 'fill="#333"'),
      ),
  },
  {
    kind: "body",
    half: "tuning",
    background: "#ffffff",
    box: [130, 64],
    at: [330, 190],
    anchor: "left",
    jpeg: 80,
    svg: (accent) =>
      svg(
        1200,
        750,
        rect(0, 0, 1200, 750, `fill="${accent}" opacity="0.35"`) +
          rect(280, 120, 640, 500, 'fill="#ffffff"') +
          rect(620, 120, 300, 500, 'fill="#27364a"') +
          text(650, 230, 26, "#ffffff", "Protect what") +
          text(650, 264, 26, "#ffffff", "matters to you") +
          text(330, 290, 24, "#1b1b1b", "Enter password") +
          rect(330, 340, 250, 1, 'fill="#666"') +
          text(330, 334, 15, "#999", "Password") +
          rect(470, 400, 110, 34, 'fill="#0067b8"') +
          text(330, 480, 13, "#0067b8", "Sign in another way"),
      ),
  },
  {
    kind: "body",
    half: "held-out",
    background: "#ffffff",
    box: [150, 70],
    at: [300, 110],
    anchor: "left",
    jpeg: 80,
    svg: (accent) =>
      svg(
        1100,
        700,
        rect(0, 0, 1100, 700, 'fill="#eef0f3"') +
          rect(0, 0, 230, 700, 'fill="#1f2a37"') +
          [0, 1, 2, 3]
            .map((i) => text(40, 150 + 50 * i, 17, "#d1d9e0", ["Home", "Bills", "Cards", "Log out"][i]!))
            .join("") +
          rect(260, 50, 800, 230, 'rx="6" fill="#ffffff"') +
          text(300, 200, 24, "#1b2530", "Your invoice is overdue") +
          text(300, 240, 16, "#5a6675", "Settle it today to avoid a late fee") +
          rect(880, 190, 140, 46, `rx="4" fill="${accent}"`) +
          [0, 1, 2, 3, 4]
            .map((i) => rect(260, 310 + 70 * i, 800, 56, 'fill="#ffffff" stroke="#dde2e8"'))
            .join("") +
          [0, 1, 2, 3, 4]
            .map((i) => text(290, 344 + 70 * i, 15, "#333", `Invoice 20${i}7, 12 items`))
            .join(""),
      ),
  },
  {
    kind: "body",
    half: "held-out",
    background: "#ffffff",
    box: [200, 110],
    at: [300, 150],
    anchor: "center",
    svg: () =>
      svg(
        600,
        900,
        rect(0, 0, 600, 900, 'fill="#ffffff"') +
          text(300, 60, 16, "#777", "Secure connection", 'text-anchor="middle"') +
          text(300, 280, 28, "#222", "Confirm your card", 'text-anchor="middle"') +
          [0, 1, 2, 3].map((i) => rect(80, 330 + 80 * i, 440, 56, 'rx="28" fill="#f2f2f2"')).join("") +
          [0, 1, 2, 3]
            .map((i) => text(110, 364 + 80 * i, 17, "#888", ["Name", "Number", "Expires", "Code"][i]!))
            .join("") +
          rect(80, 670, 440, 60, 'rx="30" fill="#111"') +
          text(300, 708, 20, "#fff", "Pay now", 'text-anchor="middle"') +
          paragraph(80, 790, 12, "#aaa", 3),
      ),
  },
];

/** Pictures without a logo: the pages of a half without one, and drawings of common things. */
export function picturesWithoutLogo(half: Half): readonly string[] {
  const accents = ["#1a73e8", "#0f9d58", "#d93025", "#f4b400", "#5f6368", "#7b1fa2"];
  const pages = layouts.filter((l) => l.half === half).flatMap((l) => accents.map((accent) => l.svg(accent)));
  const shift = half === "tuning" ? 0 : 3;
  const drawings = Array.from({ length: 24 }, (_, i) => drawing(i * 2 + shift));
  return [...pages, ...drawings];
}

/** A drawing of simple things: text, buttons, charts, circles; different for each number. */
function drawing(n: number): string {
  const color = `hsl(${(n * 67) % 360}, 60%, 45%)`;
  const parts = [
    () => paragraph(20, 40, 14 + (n % 9), "#222", 3 + (n % 7)),
    () =>
      Array.from({ length: 5 + (n % 4) }, (_, i) =>
        rect(30 + i * 40, 260 - ((i * 53 + n * 31) % 200), 26, (i * 53 + n * 31) % 200, `fill="${color}"`),
      ).join(""),
    () =>
      rect(60, 90, 200, 60, `rx="${n % 30}" fill="${color}"`) +
      text(100, 130, 26, "#fff", ["Login", "Submit", "Next", "OK"][n % 4]!),
    () =>
      `<circle cx="160" cy="150" r="${40 + (n % 80)}" fill="none" stroke="${color}" stroke-width="${4 + (n % 30)}"/>`,
    () =>
      `<path d="M20 ${200 + (n % 60)} C 100 ${n % 200} 200 ${280 - (n % 90)} 300 ${60 + (n % 100)}" fill="none" stroke="${color}" stroke-width="6"/>`,
    () =>
      Array.from(
        { length: 12 },
        (_, i) =>
          `<circle cx="${40 + (i % 4) * 80}" cy="${50 + Math.floor(i / 4) * 90}" r="${8 + ((i + n) % 5) * 5}" fill="${color}"/>`,
      ).join(""),
  ];
  return svg(
    320,
    300,
    rect(0, 0, 320, 300, `fill="${n % 3 === 0 ? "#fff" : "#f0f2f5"}"`) + parts[n % parts.length]!(),
  );
}
