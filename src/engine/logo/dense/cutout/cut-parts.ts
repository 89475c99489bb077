/** Cuts a lock-up into its symbol and its word, at an empty gap that is wider than those between the letters. */

import type { Steps } from "../../../../core/work/steps.ts";
import type { Cutout } from "./cutout.ts";
import { resampleSteps } from "./resample.ts";

/** The two parts of a lock-up. */
export type PartName = "symbol" | "word";

/** A part of a lock-up, cut out. */
export interface CutPart {
  readonly name: PartName;
  readonly cutout: Cutout;
}

/** Shorter side of the logo when its gaps are measured, and maximum of the longer one. */
const measuredSides = [64, 640] as const;
/** Alpha from which a pixel is ink. */
const inkAlpha = 48;
/** Minimum of the gap, as a share of the side across it, and as a multiple of the usual gap. */
const minGap = 0.04;
const minGapOverUsual = 1.4;
/** Number of the widest gaps that are tried. */
const triedGaps = 3;
/** Range of the width over the height of a symbol, and its minimum share of the side across the cut. */
const symbolAspect = [0.4, 2.2] as const;
const minSymbolSide = 0.5;
/** Maximum of the width over the height of a letter, and of its height over that of the word that it begins or ends. */
const letterSize = [0.75, 1.05] as const;
/** Minimum number of letters of a word, and minimum width over height of a word whose letters are joined. */
const minLetters = 3;
const minJoinedAspect = 2.2;

/** A filled grid of a logo. */
interface Ink {
  readonly width: number;
  readonly height: number;
  readonly has: (x: number, y: number) => boolean;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The symbol of a lock-up and its word; none of any other logo. */
export function* cutPartsSteps(cutout: Cutout): Steps<readonly CutPart[]> {
  const [side, longest] = measuredSides;
  const [shorter, longer] = [cutout.width, cutout.height].sort((a, b) => a - b) as [number, number];
  const scale = Math.min(side / shorter, longest / longer);
  const width = Math.max(1, Math.round(cutout.width * scale));
  const height = Math.max(1, Math.round(cutout.height * scale));
  const { data } = yield* resampleSteps(cutout, width, height);
  const ink: Ink = { width, height, has: (x, y) => (data[4 * (y * width + x) + 3] ?? 0) >= inkAlpha };
  const boxes = cutAlong(ink, "beside") ?? cutAlong(ink, "below");
  if (!boxes) return [];
  return (["symbol", "word"] as const).map((name) => ({
    name,
    cutout: cropped(cutout, boxes[name], cutout.width / width, cutout.height / height),
  }));
}

/** Where the word is from the symbol. */
type Side = "beside" | "below";

type Run = readonly [from: number, to: number];

/** The columns with ink of a box, or its rows, as runs. */
function runsOf(ink: Ink, { left, top, right, bottom }: Box, along: "columns" | "rows"): readonly Run[] {
  const isFilled = (at: number) => {
    if (along === "columns") for (let y = top; y < bottom; y++) if (ink.has(at, y)) return true;
    if (along === "rows") for (let x = left; x < right; x++) if (ink.has(x, at)) return true;
    return false;
  };
  const runs: [number, number][] = [];
  const [from, to] = along === "columns" ? [left, right] : [top, bottom];
  for (let at = from; at < to; at++) {
    if (!isFilled(at)) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
}

/** The gaps between runs. */
function gapsOf(runs: readonly Run[]): readonly Run[] {
  return runs.slice(1).map(([to], i): Run => [runs[i]?.[1] ?? 0, to]);
}

const lengthOf = ([from, to]: Run) => to - from;

/** The parts at the widest gap that has a symbol at one side and a word at the other. */
function cutAlong(ink: Ink, side: Side): Readonly<Record<PartName, Box>> | undefined {
  const all = { left: 0, top: 0, right: ink.width, bottom: ink.height };
  const isBeside = side === "beside";
  const gaps = gapsOf(runsOf(ink, all, isBeside ? "columns" : "rows"));
  const widest = [...gaps].sort((a, b) => lengthOf(b) - lengthOf(a));
  // The middle one is between letters: a name may be several words.
  const usual = widest[(widest.length + 1) >> 1];
  const acrossCut = isBeside ? ink.height : ink.width;
  // A gap is measured to a pixel at either end.
  const minLength = Math.max(minGap * acrossCut, usual ? minGapOverUsual * lengthOf(usual) + 1 : 0);
  for (const gap of widest.slice(0, triedGaps)) {
    if (lengthOf(gap) < minLength) return undefined;
    const [from, to] = gap;
    const before = boxOf(ink, isBeside ? { ...all, right: from } : { ...all, bottom: from });
    const after = boxOf(ink, isBeside ? { ...all, left: to } : { ...all, top: to });
    for (const [symbol, word] of [
      [before, after],
      [after, before],
    ] as const)
      if (isSymbol(symbol, ink, side) && isWord(word, symbol, ink, side) && !isLetter(symbol, word))
        return { symbol, word };
  }
  return undefined;
}

function isSymbol({ left, top, right, bottom }: Box, ink: Ink, side: Side): boolean {
  const [width, height] = [right - left, bottom - top];
  const [min, max] = symbolAspect;
  if (width < min * height || width > max * height) return false;
  return side === "beside"
    ? height >= minSymbolSide * ink.height
    : Math.max(width, height) >= minSymbolSide * Math.min(ink.width, ink.height);
}

/** Whether a part is a letter of the name beside it, such as one that is farther from the others. */
function isLetter(part: Box, word: Box): boolean {
  const height = part.bottom - part.top;
  const [maxAspect, maxHeight] = letterSize;
  return part.right - part.left <= maxAspect * height && height <= maxHeight * (word.bottom - word.top);
}

/** Whether a part is several letters in a row, or joined letters beside a symbol: a stroke below one is no word. */
function isWord({ left, top, right, bottom }: Box, symbol: Box, ink: Ink, side: Side): boolean {
  const [width, height] = [right - left, bottom - top];
  const letters = runsOf(ink, { left, top, right, bottom }, "columns").length;
  if (letters >= minLetters) return width >= height;
  return side === "beside" && width >= minJoinedAspect * height && width >= symbol.right - symbol.left;
}

/** The box of the ink in a box. */
function boxOf(ink: Ink, within: Box): Box {
  const columns = runsOf(ink, within, "columns");
  const rows = runsOf(ink, within, "rows");
  return {
    left: columns[0]?.[0] ?? within.left,
    right: columns.at(-1)?.[1] ?? within.right,
    top: rows[0]?.[0] ?? within.top,
    bottom: rows.at(-1)?.[1] ?? within.bottom,
  };
}

/** A box of a cutout, given on a grid of larger pixels. */
function cropped({ width, height, read, readRun }: Cutout, box: Box, across: number, down: number): Cutout {
  const left = Math.max(0, Math.floor(box.left * across));
  const top = Math.max(0, Math.floor(box.top * down));
  return {
    width: Math.min(width, Math.ceil(box.right * across)) - left,
    height: Math.min(height, Math.ceil(box.bottom * down)) - top,
    read: (x, y, out, at) => read(left + x, top + y, out, at),
    ...(readRun && {
      readRun: (x: number, y: number, count: number, out: Float32Array) =>
        readRun(left + x, top + y, count, out),
    }),
  };
}
