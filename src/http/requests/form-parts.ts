/** The parts of a form counted by their delimiters alone (RFC 2046, 5.1.1), so that none is lost by who reads them. */

export interface PartCounter {
  write(chunk: Uint8Array): void;
  /** Parts that have begun. */
  count(): number;
}

/** The boundary that a content type names; undefined when it names none of the characters that one may have. */
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
      // Two more bytes tell whether it is the last one.
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
