/**
 * The regions of a scanned picture that may contain a logo: the trimmed picture, the whole of it, the box of its main
 * color, the insides of frames, and the regions between empty rows and columns. Method `chosen`.
 */

import { runSteps, type Steps } from "../../../core/work/steps.ts";
import { type Box, type RgbPicture, wholeBox } from "../decode/picture.ts";
import {
  frameShare,
  gapRatio,
  maxCutDepth,
  maxFrames,
  maxRegionElongation,
  maxSearchedRegions,
  maxTextHeight,
  minFrameContrast,
  minGapPixels,
  minGapShare,
  minRegionSide,
  minTextGap,
  refineShare,
} from "../tuning.ts";
import { colorAt, fitBackground, type Plane } from "./background.ts";
import { mainColorBox } from "./color-layers.ts";
import { type Foreground, foregroundSteps, type TrimmedBox, trimSteps } from "./foreground.ts";
import { findPanels } from "./panels.ts";

/** A box of a picture, and its background. */
export interface CandidateRegion {
  readonly box: Box;
  readonly plane: Plane;
}

/** A candidate region with its foreground. */
export interface ForegroundRegion extends CandidateRegion, TrimmedBox {
  readonly foreground: Foreground;
}

/** A region whose inside is not cut yet. */
interface CutNode extends ForegroundRegion {
  /** Number of cuts around it. */
  readonly depth: number;
  /** Number of frames stripped around it. */
  readonly frames: number;
}

/** Pixels that cost as much as fitting a background. */
const backgroundPixels = 1 << 13;

/** The trimmed box of a picture against its own border; undefined when it has no foreground. */
export function mainRegion(picture: RgbPicture): ForegroundRegion | undefined {
  return runSteps(mainRegionSteps(picture));
}

/** The same in steps. */
export function mainRegionSteps(picture: RgbPicture): Steps<ForegroundRegion | undefined> {
  const whole = wholeBox(picture);
  return regionIn(picture, whole, fitBackground(picture, whole));
}

/** The trimmed foreground of a box against a background; undefined without foreground. */
function* regionIn(picture: RgbPicture, box: Box, plane: Plane): Steps<ForegroundRegion | undefined> {
  const foreground = yield* foregroundSteps(picture, box, plane);
  const trimmed = foreground && (yield* trimSteps(foreground, box));
  return trimmed && { ...trimmed, plane, foreground };
}

/** `candidateRegionSteps` at once. */
export function findCandidateRegions(
  picture: RgbPicture,
  areas: readonly CandidateRegion[] = [],
): readonly CandidateRegion[] {
  return runSteps(candidateRegionSteps(picture, areas));
}

/**
 * All candidate regions of a scanned picture, the trimmed and the whole picture first, then from the outside in; none
 * without foreground. The flat areas of a page are searched as well, each against its own color. In steps.
 */
export function* candidateRegionSteps(
  picture: RgbPicture,
  areas: readonly CandidateRegion[],
): Steps<readonly CandidateRegion[]> {
  const main = yield* mainRegionSteps(picture);
  const found: CandidateRegion[] = main ? yield* outerRegions(picture, main) : [];
  const flat = yield* flatNodes(picture, main, areas);
  for (const node of flat)
    if (isCandidate(node.box) && !found.some((known) => isSameRegion(known, node))) found.push(node);
  const nodes: CutNode[] = [...(main ? [{ ...main, depth: 0, frames: 0 }] : []), ...flat];
  for (let next = 0; next < nodes.length && found.length < maxSearchedRegions; next++) {
    const node = nodes[next];
    if (!node) break;
    for (const inside of yield* insidesOf(picture, node)) {
      const refined = yield* refineRegion(picture, inside);
      if (isCandidate(refined.box) && !found.some((known) => isSameRegion(known, refined)))
        found.push(refined);
      if (refined.depth < maxCutDepth) nodes.push(refined);
    }
  }
  return found;
}

/** The trimmed picture, the whole of it, and the box of its main color. */
function* outerRegions(picture: RgbPicture, main: ForegroundRegion): Steps<CandidateRegion[]> {
  const mainColor = yield* mainColorBox(picture, main.foreground, main);
  const found: CandidateRegion[] = [main, { box: wholeBox(picture), plane: main.plane }];
  if (mainColor && isCandidate(mainColor.box)) found.push({ box: mainColor.box, plane: main.plane });
  return found;
}

/** The foreground of each flat area; the page's own background is searched already. */
function* flatNodes(
  picture: RgbPicture,
  main: CandidateRegion | undefined,
  areas: readonly CandidateRegion[],
): Steps<readonly CutNode[]> {
  const nodes: CutNode[] = [];
  for (const { box, plane } of areas) {
    if (
      main &&
      areaOf(box) > 0.9 * picture.width * picture.height &&
      contrastOf(plane, main.plane, box) < minFrameContrast
    )
      continue;
    const region = yield* regionIn(picture, box, plane);
    if (region) nodes.push({ ...region, depth: 1, frames: 0 });
  }
  return nodes;
}

/** The insides of frames of one color, from the outside in. */
export function stripFrames(picture: RgbPicture, region: CandidateRegion): readonly CandidateRegion[] {
  const found: CandidateRegion[] = [];
  for (let inside: CandidateRegion | undefined = region; inside && found.length < maxFrames; ) {
    inside = runSteps(stripFrame(picture, inside));
    if (inside) found.push(inside);
  }
  return found;
}

/** Fits the background again around a small region and trims the region to it: strong parts of the page do not count. */
function* refineRegion(picture: RgbPicture, node: CutNode): Steps<CutNode> {
  const { left, top, right, bottom } = node.box;
  const around = {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(picture.width, right + 1),
    bottom: Math.min(picture.height, bottom + 1),
  };
  const local = fitBackground(picture, around);
  yield backgroundPixels;
  const plane = local.share >= refineShare ? local : node.plane;
  return { ...node, ...(yield* regionIn(picture, around, plane)) };
}

/** The pieces of a box, and the inside of its frame. */
function* insidesOf(picture: RgbPicture, node: CutNode): Steps<readonly CutNode[]> {
  const pieces = yield* cut(node);
  if (pieces.length > 0 && node.depth > 0) return pieces;
  const inside = node.frames < maxFrames ? yield* stripFrame(picture, node) : undefined;
  if (!inside) return pieces.length > 0 ? pieces : yield* panelsOf(picture, node);
  return [{ ...inside, depth: node.depth + 1, frames: node.frames + 1 }, ...pieces];
}

/** The foreground of each panel of a box. */
function* panelsOf(picture: RgbPicture, node: CutNode): Steps<readonly CutNode[]> {
  const inner = inset(node.box);
  const nodes: CutNode[] = [];
  for (const { box, plane } of inner ? yield* findPanels(picture, inner) : []) {
    const region = yield* regionIn(picture, box, plane);
    if (region) nodes.push({ ...node, ...region, depth: node.depth + 1 });
  }
  return nodes;
}

/** The foreground inside a frame of one color; undefined when the box has no frame or the frame is empty. */
function* stripFrame(
  picture: RgbPicture,
  { box, plane }: CandidateRegion,
): Steps<ForegroundRegion | undefined> {
  const inner = inset(box);
  if (!inner) return undefined;
  const frame = fitBackground(picture, inner);
  yield backgroundPixels;
  if (frame.share < frameShare || contrastOf(frame, plane, inner) < minFrameContrast) return undefined;
  return yield* regionIn(picture, inner, frame);
}

/** The box without its soft edge; undefined when little would be left. */
function inset({ left, top, right, bottom }: Box): Box | undefined {
  const by = 1 + Math.floor(Math.min(right - left, bottom - top) / 50);
  const inner = { left: left + by, top: top + by, right: right - by, bottom: bottom - by };
  return inner.right - inner.left >= 3 && inner.bottom - inner.top >= 3 ? inner : undefined;
}

/** Largest channel distance between two planes in the middle of a box. */
function contrastOf(a: Plane, b: Plane, { left, top, right, bottom }: Box): number {
  const x = (left + right) / 2;
  const y = (top + bottom) / 2;
  const channels = ["red", "green", "blue"] as const;
  return Math.max(...channels.map((c) => Math.abs(colorAt(a[c], x, y) - colorAt(b[c], x, y))));
}

/** Cuts a box along its widest empty rows or columns; a whole picture along both. */
function* cut(node: CutNode): Steps<readonly CutNode[]> {
  const rows = gapsOf(node, "rows");
  const columns = gapsOf(node, "columns");
  if (node.depth === 0)
    return [...(yield* slice(node, "rows", rows)), ...(yield* slice(node, "columns", columns))];
  return yield* widest(rows) >= widest(columns) ? slice(node, "rows", rows) : slice(node, "columns", columns);
}

type Gap = readonly [start: number, end: number];

function widest(gaps: readonly Gap[]): number {
  return gaps.reduce((max, [start, end]) => Math.max(max, end - start), 0);
}

/** Empty runs inside a box that are wide enough to cut at. */
function gapsOf({ box, ...counts }: CutNode, of: "rows" | "columns"): readonly Gap[] {
  const tall = box.bottom - box.top;
  const shorter = Math.min(box.right - box.left, tall);
  const inText = of === "columns" && tall < maxTextHeight ? minTextGap * tall : 0;
  const minGap = Math.max(minGapPixels, minGapShare * shorter, inText);
  const gaps = emptyRuns(counts[of]).filter(([start, end]) => end - start >= minGap);
  const minCut = gapRatio * widest(gaps);
  return gaps.filter(([start, end]) => end - start >= minCut);
}

/** Runs of zeros that touch neither end. */
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

function* slice(node: CutNode, axis: "rows" | "columns", gaps: readonly Gap[]): Steps<readonly CutNode[]> {
  if (gaps.length === 0) return [];
  const { box } = node;
  const size = axis === "rows" ? box.bottom - box.top : box.right - box.left;
  const starts = [0, ...gaps.map(([, end]) => end)];
  const nodes: CutNode[] = [];
  for (const [i, start] of starts.entries()) {
    const end = gaps[i]?.[0] ?? size;
    const part =
      axis === "rows"
        ? { ...box, top: box.top + start, bottom: box.top + end }
        : { ...box, left: box.left + start, right: box.left + end };
    const trimmed = yield* trimSteps(node.foreground, part);
    if (trimmed) nodes.push({ ...node, ...trimmed, depth: node.depth + 1 });
  }
  return nodes;
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

/** Whether a box is large and compact enough for a logo. */
function isCandidate({ left, top, right, bottom }: Box): boolean {
  const shorter = Math.min(right - left, bottom - top);
  const longer = Math.max(right - left, bottom - top);
  return shorter >= minRegionSide && longer <= maxRegionElongation * shorter;
}

/** Whether two regions have the same box within a pixel, and the same background. */
function isSameRegion(a: CandidateRegion, b: CandidateRegion): boolean {
  return (
    Math.abs(a.box.left - b.box.left) <= 1 &&
    Math.abs(a.box.top - b.box.top) <= 1 &&
    Math.abs(a.box.right - b.box.right) <= 1 &&
    Math.abs(a.box.bottom - b.box.bottom) <= 1 &&
    contrastOf(a.plane, b.plane, a.box) < minFrameContrast
  );
}
