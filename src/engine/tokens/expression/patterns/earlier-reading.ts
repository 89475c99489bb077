/**
 * Patterns that version 0.1 read with the escapes of other strings, so that they mean something else now. To be removed
 * with version 0.3.
 */

import { quote } from "../../../../errors.ts";
import { withoutOuterTabs } from "../grammar.ts";
import { advance, isBeforePattern, startCursor } from "../lexer.ts";
import { readString } from "../literal.ts";
import { ExpressionSyntaxError, locate } from "../syntax-error.ts";
import { printRaw } from "./pattern-literal.ts";

/** One sentence for each pattern of a valid expression whose meaning has changed, from left to right. */
export function changedPatterns(text: string): string[] {
  if (!/\bmatches\b|~/.test(text) || !text.includes("\\")) return [];
  const changed: string[] = [];
  let isPattern = false;
  for (const cursor = startCursor(withoutOuterTabs(text)); cursor.token.kind !== "end"; advance(cursor)) {
    const { kind, text: pattern, span } = cursor.token;
    const before = isPattern && kind === "string" ? earlierPattern(cursor.text, span.start) : undefined;
    if (before !== undefined && before !== withoutNeedlessEscapes(pattern))
      changed.push(describeChange(cursor.text, span.start, pattern, before));
    isPattern = isBeforePattern(cursor.token);
  }
  return changed;
}

function describeChange(text: string, at: number, pattern: string, before: string): string {
  const { line, column } = locate(text, at);
  return `At line ${line}, column ${column} of the expression: the pattern is ${show(pattern)} since version 0.2, and was ${show(before)} before: the string of \`matches\` keeps its backslashes.`;
}

/** The raw string of a pattern, to be copied where it can be. */
function show(pattern: string): string {
  const raw = printRaw(pattern);
  return /^[ -~]{1,60}$/.test(raw) ? `\`${raw}\`` : quote(raw);
}

/** The pattern as version 0.1 read it; undefined when it rejected the string. */
function earlierPattern(text: string, at: number): string | undefined {
  try {
    return readString(text, at).value;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

/** The same pattern with the character itself for escapes of quotation marks, and for codes of plain characters. */
function withoutNeedlessEscapes(pattern: string): string {
  return pattern.replace(
    /\\(?:x([0-9A-Fa-f]{2})|([0-7]{3})|.)/gs,
    (found: string, hex: string | undefined, octal: string | undefined) => {
      if (found === '\\"') return '"';
      const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
      const character = String.fromCharCode(code);
      return !Number.isNaN(code) && /[^[\](){}^$.*+?|\\-]/.test(character) ? character : found;
    },
  );
}
