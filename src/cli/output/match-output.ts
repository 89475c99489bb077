/** The output formats of `edgeproof match`: line by line, in constant memory. */
import type { DomainMatch } from "../../engine/brand/model.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";

/** A match and its name. */
export interface NameMatch {
  /** The name as given. */
  readonly domain: string;
  readonly match: DomainMatch;
  /** Tag of the query in a world. */
  readonly tag?: string;
}

export interface MatchFormat {
  /** Printed before the first match; empty for none. */
  readonly head: string;
  readonly line: (match: NameMatch) => string;
}

const columns = ["domain", "pattern", "distance", "technique", "score", "found", "channel"] as const;

function cells({ domain, match, tag }: NameMatch): readonly string[] {
  const { pattern, distance, technique, score, span, channel } = match;
  const found = domain.slice(span.start, span.end);
  const shown = tag === undefined ? pattern : `${tag}: ${pattern}`;
  return [domain, shown, String(distance), technique, score.toFixed(2), found, channel];
}

/** Widths of the columns of a table; a longer cell shifts the following ones. */
const widths = [40, 20, 8, 18, 5, 20, 0];

function row(texts: readonly string[]): string {
  return `${texts
    .map((text, i) => escapeControlCharacters(text).padEnd(widths[i] ?? 0))
    .join("  ")
    .trimEnd()}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, lines ended by CRLF. */
function csvLine(texts: readonly string[]): string {
  return `${texts.map(csvCell).join(",")}\r\n`;
}

function jsonLine({ domain, match, tag }: NameMatch): string {
  const { query_id, pattern, distance, technique, score, span, host, channel, mode } = match;
  const query = tag === undefined ? {} : { query_id, query_tag: tag };
  return `${JSON.stringify({ domain, ...query, pattern, distance, technique, score, span, host, channel, mode })}\n`;
}

export const matchFormats: Readonly<Record<"table" | "jsonl" | "csv", MatchFormat>> = {
  table: { head: row(columns), line: (found) => row(cells(found)) },
  jsonl: { head: "", line: jsonLine },
  csv: { head: csvLine(columns), line: (found) => csvLine(cells(found)) },
};
