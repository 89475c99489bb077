/** Prepares untrusted strings for reports: well-formed, without control characters, of limited length. */
import { escapeLines } from "../escape-control-characters.ts";

/** Maximum length of a name in UTF-16 code units: servers store names in short columns. */
const maxName = 500;

/** Maximum length of a text in UTF-16 code units; a code host drops annotations of more than 64 kB. */
const maxText = 8_000;

/** A text of several lines. XML 1.0 allows all of its characters. */
export function cleanText(text: string): string {
  return escapeLines(shorten(text, maxText).toWellFormed()).replace(/[\ufffe\uffff]/g, "\ufffd");
}

/** A text of one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}

/** A name: one line, shorter than a text, not empty. */
export function cleanName(text: string): string {
  return cleanLine(shorten(text, maxName)).trim() || "(empty)";
}

function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  // A cut through a surrogate pair leaves one half, which is removed.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
