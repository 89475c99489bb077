/** Describes leaves of evaluated expressions, each in one clause of limited length that no terminal interprets. */

import { maskText } from "../../../core/text/secrets.ts";
import type { LeafReason, LeafTrace, TraceNode } from "./trace-tree.ts";

/** Maximum length of a printed string of a request or a title, in code units. */
const maxText = 120;

/** Characters that could control a terminal or disguise other characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Reasons that are not the outcome of a token check, and those that the value says. */
const reasonWords: Partial<Record<LeafReason, string>> = {
  missing_value: "no value to compare",
  unknown_value: "",
  short_circuit: "",
  valid: "",
};

/** A leaf with its value and its reason, or the value that was found. `title` is printed after its text. */
export function describeLeaf({ text, found, ...node }: LeafTrace, title = ""): string {
  const { reason } = node;
  const why = found ?? (reason && (reasonWords[reason] ?? reason)) ?? "";
  return `${clean(maskText(text))}${title} is ${describeValue(node)}${why && `: ${clean(why)}`}`;
}

/** The value of a part of an expression. */
export function describeValue({ value, reason }: Pick<TraceNode, "value" | "reason">): string {
  return String(value ?? (reason === "unknown_value" ? "unknown" : "not evaluated"));
}

/** One line of limited length without characters that a terminal interprets. */
export function clean(text: string): string {
  const line = text.replace(unprintable, escapeCharacter);
  return line.length > maxText ? `${line.slice(0, maxText)}...` : line;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}
