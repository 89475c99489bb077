/** Splits strings and heredocs of Terraform into literal text and the expressions of `${}`. */
import type { TextNode } from "./node.ts";
import { readBackslash } from "./written-string.ts";

/** A part of a template. */
export type TemplatePart =
  | { readonly literal: string }
  /** The source of an expression between its brackets. */
  | { readonly expression: string };

const heredoc = /<<(-?)[^\n]*\n/y;

/** The parts of a string; undefined for one with directives such as `%{ if }`, or with markers that remove white space. */
export function templateParts(text: string, { start, end }: TextNode): readonly TemplatePart[] | undefined {
  heredoc.lastIndex = start;
  const found = heredoc.exec(text);
  if (!found) return partsOf(text, start + 1, end - 1, true);
  const parts = partsOf(text, heredoc.lastIndex, end, false);
  return parts && found[1] === "-" ? withoutIndent(parts) : parts;
}

/** The parts between quotes, of a name of a member too. */
export function partsOf(
  text: string,
  from: number,
  to: number,
  hasEscapes: boolean,
): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  let literal = "";
  for (let at = from; at < to; ) {
    const mark = text.slice(at, at + 3);
    const escaped = hasEscapes ? readBackslash(text, at) : undefined;
    if (escaped) {
      literal += escaped.value;
      at += escaped.length;
    } else if (mark === "$${" || mark === "%%{") {
      literal += mark.slice(1);
      at += 3;
    } else if (mark.startsWith("${")) {
      const end = closingBrace(text, at + 2, to);
      const expression = text.slice(at + 2, end);
      if (/^~|~$/.test(expression)) return undefined;
      parts.push({ literal }, { expression });
      literal = "";
      at = end + 1;
    } else if (mark.startsWith("%{")) return undefined;
    else literal += text[at++];
  }
  return [...parts, { literal }].filter((part) => !("literal" in part) || part.literal !== "");
}

/** The offset of the bracket that closes an expression, past strings and the brackets in it. */
function closingBrace(text: string, start: number, to: number): number {
  const open: ("string" | "brace")[] = ["brace"];
  for (let at = start; at < to; at++) {
    const found = text[at];
    const isString = open.at(-1) === "string";
    if (isString && found === "\\") at++;
    else if (found === '"') {
      if (isString) open.pop();
      else open.push("string");
    } else if (isString ? /^[$%]\{/.test(text.slice(at, at + 2)) : found === "{") {
      if (isString) at++;
      open.push("brace");
    } else if (!isString && found === "}") {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return to;
}

/** Without the white space that all lines begin with; lines that have nothing else do not count (HCL, flush heredocs). */
function withoutIndent(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  let isStart = true;
  const lines: { part: TemplatePart; isStart: boolean }[] = [];
  for (const part of parts) {
    const pieces = "literal" in part ? part.literal.split(/(?<=\n)/) : [part];
    for (const piece of pieces) {
      const line = typeof piece === "string" ? { literal: piece } : piece;
      lines.push({ part: line, isStart });
      isStart = "literal" in line && line.literal.endsWith("\n");
    }
  }
  const indents = lines.flatMap(({ part, isStart: isFirst }) => {
    if (!isFirst || isBlank(part)) return [];
    return "literal" in part ? part.literal.length - part.literal.trimStart().length : 0;
  });
  const indent = indents.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return lines.map(({ part, isStart: isFirst }) =>
    isFirst && "literal" in part && !isBlank(part) ? { literal: part.literal.slice(indent) } : part,
  );
}

function isBlank(part: TemplatePart): boolean {
  return "literal" in part && part.literal.trim() === "" && part.literal.endsWith("\n");
}
