/** The tokens of an expression for the editor: those of the lexer, up to the first part that it rejects. */
import { functionNames } from "../../../src/engine/tokens/expression/language/functions.ts";
import { advance, startCursor, type Token } from "../../../src/engine/tokens/expression/lexer.ts";
import { ExpressionSyntaxError } from "../../../src/engine/tokens/expression/syntax-error.ts";
import { quantifiers } from "../../../src/engine/tokens/expression/tree.ts";

/** A part of the text with the kind that it is shown as. */
export interface ShownToken {
  /** Offset of the first code unit. */
  readonly start: number;
  /** Offset after the last code unit. */
  readonly end: number;
  readonly kind: "field" | "function" | "operator" | "number" | "string" | "symbol" | "invalid";
}

const functions = new Set<string>([...functionNames, ...quantifiers]);

/** The tokens from left to right; the rest of a text that the lexer rejects is one invalid token. */
export function expressionTokens(text: string): readonly ShownToken[] {
  const shown: ShownToken[] = [];
  try {
    for (const cursor = startCursor(text); cursor.token.kind !== "end"; advance(cursor)) {
      const { span } = cursor.token;
      shown.push({ start: span.start, end: span.end, kind: kindOf(cursor.token) });
    }
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    const start = shown.at(-1)?.end ?? 0;
    if (start < text.length) shown.push({ start, end: text.length, kind: "invalid" });
  }
  return shown;
}

function kindOf({ kind, text }: Token): ShownToken["kind"] {
  if (kind === "end") return "symbol";
  if (kind !== "word") return kind;
  if (functions.has(text)) return "function";
  return text.includes(".") ? "field" : "operator";
}
