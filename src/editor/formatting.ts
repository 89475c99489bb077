/** Formatting: expressions get their canonical spelling; everything else of a document stays as it is. */
import type { Splice } from "../core/json/edits.ts";
import type { EditorDocument } from "./document.ts";
import { parseEmbedded } from "./expressions/language.ts";

/**
 * The edits that format the expressions of a part of a document: in one line, or where it had several, a line for each
 * operand. Expressions with errors, with templates and of other phases stay as they are.
 */
export function formatDocument(
  { expressions, text }: EditorDocument,
  range: { readonly start: number; readonly end: number } = { start: 0, end: text.length },
): readonly Splice[] {
  return expressions.flatMap(({ node, language, written }) => {
    if (language === undefined || !written.isWhole) return [];
    if (node.end < range.start || node.start > range.end) return [];
    const { value, edit } = written;
    const parsed = parseEmbedded(language, value);
    if (!parsed.ok) return [];
    const { print } = parsed.value;
    const hasLines = value.trim().includes("\n");
    if (isSpelled(value, print(hasLines))) return [];
    const ending = value.slice(value.trimEnd().length).includes("\n") ? "\n" : "";
    // A folded block of YAML has no line ends.
    return edit(print(hasLines) + ending) ?? edit(print(false) + ending) ?? [];
  });
}

/** Whether lines differ only in their indentation, which a block of lines may have. */
function isSpelled(value: string, formatted: string): boolean {
  const lines = value.trim().split("\n");
  return lines.map((line) => line.trim()).join("\n") === formatted;
}
