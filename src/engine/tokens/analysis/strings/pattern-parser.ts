/**
 * Parses the common part of RE2 syntax: literals, classes, groups, alternatives, repetitions and anchors over ASCII.
 * Other patterns are not parsed: flags, word boundaries, Unicode classes, names of classes, other characters.
 */

/** Offsets in the pattern: of the first character, and after the last one. */
export interface PatternSpan {
  readonly from: number;
  readonly to: number;
}

/** A parsed pattern. Its span includes the parentheses of a group, and the quantifier of a repetition. */
export type PatternNode = PatternSpan &
  (
    | { readonly kind: "start" | "end" }
    | {
        readonly kind: "class";
        readonly accepts: CharacterTest;
        /** The parts of a class in brackets; absent for a single character, an escape and the dot. */
        readonly parts?: ClassParts;
      }
    | { readonly kind: "sequence" | "choice"; readonly items: readonly PatternNode[] }
    | { readonly kind: "repeat"; readonly item: PatternNode; readonly min: number; readonly max: number }
  );

/** The parts of a class in brackets. */
export interface ClassParts {
  readonly isNegated: boolean;
  readonly items: readonly ClassItem[];
}

/** A character, an escape or a range of a class; a range has its ends. */
export interface ClassItem extends PatternSpan {
  readonly accepts: CharacterTest;
  readonly range?: readonly [low: string, high: string];
}

/** Whether a class has a character; all characters that are not ASCII have the same answer as `é`. */
export type CharacterTest = (character: string) => boolean;

/** Thrown, and caught here, at what is not parsed. */
class UnsupportedPattern extends Error {}

interface PatternCursor {
  readonly pattern: string;
  at: number;
}

/** The maximum number of repetitions that are counted. */
const maxCount = 64;

/** Parses a valid pattern; undefined when it has parts that are not supported. */
export function parsePattern(pattern: string): PatternNode | undefined {
  const cursor = { pattern, at: 0 };
  try {
    const node = parseChoice(cursor);
    return cursor.at === pattern.length ? node : undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

function parseChoice(cursor: PatternCursor): PatternNode {
  const from = cursor.at;
  const items = [parseSequence(cursor)];
  while (accept(cursor, "|")) items.push(parseSequence(cursor));
  return { kind: "choice", items, from, to: cursor.at };
}

function parseSequence(cursor: PatternCursor): PatternNode {
  const from = cursor.at;
  const items: PatternNode[] = [];
  while (cursor.at < cursor.pattern.length && !/[|)]/.test(current(cursor))) {
    items.push(parseRepetition(cursor));
  }
  return { kind: "sequence", items, from, to: cursor.at };
}

function parseRepetition(cursor: PatternCursor): PatternNode {
  const item = parseAtom(cursor);
  const bounds = parseBounds(cursor);
  if (bounds === undefined) return item;
  // Whether a repetition is greedy or lazy does not change what is found.
  accept(cursor, "?");
  if (/[*+?{]/.test(current(cursor))) throw new UnsupportedPattern();
  return { kind: "repeat", item, ...bounds, from: item.from, to: cursor.at };
}

function parseBounds(cursor: PatternCursor): { readonly min: number; readonly max: number } | undefined {
  if (accept(cursor, "*")) return { min: 0, max: Infinity };
  if (accept(cursor, "+")) return { min: 1, max: Infinity };
  if (accept(cursor, "?")) return { min: 0, max: 1 };
  if (current(cursor) !== "{") return undefined;
  const [whole = "", first = "", comma = "", last = ""] =
    /^\{(\d+)(,?)(\d*)\}/.exec(cursor.pattern.slice(cursor.at)) ?? [];
  cursor.at += whole.length;
  const min = Number(first);
  const max = comma === "" ? min : last === "" ? Infinity : Number(last);
  if (whole === "" || min > maxCount || (max > maxCount && max !== Infinity)) throw new UnsupportedPattern();
  return { min, max };
}

function parseAtom(cursor: PatternCursor): PatternNode {
  const from = cursor.at;
  const character = next(cursor);
  if (character === "(") return parseGroup(cursor, from);
  if (character === "^" || character === "$")
    return { kind: character === "^" ? "start" : "end", from, to: cursor.at };
  if (character === "[") return parseClass(cursor, from);
  return { kind: "class", accepts: characterTest(character, cursor), from, to: cursor.at };
}

function characterTest(character: string, cursor: PatternCursor): CharacterTest {
  if (character === ".") return (one) => one !== "\n";
  if (character === "\\") return parseEscape(cursor);
  if (/[*+?{]/.test(character)) throw new UnsupportedPattern();
  return (one) => one === character;
}

function parseGroup(cursor: PatternCursor, from: number): PatternNode {
  if (accept(cursor, "?") && !accept(cursor, ":")) throw new UnsupportedPattern();
  const node = parseChoice(cursor);
  if (!accept(cursor, ")")) throw new UnsupportedPattern();
  return { ...node, from, to: cursor.at };
}

const classEscapes: Readonly<Record<string, CharacterTest>> = {
  d: (one) => /^[0-9]$/.test(one),
  w: (one) => /^[0-9A-Za-z_]$/.test(one),
  s: (one) => /^[\t\n\f\r ]$/.test(one),
};

const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" };

function parseEscape(cursor: PatternCursor): CharacterTest {
  const letter = next(cursor);
  const named = Object.hasOwn(classEscapes, letter.toLowerCase())
    ? classEscapes[letter.toLowerCase()]
    : undefined;
  if (named !== undefined) return letter === letter.toLowerCase() ? named : (one) => !named(one);
  const literal = escapedCharacter(letter);
  return (one) => one === literal;
}

function escapedCharacter(letter: string): string {
  const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined;
  if (control !== undefined) return control;
  if (/[0-9A-Za-z]/.test(letter)) throw new UnsupportedPattern();
  return letter;
}

function parseClass(cursor: PatternCursor, from: number): PatternNode {
  const isNegated = accept(cursor, "^");
  const items: ClassItem[] = [];
  if (current(cursor) === "]") throw new UnsupportedPattern();
  while (!accept(cursor, "]")) {
    const start = cursor.at;
    const item = parseClassItem(cursor);
    items.push({ ...item, from: start, to: cursor.at });
  }
  const accepts: CharacterTest = (one) => items.some((item) => item.accepts(one)) !== isNegated;
  return { kind: "class", accepts, parts: { isNegated, items }, from, to: cursor.at };
}

function parseClassItem(cursor: PatternCursor): Omit<ClassItem, keyof PatternSpan> {
  const first = next(cursor);
  if (first === "[") throw new UnsupportedPattern();
  if (first === "\\" && /[dwsDWS]/.test(current(cursor))) return { accepts: parseEscape(cursor) };
  const low = first === "\\" ? escapedCharacter(next(cursor)) : first;
  if (current(cursor) !== "-" || cursor.pattern[cursor.at + 1] === "]")
    return { accepts: (one) => one === low };
  if (low === "-") throw new UnsupportedPattern();
  cursor.at++;
  const last = next(cursor);
  if (last === "[" || (last === "\\" && /[dwsDWS]/.test(current(cursor)))) throw new UnsupportedPattern();
  const high = last === "\\" ? escapedCharacter(next(cursor)) : last;
  // All other characters are alike: none of them is in a range of ASCII characters.
  return { accepts: (one) => one >= low && one <= high, range: [low, high] };
}

function current({ pattern, at }: PatternCursor): string {
  return pattern[at] ?? "";
}

function next(cursor: PatternCursor): string {
  const character = current(cursor);
  if (character === "" || character > "\x7f") throw new UnsupportedPattern();
  cursor.at++;
  return character;
}

function accept(cursor: PatternCursor, character: string): boolean {
  if (current(cursor) !== character) return false;
  cursor.at++;
  return true;
}
