/**
 * Pictures of common things, drawn by code: text, forms, icons, tiles, discs, gradients and noise. A queried logo is
 * searched in them, and what it reaches there counts less everywhere.
 */

import type { Raster } from "../decode/picture.ts";
import { glyphLines, glyphNames, type Point } from "../features/glyphs.ts";

const width = 512;
const height = 400;

type Color = readonly [red: number, green: number, blue: number];
/** A random number from 0 to 1; the same sequence for the same seed. */
type Random = () => number;

/** Xorshift, 32 bits. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Canvas {
  readonly data: Uint8Array;
}

function canvasOf([red, green, blue]: Color): Canvas {
  return { data: Buffer.alloc(width * height * 4, Uint8Array.of(red, green, blue, 255)) };
}

/** Signed distance from the border of a shape, in pixels; negative inside. */
type Shape = (x: number, y: number) => number;

/** Fills a shape within a box. */
function fill({ data }: Canvas, shape: Shape, box: readonly number[], color: Color): void {
  const [left = 0, top = 0, right = width, bottom = height] = box;
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x++) {
      const share = Math.min(1, Math.max(0, 0.5 - shape(x + 0.5, y + 0.5)));
      if (share === 0) continue;
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) {
        const before = data[i + c] ?? 0;
        data[i + c] = Math.round(before + ((color[c] ?? 0) - before) * share);
      }
    }
  }
}

function roundedBox(cx: number, cy: number, halfWide: number, halfTall: number, radius: number): Shape {
  return (x, y) => {
    const dx = Math.abs(x - cx) - halfWide + radius;
    const dy = Math.abs(y - cy) - halfTall + radius;
    const outside = Math.sqrt(Math.max(dx, 0) ** 2 + Math.max(dy, 0) ** 2);
    return outside + Math.min(0, Math.max(dx, dy)) - radius;
  };
}

function disc(cx: number, cy: number, radius: number): Shape {
  return (x, y) => Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - radius;
}

function outline(shape: Shape, thickness: number): Shape {
  return (x, y) => Math.abs(shape(x, y)) - thickness / 2;
}

function stroke([ax, ay]: Point, [bx, by]: Point, thickness: number): Shape {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  return (x, y) => {
    const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
    return Math.sqrt((x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2) - thickness / 2;
  };
}

/** A polygon, convex or not. */
function polygon(corners: readonly Point[]): Shape {
  const edges = corners.map(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length] ?? [x, y];
    const [dx, dy] = [nextX - x, nextY - y];
    return { x, y, dx, dy, nextY, square: Math.max(1e-9, dx * dx + dy * dy) };
  });
  return (px, py) => {
    let nearest = Number.POSITIVE_INFINITY;
    let inside = false;
    for (const { x, y, dx, dy, nextY, square } of edges) {
      const t = Math.min(1, Math.max(0, ((px - x) * dx + (py - y) * dy) / square));
      const [ex, ey] = [px - x - t * dx, py - y - t * dy];
      nearest = Math.min(nearest, ex * ex + ey * ey);
      if (y > py !== nextY > py && px < (dx * (py - y)) / dy + x) inside = !inside;
    }
    return inside ? -Math.sqrt(nearest) : Math.sqrt(nearest);
  };
}

function drawGlyph(canvas: Canvas, name: string, box: readonly number[], thickness: number, color: Color) {
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  const place = ([x, y]: Point): Point => [left + x * (right - left), top + y * (bottom - top)];
  for (const points of glyphLines(name)) {
    for (const [i, point] of points.entries()) {
      const before = points[i - 1];
      if (!before) continue;
      const [a, b] = [place(before), place(point)];
      const reach = thickness / 2 + 1;
      const around = [
        Math.min(a[0], b[0]) - reach,
        Math.min(a[1], b[1]) - reach,
        Math.max(a[0], b[0]) + reach,
        Math.max(a[1], b[1]) + reach,
      ];
      fill(canvas, stroke(a, b, thickness), around, color);
    }
  }
}

function anyGlyph(random: Random): string {
  return glyphNames[Math.floor(random() * glyphNames.length)] ?? "O";
}

/** Lines of words of random letters. */
function drawText(canvas: Canvas, random: Random, box: readonly number[], size: number, color: Color): void {
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  for (let y = top; y + size < bottom; y += size * 1.8) {
    for (let x = left, end = right - random() * (right - left) * 0.4; x + size < end; x += size * 0.75) {
      if (random() < 0.15) continue;
      drawGlyph(canvas, anyGlyph(random), [x, y, x + size * 0.5, y + size], Math.max(1, size * 0.13), color);
    }
  }
}

const dark: Color = [40, 44, 52];
const white: Color = [255, 255, 255];

function anyColor(random: Random): Color {
  return [Math.floor(random() * 230), Math.floor(random() * 230), Math.floor(random() * 230)];
}

/** An icon of a few shapes within a square. */
function drawIcon(canvas: Canvas, random: Random, cx: number, cy: number, radius: number): void {
  const box = [cx - radius - 2, cy - radius - 2, cx + radius + 2, cy + radius + 2];
  const color = anyColor(random);
  const count = 1 + Math.floor(random() * 4);
  for (let n = 0; n < count; n++) {
    const ink = n % 2 === 0 ? color : random() < 0.6 ? white : anyColor(random);
    const size = radius * (n === 0 ? 1 : 0.3 + random() * 0.5);
    const spread = radius - size;
    const x = cx + (random() * 2 - 1) * spread;
    const y = cy + (random() * 2 - 1) * spread;
    fill(canvas, anyShape(random, x, y, size), box, ink);
  }
  if (random() < 0.4) {
    const half = radius * 0.45;
    const ink = count % 2 === 1 ? white : color;
    drawGlyph(canvas, anyGlyph(random), [cx - half, cy - half, cx + half, cy + half], radius * 0.2, ink);
  }
}

function anyShape(random: Random, x: number, y: number, size: number): Shape {
  const which = Math.floor(random() * 6);
  if (which === 0) return disc(x, y, size);
  if (which === 1) return roundedBox(x, y, size, size * (0.5 + random() * 0.5), size * random() * 0.5);
  if (which === 2) return outline(disc(x, y, size * 0.85), size * (0.1 + random() * 0.25));
  if (which === 3) {
    const angle = random() * Math.PI;
    const [dx, dy] = [Math.cos(angle) * size * 0.8, Math.sin(angle) * size * 0.8];
    return stroke([x - dx, y - dy], [x + dx, y + dy], size * (0.15 + random() * 0.4));
  }
  const corners = 3 + Math.floor(random() * 6);
  const turn = random() * Math.PI;
  const inner = which === 4 ? 1 : 0.4 + random() * 0.3;
  return polygon(
    Array.from({ length: corners * 2 }, (_, i): Point => {
      const angle = turn + (i * Math.PI) / corners;
      const radius = size * (i % 2 === 0 ? 1 : inner);
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    }),
  );
}

function icons(seed: number, cell: number, ground: Color): Raster {
  const random = randomFrom(seed);
  const canvas = canvasOf(ground);
  for (let y = cell / 2; y < height; y += cell) {
    for (let x = cell / 2; x < width; x += cell)
      drawIcon(canvas, random, x, y, cell * (0.3 + random() * 0.15));
  }
  return { width, height, data: canvas.data };
}

/** Tiles and discs of one color each, half of them with a letter. */
function tiles(seed: number): Raster {
  const random = randomFrom(seed);
  const canvas = canvasOf(white);
  const sizes = [16, 24, 32, 44, 60, 84];
  let [x, y] = [6, 6];
  while (y < height - 90) {
    const size = sizes[Math.floor(random() * sizes.length)] ?? 24;
    if (x + size > width) {
      x = 6;
      y += 92;
      continue;
    }
    const half = size / 2;
    const [cx, cy] = [x + half, y + half];
    const shape = random() < 0.5 ? disc(cx, cy, half) : roundedBox(cx, cy, half, half, half * random() * 0.6);
    fill(canvas, shape, [x - 1, y - 1, x + size + 1, y + size + 1], anyColor(random));
    const part = half * (0.35 + random() * 0.2);
    if (random() < 0.6) {
      drawGlyph(canvas, anyGlyph(random), [cx - part, cy - part, cx + part, cy + part], size * 0.12, white);
    }
    x += size + 8;
  }
  return { width, height, data: canvas.data };
}

function texts(seed: number, ground: Color, ink: Color): Raster {
  const random = randomFrom(seed);
  const canvas = canvasOf(ground);
  drawText(canvas, random, [10, 10, 250, 200], 12, ink);
  drawText(canvas, random, [10, 210, 250, 390], 22, ink);
  drawText(canvas, random, [265, 10, 505, 150], 16, ink);
  drawText(canvas, random, [265, 160, 505, 290], 40, ink);
  for (let row = 0; row < 3; row++) {
    const y = 310 + row * 30;
    fill(canvas, outline(roundedBox(345, y, 75, 11, 4), 1.2), [260, y - 13, 430, y + 13], ink);
    fill(canvas, roundedBox(465, y, 36, 11, 5), [420, y - 13, 505, y + 13], anyColor(random));
    drawText(canvas, random, [280, y - 6, 420, y + 8], 10, ink);
  }
  return { width, height, data: canvas.data };
}

/** Sums of smooth noise at several sizes, as in a photograph. */
function photo(seed: number, roughness: number): Raster {
  const random = randomFrom(seed);
  const data = new Uint8Array(width * height * 4).fill(255);
  const sum = new Float64Array(width * height * 3);
  for (let cell = 128, weight = 1; cell >= 4; cell /= 2, weight *= roughness) {
    const columns = Math.ceil(width / cell) + 1;
    const rows = Math.ceil(height / cell) + 1;
    const knots = Float64Array.from({ length: columns * rows * 3 }, () => (random() - 0.5) * weight);
    for (let y = 0, o = 0; y < height; y++) {
      const row = Math.floor(y / cell);
      const v = smooth(y / cell - row);
      for (let x = 0; x < width; x++) {
        const column = Math.floor(x / cell);
        const u = smooth(x / cell - column);
        const i = (row * columns + column) * 3;
        const j = i + columns * 3;
        for (let c = 0; c < 3; c++, o++) {
          const upper = (knots[i + c] ?? 0) * (1 - u) + (knots[i + 3 + c] ?? 0) * u;
          const lower = (knots[j + c] ?? 0) * (1 - u) + (knots[j + 3 + c] ?? 0) * u;
          sum[o] = (sum[o] ?? 0) + upper * (1 - v) + lower * v;
        }
      }
    }
  }
  for (let i = 0, o = 0; i < data.length; i += 4) {
    for (let c = 0; c < 3; c++, o++) {
      data[i + c] = Math.min(255, Math.max(0, Math.round(128 + 200 * (sum[o] ?? 0))));
    }
  }
  return { width, height, data };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

/** Draws each of the pictures; always the same. */
export const calibrationDrawings: readonly (() => Raster)[] = [
  () => texts(11, white, dark),
  () => texts(12, dark, white),
  () => icons(21, 52, white),
  () => icons(22, 84, white),
  () => icons(23, 36, dark),
  () => icons(24, 130, [235, 240, 246]),
  () => tiles(31),
  () => tiles(32),
  () => photo(41, 0.55),
  () => photo(42, 0.85),
];
