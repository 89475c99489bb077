/** Plain-text tables. */

/** Widest a cell gets; what is longer is shortened. */
const maxCell = 64;

/** Rows under a header, columns as wide as their widest cell. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(shorten));
  const widths = header.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

function shorten(cell: string): string {
  return cell.length > maxCell ? `${cell.slice(0, maxCell - 3)}...` : cell;
}
