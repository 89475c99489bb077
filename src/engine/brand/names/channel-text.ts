/**
 * The text that a channel compares: unchanged, as its skeleton, without separators, or both; each letter with the
 * position that it came from.
 */

import type { Channel, MatchOptions, Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { letterSkeleton } from "./confusables.ts";

/** A text in one channel. */
export interface ChannelText {
  readonly points: readonly number[];
  /** For each letter, its position in the original text. */
  readonly origin: readonly number[];
}

/** The hyphen and the dot. */
export const separators: ReadonlySet<number> = new Set([0x2d, 0x2e]);

/** The channels to search, `plain` first: at equal distance the first channel is reported. */
export function channelsOf(options: Pick<MatchOptions, "confusables" | "separators">): readonly Channel[] {
  const channels: Channel[] = ["plain"];
  if (options.confusables) channels.push("confusables");
  if (options.separators) channels.push("separators");
  if (options.confusables && options.separators) channels.push("confusables+separators");
  return channels;
}

/** The part of a text from `start` to `end` in a channel. */
export function channelTextOf(
  channel: Channel,
  text: readonly number[],
  start = 0,
  end = text.length,
): ChannelText {
  if (channel === "plain") {
    const points = text.slice(start, end);
    return { points, origin: points.map((_, i) => start + i) };
  }
  const points: number[] = [];
  const origin: number[] = [];
  for (const [i, letter] of text.slice(start, end).entries()) {
    for (const c of lettersInChannel(channel, letter)) {
      points.push(c);
      origin.push(start + i);
    }
  }
  return { points, origin };
}

/** The letters for one letter in a channel other than `plain`. */
function lettersInChannel(channel: Channel, c: number): readonly number[] {
  if (channel !== "confusables" && separators.has(c)) return [];
  return channel === "separators" ? [c] : codePoints(letterSkeleton(c));
}

/** Maps a span to the original text; an empty span is before its letter, or at `end`. */
export function originSpan({ origin }: ChannelText, span: Span, end: number): Span {
  const start = origin[span.start] ?? end;
  return { start, end: span.end > span.start ? (origin[span.end - 1] ?? end - 1) + 1 : start };
}
