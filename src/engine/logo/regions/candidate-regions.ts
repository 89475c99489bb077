/**
 * Where in a scanned picture a logo may be: the trimmed picture, the whole of it, what has its main colour, what
 * frames hold, and the regions that empty rows and columns cut out. Method `chosen`.
 */

import { type Box, type Picture, wholeBox } from "../decode/picture.ts";
import {
  cutDepth,
  gapPixels,
  gapShare,
  gapTogether,
  peelContrast,
  peelLimit,
  peelShare,
  regionLimit,
  regionSide,
  regionStrip,
  settleShare,
  textGap,
  textHeight,
} from "../tuning.ts";
import { fitBackground, type Plane, planeAt } from "./background.ts";
import { mainLayer } from "./color-layers.ts";
import { findInk, type Ink, type Trimmed, trimInk } from "./foreground.ts";
import { findPanels } from "./panels.ts";

/** A box of a picture and the background that it is seen against. */
export interface Sight {
  readonly box: Box;
  readonly plane: Plane;
}

/** A sight and the ink in it. */
export interface InkedSight extends Sight, Trimmed {
  readonly ink: Ink;
}

/** A box whose inside is still to be cut. */
interface Node extends InkedSight {
  readonly depth: number;
  readonly peels: number;
}

/** The trimmed box of a picture against its own border; undefined when nothing stands out. */
export function mainSight(picture: Picture): InkedSight | undefined {
  const whole = wholeBox(picture);
  const plane = fitBackground(picture, whole);
  const ink = findInk(picture, whole, plane);
  const trimmed = ink && trimInk(ink);
  return ink && trimmed ? { ...trimmed, plane, ink } : undefined;
}

/** All sights of a scanned picture, the trimmed and the whole one first; none when nothing stands out. */
export function findSights(picture: Picture): readonly Sight[] {
  const main = mainSight(picture);
  if (!main) return [];
  const layer = mainLayer(picture, main.ink, main);
  const sights: Sight[] = [main, { box: wholeBox(picture), plane: main.plane }];
  if (layer && isRegion(layer.box)) sights.push({ box: layer.box, plane: main.plane });
  const nodes: Node[] = [{ ...main, depth: 0, peels: 0 }];
  while (nodes.length > 0 && sights.length < regionLimit) {
    for (const found of insidesOf(picture, takeLargest(nodes))) {
      const inside = settle(picture, found);
      if (isRegion(inside.box) && !sights.some((s) => isSameSight(s, inside))) sights.push(inside);
      if (inside.depth < cutDepth) nodes.push(inside);
    }
  }
  return sights.slice(0, regionLimit);
}

/** What frames of one colour hold, one inside another. */
export function peelFrames(picture: Picture, sight: Sight): readonly Sight[] {
  const found: Sight[] = [];
  for (let at: Sight | undefined = sight; at && found.length < peelLimit; ) {
    at = peel(picture, at);
    if (at) found.push(at);
  }
  return found;
}

function takeLargest(nodes: Node[]): Node {
  let best = 0;
  for (let i = 1; i < nodes.length; i++) if (areaOf(nodes[i]!.box) > areaOf(nodes[best]!.box)) best = i;
  return nodes.splice(best, 1)[0]!;
}

/** Fits the background anew around a small region and trims it to it: the page's strongest parts set no measure here. */
function settle(picture: Picture, node: Node): Node {
  const { left, top, right, bottom } = node.box;
  const around = {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(picture.width, right + 1),
    bottom: Math.min(picture.height, bottom + 1),
  };
  const local = fitBackground(picture, around);
  const plane = local.share >= settleShare ? local : node.plane;
  const ink = findInk(picture, around, plane);
  const trimmed = ink && trimInk(ink);
  return ink && trimmed ? { ...node, ...trimmed, plane, ink } : node;
}

/** The pieces of a box, and what is inside its frame. */
function insidesOf(picture: Picture, node: Node): readonly Node[] {
  const pieces = cut(node);
  if (pieces.length > 0 && node.depth > 0) return pieces;
  const peeled = node.peels < peelLimit ? peel(picture, node) : undefined;
  if (!peeled) return pieces.length > 0 ? pieces : panelsOf(picture, node);
  return [{ ...peeled, depth: node.depth + 1, peels: node.peels + 1 }, ...pieces];
}

/** What stands out in each panel of a box. */
function panelsOf(picture: Picture, node: Node): readonly Node[] {
  const inner = inset(node.box);
  return (inner ? findPanels(picture, inner) : []).flatMap(({ box, plane }) => {
    const ink = findInk(picture, box, plane);
    const trimmed = ink && trimInk(ink);
    return ink && trimmed ? [{ ...node, ...trimmed, plane, ink, depth: node.depth + 1 }] : [];
  });
}

function peel(picture: Picture, { box, plane }: Sight): InkedSight | undefined {
  const inner = inset(box);
  if (!inner) return undefined;
  const frame = fitBackground(picture, inner);
  if (frame.share < peelShare || contrastOf(frame, plane, inner) < peelContrast) return undefined;
  const ink = findInk(picture, inner, frame);
  const trimmed = ink && trimInk(ink);
  return ink && trimmed ? { ...trimmed, plane: frame, ink } : undefined;
}

/** The box without its soft edge. */
function inset({ left, top, right, bottom }: Box): Box | undefined {
  const by = 1 + Math.floor(Math.min(right - left, bottom - top) / 50);
  const inner = { left: left + by, top: top + by, right: right - by, bottom: bottom - by };
  return inner.right - inner.left >= 3 && inner.bottom - inner.top >= 3 ? inner : undefined;
}

function contrastOf(a: Plane, b: Plane, { left, top, right, bottom }: Box): number {
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  return Math.max(...[0, 1, 2].map((c) => Math.abs(planeAt(a, c, x, y) - planeAt(b, c, x, y))));
}

/** Cuts a box along its widest empty rows or columns; a whole picture along both. */
function cut(node: Node): readonly Node[] {
  const rows = gapsOf(node, "rows");
  const columns = gapsOf(node, "columns");
  if (node.depth === 0) return [...slice(node, "rows", rows), ...slice(node, "columns", columns)];
  const rowsWin = widest(rows) >= widest(columns);
  return rowsWin ? slice(node, "rows", rows) : slice(node, "columns", columns);
}

type Gap = readonly [start: number, end: number];

function widest(gaps: readonly Gap[]): number {
  return gaps.reduce((most, [start, end]) => Math.max(most, end - start), 0);
}

/** Empty runs inside a box that are wide enough to cut at. */
function gapsOf({ box, ...counts }: Node, of: "rows" | "columns"): readonly Gap[] {
  const tall = box.bottom - box.top;
  const shorter = Math.min(box.right - box.left, tall);
  const inText = of === "columns" && tall < textHeight ? textGap * tall : 0;
  const gaps = emptyRuns(counts[of]).filter(
    ([start, end]) => end - start >= Math.max(gapPixels, gapShare * shorter, inText),
  );
  const least = gapTogether * widest(gaps);
  return gaps.filter(([start, end]) => end - start >= least);
}

function emptyRuns(counts: Uint32Array): readonly Gap[] {
  const runs: Gap[] = [];
  let start = -1;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      if (start > 0) runs.push([start, i]);
      start = -1;
    }
  }
  return runs;
}

function slice(node: Node, axis: "rows" | "columns", gaps: readonly Gap[]): readonly Node[] {
  if (gaps.length === 0) return [];
  const { box } = node;
  const size = axis === "rows" ? box.bottom - box.top : box.right - box.left;
  const starts = [0, ...gaps.map(([, end]) => end)];
  const ends = [...gaps.map(([start]) => start), size];
  return starts.flatMap((start, i) => {
    const part =
      axis === "rows"
        ? { ...box, top: box.top + start, bottom: box.top + ends[i]! }
        : { ...box, left: box.left + start, right: box.left + ends[i]! };
    const trimmed = trimInk(node.ink, part);
    return trimmed ? [{ ...node, ...trimmed, depth: node.depth + 1 }] : [];
  });
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

/** Whether a box is large and compact enough for a logo. */
function isRegion({ left, top, right, bottom }: Box): boolean {
  const shorter = Math.min(right - left, bottom - top);
  const longer = Math.max(right - left, bottom - top);
  return shorter >= regionSide && longer <= regionStrip * shorter;
}

/** Same place within a pixel, same background. */
function isSameSight(a: Sight, b: Sight): boolean {
  return (
    Math.abs(a.box.left - b.box.left) <= 1 &&
    Math.abs(a.box.top - b.box.top) <= 1 &&
    Math.abs(a.box.right - b.box.right) <= 1 &&
    Math.abs(a.box.bottom - b.box.bottom) <= 1 &&
    contrastOf(a.plane, b.plane, a.box) < peelContrast
  );
}
