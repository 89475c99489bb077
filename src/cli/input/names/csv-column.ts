/** One column of comma-separated values (RFC 4180, without line ends in cells; also semicolons and tabs). */
import { counted, quote } from "../../../errors.ts";
import { UsageError } from "../../command.ts";

/** Returns the cell of a line; undefined for the header, and a message when the line does not have the column. */
export type ReadCell = (line: string) => string | undefined | { readonly message: string };

const delimiters = [",", ";", "\t"];

/**
 * Makes a reader of a column for one file, whose first line decides the delimiter.
 *
 * @param column a number from 1, or a name in the header, which is then the first line; letter case is ignored
 * @throws {UsageError} from the first line, when the header does not have the name
 */
export function createColumnReader(column: string): ReadCell {
  let delimiter: string | undefined;
  let index = /^[1-9]\d{0,5}$/.test(column) ? Number(column) - 1 : undefined;

  function readHeader(cells: readonly string[]): undefined {
    const names = cells.map((cell) => cell.trim().toLowerCase());
    const found = names.indexOf(column.toLowerCase());
    if (found < 0)
      throw new UsageError(
        `--column must be a column of the header (${cells.map(quote).join(", ")}) or a number from 1; found ${quote(column)}`,
      );
    index = found;
  }

  return (line) => {
    delimiter ??= delimiters.find((each) => line.includes(each)) ?? ",";
    const cells = splitCells(line, delimiter);
    if (index === undefined) return readHeader(cells);
    const cell = cells[index];
    if (cell !== undefined) return cell.trim();
    return {
      message: `The line must have the column ${index + 1}; found ${counted(cells.length, "column")}.`,
    };
  };
}

function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (quoted && c === '"' && line[i + 1] === '"') {
      cell += c;
      i++;
    } else if (c === '"' && (quoted || cell.trim() === "")) quoted = !quoted;
    else if (c === delimiter && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += c;
  }
  return [...cells, cell];
}
