/** The output formats of `edgeproof brand match`: line by line, in constant memory. */
import type { DomainMatch } from "../../../engine/brand/model.ts";
import type { Output } from "../../command.ts";
import { cutToWidth, padToWidth } from "../display-width.ts";
import { escapeControlCharacters } from "../escape-control-characters.ts";
import { fitWidths } from "../table.ts";
import { lineWidth } from "../wrap.ts";
import { csvLine } from "./csv.ts";

/** A match and its name. */
export interface NameMatch {
  /** The host name in what was given. */
  readonly domain: string;
  /** The input, when the name is only a part of it. */
  readonly given?: string;
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

/** Widths of the columns of a table. */
const natural = [40, 20, 8, 18, 5, 20, 10];

/** A table in which a longer cell shifts the following ones; on a terminal it is cut, so that rows fit. */
function tableFormat(output: Output): MatchFormat {
  const terminalWidth = lineWidth(output);
  const widths =
    terminalWidth === undefined
      ? natural
      : fitWidths(
          natural,
          natural.map(() => false),
          terminalWidth,
        );
  const row = (texts: readonly string[]): string => {
    const padded = texts.map((text, i) => {
      const width = widths[i] ?? 0;
      const cell = escapeControlCharacters(text);
      return padToWidth(terminalWidth === undefined ? cell : cutToWidth(cell, width), width);
    });
    return `${padded.join("  ").trimEnd()}\n`;
  };
  return { head: row(columns), line: (found) => row(cells(found)) };
}

function jsonLine({ domain, given, match, tag }: NameMatch): string {
  const { query_id, pattern, distance, technique, score, span, host, channel, mode } = match;
  const query = tag === undefined ? {} : { query_id, query_tag: tag };
  return `${JSON.stringify({ domain, ...(given !== undefined && { given }), ...query, pattern, distance, technique, score, span, host, channel, mode })}\n`;
}

export function matchFormat(name: "table" | "jsonl" | "csv", output: Output): MatchFormat {
  if (name === "table") return tableFormat(output);
  if (name === "jsonl") return { head: "", line: jsonLine };
  return { head: csvLine(columns), line: (found) => csvLine(cells(found)) };
}
