/**
 * The ends of a text. A regular expression such as `/\/+$/` is slow here: it reads a run of characters again from each of its
 * positions.
 */

/** The text without these characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** The text without these characters at its start. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start] as string)) start++;
  return text.slice(start);
}

/** The text without these characters at both ends. */
export function trimOf(text: string, characters: string): string {
  return trimStartOf(trimEndOf(text, characters), characters);
}
