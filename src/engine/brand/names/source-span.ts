/** Maps a span of the normalized host to the given string. */

import type { Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { foldText } from "./fold.ts";

/** The characters that NFKC and RFC 3490 read as a dot between labels. */
const dots = /[.\u3002\uff0e\uff61]/;

/**
 * Maps a span in code points of the normalized host to UTF-16 units of the given string. A label that was not
 * normalized letter by letter (an A-label, a ligature) is mapped as a whole.
 *
 * @example
 * ```ts
 * sourceSpan(" Login.PAYPAL.com", "login.paypal.com", { start: 6, end: 12 }); // => { start: 7, end: 13 }
 * ```
 */
export function sourceSpan(source: string, host: string, span: Span): Span {
  const first = source.length - source.trimStart().length;
  const given = source.trim();
  const letters = letterSpans(given, host);
  const start = letters[span.start]?.start ?? given.length;
  const end = span.end > span.start ? (letters[span.end - 1]?.end ?? given.length) : start;
  return { start: first + start, end: first + end };
}

/** The span in the given string of each code point of the host. */
function letterSpans(given: string, host: string): Span[] {
  const labels = host.split(".");
  const givenLabels = given.split(dots);
  if (givenLabels.at(-1) === "") givenLabels.pop();
  // Folding added or removed a dot.
  if (givenLabels.length !== labels.length) {
    return codePoints(host).map(() => ({ start: 0, end: given.length }));
  }
  const spans: Span[] = [];
  let at = 0;
  for (const [i, givenLabel] of givenLabels.entries()) {
    if (i > 0) spans.push({ start: at - 1, end: at });
    spans.push(...labelSpans(givenLabel, labels[i] ?? "", at));
    at += givenLabel.length + 1;
  }
  return spans;
}

function labelSpans(given: string, label: string, at: number): Span[] {
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
