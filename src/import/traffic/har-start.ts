/** Recognizes a HAR file by its start. */

/** Whether a text begins as a HTTP archive does. */
export function startsAsHar(text: string): boolean {
  return /^\ufeff?\s*\{\s*"log"\s*:/.test(text);
}
