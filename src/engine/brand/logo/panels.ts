/**
 * Panels: boxes that are put together of two colours side by side or one above the other, as sign-in cards are.
 * No frame of one colour holds their insides, and no empty row cuts them. Method `chosen`.
 */

import { borderColours, type Plane } from "./background.ts";
import { findInk, type Ink } from "./foreground.ts";
import type { Box, Picture } from "./picture.ts";
import { panelBridge, panelCover, panelShare, panelSide } from "./tuning.ts";

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
function panelOf({ box, bits }: Ink): Box | undefined {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const free = (x: number, y: number) => 1 - bits[y * width + x]!;
  const [left, right] = longestRun(width, (x) => mean(height, (y) => free(x, y)) >= panelCover);
  const [top, bottom] = longestRun(height, (y) => mean(right - left, (x) => free(left + x, y)) >= panelCover);
  const whole = right - left > 0.9 * width && bottom - top > 0.9 * height;
  if (whole || right - left < 3 || bottom - top < 3) return undefined;
  return { left: box.left + left, top: box.top + top, right: box.left + right, bottom: box.top + bottom };
}

function mean(count: number, at: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += at(i);
  return count > 0 ? sum / count : 0;
}

/** The longest run, lines across it of up to `panelBridge` pixels not counted against it. */
function longestRun(length: number, takes: (i: number) => boolean): readonly [start: number, end: number] {
  let best: readonly [number, number] = [0, 0];
  let start = 0;
  let last = -1;
  for (let i = 0; i < length; i++) {
    if (!takes(i)) continue;
    if (i - last > panelBridge + 1) start = i;
    last = i;
    if (last + 1 - start > best[1] - best[0]) best = [start, last + 1];
  }
  return best;
}
