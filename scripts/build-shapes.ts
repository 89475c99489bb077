/**
 * Draws and describes the common shapes, and writes src/engine/logo/features/common-shapes-table.ts:
 * `node --import tsx scripts/build-shapes.ts`. Similarity to a shape costs score, so it costs no request the drawing.
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { runSteps } from "../src/core/work/steps.ts";
import { picturePyramid } from "../src/engine/logo/decode/picture.ts";
import { writeShapes } from "../src/engine/logo/features/common-shapes.ts";
import { type Features, featuresOf, lowFrequencies } from "../src/engine/logo/features/features.ts";
import { glyphLines, glyphNames, line, type Point } from "../src/engine/logo/features/glyphs.ts";
import { cutPatch, innerSide, type Patch } from "../src/engine/logo/features/patch.ts";
import { flatPlane } from "../src/engine/logo/regions/background.ts";

/** Sample positions along one side of a pixel. */
const probes = 2;
/** Sample positions along one side of a drawn patch. */
const gridSide = innerSide * probes;

/** Whether a position (0 to 1 across and down) is inside a shape. */
type ShapeTest = (x: number, y: number) => boolean;

const disc: ShapeTest = (x, y) => Math.hypot(x - 0.5, y - 0.5) <= 0.5;
const diamond: ShapeTest = (x, y) => Math.abs(x - 0.5) + Math.abs(y - 0.5) <= 0.5;

function rounded(radius: number): ShapeTest {
  return (x, y) => {
    const dx = Math.max(0, radius - Math.min(x, 1 - x));
    const dy = Math.max(0, radius - Math.min(y, 1 - y));
    return Math.hypot(dx, dy) <= radius;
  };
}

function polygon(points: readonly Point[]): ShapeTest {
  return (x, y) => {
    let inside = false;
    let [bx, by] = points.at(-1) ?? [0, 0];
    for (const [ax, ay] of points) {
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      [bx, by] = [ax, ay];
    }
    return inside;
  };
}

/** A polygon of n corners, every second one at a share of the radius (`waist`); stretched to fill the square. */
function corners(n: number, turn: number, waist = 1): ShapeTest {
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

/** The outline of a shape: the shape without a smaller copy of itself. */
function hollow(shape: ShapeTest, width: number): ShapeTest {
  const grow = (v: number) => 0.5 + (v - 0.5) / (1 - 2 * width);
  return (x, y) => shape(x, y) && !shape(grow(x), grow(y));
}

function without(shape: ShapeTest, hole: ShapeTest): ShapeTest {
  return (x, y) => shape(x, y) && !hole(x, y);
}

/** A shape at a share of its size in the center of the square. */
function centered(shape: ShapeTest, size: number): ShapeTest {
  return (x, y) => shape(0.5 + (x - 0.5) / size, 0.5 + (y - 0.5) / size);
}

function bars(n: number, share: number): ShapeTest {
  const period = (1 - share / n) / Math.max(1, n - 1);
  return (_, y) => n === 1 || y % period <= share / n || y > 1 - share / n;
}

function dots(n: number): ShapeTest {
  return (x, y) => disc((x * n) % 1, (y * n) % 1);
}

/** Quarter turns of a shape, clockwise. */
function turned(shape: ShapeTest, quarters: number): ShapeTest {
  const at: Record<number, ShapeTest> = {
    0: shape,
    1: (x, y) => shape(y, 1 - x),
    2: (x, y) => shape(1 - x, 1 - y),
    3: (x, y) => shape(1 - y, x),
  };
  return at[quarters % 4] ?? shape;
}

function allTurns(shape: ShapeTest): readonly ShapeTest[] {
  return [0, 1, 2, 3].map((quarters) => turned(shape, quarters));
}

function bothWays(shape: ShapeTest): readonly ShapeTest[] {
  return [shape, turned(shape, 1)];
}

/** A glyph drawn with a pen of the given width, as a grid of samples that is drawn on first use. */
function letter(name: string, pen: number): ShapeTest {
  let grid: Uint8Array | undefined;
  return (x, y) => {
    grid ??= glyphGrid(name, pen);
    return grid[Math.floor(y * gridSide) * gridSide + Math.floor(x * gridSide)] === 1;
  };
}

function glyphGrid(name: string, pen: number): Uint8Array {
  const half = pen / 2;
  const grid = new Uint8Array(gridSide * gridSide);
  for (const stroke of glyphLines(name)) {
    const [start, ...rest] = stroke.map(([x, y]): Point => [half + x * (1 - pen), half + y * (1 - pen)]);
    let from = start;
    for (const to of rest) {
      if (from) strokeSegment(grid, from, to, half);
      from = to;
    }
  }
  return grid;
}

/** Marks the samples within a distance of a segment. */
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

const triangle = polygon(line("0.5,0 1,1 0,1"));
const corner = polygon(line("0,0 1,1 0,1"));
const arrow = polygon(line("0.5,0 1,0.5 0.7,0.5 0.7,1 0.3,1 0.3,0.5 0,0.5"));
const chevron = polygon(line("0.5,0 1,0.6 1,1 0.5,0.4 0,1 0,0.6"));
const play = polygon(line("0,0 1,0.5 0,1"));
const tile = rounded(0.2);
const shield: ShapeTest = (x, y) =>
  y < 0.45 ? true : ((x - 0.5) / 0.5) ** 2 + ((y - 0.45) / 0.55) ** 2 <= 1;
const heart: ShapeTest = (x, y) =>
  y < 0.3
    ? Math.hypot((x - 0.25) / 0.25, (y - 0.3) / 0.3) <= 1 ||
      Math.hypot((x - 0.75) / 0.25, (y - 0.3) / 0.3) <= 1
    : Math.abs(x - 0.5) <= 0.5 * (1 - ((y - 0.3) / 0.7) ** 1.4);
const drop: ShapeTest = (x, y) =>
  y < 0.6
    ? Math.abs(x - 0.5) <= 0.5 * (y / 0.6) ** 0.8
    : ((x - 0.5) / 0.5) ** 2 + ((y - 0.6) / 0.4) ** 2 <= 1;
const plus =
  (width: number): ShapeTest =>
  (x, y) =>
    Math.abs(x - 0.5) <= width / 2 || Math.abs(y - 0.5) <= width / 2;

const pens = { bold: 0.24, medium: 0.15 } as const;

/** All common shapes; their order has no effect. */
function drawShapes(): readonly ShapeTest[] {
  return [
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
      without(ground, centered(disc, 0.5)),
      without(ground, centered(play, 0.4)),
      without(ground, centered(plus(0.3), 0.5)),
      without(ground, centered(corners(10, 0, 0.45), 0.6)),
      without(ground, centered(tile, 0.5)),
    ]),
    ...glyphNames.flatMap((name) => Object.values(pens).map((pen) => letter(name, pen))),
  ];
}

/** Share of a pixel that a shape covers, by its samples; x and y are the pixel's center. */
function coverageOf(shape: ShapeTest): (x: number, y: number) => number {
  const offsets = Array.from({ length: probes }, (_, i) => (i + 0.5 - probes / 2) / gridSide);
  return (x, y) => {
    let hits = 0;
    for (const dy of offsets) for (const dx of offsets) if (shape(x + dx, y + dy)) hits++;
    return hits / probes ** 2;
  };
}

/** The patch of a drawn shape: `coverage` returns 0 (outside) to 1 (inside) at positions 0 to 1 across and down. */
function patchOfShape(coverage: (x: number, y: number) => number): Patch {
  const rgb = new Uint8Array(innerSide * innerSide * 3);
  for (let y = 0, o = 0; y < innerSide; y++) {
    for (let x = 0; x < innerSide; x++, o += 3) {
      rgb.fill(255 * coverage((x + 0.5) / innerSide, (y + 0.5) / innerSide), o, o + 3);
    }
  }
  const picture = { width: innerSide, height: innerSide, rgb };
  const box = { left: 0, top: 0, right: innerSide, bottom: innerSide };
  return runSteps(cutPatch(picturePyramid(picture), 0, box, flatPlane(0, 0, 0)));
}

/** The features of all common shapes. */
export function describeShapes(): readonly Features[] {
  return drawShapes().map((shape) => {
    const patch = patchOfShape(coverageOf(shape));
    return featuresOf(patch, lowFrequencies(patch.map));
  });
}

function shapesModule(): string {
  const table = brotliCompressSync(writeShapes(describeShapes())).toString("base64");
  return `/** Generated from \`scripts/build-shapes.ts\`, which draws the shapes; do not edit. */

/** The features of the common shapes, compressed with Brotli, in base64. */
export const commonShapesTable: string =
  "${table}";
`;
}

if (process.argv[1]?.endsWith("build-shapes.ts")) {
  const target = new URL("../src/engine/logo/features/common-shapes-table.ts", import.meta.url);
  writeFileSync(target, shapesModule());
}
