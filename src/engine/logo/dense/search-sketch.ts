/**
 * Searches sketches for the templates of a logo: sums of responses propose places, as in a prepared page, and the cells of
 * a place are compared with those of the template. In about 2 % of the time of a dense search.
 */

import type { Steps } from "../../../core/work/steps.ts";
import {
  activeRows,
  minBinSquare,
  minSumShare,
  padding,
  sketchDirectionShare,
  sketchNoise,
  sketchPlaces,
  sumWork,
} from "./dense-tuning.ts";
import { allocate, type Workspace } from "./kernels/kernels.ts";
import { binOf, responses } from "./kernels/plain-kernels.ts";
import { type SumRecords, templateHead, writeSumTemplate } from "./search-positions.ts";
import { cellSide, type SketchLevel } from "./sketch.ts";
import { featureNumbers, type Template } from "./templates.ts";

/** A template at a place between two cells. */
interface ShiftedTemplate {
  readonly columns: number;
  readonly rows: number;
  /** For each cell the weights of eight directions; their squares add up to 1. */
  readonly weights: Float32Array;
}

/** A template as it is searched in sketches. */
export interface SketchTemplate {
  readonly template: Template;
  /** For each shift by whole pixels, 4 x 4. */
  readonly shifted: readonly ShiftedTemplate[];
}

/** Prepares templates for sketches. */
export function sketchTemplates(templates: readonly Template[]): readonly SketchTemplate[] {
  return templates.map((template) => ({
    template,
    shifted: Array.from({ length: cellSide * cellSide }, (_, shift) =>
      shiftedTemplate(template, shift % cellSide, Math.floor(shift / cellSide)),
    ),
  }));
}

function shiftedTemplate({ columns, rows, field }: Template, right: number, down: number): ShiftedTemplate {
  const across = Math.ceil((columns + right) / cellSide);
  const tall = Math.ceil((rows + down) / cellSide);
  const counts = new Float32Array(across * tall * 8);
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i += 2) {
      const bin = binOf(field[i] ?? 0, field[i + 1] ?? 0, minBinSquare);
      if (bin === 0) continue;
      const cell = ((y + down) >> 2) * across + ((x + right) >> 2);
      const at = 8 * cell + 31 - Math.clz32(bin);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return { columns: across, rows: tall, weights: weightsOf(counts.map(Math.sqrt)) };
}

/** Lets neighboring directions count, too, and normalizes. */
function weightsOf(roots: Float32Array): Float32Array {
  const weights = new Float32Array(roots.length);
  let square = 0;
  for (let i = 0; i < roots.length; i++) {
    const cell = i & ~7;
    const next = (roots[cell + ((i + 1) & 7)] ?? 0) + (roots[cell + ((i + 7) & 7)] ?? 0);
    const weight = (roots[i] ?? 0) + sketchDirectionShare * next;
    weights[i] = weight;
    square += weight * weight;
  }
  const length = Math.sqrt(Math.max(1, square));
  return weights.map((weight) => weight / length);
}

/** Cells around a level, so that a logo may be cut off by the picture's edge. */
const margin = padding / cellSide;
/** Shifts of the sums along an axis, in pixels: a place is found with the nearer one, and compared with that and the next. */
const sumShifts = [0, 2] as const;
const recordsOfTemplate = 3 * sketchPlaces;
/** Groups that are summed for every template before the next ones. */
const blockGroups = 64;
const groupsAt = 64;
const templatesAt = groupsAt + 4 * blockGroups;
/** Bytes after the planes that a template may read. */
const tailBytes = 1 << 16;

let workspace: Workspace | undefined;

/** The best cosine of each template in the levels of a sketch, 0 to 1, in steps. */
export function* searchSketchSteps(
  levels: readonly SketchLevel[],
  templates: readonly SketchTemplate[],
): Steps<Float32Array> {
  const best = new Float32Array(templates.length);
  for (const level of levels) {
    const wanted = [...templates.keys()].filter((t) => level.isFirst || !templates[t]?.template.small);
    const planes = layoutOf(level, wanted.length);
    const groups = writePlanes(level, planes);
    if (groups.length === 0) continue;
    yield level.cells.length;
    yield* sumPlaces(planes, groups, wanted, templates);
    for (const [n, t] of wanted.entries()) {
      const searched = templates[t];
      if (!searched) continue;
      const found = compareBest(level, planes, n, searched);
      if (found > (best[t] ?? 0)) best[t] = found;
    }
    yield wanted.length * sketchPlaces * cellSide * 64;
  }
  return best;
}

/** The response planes of a level in the workspace: one for each direction. */
interface Planes extends Workspace {
  readonly columns: number;
  readonly rows: number;
  readonly planeBytes: number;
  readonly at: number;
  readonly recordsAt: number;
}

function layoutOf(level: SketchLevel, templates: number): Planes {
  const columns = Math.ceil((level.columns + 2 * margin) / 16) * 16;
  const rows = level.rows + 2 * margin;
  const planeBytes = columns * rows;
  const sums = templates * sumShifts.length ** 2;
  const recordsAt = templatesAt + sums * templateHead;
  const at = Math.ceil((recordsAt + sums * recordsOfTemplate * 8) / 64) * 64;
  const bytes = at + 8 * planeBytes + tailBytes;
  if (!workspace || workspace.memory.buffer.byteLength < bytes) workspace = allocate(bytes);
  return { ...workspace, columns, rows, planeBytes, at, recordsAt };
}

/** Writes the responses of a level, and returns the groups of 16 cells in which a logo may begin. */
function writePlanes({ columns, rows, cells }: SketchLevel, planes: Planes): Int32Array {
  const bytes = new Uint8Array(planes.memory.buffer);
  bytes.fill(0, planes.at, planes.at + 8 * planes.planeBytes);
  const across = planes.columns / 16;
  const occupied = new Uint8Array(across * planes.rows);
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i++) {
      const bits = cells[i] ?? 0;
      if (bits === 0) continue;
      const cell = (y + margin) * planes.columns + x + margin;
      occupied[cell >> 4] = 1;
      for (let o = 0, at = planes.at + cell; o < 8; o++, at += planes.planeBytes)
        bytes[at] = responses[bits * 8 + o] ?? 0;
    }
  }
  return activeGroups(occupied, planes.rows, across);
}

/** The groups that have edges in enough of the rows below, in them or in the next. */
function activeGroups(occupied: Uint8Array, rows: number, across: number): Int32Array {
  const [reach, needed] = activeRows;
  const active: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let g = 0; g < across; g++) {
      let count = 0;
      for (let y = row; y < Math.min(rows, row + reach); y++) {
        const at = y * across + g;
        if (occupied[at] === 1 || (g + 1 < across && occupied[at + 1] === 1)) count++;
      }
      if (count >= needed) active.push((row * across + g) * 16);
    }
  }
  return Int32Array.from(active);
}

function recordsOf(planes: Planes, n: number): SumRecords {
  const at = templatesAt + n * templateHead;
  return { at, recordsAt: planes.recordsAt + n * recordsOfTemplate * 8, room: recordsOfTemplate };
}

function* sumPlaces(
  planes: Planes,
  groups: Int32Array,
  wanted: readonly number[],
  templates: readonly SketchTemplate[],
): Steps<void> {
  const words = new Int32Array(planes.memory.buffer);
  let count = 0;
  for (const t of wanted) {
    const { features } = templates[t]?.template ?? { features: new Uint8Array() };
    for (const down of sumShifts) {
      for (const right of sumShifts) {
        const offsets: number[] = [];
        let farthest = 0;
        for (let f = 0; f < features.length; f += featureNumbers) {
          const cell =
            (((features[f + 1] ?? 0) + down) >> 2) * planes.columns + (((features[f] ?? 0) + right) >> 2);
          offsets.push(planes.at + (features[f + 2] ?? 0) * planes.planeBytes + cell);
          farthest = Math.max(farthest, cell);
        }
        const limit = Math.floor(minSumShare * 4 * offsets.length);
        const inside = Math.max(0, (planes.planeBytes - farthest) >> 4);
        writeSumTemplate(words, recordsOf(planes, count++), offsets, limit, inside);
      }
    }
  }
  for (let from = 0; from < groups.length; from += blockGroups) {
    const block = groups.subarray(from, from + blockGroups);
    words.set(block, groupsAt >> 2);
    planes.kernels.sumGroups(groupsAt, block.length, templatesAt, count, templateHead, sketchPlaces);
    yield block.length * count * sumWork;
  }
}

/** The best cosine at the places of the largest sums of a template, which is number `n` of the level. */
function compareBest(level: SketchLevel, planes: Planes, n: number, { shifted }: SketchTemplate): number {
  const words = new Int32Array(planes.memory.buffer);
  let best = 0;
  for (const [i, down] of sumShifts.entries()) {
    for (const [j, right] of sumShifts.entries()) {
      const { at, recordsAt } = recordsOf(planes, sumShifts.length ** 2 * n + sumShifts.length * i + j);
      const [count = 0, limit = 0] = [words[(at >> 2) + 2], words[(at >> 2) + 1]];
      for (let r = recordsAt >> 2, end = r + 2 * count; r < end; r += 2) {
        if ((words[r + 1] ?? 0) < limit) continue;
        const cell = words[r] ?? 0;
        const x = (cell % planes.columns) - margin;
        const y = Math.floor(cell / planes.columns) - margin;
        for (const shift of [0, 1, cellSide, cellSide + 1]) {
          const template = shifted[down * cellSide + right + shift];
          if (template) best = Math.max(best, cosineAt(level, template, x, y));
        }
      }
    }
  }
  return best;
}

/** The cosine of a template and the cells at a place, whose corner may be outside of the level. */
function cosineAt(
  level: SketchLevel,
  { columns, rows, weights }: ShiftedTemplate,
  x: number,
  y: number,
): number {
  const [left, right] = [Math.max(0, -x), Math.min(columns, level.columns - x)];
  let dot = 0;
  let bits = 0;
  for (let row = Math.max(0, -y), last = Math.min(rows, level.rows - y); row < last; row++) {
    for (let column = left; column < right; column++) {
      let rest = level.cells[(y + row) * level.columns + x + column] ?? 0;
      const at = 8 * (row * columns + column);
      for (; rest !== 0; rest &= rest - 1) {
        dot += weights[at + 31 - Math.clz32(rest & -rest)] ?? 0;
        bits++;
      }
    }
  }
  return dot / Math.sqrt(bits + sketchNoise);
}
