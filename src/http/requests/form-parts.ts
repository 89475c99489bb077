/** Counts the parts of a form by their delimiters alone (RFC 2046, 5.1.1), so that a part the parser skips is noticed. */

export interface PartCounter {
  write(chunk: Uint8Array): void;
  /** Number of parts that have begun. */
  count(): number;
}

/** The boundary of a content type; undefined when it is missing or has characters that are not allowed. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] =
    /;\s*boundary\s*=\s*(?:"([\w'()+,./:=? -]*[\w'()+,./:=?-])"|([\w'()+,./:=?-]+))\s*(?:;|$)/i.exec(
      contentType,
    ) ?? [];
  return quoted ?? plain;
}

export function createPartCounter(boundary: string): PartCounter {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter needs no line break before it.
  let rest: Uint8Array = Buffer.from("\r\n");
  let parts = 0;
  let closed = false;
  return {
    count: () => parts,
    write(chunk) {
      if (closed) return;
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      let at = bytes.indexOf(delimiter);
      // The next two bytes show whether it is the last delimiter.
      while (at >= 0 && at + delimiter.length + 2 <= bytes.length) {
        from = at + delimiter.length;
        closed = bytes.toString("latin1", from, from + 2) === "--";
        if (closed) return;
        parts++;
        at = bytes.indexOf(delimiter, from);
      }
      rest = bytes.subarray(at >= 0 ? at : Math.max(from, bytes.length - delimiter.length + 1));
    },
  };
}
