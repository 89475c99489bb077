/** Fits the box of a template to a page, and verifies it block by block. */

import { blocksPerSide, fitRange, padding } from "./dense-tuning.ts";
import type { LevelLayout } from "./page-layout.ts";
import type { PreparedPage } from "./prepare-page.ts";
import type { Position } from "./search-positions.ts";
import type { Template, TemplatePoint } from "./templates.ts";

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

type Sample = { u: number; v: number };

/** The field of a level between its pixels; 0 outside of its planes. */
class FieldSampler {
  readonly #field: Int8Array;
  readonly #level: LevelLayout;
  readonly sample: Sample = { u: 0, v: 0 };

  constructor(page: PreparedPage, level: LevelLayout) {
    this.#field = new Int8Array(page.memory.buffer, level.fieldAt, 2 * level.stride * level.rows);
    this.#level = level;
  }

  /** Reads the field at a point. Returns whether it is inside of the picture. */
  read(x: number, y: number): boolean {
    const { width, height, stride, rows } = this.#level;
    const left = Math.floor(x);
    const top = Math.floor(y);
    const { sample } = this;
    if (left < 0 || top < 0 || left + 1 >= stride || top + 1 >= rows) {
      sample.u = 0;
      sample.v = 0;
      return false;
    }
    const field = this.#field;
    const i = 2 * (top * stride + left);
    const j = i + 2 * stride;
    const dx = x - left;
    const dy = y - top;
    const a = (1 - dx) * (1 - dy);
    const b = dx * (1 - dy);
    const c = (1 - dx) * dy;
    const d = dx * dy;
    sample.u = a * (field[i] ?? 0) + b * (field[i + 2] ?? 0) + c * (field[j] ?? 0) + d * (field[j + 2] ?? 0);
    sample.v =
      a * (field[i + 1] ?? 0) + b * (field[i + 3] ?? 0) + c * (field[j + 1] ?? 0) + d * (field[j + 3] ?? 0);
    return x >= padding && y >= padding && x < padding + width && y < padding + height;
  }
}

/** Bytes of the sums before the points in the scratch memory. */
const sumBytes = 64;

/** Fits the position and the size of a box by steps that raise the cosine of its points. */
export function fitBox(page: PreparedPage, position: Position): Fit {
  const { template, level } = position;
  const layout = page.layout.levels[level];
  if (!layout) throw new RangeError(`There is no level ${level}.`);
  writePoints(page, template.points);
  const sums = new Float64Array(page.memory.buffer, page.layout.scratchAt, 3);
  const valueAt = (at: Placed) => cosineAt(page, layout, template, at, sums);
  let best: Placed = { x: position.x, y: position.y, across: 1, down: 1 };
  let value = valueAt(best);
  for (const size of [1, 0.5]) {
    for (const step of stepsOf(template, size)) {
      for (const sign of [1, -1]) {
        let moved = false;
        for (let n = 0; n < 3; n++) {
          const next = step(best, sign);
          const reached = inRange(next) ? valueAt(next) : -1;
          if (reached <= value) break;
          best = next;
          value = reached;
          moved = true;
        }
        if (moved) break;
      }
    }
  }
  return { template, level, ...best, cosine: value };
}

/** Writes the centers and vectors of points to the scratch memory, four numbers each. */
function writePoints({ memory, layout }: PreparedPage, points: readonly TemplatePoint[]): void {
  const packed = new Float64Array(memory.buffer, layout.scratchAt + sumBytes, 4 * points.length);
  let i = 0;
  for (const { x, y, u, v } of points) {
    packed[i++] = x + 0.5;
    packed[i++] = y + 0.5;
    packed[i++] = u;
    packed[i++] = v;
  }
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
}

function inRange({ across, down }: Placed): boolean {
  const [min, max] = fitRange;
  return across >= min && across <= max && down >= min && down <= max;
}

/** Steps of position and size; the size changes about the center, and both axes first. */
function stepsOf(
  { columns, rows }: Template,
  size: number,
): readonly ((at: Placed, sign: number) => Placed)[] {
  const grow = (at: Placed, wide: number, tall: number): Placed => ({
    x: at.x - (columns * wide) / 2,
    y: at.y - (rows * tall) / 2,
    across: at.across + wide,
    down: at.down + tall,
  });
  const scale = 0.06 * size;
  return [
    (at, sign) => grow(at, sign * scale, sign * scale),
    (at, sign) => ({ ...at, x: at.x + sign * size }),
    (at, sign) => ({ ...at, y: at.y + sign * size }),
    (at, sign) => grow(at, sign * scale, 0),
    (at, sign) => grow(at, 0, sign * scale),
  ];
}

/** The cosine of the points inside of the picture, less what is outside. */
function cosineAt(
  { kernels, layout: { scratchAt } }: PreparedPage,
  { fieldAt, stride, width, height }: LevelLayout,
  { points, energy }: Template,
  { x, y, across, down }: Placed,
  sums: Float64Array,
): number {
  const at = scratchAt + sumBytes;
  const { length } = points;
  kernels.cosineSums(at, length, fieldAt, stride, width, height, padding, x, y, across, down, scratchAt);
  const dot = sums[0] ?? 0;
  const squares = sums[1] ?? 0;
  const visible = sums[2] ?? 0;
  if (visible < 0.4 * energy) return 0;
  return (dot / Math.sqrt(visible * (squares + 0.05 * visible))) * (visible / energy) ** 0.25;
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

/** Compares every pixel of a template with the page. */
export function verifyFit(page: PreparedPage, { template, level, x, y, across, down }: Fit): Verification {
  const layout = page.layout.levels[level];
  if (!layout) throw new RangeError(`There is no level ${level}.`);
  const sampler = new FieldSampler(page, layout);
  const { sample } = sampler;
  const dots = new Float64Array(blockCount);
  const ours = new Float64Array(blockCount);
  const theirs = new Float64Array(blockCount);
  const { columns, rows, field, blocks } = template;
  let [hidden, innerDot, innerOurs, innerTheirs] = [0, 0, 0, 0];
  for (let row = 0, i = 0; row < rows; row++) {
    const atY = y + (row + 0.5) * down - 0.5;
    const innerRow = Math.abs(2 * row + 1 - rows) < 0.7 * rows;
    for (let column = 0; column < columns; column++, i++) {
      const u = field[2 * i] ?? 0;
      const v = field[2 * i + 1] ?? 0;
      const square = u * u + v * v;
      if (!sampler.read(x + (column + 0.5) * across - 0.5, atY)) {
        hidden += square;
        continue;
      }
      const block = blocks[i] ?? 0;
      const dot = u * sample.u + v * sample.v;
      const other = sample.u * sample.u + sample.v * sample.v;
      dots[block] = (dots[block] ?? 0) + dot;
      ours[block] = (ours[block] ?? 0) + square;
      theirs[block] = (theirs[block] ?? 0) + other;
      if (!innerRow || Math.abs(2 * column + 1 - columns) >= 0.7 * columns) continue;
      innerDot += dot;
      innerOurs += square;
      innerTheirs += other;
    }
  }
  const seen = sumOf(ours);
  const visible = seen / Math.max(1, seen + hidden);
  const whole = sumOf(dots) / Math.sqrt(Math.max(1, seen) * (sumOf(theirs) + 1));
  const soft = 0.02 * seen;
  const inside =
    innerOurs < 0.04 * seen ? whole : innerDot / Math.sqrt((innerOurs + soft) * (innerTheirs + soft));
  return { ...compareBlocks(dots, ours, theirs), inside, whole, visible };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function compareBlocks(dots: Float64Array, ours: Float64Array, theirs: Float64Array) {
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
