/**
 * Letters and digits as strokes, drawn by hand for this file: without fonts, so the same on every system.
 *
 * A glyph is a list of strokes in a unit square, y downwards. A stroke is a list of points, or an arc:
 * center, radii, start and end in degrees, clockwise from the right.
 */

/** A point: across, down. */
export type Point = readonly [x: number, y: number];

interface Arc {
  readonly arc: readonly [cx: number, cy: number, rx: number, ry: number, from: number, to: number];
}

type Stroke = readonly Point[] | Arc;

/** A line through points: `x,y` pairs between spaces. */
export function line(points: string): readonly Point[] {
  return points.split(" ").map((point) => {
    const [x = 0, y = 0] = point.split(",").map(Number);
    return [x, y];
  });
}

function arc(cx: number, cy: number, rx: number, ry: number, from: number, to: number): Arc {
  return { arc: [cx, cy, rx, ry, from, to] };
}

const glyphs: Readonly<Record<string, readonly Stroke[]>> = {
  A: [line("0,1 0.5,0 1,1"), line("0.2,0.64 0.8,0.64")],
  B: [
    line("0.65,0 0,0 0,1 0.7,1"),
    line("0,0.47 0.65,0.47"),
    arc(0.65, 0.235, 0.27, 0.235, -90, 90),
    arc(0.7, 0.735, 0.3, 0.265, -90, 90),
  ],
  C: [arc(0.55, 0.5, 0.55, 0.5, 45, 315)],
  D: [line("0.45,0 0,0 0,1 0.45,1"), arc(0.45, 0.5, 0.55, 0.5, -90, 90)],
  E: [line("1,0 0,0 0,1 1,1"), line("0,0.5 0.85,0.5")],
  F: [line("1,0 0,0 0,1"), line("0,0.5 0.85,0.5")],
  G: [arc(0.5, 0.5, 0.5, 0.5, 0, 310), line("1,0.5 0.55,0.5")],
  H: [line("0,0 0,1"), line("1,0 1,1"), line("0,0.5 1,0.5")],
  I: [line("0.5,0 0.5,1")],
  J: [line("1,0 1,0.6"), arc(0.5, 0.6, 0.5, 0.4, 0, 180)],
  K: [line("0,0 0,1"), line("1,0 0,0.6"), line("0.35,0.4 1,1")],
  L: [line("0,0 0,1 1,1")],
  M: [line("0,1 0,0 0.5,0.7 1,0 1,1")],
  N: [line("0,1 0,0 1,1 1,0")],
  O: [arc(0.5, 0.5, 0.5, 0.5, 0, 360)],
  P: [line("0,1 0,0 0.68,0"), line("0,0.56 0.68,0.56"), arc(0.68, 0.28, 0.32, 0.28, -90, 90)],
  Q: [arc(0.5, 0.48, 0.5, 0.48, 0, 360), line("0.6,0.65 1,1")],
  R: [
    line("0,1 0,0 0.68,0"),
    line("0,0.52 0.68,0.52"),
    arc(0.68, 0.26, 0.32, 0.26, -90, 90),
    line("0.5,0.52 1,1"),
  ],
  S: [arc(0.5, 0.25, 0.46, 0.25, 90, 330), arc(0.5, 0.75, 0.5, 0.25, -90, 150)],
  T: [line("0,0 1,0"), line("0.5,0 0.5,1")],
  U: [line("0,0 0,0.55"), line("1,0 1,0.55"), arc(0.5, 0.55, 0.5, 0.45, 0, 180)],
  V: [line("0,0 0.5,1 1,0")],
  W: [line("0,0 0.25,1 0.5,0.25 0.75,1 1,0")],
  X: [line("0,0 1,1"), line("1,0 0,1")],
  Y: [line("0,0 0.5,0.5 1,0"), line("0.5,0.5 0.5,1")],
  Z: [line("0,0 1,0 0,1 1,1")],
  1: [line("0.2,0.25 0.6,0 0.6,1")],
  2: [arc(0.5, 0.3, 0.5, 0.3, 180, 370), line("0.98,0.4 0,1 1,1")],
  3: [arc(0.45, 0.25, 0.48, 0.25, 200, 450), arc(0.45, 0.74, 0.55, 0.26, -90, 160)],
  4: [line("0.75,1 0.75,0 0,0.7 1,0.7")],
  5: [line("0.95,0 0.15,0 0.08,0.5"), arc(0.45, 0.68, 0.55, 0.32, -140, 150)],
  6: [arc(0.5, 0.68, 0.5, 0.32, 0, 360), arc(0.75, 0.68, 0.75, 0.68, 180, 275)],
  7: [line("0,0 1,0 0.35,1")],
  8: [arc(0.5, 0.25, 0.42, 0.25, 0, 360), arc(0.5, 0.75, 0.5, 0.25, 0, 360)],
  9: [arc(0.5, 0.32, 0.5, 0.32, 0, 360), arc(0.25, 0.32, 0.75, 0.68, 0, 95)],
  a: [arc(0.45, 0.5, 0.45, 0.5, 0, 360), line("1,0 1,1")],
  b: [line("0,0 0,1"), arc(0.52, 0.68, 0.48, 0.32, 0, 360)],
  d: [line("1,0 1,1"), arc(0.48, 0.68, 0.48, 0.32, 0, 360)],
  e: [arc(0.5, 0.5, 0.5, 0.5, 40, 360), line("0,0.5 1,0.5")],
  f: [arc(0.8, 0.25, 0.4, 0.25, 180, 290), line("0.4,0.25 0.4,1"), line("0,0.4 0.85,0.4")],
  h: [line("0,0 0,1"), arc(0.5, 0.6, 0.5, 0.25, 180, 360), line("1,0.6 1,1")],
  n: [line("0,0 0,1"), arc(0.5, 0.45, 0.5, 0.45, 180, 360), line("1,0.45 1,1")],
  r: [line("0,0 0,1"), arc(0.75, 0.5, 0.75, 0.5, 180, 290)],
  t: [line("0.4,0 0.4,0.75"), line("0,0.28 0.95,0.28"), arc(0.75, 0.75, 0.35, 0.25, 60, 180)],
};

/** The characters that have a glyph. */
export const glyphNames: readonly string[] = Object.keys(glyphs);

/** The strokes of a glyph as lists of points; none for an unknown character. */
export function glyphLines(name: string): readonly (readonly Point[])[] {
  return (glyphs[name] ?? []).map((stroke) => ("arc" in stroke ? arcPoints(stroke) : stroke));
}

const arcSteps = 12;

function arcPoints({ arc: [cx, cy, rx, ry, from, to] }: Arc): readonly Point[] {
  return Array.from({ length: arcSteps + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / arcSteps) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)] as const;
  });
}
