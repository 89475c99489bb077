/** The text of an SVG file: decoded strictly, and recognized by its first element. */

/** Number of bytes to examine when recognizing an SVG (chosen). */
const prologBytes = 65_536;

/**
 * Decodes the text of an XML file: UTF-8, or UTF-16 with a byte order mark. Undefined when the bytes are neither.
 * The encoding in an XML declaration is ignored: the clean SVG is written as UTF-8.
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

/** Whether the first element of a text is `svg`, after an XML prolog only. */
export function isSvgText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, prologBytes);
  const wide = (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0xff && head[1] === 0xfe);
  const text = wide ? (decodeXml(evenLength(head)) ?? "") : Buffer.from(head).toString("utf8");
  const at = skipProlog(text.startsWith("\u{feff}") ? text.slice(1) : text);
  return at !== undefined && /^<(?:[A-Za-z_][\w.-]*:)?svg(?=[\s/>])/.test(at);
}

/** The rest of a text from its first element on; undefined when something else is before it. */
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

/** Parts that may precede the first element; `end` returns the index after it, or -1. */
const prolog: readonly { start: string; end: (text: string, from: number) => number }[] = [
  { start: "<?", end: (text, from) => indexAfter(text, "?>", from) },
  { start: "<!--", end: (text, from) => indexAfter(text, "-->", from) },
  { start: "<!DOCTYPE", end: endOfDoctype },
];

function indexAfter(text: string, closer: string, from: number): number {
  const at = text.indexOf(closer, from);
  return at < 0 ? -1 : at + closer.length;
}

/** A document type ends at the first `>` outside its brackets, quotes and comments. */
function endOfDoctype(text: string, from: number): number {
  const doctype = withoutComments(text.slice(from));
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

/** The end marks of comments and processing instructions; a quote ends itself. */
const closers: Readonly<Record<string, string>> = { "<!--": "-->", "<?": "?>" };

/** A document type with spaces in place of its comments and processing instructions, which declare nothing. */
export function withoutComments(doctype: string): string {
  const opener = /<!--|<\?|["']/g;
  let kept = "";
  let from = 0;
  for (let found = opener.exec(doctype); found; found = opener.exec(doctype)) {
    const [opened] = found;
    const end = indexAfter(doctype, closers[opened] ?? opened, opener.lastIndex);
    if (end < 0) break;
    opener.lastIndex = end;
    if (!opened.startsWith("<")) continue;
    kept += doctype.slice(from, found.index) + " ".repeat(end - found.index);
    from = end;
  }
  return kept + doctype.slice(from);
}

function evenLength(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}
