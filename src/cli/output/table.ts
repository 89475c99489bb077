/** Plain-text tables. */
import { cutToWidth, displayWidth, padToWidth } from "./display-width.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";

/** Maximum width of a cell in columns of a terminal; longer cells are shortened. */
const maxCellWidth = 64;

/** Minimum width to which a column is shortened for a narrow terminal. */
const minCellWidth = 8;

/**
 * Formats a header and rows as a table; each column is as wide as its widest cell. Cells of the `unshortened` columns
 * keep their full length, for example paths. The widest of the others are shortened when a row is longer than
 * `maxWidth`, the width of a terminal.
 */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  unshortened: readonly string[] = [],
  maxWidth = Number.POSITIVE_INFINITY,
): string {
  const keepsLength = header.map((name) => unshortened.includes(name));
  const cells = [header, ...rows].map((row) =>
    row.map((cell, i) =>
      keepsLength[i]
        ? escapeControlCharacters(cell)
        : cutToWidth(escapeControlCharacters(cell), maxCellWidth),
    ),
  );
  const natural = header.map((_, i) =>
    cells.reduce((max, row) => Math.max(max, displayWidth(row[i] ?? "")), 0),
  );
  const widths = fitWidths(natural, keepsLength, maxWidth);
  const lines = cells.map((row) =>
    row
      .map((cell, i) => padToWidth(keepsLength[i] ? cell : cutToWidth(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(Math.min(width, maxCellWidth))).join("  ");
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

/** Narrows the widest columns, one terminal column after another, until a row has at most the maximum width. */
export function fitWidths(
  natural: readonly number[],
  keepsLength: readonly boolean[],
  maxWidth: number,
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + 2, -2) - maxWidth;
  while (excess-- > 0) {
    const shrinkable = widths.map((width, i) => (keepsLength[i] ? 0 : width));
    const widest = Math.max(...shrinkable);
    if (widest <= minCellWidth) break;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}
