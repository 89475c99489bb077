/**
 * Histograms of gradients (HOG): 8 x 8 cells of 9 orientations without sign, root and length normalised.
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

/** Gradients of the patch at hand, across and down at each pixel, none at its border; kept, as 32 kB a call are much to collect. */
const across = new Float32Array(patchSide * patchSide);
const down = new Float32Array(patchSide * patchSide);

/** Histogram of a grey map. */
export function mapGradients(map: Float32Array): Uint8Array {
  let most = 0;
  for (let y = 1; y < patchSide - 1; y++) {
    for (let i = y * patchSide + 1; i < (y + 1) * patchSide - 1; i++) {
      const dx = map[i + 1]! - map[i - 1]!;
      const dy = map[i + patchSide]! - map[i - patchSide]!;
      across[i] = dx;
      down[i] = dy;
      most = Math.max(most, dx * dx + dy * dy);
    }
  }
  return histogram(most);
}

/** Histogram of a colour patch: at each pixel the channel with the steepest gradient counts. */
export function colourGradients(rgb: Float32Array): Uint8Array {
  const row = patchSide * 3;
  let most = 0;
  for (let y = 1; y < patchSide - 1; y++) {
    for (let i = y * patchSide + 1; i < (y + 1) * patchSide - 1; i++) {
      let steepest = -1;
      for (let j = i * 3; j < i * 3 + 3; j++) {
        const dx = rgb[j + 3]! - rgb[j - 3]!;
        const dy = rgb[j + row]! - rgb[j - row]!;
        const steep = dx * dx + dy * dy;
        if (steep > steepest) {
          steepest = steep;
          across[i] = dx;
          down[i] = dy;
        }
      }
      most = Math.max(most, steepest);
    }
  }
  return histogram(most);
}

/** Gradients weaker than this (of 510), or than this share of the steepest, are flat ground. */
const flatGround = 4;
const flatShare = 0.06;

/** Histogram of the gradients at hand; `most` is the square of the steepest. */
function histogram(most: number): Uint8Array {
  return normalise(blend(countFine(Math.max(flatGround, flatShare * Math.sqrt(most)))));
}

/** Counts the gradients that are steep enough, by fine cell and orientation. */
function countFine(least: number): Float32Array {
  const fine = new Float32Array(fineCells * fineCells * orientations);
  for (let i = 0; i < across.length; i++) {
    const dx = across[i]!;
    const dy = down[i]!;
    const square = dx * dx + dy * dy;
    if (square < least * least) continue;
    const size = Math.sqrt(square);
    const turn = (Math.atan2(dy, dx) / Math.PI + 1) * orientations;
    const bin = Math.floor(turn);
    const share = turn - bin;
    const x = ((i % patchSide) / finePixels) | 0;
    const y = (i / (patchSide * finePixels)) | 0;
    const cell = (y * fineCells + x) * orientations;
    fine[cell + (bin % orientations)]! += size * (1 - share);
    fine[cell + ((bin + 1) % orientations)]! += size * share;
  }
  return fine;
}

/** Weights of the four fine cells around a coarse one, along one axis. */
const spread = [0.25, 0.75, 0.75, 0.25] as const;

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
          const w = spread[j]! * spread[i]!;
          const from = (fy * fineCells + fx) * orientations;
          for (let o = 0; o < orientations; o++) out[to + o]! += w * fine[from + o]!;
        }
      }
    }
  }
  return out;
}

/** Length that the quantised histograms are scaled to. */
const length = 640;

/** Square roots, scaled to one length, as bytes. */
function normalise(values: Float32Array): Uint8Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const gain = sum > 0 ? length / Math.sqrt(sum) : 0;
  const out = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) out[i] = Math.min(255, Math.round(Math.sqrt(values[i]!) * gain));
  return out;
}
