/** From a place in the normalised host back to the text that was given. */

import type { Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { foldText } from "./fold.ts";

/** Everything that NFKC and RFC 3490 read as a dot between labels. */
const dots = /[.\u3002\uff0e\uff61]/;

/**
 * The span in UTF-16 units of the given text that a span in code points of its normalised form stands for. Where a label did not
 * come through letter by letter (an A-label, a ligature), all of it is taken.
 *
 * @example
 * ```ts
 * sourceSpan(" Login.PAYPAL.com", "login.paypal.com", { start: 6, end: 12 }); // => { start: 7, end: 13 }
 * ```
 */
export function sourceSpan(source: string, host: string, span: Span): Span {
  const first = source.length - source.trimStart().length;
  const given = source.trim();
  const places = placesOf(given, host);
  const start = places[span.start]?.start ?? given.length;
  const end = span.end > span.start ? places[span.end - 1]!.end : start;
  return { start: first + start, end: first + end };
}

/** For each code point of the host, its place in the given text. */
function placesOf(given: string, host: string): Span[] {
  const labels = host.split(".");
  const givenLabels = given.split(dots);
  // A trailing dot leaves one more; anything else means that folding made or took a dot.
  if (givenLabels.length - (givenLabels.at(-1) === "" ? 1 : 0) !== labels.length) {
    return codePoints(host).map(() => ({ start: 0, end: given.length }));
  }
  const places: Span[] = [];
  let at = 0;
  labels.forEach((label, i) => {
    if (i > 0) places.push({ start: at - 1, end: at });
    places.push(...labelPlaces(givenLabels[i]!, label, at));
    at += givenLabels[i]!.length + 1;
  });
  return places;
}

function labelPlaces(given: string, label: string, at: number): Span[] {
  const letters = [...given];
  const folded = codePoints(label);
  const direct = letters.length === folded.length && letters.map((c) => foldText(c)).join("") === label;
  if (!direct) return folded.map(() => ({ start: at, end: at + given.length }));
  let start = at;
  return letters.map((c) => {
    start += c.length;
    return { start: start - c.length, end: start };
  });
}
