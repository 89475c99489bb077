/** Scores of measured values: a piecewise linear scale. */

/** A value and its score; of a scale both ascend. */
export type Breakpoint = readonly [value: number, score: number];

/** The score of a value between two breakpoints; the score of the first or the last one outside of them. */
export function scoreOnScale(value: number, scale: readonly [Breakpoint, ...Breakpoint[]]): number {
  let [x0, y0] = scale[0];
  if (value <= x0) return y0;
  for (const [x1, y1] of scale) {
    // Limited, because rounding may exceed the end of a piece, and the score must not fall after it.
    if (value <= x1) return Math.min(y1, y0 + ((y1 - y0) * (value - x0)) / (x1 - x0));
    [x0, y0] = [x1, y1];
  }
  return y0;
}
