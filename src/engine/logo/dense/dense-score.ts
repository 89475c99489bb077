/** The score of a place of the dense search. */
import { scoreOnScale } from "../score-scale.ts";
import { denseBreakpoints } from "./dense-tuning.ts";

/** The score of a calibrated value, 0 to 1. */
export function denseScore(value: number): number {
  return scoreOnScale(value, denseBreakpoints);
}
