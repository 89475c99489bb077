/** The account of the demo shop: names and logos that were observed, and stored images. */
import type { World } from "../../service/world/schema.ts";
import { type Drawing, type DrawingOptions, drawPng } from "../../testing/pictures/drawing.ts";
import { photo } from "./photo.ts";

type Account = NonNullable<World["accounts"]>[number];

/** The account. Drawing its pictures takes some hundred milliseconds. */
export function demoAccount(): Account {
  return {
    id: "demo",
    name: "Northwind shop",
    brand: {
      confusables: true,
      queries: [
        { tag: "Our name", string_matches: [{ pattern: "northwind", max_edit_distance: 1 }] },
        { tag: "Our shop", string_matches: [{ pattern: "windshop", max_edit_distance: 2 }] },
      ],
      observed: names.map(([domain, registrar], day) => ({
        domain,
        registrar,
        first_seen: `2026-10-${String(day + 1).padStart(2, "0")}T08:30:00Z`,
      })),
      logo_queries: [{ tag: "Our logo", similarity_threshold: 0.3, image: base64(drawPng(blades)) }],
      scans: scans.map(([domain, drawing, look], day) => ({
        domain,
        registrar: day % 2 === 0 ? "Example Registrar" : "Sample Names",
        url_scan_id: `scan-${day + 1}`,
        matched_at: `2026-11-${String(day + 1).padStart(2, "0")}T12:00:00Z`,
        image: base64(drawPng(drawing, { margin: 0, ...look })),
      })),
    },
    images: {
      variants: [
        { id: "thumbnail", options: { fit: "cover", width: 160, height: 160, metadata: "none" } },
        { id: "teaser", options: { fit: "pad", width: 400, height: 256, metadata: "copyright" } },
      ],
      images: [
        { id: "harbor", filename: "harbor.jpg", image: base64(photo) },
        { id: "logo", filename: "logo.svg", image: base64(Buffer.from(logo)) },
        { id: "members", filename: "members.jpg", requireSignedURLs: true, image: base64(photo) },
      ],
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

const names: readonly (readonly [domain: string, registrar: string])[] = [
  ["northwind.example", "Example Registrar"],
  ["northw1nd.com", "Sample Names"],
  ["nortwind.net", "Sample Names"],
  ["noorthwind.shop", "Example Registrar"],
  ["nothrwind.com", "Sample Names"],
  ["secure-northwind-login.com", "Cheap Domains"],
  ["northwind.com.account-check.net", "Cheap Domains"],
  ["xn--nrthwind-nbh.com", "Cheap Domains"],
  ["login.xn--nrthwind-n4a.shop", "Example Registrar"],
  ["mynorthwinds.info", "Sample Names"],
  ["northwindshop.store", "Cheap Domains"],
  ["northwin-shop.org", "Example Registrar"],
  ["thunderbird.net", "Sample Names"],
];

/** The logo: three blades. */
const blades: Drawing = (x, y) =>
  [0, 0.33, 0.66].some((top) => y > top && y < top + 0.25 && x > (y - top) * 2.2 && x < 1 - top * 0.8);

/** An unrelated logo. */
const stairs: Drawing = (x, y) => x > 1 - y && Math.floor(x * 5) + Math.floor(y * 5) > 4;

/** A page with a logo at a place of the given side: a line below the head, and lines of text. */
function pageWith(drawing: Drawing, left: number, top: number, side: number): Drawing {
  return (x, y) => {
    const [u, v] = [(x - left) / side, (y - top) / side];
    if (u >= 0 && v >= 0 && u <= 1 && v <= 1) return drawing(u, v);
    const row = (y - 0.5) / 0.08;
    return row > 0 && row % 1 < 0.25 && x > 0.1 && x < 0.9 - ((Math.floor(row) * 0.13) % 0.4);
  };
}

const scans: readonly (readonly [domain: string, drawing: Drawing, look: DrawingOptions])[] = [
  ["northw1nd.com", pageWith(blades, 0.08, 0.06, 0.3), { side: 320 }],
  ["secure-northwind-login.com", pageWith(blades, 0.35, 0.1, 0.3), { side: 320, foreground: [120, 20, 30] }],
  ["northwind.com.account-check.net", blades, { side: 96, margin: 0.2 }],
  [
    "mynorthwinds.info",
    blades,
    { foreground: [255, 255, 255], background: [190, 20, 30], margin: 0.15, rotation: 9 },
  ],
  ["thunderbird.net", pageWith(stairs, 0.08, 0.06, 0.3), { side: 320 }],
];

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="120" height="120">
  <title>Northwind</title>
  <path d="M0 0h120L54 30H66zM26 40h75L56 70H92zM0 80h50L55 110H87z" fill="#143ca0"/>
</svg>`;
