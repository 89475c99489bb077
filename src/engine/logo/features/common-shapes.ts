/**
 * Stock shapes: discs, tiles, rings, bars, letters. Whatever resembles one says little about whose logo it is,
 * so likeness to them is held against a view. Drawn here, so that they are the same everywhere. List `chosen`.
 */

import { stockBits, stockFloor } from "../tuning.ts";
import { type Features, featuresOf, likenessAbove } from "./features.ts";
import { glyphLines, glyphNames, type Point } from "./glyphs.ts";
import { drawnSide, drawPatch } from "./patch.ts";
import { differingWordBits } from "./prefilter-hash.ts";

/** Places at which a pixel is probed, along one side, and along the whole of a drawn patch. */
const probes = 2;
const gridSide = drawnSide * probes;

/** Whether a place (0 to 1 across and down) is inside a shape. */
type Shape = (x: number, y: number) => boolean;

const disc: Shape = (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.5;
const diamond: Shape = (x, y) => Math.abs(x - 0.5) + Math.abs(y - 0.5) <= 0.5;

function rounded(radius: number): Shape {
  return (x, y) => {
    const dx = Math.max(0, radius - Math.min(x, 1 - x));
    const dy = Math.max(0, radius - Math.min(y, 1 - y));
    return Math.hypot(dx, dy) <= radius;
  };
}

function polygon(points: readonly Point[]): Shape {
  return (x, y) => {
    let inside = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[i]!;
      const [bx, by] = points[j]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
    return inside;
  };
}

/** A polygon of n corners, every second one at `waist` of the radius; stretched to fill the square. */
function corners(n: number, turn: number, waist = 1): Shape {
  const points = Array.from({ length: n }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / n + turn - Math.PI / 2;
    const radius = i % 2 === 0 ? 1 : waist;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return polygon(points.map(([x, y]) => [(x - left) / (right - left), (y - top) / (bottom - top)]));
}

/** The shape without its own smaller copy. */
function hollow(shape: Shape, width: number): Shape {
  const grow = (v: number) => 0.5 + (v - 0.5) / (1 - 2 * width);
  return (x, y) => shape(x, y) && !shape(grow(x), grow(y));
}

function without(shape: Shape, hole: Shape): Shape {
  return (x, y) => shape(x, y) && !hole(x, y);
}

/** A shape in the middle of the square, at a share of its size. */
function centred(shape: Shape, size: number): Shape {
  return (x, y) => shape(0.5 + (x - 0.5) / size, 0.5 + (y - 0.5) / size);
}

function bars(n: number, share: number): Shape {
  const period = (1 - share / n) / Math.max(1, n - 1);
  return (_, y) => n === 1 || y % period <= share / n || y > 1 - share / n;
}

function dots(n: number): Shape {
  return (x, y) => disc((x * n) % 1, (y * n) % 1);
}

/** Quarter turns of a shape, clockwise. */
function turned(shape: Shape, quarters: number): Shape {
  const at: Record<number, Shape> = {
    0: shape,
    1: (x, y) => shape(y, 1 - x),
    2: (x, y) => shape(1 - x, 1 - y),
    3: (x, y) => shape(1 - y, x),
  };
  return at[quarters % 4] ?? shape;
}

function allTurns(shape: Shape): readonly Shape[] {
  return [0, 1, 2, 3].map((quarters) => turned(shape, quarters));
}

function bothWays(shape: Shape): readonly Shape[] {
  return [shape, turned(shape, 1)];
}

/** A glyph drawn with a pen of the given width, as a grid of probes. */
function letter(name: string, pen: number): Shape {
  const half = pen / 2;
  const grid = new Uint8Array(gridSide * gridSide);
  for (const line of glyphLines(name)) {
    const points = line.map(([x, y]): Point => [half + x * (1 - pen), half + y * (1 - pen)]);
    for (let i = 1; i < points.length; i++) strokeSegment(grid, points[i - 1]!, points[i]!, half);
  }
  return (x, y) => grid[Math.floor(y * gridSide) * gridSide + Math.floor(x * gridSide)] === 1;
}

/** Marks the probes within reach of a segment. */
function strokeSegment(grid: Uint8Array, [ax, ay]: Point, [bx, by]: Point, reach: number): void {
  const first = (v: number) => Math.max(0, Math.floor((v - reach) * gridSide));
  const last = (v: number) => Math.min(gridSide - 1, Math.ceil((v + reach) * gridSide));
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  for (let j = first(Math.min(ay, by)); j <= last(Math.max(ay, by)); j++) {
    for (let i = first(Math.min(ax, bx)); i <= last(Math.max(ax, bx)); i++) {
      const x = (i + 0.5) / gridSide - ax;
      const y = (j + 0.5) / gridSide - ay;
      const t = length > 0 ? Math.min(1, Math.max(0, (x * (bx - ax) + y * (by - ay)) / length)) : 0;
      if ((x - t * (bx - ax)) ** 2 + (y - t * (by - ay)) ** 2 <= reach ** 2) grid[j * gridSide + i] = 1;
    }
  }
}

const triangle = polygon([
  [0.5, 0],
  [1, 1],
  [0, 1],
]);
const corner = polygon([
  [0, 0],
  [1, 1],
  [0, 1],
]);
const arrow = polygon([
  [0.5, 0],
  [1, 0.5],
  [0.7, 0.5],
  [0.7, 1],
  [0.3, 1],
  [0.3, 0.5],
  [0, 0.5],
]);
const chevron = polygon([
  [0.5, 0],
  [1, 0.6],
  [1, 1],
  [0.5, 0.4],
  [0, 1],
  [0, 0.6],
]);
const play = polygon([
  [0, 0],
  [1, 0.5],
  [0, 1],
]);
const tile = rounded(0.2);
const shield: Shape = (x, y) => (y < 0.45 ? true : ((x - 0.5) / 0.5) ** 2 + ((y - 0.45) / 0.55) ** 2 <= 1);
const heart: Shape = (x, y) =>
  y < 0.3
    ? Math.hypot((x - 0.25) / 0.25, (y - 0.3) / 0.3) <= 1 ||
      Math.hypot((x - 0.75) / 0.25, (y - 0.3) / 0.3) <= 1
    : Math.abs(x - 0.5) <= 0.5 * (1 - ((y - 0.3) / 0.7) ** 1.4);
const drop: Shape = (x, y) =>
  y < 0.6
    ? Math.abs(x - 0.5) <= 0.5 * (y / 0.6) ** 0.8
    : ((x - 0.5) / 0.5) ** 2 + ((y - 0.6) / 0.4) ** 2 <= 1;
const plus =
  (width: number): Shape =>
  (x, y) =>
    Math.abs(x - 0.5) <= width / 2 || Math.abs(y - 0.5) <= width / 2;

const pens = { bold: 0.24, medium: 0.15 } as const;

/** Every stock shape; order does not matter. */
const shapes: readonly Shape[] = [
  () => true,
  disc,
  diamond,
  ...[0.1, 0.2, 0.3, 0.4].map(rounded),
  ...[0.06, 0.12, 0.2, 0.3].map((width) => hollow(disc, width)),
  ...[0.06, 0.12, 0.2].map((width) => hollow(tile, width)),
  ...[0.08, 0.16].map((width) => hollow(rounded(0), width)),
  hollow(diamond, 0.15),
  ...allTurns(triangle),
  ...allTurns(corner),
  ...allTurns(arrow),
  ...allTurns(chevron),
  ...allTurns((x, y) => Math.hypot((x - 0.5) * 1, y) <= 0.5 || (Math.abs(x - 0.5) <= 0.5 && y < 0.02)),
  ...allTurns((x, y) => Math.hypot(x, y) <= 1),
  ...allTurns(without(disc, (x, y) => Math.hypot(x - 0.75, y - 0.4) <= 0.42)),
  corners(5, 0),
  ...bothWays(corners(6, 0)),
  corners(8, Math.PI / 8),
  corners(10, 0, 0.45),
  corners(8, 0, 0.4),
  corners(12, 0, 0.6),
  corners(24, 0, 0.8),
  hollow(corners(6, 0), 0.15),
  ...[0.2, 0.34, 0.5].map(plus),
  shield,
  heart,
  drop,
  ...[2, 3, 4, 5].flatMap((n) => bothWays(bars(n, 0.6))),
  ...[2, 3, 4].map(dots),
  ...bothWays((x, y) => x < 0.5 !== y < 0.5),
  ...bothWays((x, y) => Math.abs(x - y) <= 0.2),
  ...[disc, tile].flatMap((ground) => [
    without(ground, centred(disc, 0.5)),
    without(ground, centred(play, 0.4)),
    without(ground, centred(plus(0.3), 0.5)),
    without(ground, centred(corners(10, 0, 0.45), 0.6)),
    without(ground, centred(tile, 0.5)),
  ]),
  ...glyphNames.flatMap((name) => Object.values(pens).map((pen) => letter(name, pen))),
];

/** Share of a pixel that a shape covers, by its probes; x and y are the pixel's middle. */
function covered(shape: Shape): (x: number, y: number) => number {
  const offsets = Array.from({ length: probes }, (_, i) => (i + 0.5 - probes / 2) / gridSide);
  return (x, y) => {
    let hits = 0;
    for (const dy of offsets) for (const dx of offsets) if (shape(x + dx, y + dy)) hits++;
    return hits / probes ** 2;
  };
}

let stock: readonly Features[] | undefined;

function stockFeatures(): readonly Features[] {
  stock ??= shapes.map((shape) => featuresOf(drawPatch(covered(shape))));
  return stock;
}

/** Likeness of a view to the nearest stock shape, 0 to 1; 0 when far from the floor at which it starts to cost. */
export function stockLikeness(view: Features): number {
  let most = 0;
  for (const shape of stockFeatures()) {
    if (differingWordBits(view.words, shape.words) > stockBits) continue;
    most = Math.max(most, likenessAbove(view, shape, stockFloor));
  }
  return most;
}
