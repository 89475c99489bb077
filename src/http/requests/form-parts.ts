/**
 * Reads the delimiters of a form and the headers after them (RFC 2046, 5.1.1), without the parser: so that a part
 * that the parser skips is noticed, and the charset of each part is known.
 */

export interface PartScanner {
  write(chunk: Uint8Array): void;
  /** Headers of the parts that have begun, one after another; complete when the part has ended. */
  heads(): readonly string[];
}

/** Maximum size of the headers of a part that are kept, in bytes. */
const maxHeadBytes = 16_384;

/** The boundary of a content type; undefined when it is missing or has characters that are not allowed. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] =
    /;\s*boundary\s*=\s*(?:"([\w'()+,./:=? -]*[\w'()+,./:=?-])"|([\w'()+,./:=?-]+))\s*(?:;|$)/i.exec(
      contentType,
    ) ?? [];
  return quoted ?? plain;
}

export function createPartScanner(boundary: string): PartScanner {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter needs no line break before it.
  let rest: Uint8Array = Buffer.from("\r\n");
  const heads: string[] = [];
  let closed = false;

  /** Adds bytes after the last delimiter to its part's headers, until they end. */
  function extendHead(bytes: Buffer): void {
    const head = heads.at(-1);
    if (head === undefined || head.length >= maxHeadBytes || head.includes("\r\n\r\n")) return;
    heads[heads.length - 1] = head + bytes.toString("latin1", 0, maxHeadBytes - head.length);
  }

  return {
    heads: () => heads.map((head) => head.split("\r\n\r\n", 1)[0] ?? ""),
    write(chunk) {
      if (closed) return;
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      let at = bytes.indexOf(delimiter);
      // The next two bytes show whether it is the last delimiter.
      while (at >= 0 && at + delimiter.length + 2 <= bytes.length) {
        extendHead(bytes.subarray(from, at));
        from = at + delimiter.length;
        closed = bytes.toString("latin1", from, from + 2) === "--";
        if (closed) return;
        heads.push("");
        at = bytes.indexOf(delimiter, from);
      }
      const end = at >= 0 ? at : Math.max(from, bytes.length - delimiter.length + 1);
      extendHead(bytes.subarray(from, end));
      rest = bytes.subarray(end);
    },
  };
}
