/** The layouts of the tuning part. */

import {
  cards,
  header,
  icon,
  initial,
  lockUp,
  logo,
  menu,
  type PageContent,
  type PageLayout,
  page,
  paragraphs,
  signInForm,
  text,
  whiteFilter,
} from "./html.ts";

const desktop = [1366, 768] as const;

function cardPage(count: number, columns: number): PageLayout {
  return {
    name: `cards ${count}`,
    viewport: desktop,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#f6f7f9",
        header("#ffffff", 72, 40, "border-bottom:1px solid #e5e7eb") + cards(content, count, columns),
      ),
  };
}

function barPage(
  color: string,
  options: Partial<PageLayout> & { height?: number; white?: boolean } = {},
): PageLayout {
  const { height = 64, white = false, ...more } = options;
  return {
    name: `bar ${color}${white ? " white logo" : ""}`,
    viewport: desktop,
    ...(white ? {} : { background: color }),
    html: (content) =>
      page(
        "background:#fff",
        header(color, height, Math.round(height * 0.55), "", white ? whiteFilter : "") +
          `<div style="padding:32px;display:flex;gap:40px"><div style="flex:2"><h1>${text(5, color)}</h1>${paragraphs(5, color)}</div><div style="flex:1"><img src="${content.photo(color.length)}" style="width:100%;border-radius:8px">${paragraphs(1, `${color} side`)}</div></div>`,
      ),
    ...more,
  };
}

function signIn(
  name: string,
  background: (content: PageContent) => string,
  more: Partial<PageLayout> = {},
): PageLayout {
  return {
    name: `sign-in card on ${name}`,
    viewport: desktop,
    background: "#ffffff",
    html: (content) =>
      page(
        "",
        `<div style="position:fixed;inset:0;${background(content)}"></div><div style="position:relative;width:400px;margin:110px auto;background:#fff;border-radius:10px;padding:34px;box-shadow:0 8px 30px #0005">${logo(44)}${signInForm(name)}</div>`,
      ),
    ...more,
  };
}

function lockUpPage(height: number, gap: number): PageLayout {
  return {
    name: `lock-up ${height} gap ${gap}`,
    viewport: desktop,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<header style="height:84px;display:flex;align-items:center;padding:0 40px;border-bottom:1px solid #ddd">${lockUp(height, gap, "Norvela")}<nav style="margin-left:auto">${menu(5, "lock")}</nav></header>` +
          cards(content, 6, 3, { seed: `lock ${gap}` }),
      ),
  };
}

function longPage(sections: number): PageLayout {
  return {
    name: `full page of ${sections} sections`,
    viewport: [1280, 800],
    fullPage: true,
    background: "#ffffff",
    count: 8,
    html: (content) =>
      page(
        "background:#fff",
        header("#ffffff", 68, 36, "border-bottom:1px solid #eee") +
          Array.from(
            { length: sections },
            (_, i) =>
              `<section style="display:flex;gap:36px;padding:38px 48px;background:${i % 2 ? "#f3f5f8" : "#fff"};flex-direction:${i % 2 ? "row" : "row-reverse"}"><div style="flex:1"><h2>${text(5, `long ${i}`)}</h2>${paragraphs(2, `long ${i}`, 45)}<span class="b">${text(2, `button ${i}`)}</span></div><div style="flex:1;height:280px;border-radius:10px;background:url(${content.photo(i)}) center/cover"></div></section>`,
          ).join("") +
          `<footer style="background:#20242c;color:#ccc;padding:40px">${text(30, "footer")}</footer>`,
      ),
  };
}

function hero(name: string, photo: number, place: string, more: Partial<PageLayout> = {}): PageLayout {
  return {
    name,
    viewport: desktop,
    html: (content) =>
      page(
        "background:#fff",
        `<div style="height:520px;background:url(${content.photo(photo)}) center/cover;position:relative">${place}<div style="position:absolute;left:60px;bottom:50px;color:#fff;text-shadow:0 1px 4px #000"><h1>${text(5, name)}</h1><span class="b">${text(2, name)}</span></div></div><div style="padding:30px">${paragraphs(2, name)}</div>`,
      ),
    ...more,
  };
}

const darkDashboard: PageLayout = {
  name: "dark dashboard",
  viewport: desktop,
  background: "#111827",
  html: () =>
    page(
      "background:#0b0f19;color:#d7dbe4",
      `<div style="display:flex;height:768px"><aside style="width:230px;background:#111827;padding:22px">${logo(34)}<div style="margin-top:30px">${Array.from({ length: 9 }, (_, i) => `<div style="padding:9px 0">${icon(18, `side ${i}`, "#8b93a7")} <span style="margin-left:10px">${text(1, `side ${i}`)}</span></div>`).join("")}</div></aside><main style="flex:1;padding:30px"><h1>${text(2, "dash")}</h1><div style="display:grid;grid-template-columns:repeat(4,1fr);gap:16px">${Array.from({ length: 8 }, (_, i) => `<div style="background:#161d2e;border-radius:8px;padding:16px">${text(2, `tile ${i}`)}<div style="font-size:28px;font-weight:bold">${i * 137 + 20}</div></div>`).join("")}</div><div style="margin-top:20px;background:#161d2e;border-radius:8px;padding:16px">${Array.from({ length: 6 }, (_, i) => `<div style="border-bottom:1px solid #283046;padding:9px">${initial(26, `row ${i}`)} ${text(7, `row ${i}`)}</div>`).join("")}</div></main></div>`,
    ),
};

const email: PageLayout = {
  name: "e-mail",
  viewport: [1180, 900],
  background: "#ffffff",
  html: () =>
    page(
      "background:#f1f3f6",
      `<div style="display:flex"><div style="width:340px;background:#fff;height:900px;border-right:1px solid #ddd">${Array.from({ length: 11 }, (_, i) => `<div style="padding:14px;border-bottom:1px solid #eee;display:flex;gap:12px">${initial(38, `mail ${i}`)}<div style="font-size:13px"><b>${text(2, `from ${i}`)}</b><br>${text(5, `subject ${i}`)}</div></div>`).join("")}</div><div style="flex:1;padding:24px"><h2>${text(6, "mail subject")}</h2><div style="max-width:600px;margin:20px auto;background:#fff;border:1px solid #ddd;padding:36px;text-align:center">${logo(52)}<h2 style="margin-top:22px">${text(4, "mail")}</h2>${paragraphs(2, "mail", 35)}<span class="b">Confirm</span></div></div></div>`,
    ),
};

const footerPayments: PageLayout = {
  name: "footer of six logos",
  viewport: desktop,
  background: "#ffffff",
  logos: 6,
  html: (content) =>
    page(
      "background:#fff",
      `<header style="height:60px;padding:16px 32px;border-bottom:1px solid #eee"><b style="font-size:22px">${text(1, "shop")}</b></header>` +
        cards(content, 4, 4, { seed: "shop" }) +
        `<footer style="padding:24px 32px;border-top:1px solid #ddd;display:flex;gap:18px;align-items:center"><span>${text(4, "pay")}</span>${Array.from({ length: 6 }, (_, i) => logo(24, "", i)).join("")}</footer>${paragraphs(2, "below")}`,
    ),
};

const tabStrip: PageLayout = {
  name: "tab strip of five icons of 16 px",
  viewport: desktop,
  background: "#ffffff",
  logos: 5,
  html: (content) =>
    page(
      "background:#fff",
      `<div style="background:#dee1e6;height:40px;padding:6px 8px 0;display:flex;gap:4px">${Array.from({ length: 5 }, (_, i) => `<div style="width:220px;height:34px;background:#fff;border-radius:8px 8px 0 0;padding:6px 12px;font-size:12px;display:flex;align-items:center;gap:8px">${logo(16, "max-width:16px;object-fit:contain;", i)}${text(2, `tab ${i}`)}</div>`).join("")}</div><div style="height:38px;background:#fff;border-bottom:1px solid #ccc;padding:7px 16px;color:#555">example.com/${text(1, "path")}</div>` +
        cards(content, 8, 4, { seed: "tabs" }),
    ),
};

const trustedBy: PageLayout = {
  name: "gray row of customers",
  viewport: desktop,
  background: "#f8fafc",
  logos: 6,
  html: () =>
    page(
      "background:#f8fafc",
      `<div style="text-align:center;padding:90px 60px"><h1 style="font-size:44px">${text(6, "trusted")}</h1>${paragraphs(1, "trusted", 30)}<span class="b">${text(2, "try")}</span><div style="margin-top:80px;color:#667">${text(4, "by")}</div><div style="display:flex;justify-content:space-around;align-items:center;margin-top:26px">${Array.from({ length: 6 }, (_, i) => logo(42, "filter:grayscale(1);opacity:.75;", i)).join("")}</div></div>`,
    ),
};

function dialog(name: string, backdrop: string): PageLayout {
  return {
    name,
    viewport: desktop,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<header style="height:64px;padding:16px 32px;background:#233">${icon(32, "brandless", "#fff")}</header>` +
          cards(content, 8, 4, { seed: name }) +
          `<div style="position:fixed;inset:0;background:${backdrop}"></div><div style="position:fixed;left:433px;top:190px;width:500px;background:#fff;border-radius:12px;padding:30px;box-shadow:0 10px 40px #0006">${logo(38)}<h2 style="margin-top:16px">${text(4, name)}</h2>${paragraphs(1, name, 40)}<span class="b">Accept all</span> <span class="b" style="background:#e5e7eb;color:#222">Reject</span></div>`,
      ),
  };
}

function mobile(scale: number): PageLayout {
  return {
    name: `mobile x${scale}`,
    viewport: [390, 844],
    scale,
    background: "#ffffff",
    html: (content) =>
      page(
        "background:#fff",
        `<header style="height:56px;padding:0 16px;display:flex;align-items:center;border-bottom:1px solid #eee">${icon(22, "burger", "#333")}<span style="margin:auto">${logo(28)}</span>${initial(28, "me")}</header><img src="${content.photo(3)}" style="width:100%;height:210px;object-fit:cover">` +
          cards(content, 4, 1, { seed: "mobile" }),
      ),
  };
}

const retina: PageLayout = {
  name: "retina header",
  viewport: desktop,
  scale: 2,
  background: "#ffffff",
  html: (content) =>
    page(
      "background:#fff",
      header("#ffffff", 64, 32, "box-shadow:0 1px 6px #0002") + cards(content, 9, 3, { seed: "retina" }),
    ),
};

const productPage: PageLayout = {
  name: "product page",
  viewport: desktop,
  background: "#ffffff",
  html: (content) =>
    page(
      "background:#fff",
      `<div style="background:#131921;color:#fff;padding:12px 30px;display:flex;gap:20px;align-items:center"><b>${text(1, "store")}</b><span style="flex:1;background:#fff;border-radius:4px;height:36px"></span>${menu(3, "store", "#fff")}</div><div style="display:flex;gap:40px;padding:30px"><img src="${content.photo(9)}" style="width:460px;height:420px;object-fit:cover"><div style="flex:1"><h1>${text(7, "product")}</h1><div style="margin:8px 0">${text(2, "sold")} ${logo(30)}</div><div style="color:#e69a00;font-size:22px">★★★★☆</div><h2>€ 129,00</h2>${paragraphs(3, "product", 35)}<span class="b" style="background:#ffa41c;color:#111">Buy now</span></div></div>`,
    ),
};

/** The layouts of the tuning part. */
export const tuningLayouts: readonly PageLayout[] = [
  cardPage(5, 5),
  cardPage(10, 5),
  cardPage(15, 5),
  cardPage(24, 6),
  ...["#eeeeee", "#d0d0d0", "#b0b0b0", "#808080", "#ffe08a", "#cfe3ff"].map((color) => barPage(color)),
  barPage("#1f2937", { height: 80 }),
  barPage("#b3261e", { white: true, height: 72 }),
  signIn("a flat color", () => "background:#e8edf5"),
  signIn("a gradient", () => "background:linear-gradient(135deg,#4f46e5,#db2777)"),
  signIn("a photo", (content) => `background:url(${content.photo(5)}) center/cover`),
  signIn(
    "a blurred photo",
    (content) => `background:url(${content.photo(12)}) center/cover;filter:blur(8px);transform:scale(1.1)`,
  ),
  signIn("a photo, JPEG 70", (content) => `background:url(${content.photo(20)}) center/cover`, { jpeg: 70 }),
  lockUpPage(28, 8),
  lockUpPage(28, 12),
  lockUpPage(40, 10),
  lockUpPage(40, 14),
  lockUpPage(60, 18),
  longPage(4),
  longPage(8),
  longPage(15),
  hero("logo over a hero photo", 7, logo(56, "position:absolute;left:60px;top:40px;")),
  hero("white logo over a hero photo", 15, logo(64, `position:absolute;left:60px;top:40px;${whiteFilter}`)),
  hero(
    "watermark on a photo",
    18,
    logo(150, `position:absolute;right:40px;bottom:40px;opacity:.45;${whiteFilter}`),
  ),
  darkDashboard,
  email,
  footerPayments,
  tabStrip,
  trustedBy,
  dialog("consent dialog", "#0008"),
  dialog("consent dialog without backdrop", "#0000"),
  mobile(2),
  mobile(3),
  retina,
  productPage,
  { ...cardPage(6, 3), name: "cards 6, JPEG 50", jpeg: 50 },
  { ...cardPage(7, 4), name: "cards 7, WebP 60", webp: 60 },
];
