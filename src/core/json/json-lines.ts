/** JSON values one a line (NDJSON), as `jq -c` writes them, read as the array of these values with their places. */
import type { Placed } from "../diagnostic.ts";
import { type JsonSource, parseJsonSource, type TextPosition } from "../json-source.ts";
import { failure, type Result, success } from "../result.ts";

interface Line {
  readonly source: JsonSource;
  /** From 1. */
  readonly number: number;
}

/**
 * Parses a JSON text. One with an object or a list in its first line and more below it is an array of lines; empty lines
 * are left out: `{"a":1}` above `{"a":2}` is `[{ a: 1 }, { a: 2 }]`. Returns the first syntax error, in `file`.
 */
export function parseJsonOrLines(text: string, file = ""): Result<JsonSource, Placed<"syntax">> {
  const whole = parseJsonSource(text, file);
  if (whole.ok || !beginsWithLine(text)) return whole;
  const lines: Line[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = parseJsonSource(line, file);
    if (!read.ok) {
      const [{ at, ...problem }] = read.problems;
      return failure({ ...problem, at: { ...at, start: inLine(i + 1, at.start) } });
    }
    lines.push({ source: read.value, number: i + 1 });
  }
  return success(sourceOf(lines));
}

/** Whether the first line with text is an object or a list. */
function beginsWithLine(text: string): boolean {
  const [first = ""] = /[[{][^\n]*/.exec(text) ?? [];
  return text.trimStart().startsWith(first.slice(0, 1)) && first !== "" && parseJsonSource(first).ok;
}

function sourceOf(lines: readonly Line[]): JsonSource {
  const start = { line: 1, column: 1 };
  const find = (pointer: string) => {
    const [, index = "", rest = ""] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
    const line = index === "" ? undefined : lines[Number(index)];
    return line && { ...line, rest };
  };
  return {
    value: lines.map(({ source }) => source.value),
    locate: (pointer) => {
      const found = find(pointer);
      return found ? inLine(found.number, found.source.locate(found.rest)) : start;
    },
    range: (pointer) => {
      const found = find(pointer);
      if (!found) return { start, end: start };
      const range = found.source.range(found.rest);
      return { start: inLine(found.number, range.start), end: inLine(found.number, range.end) };
    },
  };
}

function inLine(line: number, { column }: TextPosition): TextPosition {
  return { line, column };
}
