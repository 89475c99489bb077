/** Reads the patterns and the names that are typed on the page, one a line. */
import { runCommand } from "../../../core/text/run-command.ts";
import type { StringMatch } from "../../../engine/brand/model.ts";
import { hostPartOf } from "../../../engine/brand/names/host-part.ts";
import { readPatternWord } from "../../../engine/brand/pattern-word.ts";
import { checkStringMatches, maxEditDistance, maxPatternsPerQuery } from "../../../engine/brand/query.ts";
import { counted, quote } from "../../../errors.ts";
import { RequestFault } from "../../guard/request-fault.ts";
import type { LineMessage } from "../../names-messages.ts";

/** Maximum number of lines with names (`chosen`): the page stays responsive, and `edgeproof brand match` reads longer lists. */
export const maxNames = 100_000;

/** Maximum length of a line with a name, in UTF-16 units (`chosen`): far above that of a URL with a host name. */
const maxLineLength = 4_096;

/** A line that is neither empty nor a comment. */
interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Patterns, and remarks about them. */
export interface TypedPatterns {
  readonly patterns: readonly StringMatch[];
  readonly notes: readonly LineMessage[];
}

/** @throws {RequestFault} for the first line that is not a pattern, and for no or too many patterns */
export function readPatterns(text: string): TypedPatterns {
  const lines = linesOf(text);
  if (lines.length < 1 || lines.length > maxPatternsPerQuery)
    throw new RequestFault(
      400,
      `There must be 1 to ${maxPatternsPerQuery} patterns, one a line; found ${lines.length}.`,
    );
  const read = lines.map(readPattern);
  return { patterns: read.map(({ match }) => match), notes: read.flatMap(({ notes }) => notes) };
}

function readPattern({ line, text }: Line): {
  readonly match: StringMatch;
  readonly notes: readonly LineMessage[];
} {
  const read = readPatternWord(text);
  if (!("match" in read))
    throw new RequestFault(
      400,
      `Line ${line} of the patterns: the edit count after the colon must be an integer from 0 to ${maxEditDistance}; found ${quote(read.edits)}.`,
    );
  const { problems, notes } = checkStringMatches([read.match]);
  const [first] = problems;
  if (first) throw new RequestFault(400, `Line ${line} of the patterns: ${first.message}`);
  return { match: read.match, notes: notes.map(({ message }) => ({ line, message })) };
}

/** The name of a line, or why it has none. */
export type TypedName = { readonly line: number; readonly name: string } | LineMessage;

/** @throws {RequestFault} for too many lines */
export function readNames(text: string): readonly TypedName[] {
  const lines = linesOf(text);
  if (lines.length > maxNames)
    throw new RequestFault(
      413,
      `The list must have at most ${maxNames} names; found ${counted(lines.length, "line")}. \`${runCommand} brand match\` reads lists of any size.`,
    );
  return lines.map(({ line, text }) =>
    text.length > maxLineLength
      ? { line, message: `A line must have at most ${maxLineLength} characters; found ${text.length}.` }
      : { line, name: hostPartOf(text) },
  );
}

/** Lines without blanks around them; empty lines and comments (`#`) are left out. */
function linesOf(text: string): readonly Line[] {
  return text
    .split("\n")
    .map((line, i) => ({ line: i + 1, text: line.trim() }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
}
