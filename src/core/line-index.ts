/** Finds the line and column of offsets in a text. */

/** A position in a text. */
export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** A part of a text. */
export interface TextRange {
  /** Position of the first character. */
  readonly start: TextPosition;
  /** Position after the last character. */
  readonly end: TextPosition;
}

/** A part of a text by its offsets, in UTF-16 code units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** Returns a function from offsets to positions. The line starts are found at its first call. */
export function createLineIndex(text: string): (offset: number) => TextPosition {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** Returns the inverse function: the offset of a position, which is in the text whatever the position is. */
export function createOffsetIndex(text: string): (position: TextPosition) => number {
  let starts: readonly number[] | undefined;
  return ({ line, column }) => {
    starts ??= lineStarts(text);
    const start = starts[Math.max(0, line - 1)] ?? text.length;
    return Math.max(0, Math.min(text.length, start + column - 1));
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of values up to a limit in an ascending list, by bisection. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
