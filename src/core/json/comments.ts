/** JSON with comments and trailing commas (JSONC), as configuration files of editors and build tools have them. */
import { createScanner } from "jsonc-parser";
import type { Placed } from "../diagnostic.ts";
import { type JsonSource, parseJsonSource } from "../json-source.ts";
import type { TextSpan } from "../line-index.ts";
import type { Result } from "../result.ts";

/** Tokens of the scanner; the enumeration of the package exists for its compiler only. */
const tokens = {
  closeBrace: 2,
  closeBracket: 4,
  comma: 5,
  firstValue: 7,
  lastValue: 11,
  line: 12,
  block: 13,
  end: 17,
};

/** Parses a JSON text with comments and trailing commas, or returns its first syntax error, in `file`. */
export function parseJsoncSource(text: string, file = ""): Result<JsonSource, Placed<"syntax">> {
  return parseJsonSource(blankComments(text), file);
}

/**
 * The same text with spaces in place of comments and trailing commas. Its length and line breaks stay, so that a
 * position in the result is one in the text.
 */
export function blankComments(text: string): string {
  const blanked: string[] = [];
  let copied = 0;
  const blank = ({ offset, length }: TextSpan) => {
    blanked.push(text.slice(copied, offset), text.slice(offset, offset + length).replace(/[^\r\n]/g, " "));
    copied = offset + length;
  };
  findBlanks(text).forEach(blank);
  return copied === 0 ? text : blanked.join("") + text.slice(copied);
}

/** The comments of a text in their order; one without an end is left out. */
export function jsonComments(text: string): readonly TextSpan[] {
  return findBlanks(text).filter(({ offset }) => text[offset] === "/");
}

/** The comments and trailing commas, in their order. A comment without an end is left to be found as an error. */
function findBlanks(text: string): readonly TextSpan[] {
  const scanner = createScanner(text);
  const spans: TextSpan[] = [];
  let comma: TextSpan | undefined;
  let before = 0;
  for (let token: number = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    const span = { offset: scanner.getTokenOffset(), length: scanner.getTokenLength() };
    if (token === tokens.line || token === tokens.block) {
      if (scanner.getTokenError() === 0) spans.push(span);
    } else if (token < tokens.line || token === tokens.end - 1) {
      if (comma && isClose(token)) spans.push(comma);
      comma = token === tokens.comma && isValueEnd(before) ? span : undefined;
      before = token;
    }
  }
  return spans.sort((a, b) => a.offset - b.offset);
}

function isClose(token: number): boolean {
  return token === tokens.closeBrace || token === tokens.closeBracket;
}

function isValueEnd(token: number): boolean {
  return isClose(token) || (token >= tokens.firstValue && token <= tokens.lastValue);
}
