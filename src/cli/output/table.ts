/** Plain-text tables. */
import { escapeControlCharacters } from "./escape-control-characters.ts";

/** Widest a cell gets, and the rule over it; what is longer is shortened. */
const maxCell = 64;

/**
 * Rows under a header, columns as wide as their widest cell. Cells of `whole` columns are not shortened: a path is of
 * use to its end only.
 */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  whole: readonly string[] = [],
): string {
  const isWhole = header.map((name) => whole.includes(name));
  const cells = [header, ...rows].map((row) =>
    row.map((cell, i) =>
      isWhole[i] ? escapeControlCharacters(cell) : shorten(escapeControlCharacters(cell)),
    ),
  );
  const widths = header.map((_, i) => cells.reduce((most, row) => Math.max(most, (row[i] ?? "").length), 0));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(Math.min(width, maxCell))).join("  ");
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

function shorten(cell: string): string {
  return cell.length > maxCell ? `${cell.slice(0, maxCell - 3)}...` : cell;
}
