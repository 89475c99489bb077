/**
 * Reads names for matching: letters become classes in one pass, without a copy of the text. Plain ASCII names, which are nearly
 * all, are checked and lower-cased on the way; any other goes through `normalizeHost`. Both ways agree.
 */
import { type Alphabet, classOf, codePoints } from "./alphabet.ts";
import { maxHostLength, maxLabelLength, normalizeHost } from "./host.ts";
import { type Subject, subjectOf } from "./name-parts.ts";

/** Room for the classes of a name; a lane copies from it or is given it. */
export const nameCapacity = 256;

/** The name last read. */
export interface Name {
  /** Classes of its letters. */
  readonly classes: Uint8Array;
  readonly length: number;
  /** Number of labels, and where each ends; the last one ends at `length`. */
  readonly labels: number;
  readonly labelEnds: Uint8Array;
  /** The name's parts; the public suffix is looked up at the first call. */
  subject(): Subject;
}

export interface NameReader {
  readonly name: Name;
  /** Reads a name. False: it is no host name, and `name` is not to be used. */
  read(source: string): boolean;
}

const dot = 0x2e;
const hyphen = 0x2d;
/** What reading a plain letter gives: its class, or one of these. */
const dotMark = 0x40;
const hyphenMark = 0x41;
const badMark = 0xff;

/** Makes a reader that writes into `classes`, which has room for `nameCapacity` letters. */
export function createNameReader(alphabet: Alphabet, classes: Uint8Array): NameReader {
  const table = plainTable(alphabet);
  const dotClass = classOf(alphabet.idOf(dot));
  const hyphenClass = classOf(alphabet.idOf(hyphen));
  const labelEnds = new Uint8Array(nameCapacity);
  let source = "";
  let folded: string | undefined;
  let subject: Subject | undefined;
  const name = {
    classes,
    length: 0,
    labels: 0,
    labelEnds,
    subject: () => {
      subject ??= subjectOf(folded ?? source.toLowerCase());
      return subject;
    },
  };

  /** False for anything that is not a plain name in good order; the long way then says what it is. */
  function readPlain(text: string): boolean {
    const length = text.length;
    if (length === 0 || length > maxHostLength) return false;
    let start = 0;
    let labels = 0;
    let all = 0;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      all |= c;
      const letter = table[c & 0x7f]!;
      if (letter < dotMark) {
        classes[i] = letter;
      } else if (letter === dotMark) {
        if (i === start || i - start > maxLabelLength) return false;
        classes[i] = dotClass;
        labelEnds[labels++] = i;
        start = i + 1;
      } else {
        if (letter === badMark || (i === start + 3 && isALabel(text, start))) return false;
        classes[i] = hyphenClass;
      }
    }
    labelEnds[labels] = length;
    name.labels = labels + 1;
    name.length = length;
    return all < 0x80 && start < length && length - start <= maxLabelLength;
  }

  function readLong(text: string): boolean {
    const result = normalizeHost(text);
    if (!result.ok) return false;
    folded = result.value.host;
    const points = codePoints(folded);
    name.length = points.length;
    name.labels = 0;
    points.forEach((c, i) => {
      classes[i] = classOf(alphabet.idOf(c));
      if (c === dot) labelEnds[name.labels++] = i;
    });
    labelEnds[name.labels++] = points.length;
    return true;
  }

  return {
    name,
    read(text) {
      source = text;
      folded = undefined;
      subject = undefined;
      return typeof text === "string" && (readPlain(text) || readLong(text));
    },
  };
}

/** Classes of what may stand in a plain name; a capital has the class of its small letter. */
function plainTable(alphabet: Alphabet): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, c) => {
    const letter = String.fromCharCode(c).toLowerCase();
    if (c === dot) return dotMark;
    if (c === hyphen) return hyphenMark;
    return /[a-z0-9_*]/.test(letter) ? classOf(alphabet.idOf(letter.charCodeAt(0))) : badMark;
  });
}

function isALabel(text: string, start: number): boolean {
  return text.slice(start, start + 4).toLowerCase() === "xn--";
}
