/**
 * Panels: boxes that are put together of two colours side by side or one above the other, as sign-in cards are.
 * No frame of one colour holds their insides, and no empty row cuts them. Method `chosen`.
 */

import type { Box, Picture } from "../decode/picture.ts";
import { panelBridge, panelCover, panelShare, panelSide } from "../tuning.ts";
import { borderColours, type Plane } from "./background.ts";
import { countInk, findInk, type Ink } from "./foreground.ts";

/** One panel of a box, against its own colour. */
export interface Panel {
  readonly box: Box;
  readonly plane: Plane;
}

/** The panels of a box; none when it is small or of one colour. */
export function findPanels(picture: Picture, box: Box): readonly Panel[] {
  if (Math.min(box.right - box.left, box.bottom - box.top) < panelSide) return [];
  const colours = borderColours(picture, box, panelShare);
  if (colours.length < 2) return [];
  return colours.flatMap((plane) => {
    const ink = findInk(picture, box, plane);
    const found = ink && panelOf(ink);
    return found ? [{ box: found, plane }] : [];
  });
}

/** The longest run of columns, and of rows in it, that are mostly free of ink. */
function panelOf(ink: Ink): Box | undefined {
  const { box } = ink;
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const [left, right] = longestRun(ink.counts.columns, height);
  const across = { ...box, left: box.left + left, right: box.left + right };
  const [top, bottom] = longestRun(countInk(ink, across).rows, right - left);
  const whole = right - left > 0.9 * width && bottom - top > 0.9 * height;
  if (whole || right - left < 3 || bottom - top < 3) return undefined;
  return { ...across, top: box.top + top, bottom: box.top + bottom };
}

/**
 * The longest run of rows or columns of so many pixels that are free enough of ink; lines across it of up to
 * `panelBridge` pixels are not counted against it.
 */
function longestRun(ink: Uint32Array, pixels: number): readonly [start: number, end: number] {
  let best: readonly [number, number] = [0, 0];
  let start = 0;
  let last = -1;
  for (let i = 0; i < ink.length; i++) {
    if (pixels - ink[i]! < panelCover * pixels || pixels === 0) continue;
    if (i - last > panelBridge + 1) start = i;
    last = i;
    if (last + 1 - start > best[1] - best[0]) best = [start, last + 1];
  }
  return best;
}
