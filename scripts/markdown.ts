/** Markdown that is written by scripts. */

/** A table; bars in cells are escaped. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)];
}
