/** Sentences of messages, from clauses and the other way around. */

/** A clause as a sentence: with a capital letter and a full stop. */
export function sentence(clause: string): string {
  return `${upperFirst(clause)}.`;
}

/** A string whose first letter is a capital letter. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A string whose first letter is a small letter. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
