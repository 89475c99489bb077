/** Shows characters that change the text around them, or that are invisible, by their code points. */

/** Control and format characters, line separators, and lone surrogates; characters that change the direction of text are among them. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with `U+202E` in place of a character that reverses what follows. */
export function visibleText(text: string): string {
  return text.replace(
    invisible,
    (character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
  );
}
