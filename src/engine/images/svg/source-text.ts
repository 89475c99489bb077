/** The characters of an SVG file: decoded strictly, and told from other texts by its first element. */

/** Bytes that are looked at to tell an SVG from another text (chosen). */
const prologBytes = 65_536;

/**
 * Decodes the text of an XML file: UTF-8, or UTF-16 with a byte order mark. Undefined when the bytes are neither.
 * The encoding in an XML declaration is not followed: what is read here is also what is written.
 */
export function decodeXml(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xfe && bytes[1] === 0xff
      ? "utf-16be"
      : bytes[0] === 0xff && bytes[1] === 0xfe
        ? "utf-16le"
        : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the first element of a text is `svg`, behind nothing but an XML prolog. */
export function isSvgText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, prologBytes);
  const wide = (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0xff && head[1] === 0xfe);
  const text = wide ? (decodeXml(evenPart(head)) ?? "") : Buffer.from(head).toString("utf8");
  const at = skipProlog(text.startsWith("\u{feff}") ? text.slice(1) : text);
  return at !== undefined && /^<(?:[A-Za-z_][\w.-]*:)?svg(?=[\s/>])/.test(at);
}

/** The rest of a text from its first element on; undefined when something else stands before it. */
function skipProlog(text: string): string | undefined {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const opener = prolog.find(({ start }) => text.startsWith(start, at));
    if (!opener) return text.charAt(at) === "<" ? text.slice(at) : undefined;
    const end = opener.end(text, at + opener.start.length);
    if (end < 0) return undefined;
    at = end;
  }
}

/** What may stand before the first element; `end` gives the index behind it, or -1. */
const prolog: readonly { start: string; end: (text: string, from: number) => number }[] = [
  { start: "<?", end: (text, from) => behind(text, "?>", from) },
  { start: "<!--", end: (text, from) => behind(text, "-->", from) },
  { start: "<!DOCTYPE", end: endOfDoctype },
];

function behind(text: string, closer: string, from: number): number {
  const at = text.indexOf(closer, from);
  return at < 0 ? -1 : at + closer.length;
}

/** A document type ends at the first `>` outside its brackets, quotes and remarks. */
function endOfDoctype(text: string, from: number): number {
  const doctype = withoutRemarks(text.slice(from));
  let depth = 0;
  for (let at = 0; at < doctype.length; at++) {
    const character = doctype.charAt(at);
    if (character === '"' || character === "'") {
      at = doctype.indexOf(character, at + 1);
      if (at < 0) return -1;
    } else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === ">" && depth <= 0) return from + at + 1;
  }
  return -1;
}

/** What ends each part of a document type in which other characters mean nothing. */
const closers: Readonly<Record<string, string>> = { "<!--": "-->", "<?": "?>", '"': '"', "'": "'" };

/** A document type with blanks in place of its comments and processing instructions, which declare nothing. */
export function withoutRemarks(doctype: string): string {
  const opener = /<!--|<\?|["']/g;
  let kept = "";
  let from = 0;
  for (let found = opener.exec(doctype); found; found = opener.exec(doctype)) {
    const end = behind(doctype, closers[found[0]]!, opener.lastIndex);
    if (end < 0) break;
    opener.lastIndex = end;
    if (!found[0].startsWith("<")) continue;
    kept += doctype.slice(from, found.index) + " ".repeat(end - found.index);
    from = end;
  }
  return kept + doctype.slice(from);
}

function evenPart(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}
