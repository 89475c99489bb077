/** Reads RFC 6901 pointers; `pointer` of `errors.ts` writes them. */

/** The member names and positions of a pointer. */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeSegment);
}

/** A segment of a pointer without its escapes. */
function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
