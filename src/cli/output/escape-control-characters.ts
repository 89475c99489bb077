/** Text of others (names of files, of requests) as a terminal may have it. */

/** Control characters (C0, DEL, C1), line separators, and what turns the direction of writing. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text with what a terminal would obey in place of showing it as escapes: `\u001b`, a line end as `\n`. */
export function escapeControlCharacters(text: string): string {
  return text.replace(controlCharacters, escapeCharacter);
}

/** The same of a text of several lines. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeControlCharacters).join("\n");
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return character === "\n" ? "\\n" : `\\u${code.toString(16).padStart(4, "0")}`;
}
