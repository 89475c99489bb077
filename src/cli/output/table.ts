/** Plain-text tables. */
import { escapeControlCharacters } from "./escape-control-characters.ts";

/** Maximum width of a cell in characters; longer cells are shortened. */
const maxCellWidth = 64;

/**
 * Formats a header and rows as a table; each column is as wide as its widest cell. Cells of the `unshortened` columns
 * keep their full length, for example paths.
 */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  unshortened: readonly string[] = [],
): string {
  const keepsLength = header.map((name) => unshortened.includes(name));
  const cells = [header, ...rows].map((row) =>
    row.map((cell, i) =>
      keepsLength[i] ? escapeControlCharacters(cell) : shorten(escapeControlCharacters(cell)),
    ),
  );
  const widths = header.map((_, i) => cells.reduce((max, row) => Math.max(max, (row[i] ?? "").length), 0));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(Math.min(width, maxCellWidth))).join("  ");
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

function shorten(cell: string): string {
  return cell.length > maxCellWidth ? `${cell.slice(0, maxCellWidth - 3)}...` : cell;
}
