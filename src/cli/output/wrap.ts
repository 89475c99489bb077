/** Breaks text between its words, by the width that it has on a terminal. */
import type { Output } from "../command.ts";
import { displayWidth } from "./display-width.ts";

/** The width of a terminal that does not say it. */
const usualWidth = 80;

/** Space before the rest of a line that is wrapped, after the space of its beginning. */
const hanging = "  ";

/** The maximum width of a line in columns of a terminal; undefined when the output is not a terminal. */
export function lineWidth({ isTerminal, columns }: Output): number | undefined {
  return isTerminal ? columns || usualWidth : undefined;
}

/** Wraps a paragraph between its words. */
export function wrap(paragraph: string, maxWidth: number): string[] {
  return fill(paragraph.split(" "), maxWidth);
}

/** Lines of words, as long as they may be; a word that is longer has a line of its own. */
export function fill(words: readonly string[], maxWidth: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(last) + 1 + displayWidth(word) > maxWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A text whose lines fit into the output; the rest of a long line is indented. */
export function wrapLines(output: Output, text: string): string {
  const width = lineWidth(output);
  if (width === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => {
      if (displayWidth(line) <= width) return [line];
      const [indent = ""] = /^ */.exec(line) ?? [];
      const rest = width - indent.length - hanging.length;
      // The first line has no hanging space; it is as short as the others.
      return wrap(line.slice(indent.length), rest).map((part, i) => indent + (i === 0 ? "" : hanging) + part);
    })
    .join("\n");
}
