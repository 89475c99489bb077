/** Plain-text tables. */
import type { Output } from "../command.ts";
import { breakToWidth, cutMiddleToWidth, cutToWidth, displayWidth, padToWidth } from "./display-width.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";
import { lineWidth } from "./wrap.ts";

/** Maximum width of a cell in columns of a terminal; longer cells are shortened. */
const maxCellWidth = 64;

/** Minimum width to which a column is shortened for a narrow terminal. */
const minCellWidth = 8;

/** Minimum width of the other columns while the column that names a row is not shortened. */
const minOtherWidth = 16;

/** How columns are shortened. */
interface Columns {
  /** Columns whose cells are never cut, for example paths: on a narrow terminal they go on in the next line. */
  readonly unshortened?: readonly string[];
  /** The column that names a row: the others are shortened first, and its cells keep their ends. */
  readonly name?: string;
}

/**
 * Formats a header and rows as a table; each column is as wide as its widest cell. The widest columns are shortened when a row
 * is longer than the terminal.
 */
export function printTable(
  output: Output,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { unshortened = [], name }: Columns = {},
): string {
  const maxWidth = lineWidth(output) ?? Number.POSITIVE_INFINITY;
  const keepsLength = header.map((column) => unshortened.includes(column));
  const cut = (cell: string, width: number, column: number) =>
    header[column] === name ? cutMiddleToWidth(cell, width) : cutToWidth(cell, width);
  const cells = [header, ...rows].map((row) =>
    row.map((cell, i) =>
      keepsLength[i] ? escapeControlCharacters(cell) : cut(escapeControlCharacters(cell), maxCellWidth, i),
    ),
  );
  const natural = header.map((_, i) =>
    cells.reduce((max, row) => Math.max(max, displayWidth(row[i] ?? "")), 0),
  );
  const keepsFirst = header.map((column, i) => keepsLength[i] === true || column === name);
  const others = name === undefined ? natural : fitWidths(natural, keepsFirst, maxWidth, minOtherWidth);
  const shortened = fitWidths(others, keepsLength, maxWidth);
  const none = header.map(() => false);
  const widths = fitWidths(shortened, none, maxWidth);
  const lines = cells.map((row) =>
    joinCells(
      row.map((cell, i) =>
        keepsLength[i] ? breakToWidth(cell, widths[i] ?? 0) : [cut(cell, widths[i] ?? 0, i)],
      ),
      widths,
    ),
  );
  const rule = widths.map((width) => "-".repeat(Math.min(width, maxCellWidth))).join("  ");
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

/** The lines of a row whose cells have lines. */
function joinCells(cells: readonly (readonly string[])[], widths: readonly number[]): string {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, i) => padToWidth(lines[line] ?? "", widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  ).join("\n");
}

/** Narrows the widest columns, one terminal column after another, until a row has at most the maximum width. */
export function fitWidths(
  natural: readonly number[],
  keepsLength: readonly boolean[],
  maxWidth: number,
  minWidth = minCellWidth,
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + 2, -2) - maxWidth;
  while (excess-- > 0) {
    const shrinkable = widths.map((width, i) => (keepsLength[i] ? 0 : width));
    const widest = Math.max(...shrinkable);
    if (widest <= minWidth) break;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}
