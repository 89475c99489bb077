/** The layouts of the held-out part, with a structure, colors and sizes of their own. No number is chosen on them. */

import {
  icon,
  initial,
  lockUp,
  logo,
  type PageContent,
  type PageLayout,
  page,
  paragraphs,
  text,
  whiteFilter,
} from "./html.ts";

const laptop = [1440, 900] as const;
const serif = "DejaVu Serif, Liberation Serif, serif";

/** A store: a bar with logo, search and basket; articles with the photograph at the left. */
function store(articles: number, columns: number): PageLayout {
  return {
    name: `store of ${articles} articles`,
    viewport: laptop,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<div style="background:#0f172a;color:#cbd5e1;font-size:12px;padding:5px 60px">${text(9, "notice")}</div><div style="padding:14px 60px;display:flex;align-items:center;gap:30px">${logo(46)}<div style="flex:1;border:2px solid #f59e0b;border-radius:24px;padding:8px 18px;color:#888">${text(3, "search")}</div>${icon(26, "basket", "#444")} ${initial(32, "user")}</div><div style="background:#f59e0b;padding:8px 60px;color:#fff">${text(12, "categories")}</div>${articleGrid(content, articles, columns, `store ${articles}`)}`,
      ),
  };
}

function articleGrid(content: PageContent, count: number, columns: number, seed: string): string {
  const articles = Array.from(
    { length: count },
    (_, i) =>
      `<article style="display:flex;gap:12px;background:#fafafa;padding:10px"><div style="width:84px;height:84px;flex:none;background:url(${content.photo(i * 3 + count)}) center/cover"></div><div><b>${text(3, `${seed} ${i}`)}</b><div style="font-size:12px;color:#666">${text(9, `${seed} body ${i}`)}</div><div style="color:#b91c1c;margin-top:4px">$ ${(i * 37) % 90},99</div></div></article>`,
  );
  return `<div style="display:grid;grid-template-columns:repeat(${columns},1fr);gap:14px;padding:24px 60px">${articles.join("")}</div>`;
}

/** A portal whose bar has a color, with a logo in the middle and a row of links below. */
function portal(
  color: string,
  more: Partial<PageLayout> & { style?: string; logoStyle?: string; height?: number } = {},
): PageLayout {
  const { style = `background:${color}`, logoStyle = "", height = 90, ...rest } = more;
  return {
    name: `portal with bar ${color}`,
    viewport: laptop,
    background: color,
    html: (content) =>
      page(
        "background:#fdfdfc",
        `<div style="${style};height:${height}px;display:flex;align-items:center;justify-content:center;position:relative"><span style="position:absolute;left:30px">${icon(24, "menu", "#555")}</span>${logo(Math.round(height * 0.45), logoStyle)}<span style="position:absolute;right:30px">${text(2, "login")}</span></div><div style="text-align:center;border-bottom:1px solid #ccc;padding:10px">${text(8, `links ${color}`)}</div><div style="columns:3;column-gap:34px;padding:30px 60px"><img src="${content.photo(color.length + height)}" style="width:100%">${paragraphs(9, color, 50)}</div>`,
        serif,
      ),
    ...rest,
  };
}

/** A sign-in page of two halves, or a box in the middle of a background. */
function access(
  name: string,
  background: (content: PageContent) => string,
  more: Partial<PageLayout> & { panel?: string } = {},
): PageLayout {
  const { panel = "#ffffff", ...rest } = more;
  return {
    name: `access: ${name}`,
    viewport: [1366, 768],
    background: panel,
    html: (content) =>
      page(
        "",
        `<div style="position:fixed;inset:0;${background(content)}"></div><div style="position:relative;margin:70px auto;width:460px;background:${panel};border:1px solid #bbb;padding:44px 54px;text-align:center">${logo(64)}<div style="margin:22px 0;font-size:24px">${text(3, name)}</div><input placeholder="User"><input placeholder="PIN"><div style="display:flex;justify-content:space-between;align-items:center"><a>${text(2, "forgot")}</a><span class="b" style="background:#0d9488">Next</span></div><hr style="margin:24px 0">${icon(30, "a")} ${icon(30, "b")} ${icon(30, "c")}</div>`,
      ),
    ...rest,
  };
}

const split: PageLayout = {
  name: "access: photo beside the form",
  viewport: laptop,
  background: "#ffffff",
  html: (content) =>
    page(
      "background:#fff",
      `<div style="display:flex;height:900px"><div style="width:58%;background:url(${content.photo(2)}) center/cover"></div><div style="flex:1;padding:120px 90px">${logo(50)}<h1 style="margin-top:40px">${text(3, "welcome")}</h1><input placeholder="E-mail"><input placeholder="Password"><button>Log in</button><p style="margin-top:40px;color:#777;font-size:12px">${text(20, "terms")}</p></div></div>`,
    ),
};

function lockedUp(height: number, gap: number, place: "left" | "middle"): PageLayout {
  return {
    name: `lock-up ${height} px, gap ${gap}, ${place}`,
    viewport: laptop,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<div style="padding:26px 70px;text-align:${place === "left" ? "left" : "center"}">${lockUp(height, gap, place === "left" ? "Ostrelin" : "Kavim & Sons")}</div><div style="display:flex;padding:0 70px;gap:30px"><div style="flex:3"><img src="${content.photo(height + gap)}" style="width:100%;height:300px;object-fit:cover"><h1 style="margin-top:14px">${text(6, `lock ${gap}`)}</h1>${paragraphs(2, `lock ${height}`)}</div><div style="flex:1">${Array.from({ length: 7 }, (_, i) => `<div style="padding:10px 0;border-top:1px solid #ddd">${text(5, `news ${i} ${gap}`)}</div>`).join("")}</div></div>`,
        serif,
      ),
  };
}

function report(sections: number, more: Partial<PageLayout> = {}): PageLayout {
  return {
    name: `scrolled page of ${sections} parts`,
    viewport: [1280, 720],
    fullPage: true,
    background: "#ffffff",
    count: 8,
    html: (content) =>
      page(
        "background:#fff",
        `<div style="padding:20px 80px;display:flex;justify-content:space-between;align-items:center">${logo(40)}<span class="b" style="background:#111">${text(2, "subscribe")}</span></div><div style="height:380px;background:url(${content.photo(sections)}) center/cover"></div>${Array.from({ length: sections }, (_, i) => reportSection(content, i)).join("")}<div style="background:#eee;padding:40px 80px">${text(40, "imprint")}</div>`,
      ),
    ...more,
  };
}

function reportSection(content: PageContent, i: number): string {
  const title = `<h2>${text(5, `part ${i}`)}</h2>`;
  if (i % 3 === 0) return `<div style="padding:30px 80px">${title}${paragraphs(3, `part ${i}`, 55)}</div>`;
  if (i % 3 === 1)
    return `<div style="padding:30px 80px;background:#f0fdfa">${title}<div style="display:flex;gap:20px">${[0, 1, 2, 3].map((k) => `<div style="flex:1;text-align:center">${icon(70, `part ${i} ${k}`)}<p>${text(10, `part ${i} ${k}`)}</p></div>`).join("")}</div></div>`;
  return `<div style="padding:30px 80px">${title}<div style="display:flex;gap:12px">${[0, 1, 2].map((k) => `<div style="flex:1;height:200px;background:url(${content.photo(i + k)}) center/cover"></div>`).join("")}</div></div>`;
}

function cover(name: string, photo: number, mark: string): PageLayout {
  return {
    name,
    viewport: laptop,
    html: (content) =>
      page(
        "",
        `<div style="height:900px;background:url(${content.photo(photo)}) center/cover;text-align:center;padding-top:220px">${mark}<div style="margin-top:40px;color:#fff;font-size:40px;text-shadow:0 2px 8px #000">${text(4, name)}</div><span class="b" style="margin-top:30px;background:#fff;color:#111">${text(2, name)}</span></div>`,
      ),
  };
}

const notice: PageLayout = {
  name: "cookie bar at the bottom",
  viewport: [1366, 768],
  background: "#f8fafc",
  html: (content) =>
    page(
      "background:#fff",
      `${articleGrid(content, 12, 3, "cookie")}<div style="position:fixed;left:0;right:0;bottom:0;background:#f8fafc;border-top:3px solid #0ea5e9;padding:20px 50px;display:flex;gap:26px;align-items:center">${logo(34)}<div style="flex:1;font-size:13px">${text(34, "cookie")}</div><span class="b">OK</span></div>`,
    ),
};

const modal: PageLayout = {
  name: "dialog over a photograph",
  viewport: laptop,
  background: "#ffffff",
  html: (content) =>
    page(
      "",
      `<div style="position:fixed;inset:0;background:url(${content.photo(31)}) center/cover"></div><div style="position:fixed;inset:0;background:#0009"></div><div style="position:fixed;left:50%;top:160px;transform:translateX(-50%);width:640px;background:#fff;border-radius:18px;overflow:hidden"><div style="background:#f1f5f9;padding:14px 24px;font-weight:bold">${text(3, "modal")}</div><div style="padding:30px;display:flex;gap:26px;align-items:center">${logo(70)}<div>${paragraphs(2, "modal", 22)}<span class="b">Install</span></div></div></div>`,
    ),
};

const darkDocs: PageLayout = {
  name: "dark documentation",
  viewport: laptop,
  background: "#1b1b1f",
  html: () =>
    page(
      "background:#1b1b1f;color:#dfdfd6",
      `<div style="border-bottom:1px solid #3c3f44;padding:14px 34px;display:flex;gap:30px;align-items:center">${logo(30)}<span style="background:#202127;border-radius:8px;padding:6px 60px 6px 14px;color:#888">${text(1, "find")}</span></div><div style="display:flex"><div style="width:270px;padding:30px;color:#98989f">${Array.from({ length: 16 }, (_, i) => `<div style="padding:4px 0">${text(2, `doc ${i}`)}</div>`).join("")}</div><div style="flex:1;padding:34px 60px"><h1>${text(4, "docs")}</h1>${paragraphs(2, "docs")}<pre style="background:#161618;padding:20px;border-radius:8px;color:#9ece6a">${text(6, "code")}\n  ${text(8, "code2")}\n  ${text(5, "code3")}</pre>${paragraphs(3, "docs2")}</div></div>`,
    ),
};

const invoice: PageLayout = {
  name: "e-mail with an invoice",
  viewport: [1024, 1000],
  background: "#ffffff",
  html: () =>
    page(
      "background:#ece9e4",
      `<div style="width:680px;margin:30px auto;background:#fff;padding:40px"><div style="display:flex;justify-content:space-between;align-items:center">${logo(40)}<span>${text(2, "invoice")} 20711</span></div><hr>${paragraphs(1, "invoice", 30)}<table style="width:100%;border-collapse:collapse">${Array.from({ length: 9 }, (_, i) => `<tr style="border-bottom:1px solid #ddd"><td style="padding:8px">${text(3, `item ${i}`)}</td><td>${i + 1}</td><td style="text-align:right">${i * 13 + 7},50</td></tr>`).join("")}</table><p style="margin-top:24px">${text(30, "invoice end")}</p></div>`,
      serif,
    ),
};

const checkout: PageLayout = {
  name: "checkout with seven payment logos",
  viewport: [1366, 768],
  background: "#ffffff",
  logos: 7,
  html: () =>
    page(
      "background:#fafaf9",
      `<div style="display:flex;gap:30px;padding:36px 90px"><div style="flex:2;background:#fff;border:1px solid #ddd;padding:26px"><h2>${text(2, "checkout")}</h2>${Array.from({ length: 3 }, () => "<input>").join("")}<div style="display:flex;flex-wrap:wrap;gap:12px">${Array.from({ length: 7 }, (_, i) => `<span style="border:1px solid #ccc;border-radius:5px;padding:6px 10px;background:#fff">${logo(26, "", i)}</span>`).join("")}</div><button style="margin-top:24px;width:100%">Pay</button></div><div style="flex:1">${paragraphs(3, "basket", 20)}</div></div>`,
    ),
};

const darkTabs: PageLayout = {
  name: "dark tab strip, icons of 16 px",
  viewport: [1366, 768],
  background: "#35363a",
  logos: 4,
  html: () =>
    page(
      "background:#fff",
      `<div style="background:#202124;height:42px;padding:8px 8px 0;display:flex">${Array.from({ length: 4 }, (_, i) => `<div style="width:240px;height:34px;background:#35363a;border-radius:8px 8px 0 0;padding:6px 12px;color:#e8eaed;font-size:12px;display:flex;align-items:center;gap:8px">${logo(16, "max-width:16px;object-fit:contain;", i)}${text(2, `dark tab ${i}`)}</div>`).join("")}</div><div style="height:40px;background:#35363a"></div><div style="padding:50px 200px"><h1>${text(4, "article")}</h1>${paragraphs(5, "article")}</div>`,
    ),
};

const apps: PageLayout = {
  name: "search results with icons of 28 px",
  viewport: [1366, 900],
  background: "#ffffff",
  logos: 6,
  html: () =>
    page(
      "background:#fff",
      `<div style="padding:26px 150px;border-bottom:1px solid #e5e5e5;color:#555">${text(4, "query")}</div><div style="padding:20px 150px;max-width:900px">${Array.from({ length: 6 }, (_, i) => `<div style="margin-bottom:22px"><div style="display:flex;gap:12px;align-items:center">${logo(28, "", i)}<div style="font-size:12px">${text(2, `site ${i}`)}<br>https://example.com</div></div><div style="color:#1a0dab;font-size:19px">${text(6, `result ${i}`)}</div><div style="font-size:13px">${text(26, `snippet ${i}`)}</div></div>`).join("")}</div>`,
    ),
};

function phone(scale: number): PageLayout {
  return {
    name: `phone x${scale}`,
    viewport: [412, 915],
    scale,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<div style="text-align:center;padding:60px 30px">${logo(56)}<h2 style="margin-top:28px">${text(3, "phone")}</h2><input placeholder="Phone"><button style="width:100%;background:#16a34a">Continue</button></div><img src="${content.photo(6)}" style="width:100%;height:240px;object-fit:cover"><div style="padding:24px">${paragraphs(2, "phone", 30)}</div>`,
      ),
  };
}

const letter: PageLayout = {
  name: "letterhead",
  viewport: [900, 1200],
  background: "#ffffff",
  html: () =>
    page(
      "background:#fff",
      `<div style="padding:60px 80px"><div style="text-align:right">${logo(58)}<div style="font-size:11px;color:#666;margin-top:8px">${text(6, "address")}</div></div><p style="margin-top:60px">${text(8, "to")}</p>${paragraphs(6, "letter", 50)}<p style="margin-top:40px">${text(2, "signed")}</p></div>`,
      serif,
    ),
};

const bank: PageLayout = {
  name: "bank account, white logo on a gradient bar",
  viewport: [1366, 768],
  html: () =>
    page(
      "background:#eef2f7",
      `<div style="background:linear-gradient(90deg,#0f3d6e,#1c7fb8);height:76px;padding:0 40px;display:flex;align-items:center">${logo(42, whiteFilter)}<span style="margin-left:auto;color:#fff">${text(3, "bank")}</span></div><div style="margin:30px 40px;background:#fff;padding:20px">${Array.from({ length: 9 }, (_, i) => `<div style="display:flex;border-bottom:1px solid #e4e8ee;padding:11px">${initial(28, `bank ${i}`, 6)}<span style="flex:1;margin-left:14px">${text(4, `bank ${i}`)}</span><b>${i * 211 - 600},00</b></div>`).join("")}</div>`,
    ),
};

/** The layouts of the held-out part. */
export const heldOutLayouts: readonly PageLayout[] = [
  store(7, 3),
  store(12, 3),
  store(18, 3),
  store(30, 5),
  ...["#f3f4f6", "#c4c8cf", "#9aa1ad", "#fde68a", "#bfdbfe", "#d9f2e3"].map((color) => portal(color)),
  {
    ...portal("#ffffff", { style: "background:linear-gradient(180deg,#ffffff,#cfd8e6)" }),
    name: "portal with a gradient bar",
  },
  access("flat", () => "background:#dfe7ea"),
  access("gradient", () => "background:radial-gradient(circle at 30% 20%,#fbbf24,#7c2d12)"),
  access("photo", (content) => `background:url(${content.photo(4)}) center/cover`),
  access("another photo, JPEG 60", (content) => `background:url(${content.photo(11)}) center/cover`, {
    jpeg: 60,
  }),
  access(
    "blurred photo",
    (content) => `background:url(${content.photo(17)}) center/cover;filter:blur(14px);transform:scale(1.15)`,
  ),
  access("dark panel on a photo", (content) => `background:url(${content.photo(22)}) center/cover`, {
    panel: "#18212f",
  }),
  split,
  lockedUp(28, 10, "left"),
  lockedUp(28, 16, "middle"),
  lockedUp(40, 8, "left"),
  lockedUp(40, 12, "middle"),
  lockedUp(60, 14, "left"),
  report(4),
  report(7),
  report(12),
  report(16, { jpeg: 75 }),
  cover("logo on a cover photo", 8, logo(90)),
  cover("white logo on a cover photo", 14, logo(90, whiteFilter)),
  cover("transparent mark on a cover photo", 19, logo(200, `opacity:.5;${whiteFilter}`)),
  notice,
  modal,
  darkDocs,
  invoice,
  checkout,
  darkTabs,
  apps,
  phone(2),
  phone(3),
  letter,
  bank,
  { ...store(8, 4), name: "store, JPEG 50", jpeg: 50 },
  { ...portal("#ffffff"), name: "portal, JPEG 80", jpeg: 80 },
  { ...store(9, 3), name: "retina store, JPEG 90", jpeg: 90, scale: 2, viewport: [1280, 720] },
  { ...portal("#fafafa"), name: "portal, WebP 50", webp: 50 },
];
