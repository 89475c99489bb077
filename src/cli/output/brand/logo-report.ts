/** The page of `edgeproof brand logo --html`: one file with all pictures embedded. */

import type { PixelBox } from "../../../engine/logo/box.ts";
import { escapeHtml, printHtmlHead } from "../html.ts";
import { printImage } from "../html-image.ts";

/** A picture in the report. */
export interface ReportPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A picture that matches. */
export interface ReportMatch extends ReportPicture {
  /** 0 to 1. */
  readonly score: number;
  /** The name of the logo, where the report has several. */
  readonly logo?: string;
  /** The place of the logo, which is drawn over the picture. */
  readonly place?: { readonly box: PixelBox; readonly size: PictureSize };
}

/** Size of a decoded picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The head of the report. */
export interface LogoPage {
  /** The logos that were searched for. */
  readonly title: string;
  /** Minimum score of a match, 0 to 1. */
  readonly threshold: number;
  /** Number of pictures that were compared. */
  readonly scanned: number;
  /** Number of pictures that match, each counted once. */
  readonly found: number;
}

const style = `
body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; background: #fff; }
figure { margin: 0; border: 1px solid #ccc; border-radius: 6px; padding: .75rem; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: 12rem; object-fit: contain; background: repeating-conic-gradient(#eee 0 25%, #fff 0 50%) 0 0 / 16px 16px; }
.logos { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 18rem)); gap: 1rem; }
.picture { position: relative; }
.picture svg { position: absolute; inset: 0; width: 100%; height: 100%; fill: none; stroke: #d0006f; stroke-width: 2px; }
.matches { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; }
meter { width: 100%; }
`;

/** The page in pieces, one for each logo and match, best first: with many pictures it is too long for one string. */
export async function* printLogoReport(
  report: LogoPage,
  logos: AsyncIterable<ReportPicture>,
  matches: AsyncIterable<ReportMatch>,
): AsyncGenerator<string> {
  const summary = `${report.found} of ${report.scanned} pictures score ${report.threshold} or more`;
  yield `${printHtmlHead(`${report.title}: ${summary}`, style, { images: true }).join("\n")}
<h1>Logo search</h1>
<div class="logos">
`;
  for await (const logo of logos)
    yield `<figure>${printImage(logo.bytes, logo.name)}<figcaption>Logo: ${escapeHtml(logo.name)}</figcaption></figure>\n`;
  yield `</div>\n<h2>${escapeHtml(summary)}</h2>\n<div class="matches">\n`;
  for await (const match of matches) yield `${printMatch(match)}\n`;
  yield "</div>\n</body></html>\n";
}

function printMatch(match: ReportMatch): string {
  const score = match.score.toFixed(3);
  const logo = match.logo === undefined ? "" : `<br>Logo: ${escapeHtml(match.logo)}`;
  const caption = `<meter value="${score}">${score}</meter><strong>${score}</strong> ${escapeHtml(match.name)}${logo}`;
  const picture = `<div class="picture">${printImage(match.bytes, match.name)}${printPlace(match)}</div>`;
  return `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;
}

/** The box over a picture; both are scaled to fit, and centered. */
function printPlace({ place }: ReportMatch): string {
  if (!place) return "";
  const { box, size } = place;
  const rect = `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" vector-effect="non-scaling-stroke"/>`;
  return `<svg viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true">${rect}</svg>`;
}
