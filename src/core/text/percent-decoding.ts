/** A percent-decoded string; undefined when the encoding is malformed or not of UTF-8. */
export function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
