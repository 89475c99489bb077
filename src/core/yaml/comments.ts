/** Finds the comments of a YAML text by the tokens of the package, so that `#` in a scalar is none. */
import { Lexer } from "yaml";
import type { TextSpan } from "../line-index.ts";

/** The token before the text of a plain or block scalar; it has no text of its own. */
const scalarMark = "\u001f";

/** Tokens that stand for no text: the start of a document, the end of a flow collection after an error, a scalar. */
const marks: ReadonlySet<string> = new Set(["\u0002", "\u0018", scalarMark]);

/** The comments of a YAML text in their order, each without its line end. Never throws. */
export function yamlComments(text: string): readonly TextSpan[] {
  const found: TextSpan[] = [];
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && marks.has(token)) {
      isScalar = token === scalarMark;
      continue;
    }
    if (!isScalar && token.startsWith("#")) found.push({ offset, length: token.length });
    isScalar = false;
    offset += token.length;
  }
  return found;
}
