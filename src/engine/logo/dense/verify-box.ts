/** Fits the box of a template to a page, and verifies it block by block. */

import { blocksPerSide, fitRange, padding } from "./dense-tuning.ts";
import type { PreparedPage } from "./prepare-page.ts";
import type { Position } from "./search-positions.ts";
import { pointNumbers, type Template } from "./templates.ts";

/** A template placed on a level: its corner in the level's planes, and its scale along both axes. */
export interface Fit {
  readonly template: Template;
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
  readonly cosine: number;
}

/** A box in pixels of a page or picture. */
export type LogoBox = readonly [left: number, top: number, right: number, bottom: number];

/** Bytes of the results before the points in the scratch memory. */
const resultBytes = 64;

/** Fits the position and the size of a box by steps that raise the cosine of its points. */
export function fitBox(page: PreparedPage, { template, level, x, y }: Omit<Position, "cosine">): Fit {
  const { points, energy, columns, rows } = template;
  const { scratchAt } = page.layout;
  placeOn(page, level);
  writePoints(page, points);
  const [min, max] = fitRange;
  const at = scratchAt + resultBytes;
  page.kernels.fitBox(at, points.length / pointNumbers, energy, x, y, columns, rows, min, max, scratchAt);
  const [left = 0, top = 0, across = 1, down = 1, cosine = 0] = new Float64Array(
    page.memory.buffer,
    scratchAt,
    5,
  );
  return { template, level, x: left, y: top, across, down, cosine };
}

/** Sets the level of a page that boxes are placed on. */
function placeOn({ kernels, layout }: PreparedPage, index: number): void {
  const level = layout.levels[index];
  if (!level) throw new RangeError(`There is no level ${index}.`);
  kernels.placeOn(level.fieldAt, level.stride, level.width, level.height, padding);
}

/** Writes the centers and vectors of points to the scratch memory. */
function writePoints({ memory, layout }: PreparedPage, points: Int16Array): void {
  const packed = new Float64Array(memory.buffer, layout.scratchAt + resultBytes, points.length);
  for (let i = 0; i < points.length; i += pointNumbers) {
    packed[i] = (points[i] ?? 0) + 0.5;
    packed[i + 1] = (points[i + 1] ?? 0) + 0.5;
    packed[i + 2] = points[i + 2] ?? 0;
    packed[i + 3] = points[i + 3] ?? 0;
  }
}

/** The similarities of a fitted box, each at most 1. */
export interface Verification {
  /** Similarity of the blocks, weighted by their energy. */
  readonly blocks: number;
  /** Mean of the lowest third of the blocks' cosines. */
  readonly lowest: number;
  /** Cosine of the inside, away from the border of the box. */
  readonly inside: number;
  /** Cosine of the whole box. */
  readonly whole: number;
  /** Share of the template's energy that is inside of the picture. */
  readonly visible: number;
}

const blockCount = blocksPerSide * blocksPerSide;

/** Sums of a template and of the page below it. */
interface ComparedFit {
  /** Of each block: the products of both fields, and the squares of the template's and of the page's. */
  readonly dots: Float64Array;
  readonly ours: Float64Array;
  readonly theirs: Float64Array;
  /** The squares outside of the picture, and the three sums of the inside. */
  readonly others: Float64Array;
}

/** Compares every pixel of a template with the page; the sums are valid until the scratch memory is written again. */
function compareFit(page: PreparedPage, { template, level, x, y, across, down }: Fit): ComparedFit {
  const { scratchAt } = page.layout;
  const sums = new Float64Array(page.memory.buffer, scratchAt, 3 * blockCount + 4);
  const { columns, rows, field } = template;
  const fieldAt = scratchAt + sums.byteLength;
  new Int8Array(page.memory.buffer).set(field, fieldAt);
  placeOn(page, level);
  page.kernels.compareField(fieldAt, columns, rows, blocksPerSide, x, y, across, down, scratchAt);
  const [dots, ours, theirs] = [0, 1, 2].map((n) => sums.subarray(n * blockCount, (n + 1) * blockCount)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { dots, ours, theirs, others: sums.subarray(3 * blockCount) };
}

/** Verifies a box by every pixel of its template. */
export function verifyFit(page: PreparedPage, fit: Fit): Verification {
  const compared = compareFit(page, fit);
  const { dots, ours, theirs, others } = compared;
  const [hidden = 0, innerDot = 0, innerOurs = 0, innerTheirs = 0] = others;
  const seen = sumOf(ours);
  const visible = seen / Math.max(1, seen + hidden);
  const whole = sumOf(dots) / Math.sqrt(Math.max(1, seen) * (sumOf(theirs) + 1));
  const soft = 0.02 * seen;
  const inside =
    innerOurs < 0.04 * seen ? whole : innerDot / Math.sqrt((innerOurs + soft) * (innerTheirs + soft));
  const { blocks, lowest } = compareBlocks(compared);
  return { blocks, lowest, inside, whole, visible };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function compareBlocks({ dots, ours, theirs }: ComparedFit): Pick<Verification, "blocks" | "lowest"> {
  const soft = (0.15 * sumOf(ours)) / blockCount;
  let [sum, weights] = [0, 0];
  const cosines: number[] = [];
  for (let b = 0; b < blockCount; b++) {
    const dot = dots[b] ?? 0;
    const a = ours[b] ?? 0;
    const c = theirs[b] ?? 0;
    const weight = Math.sqrt(Math.max(a, c));
    sum += weight * ((2 * dot + soft * 0.5) / (a + c + soft));
    weights += weight;
    if (a > soft * 2) cosines.push(dot / Math.sqrt(a * (c + soft)));
  }
  cosines.sort((p, q) => p - q);
  const third = cosines.slice(0, Math.max(1, Math.floor(cosines.length / 3)));
  const lowest = third.length === 0 ? 0 : third.reduce((p, q) => p + q, 0) / third.length;
  return { blocks: weights > 0 ? sum / weights : 0, lowest };
}

/** The box of the logo on the prepared page, in pixels; it may exceed the page. */
export function boxOfFit({ template, level, x, y, across, down }: Fit): LogoBox {
  const scale = 2 ** level;
  const margin = (template.columns - template.width) / 2;
  const left = (x + margin * across - padding) * scale;
  const top = (y + margin * down - padding) * scale;
  return [left, top, left + template.width * across * scale, top + template.height * down * scale];
}
