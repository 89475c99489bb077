/**
 * Forms in which a text is compared: as it is, as its skeleton, without separators, or both. A view remembers where in the text
 * each of its letters came from.
 */

import type { Channel, MatchOptions, Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { letterSkeleton } from "./confusables.ts";

/** The letters of a text in one channel. */
export interface View {
  readonly points: readonly number[];
  /** For each letter, its place in the text. */
  readonly origin: readonly number[];
}

const separators: ReadonlySet<number> = new Set([0x2d, 0x2e]);

/** The channels to search, the plain one first: at equal distance the first is reported. */
export function channelsOf(options: MatchOptions): readonly Channel[] {
  const channels: Channel[] = ["plain"];
  if (options.confusables) channels.push("confusables");
  if (options.separators) channels.push("separators");
  if (options.confusables && options.separators) channels.push("confusables+separators");
  return channels;
}

/** The part of a text from `start` to `end` as it is seen in a channel. */
export function viewOf(channel: Channel, text: readonly number[], start = 0, end = text.length): View {
  if (channel === "plain") {
    const points = text.slice(start, end);
    return { points, origin: points.map((_, i) => start + i) };
  }
  const points: number[] = [];
  const origin: number[] = [];
  for (let i = start; i < end; i++) {
    for (const c of seen(channel, text[i]!)) {
      points.push(c);
      origin.push(i);
    }
  }
  return { points, origin };
}

/** What a letter is in a channel other than the plain one. */
function seen(channel: Channel, c: number): readonly number[] {
  if (channel !== "confusables" && separators.has(c)) return [];
  return channel === "separators" ? [c] : codePoints(letterSkeleton(c));
}

/** Where in the text a span of the view lies; an empty one lies before its letter, or at `end`. */
export function originSpan({ origin }: View, span: Span, end: number): Span {
  const start = origin[span.start] ?? end;
  return { start, end: span.end > span.start ? origin[span.end - 1]! + 1 : start };
}
