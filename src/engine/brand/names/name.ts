/**
 * Reads names for matching: letters become classes in one pass, without a copy of the string. Plain ASCII names, the
 * vast majority, are validated and lower-cased in that pass; all others go through `normalizeHost`. Both paths agree.
 */
import { type Alphabet, classOf, codePoints } from "./alphabet.ts";
import { skeleton } from "./confusables.ts";
import { isSuffix, mayEndSuffix } from "./embedded-suffix.ts";
import { maxHostLength, maxLabelLength, normalizeHost } from "./host.ts";
import { type NameParts, namePartsOf } from "./name-parts.ts";

/** Length of the buffer for the classes of a name. */
export const nameCapacity = 256;

/** The name that was read last. */
export interface Name {
  /** Differs for each name that is read, from 1. */
  readonly serial: number;
  readonly length: number;
  /** Number of labels, and the end of each; the last one ends at `length`. */
  readonly labels: number;
  readonly labelEnds: Uint8Array;
  /** Number of parts between dots and hyphens, and the end of each. */
  readonly tokens: number;
  readonly tokenEnds: Uint8Array;
  /** The name without its public suffix ends here or before; known without a look-up. */
  readonly textBound: number;
  /** The name as given if each of its characters is an ASCII letter of the host; else undefined. */
  readonly ascii: string | undefined;
  /** Whether the name may be another text than its skeleton. */
  isReplaced(): boolean;
  /** The name's parts; the public suffix is looked up at the first call. */
  parts(): NameParts;
  /** Whether an inner part may end a public suffix: there is a part before it and one after it. Needs no look-up of the name. */
  mayHaveEmbeddedSuffix(): boolean;
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

export interface NameReader {
  readonly name: Name;
  /** Reads a name. Returns false when it is not a host name; `name` is then undefined. */
  read(source: string): boolean;
}

const dot = 0x2e;
const hyphen = 0x2d;
/** A plain letter is read as its class, or as one of these marks. */
const dotMark = 0x40;
const hyphenMark = 0x41;
const invalidMark = 0xff;

/** Where a name is written: `nameCapacity` bytes each. Views of a memory are others after it has grown. */
export interface NameMemory {
  readonly name: Uint8Array;
  readonly ascii: Uint8Array;
}

/**
 * Makes a reader that writes the classes of a name's letters to `memory.name`, and if `writesAscii` the characters of an ASCII
 * name to `memory.ascii`.
 */
export function createNameReader(alphabet: Alphabet, memory: NameMemory, writesAscii = false): NameReader {
  const table = plainTable(alphabet);
  const dotClass = classOf(alphabet.idOf(dot));
  const hyphenClass = classOf(alphabet.idOf(hyphen));
  const labelEnds = new Uint8Array(nameCapacity);
  const tokenEnds = new Uint8Array(nameCapacity);
  let source = "";
  let folded: string | undefined;
  let parts: NameParts | undefined;
  let mayHaveSuffix: boolean | undefined;
  const name: Writable<Name> = {
    serial: 0,
    length: 0,
    labels: 0,
    labelEnds,
    tokens: 0,
    tokenEnds,
    textBound: 0,
    ascii: undefined,
    isReplaced: () => name.ascii === undefined || hasReplacedLetters(name.ascii.toLowerCase()),
    parts: () => {
      parts ??= namePartsOf(folded ?? source.toLowerCase());
      return parts;
    },
    mayHaveEmbeddedSuffix: () => {
      mayHaveSuffix ??= findInnerSuffix(name);
      return mayHaveSuffix;
    },
  };

  /** Returns false for a name that is not plain or not valid; `readFolded` then decides. */
  function readPlain(text: string): boolean {
    const classes = memory.name;
    const ascii = writesAscii ? memory.ascii : undefined;
    const length = text.length;
    if (length === 0 || length > maxHostLength) return false;
    let start = 0;
    let labels = 0;
    let tokens = 0;
    let all = 0;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      all |= c;
      if (ascii !== undefined) ascii[i] = c;
      const letter = table[c & 0x7f]!;
      if (letter < dotMark) {
        classes[i] = letter;
      } else if (letter === dotMark) {
        if (i === start || i - start > maxLabelLength) return false;
        classes[i] = dotClass;
        labelEnds[labels++] = i;
        tokenEnds[tokens++] = i;
        start = i + 1;
      } else {
        if (letter === invalidMark || (i === start + 3 && isALabel(text, start))) return false;
        tokenEnds[tokens++] = i;
        classes[i] = hyphenClass;
      }
    }
    labelEnds[labels] = length;
    tokenEnds[tokens] = length;
    name.labels = labels + 1;
    name.tokens = tokens + 1;
    name.length = length;
    name.textBound = textBoundOf(text.charCodeAt(length - 1));
    name.ascii = text;
    return all < 0x80 && start < length && length - start <= maxLabelLength;
  }

  function readFolded(text: string): boolean {
    const result = normalizeHost(text);
    if (!result.ok) return false;
    folded = result.value.host;
    const classes = memory.name;
    const points = codePoints(folded);
    name.length = points.length;
    name.labels = 0;
    name.tokens = 0;
    points.forEach((c, i) => {
      classes[i] = classOf(alphabet.idOf(c));
      if (c === dot) labelEnds[name.labels++] = i;
      if (c === dot || c === hyphen) tokenEnds[name.tokens++] = i;
    });
    labelEnds[name.labels++] = points.length;
    tokenEnds[name.tokens++] = points.length;
    name.textBound = textBoundOf(points.at(-1) ?? 0);
    name.ascii = undefined;
    return true;
  }

  /** The public suffix contains at least the last label; an address, which ends in a digit, has none. */
  function textBoundOf(lastLetter: number): number {
    const isDigit = lastLetter >= 0x30 && lastLetter <= 0x39;
    return isDigit || name.labels < 2 ? name.length : (labelEnds[name.labels - 2] ?? 0);
  }

  return {
    name,
    read(text) {
      source = text;
      name.serial += 1;
      folded = undefined;
      parts = undefined;
      mayHaveSuffix = undefined;
      return typeof text === "string" && (readPlain(text) || readFolded(text));
    },
  };
}

/** Classes of the characters of a plain name; a capital letter has the class of its lower case. */
function plainTable(alphabet: Alphabet): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, c) => {
    const letter = String.fromCharCode(c).toLowerCase();
    if (c === dot) return dotMark;
    if (c === hyphen) return hyphenMark;
    return /[a-z0-9_*]/.test(letter) ? classOf(alphabet.idOf(letter.charCodeAt(0))) : invalidMark;
  });
}

function isALabel(text: string, start: number): boolean {
  return text.slice(start, start + 4).toLowerCase() === "xn--";
}

function hasReplacedLetters(text: string): boolean {
  return skeleton(text) !== text;
}

function findInnerSuffix({ ascii, tokens, tokenEnds, textBound }: Name): boolean {
  if (ascii === undefined) return true;
  for (let i = 1; i < tokens - 1; i++) {
    const start = (tokenEnds[i - 1] ?? 0) + 1;
    const end = tokenEnds[i] ?? 0;
    // Only one part is before the second one, so that its suffix is a country's.
    if ((i === 1 && end - start !== 2) || !mayEndSuffix(ascii.slice(start, end))) continue;
    // The `co` of `co.uk` is the name's own suffix.
    const isLabel = end === textBound && ascii.charCodeAt(start - 1) === dot;
    if (!isLabel || !isSuffix(ascii.slice(start))) return true;
  }
  return false;
}
