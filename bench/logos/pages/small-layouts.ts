/** Layouts that show logos of 12 to 22 pixels beside text: those of the tuning part, and others of the held-out part. */

import type { Part } from "./cache.ts";
import { icon, logo, type PageLayout, page, paragraphs, text } from "./html.ts";

/** Heights of the logos, in pixels. */
export const smallHeights = [12, 14, 16, 18, 20, 22] as const;

/** Logos of a picture, and pictures of a layout. */
const [shown, pictures] = [6, 2];

interface Frame {
  readonly name: string;
  readonly background: string;
  readonly jpeg?: number;
  readonly body: (height: number) => string;
}

function each(item: (i: number) => string): string {
  return Array.from({ length: shown }, (_, i) => item(i)).join("");
}

const tuningFrames: readonly Frame[] = [
  {
    name: "links in a bar",
    background: "#ffffff",
    body: (height) =>
      `<div style="display:flex;flex-wrap:wrap;gap:10px 26px;padding:14px 20px;border-bottom:1px solid #ddd">${each((i) => `<span style="display:flex;align-items:center;gap:7px;font-size:13px">${logo(height, "", i)}${text(1, `link ${i}`)}</span>`)}</div><div style="padding:24px 60px"><h1>${text(4, "bar")}</h1>${paragraphs(2, "bar")}</div>`,
  },
  {
    name: "rows of a table",
    background: "#f4f6f8",
    body: (height) =>
      `<div style="padding:20px 40px">${each((i) => `<div style="display:flex;align-items:center;background:#f4f6f8;border-bottom:1px solid #cfd5dc;padding:8px 12px">${logo(height, "", i)}<span style="margin-left:10px;flex:1">${text(4, `cell ${i}`)}</span><span style="width:130px">${i * 31 + 7},20</span>${icon(14, `row ${i}`, "#8a94a0")}</div>`)}${paragraphs(1, "table")}</div>`,
  },
  {
    name: "dark side bar",
    background: "#14181f",
    body: (height) =>
      `<div style="display:flex;height:480px"><div style="width:270px;background:#14181f;color:#c9d1d9;padding:18px">${each((i) => `<div style="padding:9px 0;display:flex;align-items:center">${logo(height, "", i)}<span style="margin-left:12px;font-size:14px">${text(2, `project ${i}`)}</span></div>`)}</div><div style="flex:1;padding:30px"><h2>${text(3, "side")}</h2>${paragraphs(3, "side", 40)}</div></div>`,
  },
  {
    name: "buttons to sign in",
    background: "#ffffff",
    body: (height) =>
      `<div style="width:330px;margin:24px auto"><h2>${text(2, "join")}</h2>${each((i) => `<div style="border:1px solid #bbb;border-radius:5px;padding:8px;margin:0 0 8px;text-align:center;font-size:14px">${logo(height, "margin-right:8px;", i)}Continue with ${text(1, `name ${i}`)}</div>`)}</div>`,
  },
  {
    name: "foot of a page, JPEG 80",
    background: "#eceff1",
    jpeg: 80,
    body: (height) =>
      `<div style="padding:26px 50px">${paragraphs(1, "foot")}</div><div style="background:#eceff1;padding:16px 50px;display:flex;align-items:center;justify-content:space-between;border-top:1px solid #ccc"><span style="font-size:12px">${text(4, "partners")}</span>${each((i) => logo(height, "", i))}</div><div style="background:#eceff1;padding:0 50px 30px;font-size:12px;color:#667">${text(24, "legal")}</div>`,
  },
];

const heldOutFrames: readonly Frame[] = [
  {
    name: "sources of articles",
    background: "#ffffff",
    body: (height) =>
      `<div style="columns:2;padding:20px 36px">${each((i) => `<div style="break-inside:avoid;margin-bottom:20px"><div style="font-size:12px;color:#777">${logo(height, "margin-right:5px;", i)}${text(2, `source ${i}`)} · ${i + 2} h</div><b>${text(7, `head ${i}`)}</b><div style="font-size:13px">${text(16, `lead ${i}`)}</div></div>`)}</div>`,
  },
  {
    name: "chips on pale blue",
    background: "#e0f2fe",
    body: (height) =>
      `<div style="background:#fff;padding:30px 70px"><h1>${text(3, "chips")}</h1><div style="display:flex;flex-wrap:wrap;gap:12px;margin:20px 0">${each((i) => `<span style="background:#e0f2fe;border-radius:20px;padding:7px 14px;font-size:13px">${text(1, `chip ${i}`)} ${logo(height, "margin-left:6px;", i)}</span>`)}</div>${paragraphs(2, "chips")}</div>`,
  },
  {
    name: "dark bar at the bottom",
    background: "#3f3f46",
    body: (height) =>
      `<div style="padding:40px 80px;height:420px">${paragraphs(4, "desk", 45)}</div><div style="background:#3f3f46;height:60px;display:flex;align-items:center;gap:24px;padding:0 16px;color:#eee">${each((i) => logo(height, "", i))}<span style="margin-left:auto;font-size:12px">14:05</span></div>`,
  },
  {
    name: "list of bookmarks",
    background: "#fffdf5",
    body: (height) =>
      `<div style="background:#fffdf5;padding:24px 60px;font-family:DejaVu Serif,serif"><h2>${text(2, "marks")}</h2><ul style="list-style:none;padding:0">${each((i) => `<li style="padding:6px 0">${logo(height, "margin-right:9px;", i)}<a>${text(5, `mark ${i}`)}</a> <small style="color:#888">${text(2, `tag ${i}`)}</small></li>`)}</ul></div>`,
  },
  {
    name: "teal header, JPEG 85",
    background: "#0f766e",
    jpeg: 85,
    body: (height) =>
      `<div style="background:#0f766e;height:52px;display:flex;align-items:center;justify-content:flex-end;gap:20px;padding:0 24px">${each((i) => logo(height, "", i))}</div><div style="padding:30px 90px"><h1>${text(5, "teal")}</h1>${paragraphs(3, "teal")}</div>`,
  },
];

function layoutOf({ name, background, jpeg, body }: Frame, height: number): PageLayout {
  return {
    name: `${name}, ${height} px`,
    viewport: [720, 480],
    background,
    ...(jpeg && { jpeg }),
    logos: shown,
    count: pictures,
    html: () => page("background:#fff", body(height)),
  };
}

/** The layouts of a part, each at each height. */
export function smallLayouts(part: Part): readonly PageLayout[] {
  const frames = part === "tuning" ? tuningFrames : heldOutFrames;
  return smallHeights.flatMap((height) => frames.map((frame) => layoutOf(frame, height)));
}
