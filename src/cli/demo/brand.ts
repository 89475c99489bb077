/** The brand section of the demo: look-alikes of a domain name and of a logo. */
import { createEdge, type Edge } from "../../edge.ts";
import { type Drawing, type DrawingOptions, drawPng } from "../../testing/pictures/drawing.ts";
import type { DemoTable } from "./demo-table.ts";

const account = "demo";

const names = [
  "northwind.example",
  "northw1nd.com",
  "nortwind.net",
  "noorthwind.shop",
  "nothrwind.com",
  "north-wind.org",
  "secure-northwind-login.com",
  "northwind.com.account-check.net",
  "xn--nrthwind-nbh.com",
  "mynorthwinds.info",
  "windmill-north.org",
  "thunderbird.net",
  "not a name",
];

export async function brandSection(): Promise<readonly DemoTable[]> {
  const edge = createEdge({ brand: { confusables: true } });
  return [await domains(edge), await logos(edge)];
}

async function domains(edge: Edge): Promise<DemoTable> {
  const string_matches = [{ pattern: "northwind", max_edit_distance: 1 }];
  await edge.brand.queries.create(account, { tag: "our name", string_matches });
  const report = await edge.brand.observe(account, names);
  const { matcher } = await edge.brand.compile(account);
  const { matches } = await edge.brand.matches.list(account, { query_id: ["1"], orderBy: "domain" });
  const rows = matches.flatMap(({ match: { domain } }) => {
    const [best] = matcher.match(domain);
    return best ? [[domain, best.technique, String(best.distance), best.score.toFixed(2)]] : [];
  });
  return {
    area: "brand",
    title: `Brand protection: \`northwind\` within one edit in ${report.records} observed names`,
    header: ["name", "technique", "edits", "score"],
    rows,
    notes: [`${report.invalid} invalid: ${report.invalidRecords[0]?.message}`],
  };
}

/** The logo: three blades. */
const blades: Drawing = (x, y) =>
  [0, 0.33, 0.66].some((o) => y > o && y < o + 0.25 && x > (y - o) * 2.2 && x < 1 - o * 0.8);

/** An unrelated logo. */
const stairs: Drawing = (x, y) =>
  (x > 1 - y && Math.floor(x * 5) + Math.floor(y * 5) > 4) || Math.hypot(x - 0.2, y - 0.2) < 0.15;

const pictures: readonly (readonly [title: string, drawing: Drawing, look: DrawingOptions])[] = [
  ["as it is", blades, {}],
  ["half the size", blades, { side: 64 }],
  ["white on red", blades, { foreground: [255, 255, 255], background: [190, 20, 30] }],
  ["turned by 5 degrees", blades, { rotation: 5, margin: 0.15 }],
  ["with wide margins", blades, { margin: 0.3, side: 200 }],
  ["another logo", stairs, {}],
];

async function logos(edge: Edge): Promise<DemoTable> {
  const image_data = Buffer.from(drawPng(blades)).toString("base64");
  await edge.brand.logos.queries.create(account, { tag: "our logo", similarity_threshold: 0, image_data });
  const scans = pictures.map(([title, drawing, look], i) => {
    return { domain: `scan-${i + 1}.example`, url_scan_id: title, image: drawPng(drawing, look) };
  });
  await edge.brand.observeImages(account, scans);
  const { matches } = await edge.brand.logos.matches.list(account, {
    query_id: "1",
    orderBy: "similarityScore",
  });
  const rows = matches.map(({ match }) => [match.similarity_score.toFixed(3), match.url_scan_id]);
  return {
    area: "brand",
    title: "A logo in six pictures (0.85 is a false alarm in 10,000)",
    header: ["score", "picture"],
    rows,
  };
}
