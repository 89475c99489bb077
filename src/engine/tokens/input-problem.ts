/** Problems of token validation input, in one wording: "`title` must be a string; found an object." */

import { upperFirst } from "../../core/text/sentence.ts";
import { type CodedDiagnostic, problem, quote } from "../../errors.ts";

/** A problem of a value that is not allowed; the parameters are those of {@link mustBe}. */
export function invalidValue(at: string, subject: string, allowed: string, value: unknown): CodedDiagnostic {
  return inputProblem(at, mustBe(subject, allowed, value));
}

/** A problem of the input at a pointer; `clause` becomes a sentence. */
export function inputProblem(at: string, clause: string): CodedDiagnostic {
  const end = /[.?]$/.test(clause) ? "" : ".";
  return problem(10400, upperFirst(clause) + end, at);
}

/** A message with its place in an expression; line and column from 1. */
interface PlaceInExpression {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A problem of an expression, with its line and column there. */
export function problemAtLine({ message, line, column }: PlaceInExpression, at: string): CodedDiagnostic {
  return inputProblem(at, `At line ${line}, column ${column} of the expression: ${message}`);
}

/**
 * A clause with the allowed and the found value.
 *
 * @param subject the owner of the value, such as "`title`" or "the zone"
 * @param allowed a noun phrase, such as "a string"
 */
export function mustBe(subject: string, allowed: string, value: unknown): string {
  return `${subject} must be ${allowed}; ${value === undefined ? "it is missing" : `found ${printFound(value)}`}`;
}

/** As {@link mustBe} for a value that could be a secret: a string is printed only when it is too short to be one. */
export function mustBeUnprinted(subject: string, allowed: string, value: unknown): string {
  const isLong = typeof value === "string" && value.length > maxPrinted;
  return isLong
    ? `${subject} must be ${allowed}; found ${describeText(value)}`
    : mustBe(subject, allowed, value);
}

/** Maximum length of a string that is printed, in characters: every secret is longer. */
const maxPrinted = 20;

/** A text, or its length when it could be a secret. */
export function describeText(text: string): string {
  return text.length > maxPrinted ? `a string of ${text.length} characters` : `the string ${quote(text)}`;
}

function printFound(value: unknown): string {
  if (value === "") return "an empty string";
  if (Array.isArray(value) && value.length === 0) return "an empty array";
  return typeof value === "string" ? `the string ${quote(value)}` : quote(value);
}

/** Joins alternatives as in a sentence: "a, b or c". */
export function joinAlternatives(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}

/** The first few names, quoted, and the number of the others. */
export function nameSome(names: readonly string[], max: number): string {
  const more = names.length > max ? ` and ${names.length - max} more` : "";
  return names.slice(0, max).map(quote).join(", ") + more;
}
