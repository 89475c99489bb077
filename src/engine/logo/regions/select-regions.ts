/** Selects the candidate regions of a picture that are described: those that look least like words first. `chosen` */

import type { RgbPicture } from "../decode/picture.ts";
import { maxRegions, maxTallRegions, maxWordHeight, minWordAspect } from "../tuning.ts";
import type { CandidateRegion } from "./candidate-regions.ts";

/**
 * As many candidate regions as a picture of its height may have, in their order: the first ones are the outer ones. Words
 * come last.
 */
export function selectRegions(
  regions: readonly CandidateRegion[],
  { width, height }: RgbPicture,
): readonly CandidateRegion[] {
  const limit = Math.min(maxTallRegions, Math.round(maxRegions * Math.max(1, height / width)));
  if (regions.length <= limit) return regions;
  const words = new Set(regions.filter(isWord));
  const others = regions.filter((region) => !words.has(region));
  return [...others, ...words].slice(0, limit);
}

function isWord({ box: { left, top, right, bottom } }: CandidateRegion): boolean {
  const tall = bottom - top;
  return tall < maxWordHeight && right - left > minWordAspect * tall;
}
