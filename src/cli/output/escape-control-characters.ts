/** Escapes control characters in untrusted strings (file names, request names) before they reach a terminal. */

/** Control characters (C0, DEL, C1), line separators, and marks that change the direction of text. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Replaces each control character by its escape: ESC by `\u001b`, a line end by `\n`. */
export function escapeControlCharacters(text: string): string {
  return text.replace(controlCharacters, escapeCharacter);
}

/** Escapes control characters other than line ends. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeControlCharacters).join("\n");
}

/** The escape of a character, as JSON has it. */
export function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return character === "\n" ? "\\n" : `\\u${code.toString(16).padStart(4, "0")}`;
}
