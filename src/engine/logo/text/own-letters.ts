/**
 * The letters of a short word mark, set in the faces of the atlas: two or three parts side by side are compared with
 * the letters of each face, and the most similar ones are set as a word and inside of one. Any other mark is set as the
 * letters that it resembles, which costs it nothing, because it is not found there.
 */

import type { Raster } from "../decode/picture.ts";
import { type Face, type Glyph, glyphFaces, isLatin } from "./glyph-atlas.ts";
import { emptySheet, rasterOf, setWord } from "./set-text.ts";

/** The visible part of a logo. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  /** 0 to 255 for a pixel. */
  readonly alphaAt: (x: number, y: number) => number;
}

/** Alpha from which a pixel is ink. */
const inkAlpha = 64;
/** Minimum share of the mask's height of a part that is a letter; smaller parts are dots and commas. */
const minPartHeight = 0.3;
/** Connected parts of a mask from which it is no short word. */
const maxComponents = 12;
/** Number of letters of a short word mark. */
const letterCounts = { min: 2, max: 3 } as const;
/** Side of the grid that letters are compared in. */
const gridSide = 10;
/** Weights of unequal aspects and unequal heights, for each halving. */
const [aspectWeight, heightWeight] = [0.25, 0.3];
/** Size of the text as a multiple of the atlas. */
const scale = 1.4;
/** Letters around the word when it is set inside of another one. */
const [before, after] = ["n", "o"];

/** The letters that each part of a mark resembles, the most similar first; none unless it has two or three parts. */
export function readLetters(mask: Mask): readonly (readonly string[])[] {
  const parts = partsOf(mask);
  const tallest = Math.max(...parts.map(({ box }) => box.height));
  return parts.map((part) => rankedLetters(part, part.box.height / tallest));
}

/** A picture of a mark's letters in many faces; undefined when it is not like a short word. */
export function ownLetters(mask: Mask): Raster | undefined {
  const ranked = readLetters(mask);
  if (ranked.length === 0) return undefined;
  const [best = "", next = ""] = [0, 1].map((rank) => ranked.map((letters) => letters[rank] ?? "").join(""));
  const sheet = emptySheet();
  for (const face of glyphFaces().filter(isLatin)) {
    for (const word of [best, `${before}${best}${after}`, next]) setWord(sheet, face, word, scale);
  }
  return rasterOf(sheet, false);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Part {
  readonly box: Box;
  readonly grid: Float32Array;
}

/** The parts of a mask from left to right, without those that are too low for a letter; none when there are too many. */
function partsOf(mask: Mask): readonly Part[] {
  const labels = new Uint16Array(mask.width * mask.height);
  const components: { readonly labels: number[]; box: Box }[] = [];
  for (let start = 0, label = 0; start < labels.length; start++) {
    if (labels[start] !== 0 || !isInk(mask, start)) continue;
    const box = fill(mask, labels, start, ++label);
    // A letter with its dots: one above the other.
    const other = components.find(
      (each) => sharedColumns(each.box, box) > Math.min(each.box.width, box.width) / 2,
    );
    if (!other) components.push({ labels: [label], box });
    else {
      other.labels.push(label);
      other.box = aroundBoth(other.box, box);
    }
    if (label > maxComponents) return [];
  }
  const tall = components.filter(({ box }) => box.height >= minPartHeight * mask.height);
  if (tall.length < letterCounts.min || tall.length > letterCounts.max) return [];
  return tall
    .sort((a, b) => a.box.left - b.box.left)
    .map(({ labels: own, box }) => {
      const alphaAt = (x: number, y: number) =>
        own.includes(labels[y * mask.width + x] ?? 0) ? mask.alphaAt(x, y) : 0;
      return { box, grid: gridOf(box, alphaAt) };
    });
}

function isInk({ width, alphaAt }: Mask, index: number): boolean {
  return alphaAt(index % width, Math.floor(index / width)) >= inkAlpha;
}

/** Labels the ink that is connected with a pixel; returns its box. */
function fill(mask: Mask, labels: Uint16Array, start: number, label: number): Box {
  const { width, height } = mask;
  let [left, top, right, bottom] = [width, height, 0, 0];
  const open = [start];
  labels[start] = label;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const [x, y] = [index % width, Math.floor(index / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    const neighbors = [
      x > 0 ? index - 1 : index,
      x + 1 < width ? index + 1 : index,
      y > 0 ? index - width : index,
      y + 1 < height ? index + width : index,
    ];
    for (const next of neighbors) {
      if (labels[next] !== 0 || !isInk(mask, next)) continue;
      labels[next] = label;
      open.push(next);
    }
  }
  return { left, top, width: right - left, height: bottom - top };
}

function sharedColumns(a: Box, b: Box): number {
  return Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
}

function aroundBoth(a: Box, b: Box): Box {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** Coverage on a grid over a box, less its mean, of length 1. */
function gridOf({ left, top, width, height }: Box, levelAt: (x: number, y: number) => number): Float32Array {
  const grid = new Float32Array(gridSide * gridSide);
  const probes = 3;
  for (let v = 0; v < gridSide * probes; v++) {
    const y = top + Math.min(height - 1, Math.floor(((v + 0.5) * height) / (gridSide * probes)));
    for (let u = 0; u < gridSide * probes; u++) {
      const x = left + Math.min(width - 1, Math.floor(((u + 0.5) * width) / (gridSide * probes)));
      const o = Math.floor(v / probes) * gridSide + Math.floor(u / probes);
      grid[o] = (grid[o] ?? 0) + levelAt(x, y);
    }
  }
  const mean = grid.reduce((sum, value) => sum + value, 0) / grid.length;
  let square = 0;
  for (let i = 0; i < grid.length; i++) {
    grid[i] = (grid[i] ?? 0) - mean;
    square += (grid[i] ?? 0) ** 2;
  }
  const length = Math.sqrt(square);
  return length > 0 ? grid.map((value) => value / length) : grid;
}

interface DrawnLetter {
  readonly letter: string;
  readonly glyph: Glyph;
  readonly grid: Float32Array;
}

let drawnLetters: readonly DrawnLetter[] | undefined;

/** The Latin letters of all faces with their grids. */
function allLetters(): readonly DrawnLetter[] {
  const lettersOf = (face: Face) =>
    [...face.values()].map((glyph): DrawnLetter => {
      const { width, height, levels } = glyph;
      const box = { left: 0, top: 0, width, height };
      const grid = gridOf(box, (x, y) => levels[y * width + x] ?? 0);
      return { letter: String.fromCodePoint(glyph.code), glyph, grid };
    });
  drawnLetters ??= glyphFaces().filter(isLatin).flatMap(lettersOf);
  return drawnLetters;
}

/** Height of a capital letter in pixels of the atlas. */
const capitalHeight = 19;

/** Letters by falling similarity to a part, whose height is a share of the tallest part's. */
function rankedLetters({ box, grid }: Part, heightShare: number): readonly string[] {
  const best = new Map<string, number>();
  for (const { letter, glyph, grid: theirs } of allLetters()) {
    let dot = 0;
    for (let i = 0; i < grid.length; i++) dot += (grid[i] ?? 0) * (theirs[i] ?? 0);
    const aspect = Math.abs(Math.log2(((box.width / box.height) * glyph.height) / glyph.width));
    const height = Math.max(0, Math.log2(glyph.height / capitalHeight / heightShare) - 0.2);
    const similarity = dot - aspectWeight * aspect - heightWeight * height;
    if (similarity > (best.get(letter) ?? Number.NEGATIVE_INFINITY)) best.set(letter, similarity);
  }
  return [...best].sort((a, b) => b[1] - a[1]).map(([letter]) => letter);
}
