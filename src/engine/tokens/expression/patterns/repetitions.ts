/** The counted repetitions in the source of a pattern, for messages, and its size with all of them written out. */

/** A repetition such as `(?:ab){900}`. */
export interface Repetition {
  /** Its source. */
  readonly text: string;
  /** The number of characters and classes in it, written out. */
  readonly size: number;
}

/** The size of a pattern, and its largest counted repetition. */
export interface PatternSize {
  readonly size: number;
  readonly largest: Repetition | undefined;
}

/** A group that is not closed yet: where it starts, the size before its last part, and where that part starts. */
interface Group {
  readonly start: number;
  size: number;
  last: number;
  lastStart: number;
}

/** Escapes, classes, counted repetitions, and single characters. */
const part =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\w*:\]|\\[\s\S]|[^\]])*\]|\{\d+(?:,\d*)?\}|\(\?(?:P?<[^>]*>|[a-zA-Z-]*:)|\(\?[a-zA-Z-]*\)|[\s\S]/g;

/** Measures a pattern; of an invalid one, any size. */
export function measurePattern(pattern: string): PatternSize {
  const groups: Group[] = [{ start: 0, size: 0, last: 0, lastStart: 0 }];
  let largest: Repetition | undefined;
  for (const { 0: text, index } of pattern.matchAll(part)) {
    const group = groups.at(-1) as Group;
    if (text.startsWith("(") && !/^\(\?[a-zA-Z-]*\)$/.test(text)) {
      groups.push({ start: index, size: 0, last: 0, lastStart: index });
    } else if (text === ")" && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1) as Group;
      outer.size += outer.last;
      outer.last = group.size + group.last;
      outer.lastStart = group.start;
    } else if (/^\{\d/.test(text)) {
      const [min = 0, max = min] = (text.match(/\d+/g) ?? []).map(Number);
      group.last *= Math.max(1, max);
      const found = { text: pattern.slice(group.lastStart, index + text.length), size: group.last };
      if (found.size > (largest?.size ?? 0)) largest = found;
    } else if (!/^[*+?|^$]$/.test(text)) {
      group.size += group.last;
      group.last = text.startsWith("\\Q") ? text.length : 1;
      group.lastStart = index;
    }
  }
  const size = groups.reduce((sum, group) => sum + group.size + group.last, 0);
  return { size, largest };
}
