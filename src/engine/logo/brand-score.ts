/** The score of a brand that has several logos: its best one counts, and its alarms stay those of one logo. `chosen` */

import type { LogoHit } from "./box.ts";
import { type Breakpoint, scoreOnScale } from "./score-scale.ts";

/** Maximum number of logos of a brand; a brand of more would need nearly equal pixels for a score of 0.85. */
export const maxBrandLogos = 20;

/**
 * How much more a brand's best logo needs for a score of 0.75 and of 0.85, for each tenfold number of logos. Of 600 logos on 178
 * real sign-in pages, joined at random to brands of 2 to 20, brands had about as many alarms at these scores as logos, or fewer.
 */
const scoresPerDecade = { review: 0.15, alarm: 0.04 } as const;
/** Minimum distance of the two. */
const minStep = 0.01;

/** The best place of a brand's logos in a picture. */
export interface BrandHit extends LogoHit {
  /** Index in the brand of the logo that was found, from 0; 0 for a logo alone. */
  readonly logo: number;
}

/**
 * The best of the hits of a brand's logos; of equal scores the first.
 *
 * Each logo may raise an alarm, so the score of the best of n is that of a logo alone whose rate of alarms is n times as
 * large. A score of exactly 1 stays.
 */
export function bestOfBrand(hits: readonly LogoHit[]): BrandHit {
  const best = hits.reduce((a, b) => (b.score > a.score ? b : a));
  return { ...best, score: brandScore(best.score, hits.length), logo: hits.indexOf(best) };
}

/** The score of the best of so many logos. */
export function brandScore(best: number, logos: number): number {
  if (logos === 1) return best;
  const decades = Math.log10(logos);
  const alarm = 0.85 + scoresPerDecade.alarm * decades;
  const scale: readonly [Breakpoint, ...Breakpoint[]] = [
    [0, 0],
    [Math.min(0.75 + scoresPerDecade.review * decades, alarm - minStep), 0.75],
    [alarm, 0.85],
    [1, 1],
  ];
  return scoreOnScale(best, scale);
}
