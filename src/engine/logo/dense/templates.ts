/** The templates of a queried logo: its gradient field at several sizes, as features and points. */

import type { Steps } from "../../../core/work/steps.ts";
import type { Cutout } from "./cutout/cutout.ts";
import { resample, resampleSteps, type SizedCutout } from "./cutout/resample.ts";
import {
  featureCounts,
  maxSilhouetteCosine,
  maxTemplateSide,
  minBinSquare,
  minTemplateSide,
  pointCount,
  smallTemplateSizes,
  softGradient,
  templateMargin,
  templateSizes,
} from "./dense-tuning.ts";
import { binOf, fieldAt } from "./kernels/plain-kernels.ts";

/** `full`: every edge of the logo. `silhouette`: the edges of the logo in one color, whose white parts are holes. */
export type TemplateKind = "full" | "silhouette";

/** A logo at one size. */
export interface Template {
  readonly kind: TemplateKind;
  /** Searched at the first level only. */
  readonly small: boolean;
  /** Larger than the smallest of every level, and so similar to fewer things. */
  readonly large: boolean;
  /** Size of the logo, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Size with the margin. */
  readonly columns: number;
  readonly rows: number;
  /** Two signed bytes a pixel. */
  readonly field: Int8Array;
  /** Places whose bins are looked up, each as x, y and the number of the bin; pixels from the template's corner. */
  readonly features: Uint8Array;
  /** Places whose vectors are correlated, each as x, y, u and v. */
  readonly points: Int16Array;
  /** Sum of the squared lengths of the points. */
  readonly energy: number;
}

/** Numbers of a feature and of a point: they are in typed arrays, whose items the garbage collector need not visit. */
export const featureNumbers = 3;
export const pointNumbers = 4;

/** Share of a logo that is not white from which its white parts are holes in one color. */
const minInkShare = 0.25;

/** Size, the root of width times height, from which templates are made. */
const reducedSize = 120;

/** The templates of a logo, in steps of one size each. */
export function* templateSteps(cutout: Cutout): Steps<readonly Template[]> {
  // Reduced once, so that each size is cheap.
  const scale = Math.min(1, reducedSize / Math.sqrt(cutout.width * cutout.height));
  const reduced = yield* resampleSteps(
    cutout,
    Math.max(1, Math.round(cutout.width * scale)),
    Math.max(1, Math.round(cutout.height * scale)),
  );
  const sized = yield* sizedCutouts(reduced);
  const full = yield* templatesOfKind(sized, "full");
  const silhouette = yield* templatesOfKind(sized, "silhouette");
  const [a] = full.filter(({ small }) => !small);
  const [b] = silhouette.filter(({ small }) => !small);
  const same = a && b && cosineOf(a.field, b.field) > maxSilhouetteCosine;
  return same ? full : [...full, ...silhouette];
}

function cosineOf(a: Int8Array, b: Int8Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(Math.max(1, aa * bb));
}

/** A logo at the size of a template. */
interface SizedLogo extends SizedCutout, Pick<Template, "small" | "large"> {}

/** A logo at the sizes of its templates; without those that are too large. */
function* sizedCutouts(cutout: SizedCutout): Steps<readonly SizedLogo[]> {
  const sizes = [
    ...templateSizes.map((size, i) => ({ size, small: false, large: i > 0 })),
    ...smallTemplateSizes.map((size) => ({ size, small: true, large: false })),
  ];
  const sized: SizedLogo[] = [];
  for (const { size, ...kind } of sizes) {
    const root = Math.sqrt(cutout.width * cutout.height);
    const shorter = (templateSizes[0] * Math.min(cutout.width, cutout.height)) / root;
    const scale = (size / root) * Math.max(1, minTemplateSide / shorter);
    const width = Math.max(4, Math.round(cutout.width * scale));
    const height = Math.max(4, Math.round(cutout.height * scale));
    if (Math.max(width, height) + 2 * templateMargin > maxTemplateSide) continue;
    sized.push({ ...resample(cutout, width, height), ...kind });
    yield;
  }
  return sized;
}

function* templatesOfKind(sized: readonly SizedLogo[], kind: TemplateKind): Steps<readonly Template[]> {
  const templates: Template[] = [];
  for (const logo of sized) {
    const template = templateOf(logo, kind);
    if (template) templates.push(template);
    yield;
  }
  return templates;
}

/** The template of a logo at its size; undefined when it has hardly any edges. */
function templateOf(logo: SizedLogo, kind: TemplateKind): Template | undefined {
  const { width, height, small, large } = logo;
  const columns = width + 2 * templateMargin;
  const rows = height + 2 * templateMargin;
  const field = fieldOfCutout(logo, kind);
  const [regular, few] = featureCounts;
  const edges = edgesOf(field, columns);
  const features = choosePlaces(field, columns, edges, small ? few : regular).flatMap(({ x, y, i }) => {
    const bin = binOf(field[i] ?? 0, field[i + 1] ?? 0, minBinSquare);
    return [x, y, 31 - Math.clz32(bin)];
  });
  if (features.length < 8 * featureNumbers) return undefined;
  const chosen = choosePlaces(field, columns, edges, pointCount);
  const points = chosen.flatMap(({ x, y, i }) => [x, y, field[i] ?? 0, field[i + 1] ?? 0]);
  return {
    ...{ kind, small, large, width, height, columns, rows, field },
    features: Uint8Array.from(features),
    points: Int16Array.from(points),
    energy: chosen.reduce((sum, { square }) => sum + square, 0),
  };
}

/** The field of a logo with its margin: the longer of the vectors on white and on black, or that of its ink. */
function fieldOfCutout(logo: SizedCutout, kind: TemplateKind): Int8Array {
  const grounds = kind === "full" ? [255, 0] : [undefined];
  const columns = logo.width + 2 * templateMargin;
  const rows = logo.height + 2 * templateMargin;
  const out = new Int8Array(columns * rows * 2);
  const stride = columns + 2;
  const size = stride * (rows + 2);
  for (const ground of grounds) {
    const planes = planesOf(logo, ground, stride, rows + 2);
    for (let y = 0, o = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++, o += 2) {
        const [u, v] = fieldAt(planes, [0, size, 2 * size], (y + 1) * stride + x + 1, stride, softGradient);
        const before = (out[o] ?? 0) ** 2 + (out[o + 1] ?? 0) ** 2;
        if (u * u + v * v <= before) continue;
        out[o] = u;
        out[o + 1] = v;
      }
    }
  }
  return out;
}

/** Color planes of a logo on a gray level, or its ink as gray. */
function planesOf(logo: SizedCutout, ground: number | undefined, stride: number, rows: number): Uint8Array {
  const size = stride * rows;
  const planes = new Uint8Array(3 * size).fill(ground ?? 0);
  const margin = templateMargin + 1;
  const ink = ground === undefined ? inkOf(logo) : undefined;
  for (let y = 0, i = 0; y < logo.height; y++) {
    for (let x = 0; x < logo.width; x++, i += 4) {
      const alpha = logo.data[i + 3] ?? 0;
      for (let c = 0; c < 3; c++) {
        const value = ink?.[i / 4] ?? (logo.data[i + c] ?? 0) + ((ground ?? 0) * (255 - alpha)) / 255;
        planes[c * size + (y + margin) * stride + x + margin] = Math.min(255, Math.max(0, Math.round(value)));
      }
    }
  }
  return planes;
}

/** The alpha of a logo in one color: white parts are holes, except of a logo that is mostly white. */
function inkOf({ data }: SizedCutout): Float32Array {
  const alpha = Float32Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 3] ?? 0);
  const ink = alpha.map((opaque, i) => {
    const white = Math.min(data[4 * i] ?? 0, data[4 * i + 1] ?? 0, data[4 * i + 2] ?? 0);
    return opaque - Math.max(0, 2 * white - opaque);
  });
  const total = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);
  return total(ink) < minInkShare * total(alpha) ? alpha : ink;
}

/** A place of a field with an edge. */
interface Edge {
  readonly x: number;
  readonly y: number;
  /** Index in the field. */
  readonly i: number;
  readonly square: number;
}

/** The edges of a field, the strongest first. */
function edgesOf(field: Int8Array, columns: number): readonly Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < field.length; i += 2) {
    const u = field[i] ?? 0;
    const v = field[i + 1] ?? 0;
    const square = u * u + v * v;
    if (square < minBinSquare) continue;
    const n = i >> 1;
    edges.push({ x: n % columns, y: Math.floor(n / columns), i, square });
  }
  return edges.sort((a, b) => b.square - a.square || a.i - b.i);
}

/** The strongest edges of a field, as far apart as their number allows. */
function choosePlaces(
  field: Int8Array,
  columns: number,
  places: readonly Edge[],
  count: number,
): readonly Edge[] {
  const rows = field.length / 2 / columns;
  let distance = 1 + Math.floor(Math.sqrt((2 * places.length) / count));
  let chosen = spaced(places, columns, rows, count, distance);
  while (chosen.length < count && distance > 0) {
    distance--;
    chosen = spaced(places, columns, rows, count, distance);
  }
  return chosen;
}

/** The first places of a list that differ by more than a distance along an axis. */
function spaced<P extends { readonly x: number; readonly y: number }>(
  places: readonly P[],
  columns: number,
  rows: number,
  count: number,
  distance: number,
): P[] {
  const taken = new Uint8Array(columns * rows);
  const chosen: P[] = [];
  for (const place of places) {
    if (chosen.length === count) break;
    const { x, y } = place;
    if (taken[y * columns + x] === 1) continue;
    chosen.push(place);
    const right = Math.min(columns, x + distance + 1);
    const bottom = Math.min(rows, y + distance + 1);
    for (let row = Math.max(0, y - distance); row < bottom; row++) {
      taken.fill(1, row * columns + Math.max(0, x - distance), row * columns + right);
    }
  }
  return chosen;
}
