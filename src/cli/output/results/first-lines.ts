/** Lists the first of many lines for people. */

import { formatCount } from "../../../core/format-count.ts";
import { escapeControlCharacters } from "../escape-control-characters.ts";

/** Maximum number of lines. */
export const maxFirstLines = 5;

/** The count and the first lines, indented; nothing for a count of 0. */
export function firstLines(count: number, noun: string, lines: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const shown = lines.slice(0, maxFirstLines);
  const cut = count > shown.length ? `, the first ${shown.length}` : "";
  return [`${formatCount(count, noun)}${cut}:`, ...shown.map((line) => `  ${escapeControlCharacters(line)}`)];
}
