/** Hover: the documentation of words of expressions, and what an id names. */
import { describeId, escapeMarkdown } from "./describe-id.ts";
import { type EditorDocument, expressionAt } from "./document.ts";
import { wordsOf } from "./expressions/vocabulary.ts";
import { idAt } from "./ids.ts";

/** The documentation of a part of a document. */
export interface HoverText {
  /** Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The documentation at an offset; undefined when there is none. */
export function hoverAt(
  document: EditorDocument,
  offset: number,
  documents: readonly EditorDocument[] = [document],
): HoverText | undefined {
  const id = idAt(document, offset, documents);
  if (id) {
    const texts = id.definitions.map(describeId);
    const text = texts.length > 0 ? texts.join("\n\n---\n\n") : `No open document defines this ${id.kind}.`;
    return { text, start: id.start, end: id.end };
  }
  return hoverWord(document, offset);
}

function hoverWord(document: EditorDocument, offset: number): HoverText | undefined {
  const found = expressionAt(document, offset);
  const language = found?.expression.language;
  if (!found || language === undefined || found.gap !== "") return undefined;
  const { value, offsetOf } = found.expression.written;
  for (const { 0: word, index: start } of value.matchAll(
    /\br#*"[^"]*"?|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|strict wildcard|[A-Za-z_][\w.]*|[=!<>&|^~]+/g,
  )) {
    const place = { start: offsetOf(start), end: offsetOf(start + word.length) };
    if (place.end < offset || place.start > offset) continue;
    const entry = wordsOf(language).get(word) ?? wordsOf(language).get(spellings[word] ?? "");
    if (!entry) continue;
    const text = `\`\`\`edgeproof\n${entry.signature}\n\`\`\`\n\n${escapeMarkdown(entry.help)}`;
    return { text, ...place };
  }
  return undefined;
}

/** The names of other spellings. */
const spellings: Readonly<Record<string, string>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "~": "matches",
  "&": "bitwise_and",
  "&&": "and",
  "||": "or",
  "^^": "xor",
  "!": "not",
};
