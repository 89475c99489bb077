/** The text of an SVG file: decoded strictly, and recognized by its first element. */
import { decodeText, encodingOf } from "../../../core/text-decoding.ts";
import { quote } from "../../../errors.ts";
import { SvgRejection } from "./rejection.ts";

/** Number of bytes to examine first when recognizing an SVG (chosen). */
const prologBytes = 65_536;

/** Number of bytes in which the XML declaration must end (chosen). */
const declarationBytes = 1_024;

/** An encoding of XML, and how it is known. */
interface SourceEncoding {
  /** A label of the Encoding Standard; undefined when it has none for the declared name. */
  readonly label: string | undefined;
  /** The name in the XML declaration; undefined when it has none. */
  readonly declared?: string | undefined;
  /** The encoding that the first bytes show. */
  readonly shown?: Shown | undefined;
}

interface Shown {
  readonly encoding: string;
  readonly evidence: string;
}

/** First bytes that show an encoding: a byte order mark, or `<?` in two bytes each (XML 1.0, appendix F.1). */
const signatures: readonly (Shown & { readonly bytes: readonly number[] })[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8", evidence: "its byte order mark is that of UTF-8" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be", evidence: "its byte order mark is that of UTF-16BE" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le", evidence: "its byte order mark is that of UTF-16LE" },
  { bytes: [0x00, 0x3c, 0x00, 0x3f], encoding: "utf-16be", evidence: "its bytes are UTF-16BE" },
  { bytes: [0x3c, 0x00, 0x3f, 0x00], encoding: "utf-16le", evidence: "its bytes are UTF-16LE" },
];

/**
 * Decodes the text of an XML file by its byte order mark or its declared encoding, UTF-8 without either.
 *
 * @throws {SvgRejection} for an encoding that is unknown or contradicts the bytes, and bytes that it does not have
 */
export function decodeXml(bytes: Uint8Array): string {
  const { label, declared, shown } = encodingOfXml(bytes);
  if (label === undefined)
    throw new SvgRejection(
      `the SVG declares the encoding ${quote(declared)}; it must be one of the Encoding Standard, such as UTF-8`,
    );
  if (declared !== undefined && !agree(declared, shown))
    throw new SvgRejection(
      `the SVG declares the encoding ${quote(declared)}, but ${shown?.evidence ?? "its bytes are not UTF-16"}`,
    );
  try {
    return decodeText(bytes, label, true);
  } catch {
    const isKnown = declared !== undefined || shown !== undefined;
    const rule = isKnown ? "" : ", the encoding without a declaration and a byte order mark";
    throw new SvgRejection(`the SVG has bytes that are not ${(declared ?? label).toUpperCase()}${rule}`);
  }
}

function encodingOfXml(bytes: Uint8Array): SourceEncoding {
  const shown = signatures.find((signature) => signature.bytes.every((byte, i) => bytes[i] === byte));
  const head = decodeText(bytes.subarray(0, declarationBytes), shown?.encoding ?? "windows-1252");
  const declared = declaration.exec(head)?.[2];
  if (declared === undefined) return { label: shown?.encoding ?? "utf-8", shown };
  return { label: encodingOf(declared) && (shown?.encoding ?? declared), declared, shown };
}

/** The encoding in an XML declaration. */
const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*(["'])([A-Za-z][\w.:-]*)\1/;

/** Whether a declared encoding is the one that the first bytes show. `UTF-16` is either byte order. */
function agree(declared: string, shown: Shown | undefined): boolean {
  const encoding = encodingOf(declared) ?? "";
  if (!shown) return !encoding.startsWith("utf-16");
  const isOfEitherOrder = encoding === "utf-16le" && !/^utf-16le$/i.test(declared);
  return isOfEitherOrder ? shown.encoding.startsWith("utf-16") : encoding === shown.encoding;
}

/** Whether the first element of a text is `svg`, after an XML prolog only. */
export function isSvgText(bytes: Uint8Array): boolean {
  const encoding = encodingOfXml(bytes).label ?? "utf-8";
  const head = decodeText(bytes.subarray(0, prologBytes), encoding);
  const found = skipProlog(head);
  if (found !== undefined) return startsWithSvg(found);
  // A long comment may end behind the bytes that were examined.
  if (bytes.length <= prologBytes || !/^\s*(?:<|$)/.test(head)) return false;
  const whole = skipProlog(decodeText(bytes, encoding));
  return whole !== undefined && startsWithSvg(whole);
}

function startsWithSvg(text: string): boolean {
  return /^<(?:[A-Za-z_][\w.-]*:)?svg(?=[\s/>])/.test(text);
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
