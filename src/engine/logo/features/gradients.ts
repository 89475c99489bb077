/**
 * Histograms of gradients (HOG): 8 x 8 cells of 9 orientations without sign, square root and length normalized.
 *
 * Edges survive recolouring, inversion and compression; the histogram forgives small shifts. Cell size and
 * orientations follow Dalal and Triggs (CVPR 2005); the square root is Arandjelovic and Zisserman's (CVPR 2012).
 */

import { patchSide } from "../tuning.ts";

const cells = 8;
const orientations = 9;
/** Gradients are first counted in cells of half the size, which are then blended. */
const fineCells = 2 * cells;
const finePixels = patchSide / fineCells;

/** Number of values of a histogram. */
export const histogramSize = cells * cells * orientations;

/**
 * Horizontal and vertical gradients of the current patch, 0 at its border. Reused, because allocating 32 kB a call
 * loads the garbage collector.
 */
const across = new Float32Array(patchSide * patchSide);
const down = new Float32Array(patchSide * patchSide);

/** Histogram of a gray map. */
export function histogramOfMap(map: Float32Array): Uint8Array {
  let maxSquare = 0;
  for (let y = 1; y < patchSide - 1; y++) {
    for (let i = y * patchSide + 1; i < (y + 1) * patchSide - 1; i++) {
      const dx = (map[i + 1] ?? 0) - (map[i - 1] ?? 0);
      const dy = (map[i + patchSide] ?? 0) - (map[i - patchSide] ?? 0);
      across[i] = dx;
      down[i] = dy;
      maxSquare = Math.max(maxSquare, dx * dx + dy * dy);
    }
  }
  return histogram(maxSquare);
}

/** Histogram of a color patch, by the channel with the steepest gradient at each pixel. */
export function histogramOfColors(rgb: Float32Array): Uint8Array {
  const row = patchSide * 3;
  let maxSquare = 0;
  for (let y = 1; y < patchSide - 1; y++) {
    for (let i = y * patchSide + 1; i < (y + 1) * patchSide - 1; i++) {
      let steepest = -1;
      for (let j = i * 3; j < i * 3 + 3; j++) {
        const dx = (rgb[j + 3] ?? 0) - (rgb[j - 3] ?? 0);
        const dy = (rgb[j + row] ?? 0) - (rgb[j - row] ?? 0);
        const steep = dx * dx + dy * dy;
        if (steep > steepest) {
          steepest = steep;
          across[i] = dx;
          down[i] = dy;
        }
      }
      maxSquare = Math.max(maxSquare, steepest);
    }
  }
  return histogram(maxSquare);
}

/** Minimum gradient (of 510) that is counted. */
const minGradient = 4;
/** Minimum gradient that is counted, as a share of the steepest. */
const minGradientShare = 0.06;

/** Histogram of the current gradients. */
function histogram(maxSquare: number): Uint8Array {
  return normalize(blend(countFine(Math.max(minGradient, minGradientShare * Math.sqrt(maxSquare)))));
}

/** Sums the gradients that are steep enough, by fine cell and orientation. */
function countFine(minSize: number): Float32Array {
  const fine = new Float32Array(fineCells * fineCells * orientations);
  for (let i = 0; i < across.length; i++) {
    const dx = across[i] ?? 0;
    const dy = down[i] ?? 0;
    const square = dx * dx + dy * dy;
    if (square < minSize * minSize) continue;
    const size = Math.sqrt(square);
    const turn = (Math.atan2(dy, dx) / Math.PI + 1) * orientations;
    const bin = Math.floor(turn);
    const share = turn - bin;
    const x = ((i % patchSide) / finePixels) | 0;
    const y = (i / (patchSide * finePixels)) | 0;
    const cell = (y * fineCells + x) * orientations;
    const lower = cell + (bin % orientations);
    const upper = cell + ((bin + 1) % orientations);
    fine[lower] = (fine[lower] ?? 0) + size * (1 - share);
    fine[upper] = (fine[upper] ?? 0) + size * share;
  }
  return fine;
}

/** Weights of the four fine cells around a coarse cell, along one axis. */
const blendWeights = [0.25, 0.75, 0.75, 0.25] as const;

function blend(fine: Float32Array): Float32Array {
  const out = new Float32Array(histogramSize);
  for (let cy = 0; cy < cells; cy++) {
    for (let cx = 0; cx < cells; cx++) {
      const to = (cy * cells + cx) * orientations;
      for (let j = 0; j < 4; j++) {
        const fy = 2 * cy - 1 + j;
        if (fy < 0 || fy >= fineCells) continue;
        for (let i = 0; i < 4; i++) {
          const fx = 2 * cx - 1 + i;
          if (fx < 0 || fx >= fineCells) continue;
          const w = (blendWeights[j] ?? 0) * (blendWeights[i] ?? 0);
          const from = (fy * fineCells + fx) * orientations;
          for (let o = 0; o < orientations; o++) out[to + o] = (out[to + o] ?? 0) + w * (fine[from + o] ?? 0);
        }
      }
    }
  }
  return out;
}

/** Length that the quantized histograms are scaled to. */
const length = 640;

/** Square roots, scaled to one length, as bytes. */
function normalize(values: Float32Array): Uint8Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  const gain = sum > 0 ? length / Math.sqrt(sum) : 0;
  const out = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++)
    out[i] = Math.min(255, Math.round(Math.sqrt(values[i] ?? 0) * gain));
  return out;
}
