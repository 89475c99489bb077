/** Ids that a service or a generator gives: UUIDs, and 32 hexadecimal digits. */

/** A UUID of any version, in letters of either case. */
export const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a string has the form of a UUID. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** 32 hexadecimal digits in a text, with the dashes of a UUID or without them. */
const givenId = /\b([0-9a-f]{8})-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi;

/** Whether a text has an id that no person chose. */
export function hasGivenId(text: string): boolean {
  return text.search(givenId) !== -1;
}

/** A text with the first eight digits of each such id. */
export function shortenGivenIds(text: string): string {
  return text.replace(givenId, "$1");
}
