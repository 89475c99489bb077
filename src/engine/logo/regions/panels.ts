/**
 * Panels: parts of a box that have different colors side by side or one above the other, as on sign-in cards.
 * No frame of one color surrounds them, and no empty row separates them. Method `chosen`.
 */

import type { Steps } from "../../../core/work/steps.ts";
import type { Box, RgbPicture } from "../decode/picture.ts";
import { maxPanelBridge, minPanelBorderShare, minPanelCoverage, minPanelSide } from "../tuning.ts";
import { borderColors, type Plane } from "./background.ts";
import { countForeground, type Foreground, foregroundSteps } from "./foreground.ts";

/** A panel of a box, and its color. */
export interface Panel {
  readonly box: Box;
  readonly plane: Plane;
}

/** The panels of a box; none when it is small or has one color. */
export function* findPanels(picture: RgbPicture, box: Box): Steps<readonly Panel[]> {
  if (Math.min(box.right - box.left, box.bottom - box.top) < minPanelSide) return [];
  const colors = borderColors(picture, box, minPanelBorderShare);
  if (colors.length < 2) return [];
  const panels: Panel[] = [];
  for (const plane of colors) {
    const foreground = yield* foregroundSteps(picture, box, plane);
    const panel = foreground && (yield* mostlyEmptyBox(foreground));
    if (panel) panels.push({ box: panel, plane });
  }
  return panels;
}

/** The longest run of columns, and of rows in it, that are mostly empty. */
function* mostlyEmptyBox(foreground: Foreground): Steps<Box | undefined> {
  const { box } = foreground;
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const [left, right] = longestRun(foreground.counts.columns, height);
  const across = { ...box, left: box.left + left, right: box.left + right };
  const { rows } = yield* countForeground(foreground, across);
  const [top, bottom] = longestRun(rows, right - left);
  const nearlyAll = right - left > 0.9 * width && bottom - top > 0.9 * height;
  if (nearlyAll || right - left < 3 || bottom - top < 3) return undefined;
  return { ...across, top: box.top + top, bottom: box.top + bottom };
}

/**
 * The longest run of rows or columns of so many pixels with little enough foreground. Lines across the run of up to
 * `maxPanelBridge` pixels do not end it.
 */
function longestRun(counts: Uint32Array, pixels: number): readonly [start: number, end: number] {
  let best: readonly [number, number] = [0, 0];
  let start = 0;
  let last = -1;
  for (const [i, count] of counts.entries()) {
    if (pixels - count < minPanelCoverage * pixels || pixels === 0) continue;
    if (i - last > maxPanelBridge + 1) start = i;
    last = i;
    if (last + 1 - start > best[1] - best[0]) best = [start, last + 1];
  }
  return best;
}
