/** A pattern as people type it: `paypal`, or with its maximum edit distance after a colon, `paypal:2`. */
import type { StringMatch } from "./model.ts";

/** Maximum edit distance of a pattern that is typed without one. */
export const defaultEdits = 1;

/** The pattern, and whether it has an edit count; or what was found in place of that. */
export type PatternWord =
  | { readonly match: StringMatch; readonly hasEdits: boolean }
  | { readonly edits: string };

/** Reads a pattern. The edit count is after the last colon; host names have no colon, and that of a scheme is not counted. */
export function readPatternWord(word: string): PatternWord {
  const colon = word.lastIndexOf(":");
  if (colon < 0 || word.startsWith("//", colon + 1))
    return { match: { pattern: word, max_edit_distance: defaultEdits }, hasEdits: false };
  const edits = word.slice(colon + 1);
  if (!/^\d{1,3}$/.test(edits)) return { edits };
  return { match: { pattern: word.slice(0, colon), max_edit_distance: Number(edits) }, hasEdits: true };
}
