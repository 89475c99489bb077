/**
 * Reads names from text, one a line: plain, a URL, a host with a port, a JSON object with `domain`, a record of certificate
 * transparency, a cell of comma-separated values, or a line of a zone file or a hosts file. Empty lines and comments (`#`) are skipped.
 */

import { hostPartOf } from "../../../engine/brand/names/host-part.ts";
import { certificateNames } from "../../../service/brand/domains/certificate-names.ts";
import { readFeedRecord } from "../../../service/brand/domains/feed-record.ts";
import { createColumnReader, type ReadCell } from "./csv-column.ts";
import { maxLineLength, textLines } from "./text-lines.ts";
import { createNewNames, readZoneLine } from "./zone-line.ts";

/** A name and its line number, from 1. */
export interface NameLine {
  /** The host name in what was given. */
  readonly domain: string;
  readonly line: number;
  /** The text of the line, when `domain` is only a part of it. */
  readonly given?: string;
  readonly firstSeenMs?: number;
}

/** A line that is not a name. */
export interface InvalidLine {
  readonly line: number;
  readonly message: string;
}

/** How lines are read. */
export interface NameLineOptions {
  /** Lines are comma-separated values; the name is in this column: a number from 1, or its name in the header. */
  readonly column?: string | undefined;
}

/** The names of each chunk of a text. @throws {UsageError} when the header does not have the column */
export async function* nameLines(
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (invalid: InvalidLine) => void,
  { column }: NameLineOptions = {},
): AsyncGenerator<readonly NameLine[], void, undefined> {
  const readCell = column === undefined ? undefined : createColumnReader(column);
  const isNew = createNewNames();
  let line = 0;
  for await (const texts of textLines(bytes)) {
    const names: NameLine[] = [];
    for (const text of texts) {
      line += 1;
      for (const name of readLine(text, line, isNew, readCell)) {
        if ("message" in name) onInvalid(name);
        else names.push(name);
      }
    }
    if (names.length > 0) yield names;
  }
}

function readLine(
  text: string,
  line: number,
  isNew: (name: string) => boolean,
  readCell?: ReadCell,
): readonly (NameLine | InvalidLine)[] {
  const trimmed = text.trim();
  if (trimmed === "" || (trimmed.startsWith("#") && !readCell)) return [];
  if (trimmed.length > maxLineLength)
    return [{ line, message: `A line must be at most ${maxLineLength} characters.` }];
  if (readCell) return readCells(readCell(text.replace(/\r$/, "")), line);
  if (trimmed.startsWith("{")) return readObject(trimmed, line);
  const names = /[\s;]/.test(trimmed) ? readZoneLine(text) : undefined;
  if (names === undefined) return [nameOf(trimmed, line)];
  if ("message" in names) return [{ line, message: names.message }];
  return names.filter(isNew).map((name) => ({ domain: name, line }));
}

function readCells(cell: ReturnType<ReadCell>, line: number): readonly (NameLine | InvalidLine)[] {
  if (cell === undefined) return [];
  return [typeof cell === "string" ? nameOf(cell, line) : { line, ...cell }];
}

function nameOf(given: string, line: number): NameLine {
  const domain = hostPartOf(given);
  return domain === given ? { domain, line } : { domain, line, given };
}

function readObject(text: string, line: number): readonly (NameLine | InvalidLine)[] {
  try {
    const value: unknown = JSON.parse(text);
    const names = certificateNames(value);
    if (names) return names.map((name) => nameOf(name, line));
    const record = readFeedRecord(value);
    if (!record.ok) return [{ line, message: record.problems[0].message }];
    const { domain, firstSeenMs } = record.value;
    return [{ ...nameOf(domain, line), ...(firstSeenMs !== undefined && { firstSeenMs }) }];
  } catch (error) {
    return [{ line, message: `The line must be JSON: ${(error as Error).message}.` }];
  }
}
