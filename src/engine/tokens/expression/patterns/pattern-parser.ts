/**
 * Parses regular expressions by the grammar of the service, which is that of Rust's `regex` over bytes (`observed`: the
 * open source engine). Flags, sets and repetitions are evaluated here, so that every reader has the same tree, and the
 * text that the engine compiles is printed from it.
 */

import { failure, type Result, success } from "../../../../core/result.ts";
import type { Span } from "../syntax-error.ts";
import { allBytes, allCodePoints, type CodeSet, codeSet, intersect, subtract } from "./code-sets.ts";
import {
  type CharacterEscape,
  controls,
  flagLetters,
  isEscapable,
  isHexadecimal,
  isNameCharacter,
  isWhitespace,
  namedClasses,
  perlClasses,
} from "./pattern-grammar.ts";
import { problems } from "./pattern-problems.ts";
import { foldCodePoints, unicodeSet } from "./unicode-sets.ts";
import { utf8Ranges } from "./utf8-ranges.ts";

/** Offsets in the pattern: of the first character, and after the last one. */
export interface PatternSpan {
  readonly from: number;
  readonly to: number;
}

/** The parts of a class in brackets; an operation such as `[a-z&&[^b]]` has no items. */
export interface ClassParts {
  readonly isNegated: boolean;
  /** `[` or `[^`. */
  readonly open: PatternSpan;
  readonly items: readonly ClassItem[];
}

/** A character, an escape, a range or an inner class of a class; a range has its ends. */
export interface ClassItem extends PatternSpan {
  readonly set: CodeSet;
  readonly range?: readonly [low: number, high: number];
}

/** A character class of bytes, or the start or the end of the string. */
export type PlainLeaf =
  | { readonly kind: "start" | "end" }
  | {
      readonly kind: "class";
      readonly set: CodeSet;
      /** The parts of a class in brackets; absent for a single character, an escape and the dot. */
      readonly parts?: ClassParts;
    };

/** Other conditions, and code points, which are one or more bytes. */
export type SpecialLeaf =
  | { readonly kind: "lineStart" | "lineEnd" | "wordBoundary" | "noWordBoundary" }
  | { readonly kind: "codePoints"; readonly set: CodeSet };

/** A tree with some kinds of leaves. Its span includes the parentheses of a group, and the quantifier of a repetition. */
export type TreeOf<Leaf> = PatternSpan & {
  /** The number of bytes and classes with all repetitions written out. */
  readonly size: number;
  /** The nesting as the service counts it. */
  readonly height: number;
} & (
    | Leaf
    | { readonly kind: "sequence" | "choice"; readonly items: readonly TreeOf<Leaf>[] }
    | {
        readonly kind: "repeat";
        readonly item: TreeOf<Leaf>;
        readonly min: number;
        readonly max: number;
        /** Whether it is in braces. */
        readonly isCounted: boolean;
        readonly isLazy: boolean;
      }
  );

/** A node of a pattern. */
export type PatternNode = TreeOf<PlainLeaf | SpecialLeaf>;

/** A parsed pattern. */
export interface ParsedPattern {
  readonly node: PatternNode;
  /** The part whose value is not computed here, and why, as the end of a sentence; the pattern is then undecided. */
  readonly undecided?: string;
}

/** The reason why a pattern is invalid, and where. */
export interface PatternProblem extends Span {
  readonly message: string;
}

/** Maximum size of a pattern with all repetitions written out (`chosen`). */
export const maxSize = 20_000;

/** Limits of the service. */
const limits = { nesting: 250, count: 0xffffffff, codePoint: 0x10ffff } as const;

/** Thrown, and caught here, at the first problem. */
class PatternSyntaxError extends Error {
  readonly span: Span;
  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

interface Cursor {
  readonly pattern: string;
  at: number;
  /** The flags of the group so far. */
  flags: ReadonlySet<string>;
  /** The number of open groups. */
  nesting: number;
  readonly names: Set<string>;
  /** The bytes and classes of code points so far. */
  size: number;
  undecided?: string;
}

/** Parses a pattern. */
export function parsePattern(pattern: string): Result<ParsedPattern, PatternProblem> {
  const cursor: Cursor = { pattern, at: 0, flags: new Set(), nesting: 0, names: new Set(), size: 0 };
  try {
    const node = parseChoice(cursor);
    if (cursor.at < pattern.length) fail(problems.unopened(), cursor.at, cursor.at + 1);
    return success({ node, ...(cursor.undecided === undefined ? {} : { undecided: cursor.undecided }) });
  } catch (error) {
    if (error instanceof PatternSyntaxError) return failure({ message: error.message, ...error.span });
    throw error;
  }
}

function fail(message: string, start: number, end: number): never {
  throw new PatternSyntaxError(message, { start, end });
}

/** The character at the current offset; undefined at the end. */
function peek({ pattern, at }: Cursor): string | undefined {
  const codePoint = pattern.codePointAt(at);
  return codePoint === undefined ? undefined : String.fromCodePoint(codePoint);
}

function next(cursor: Cursor): string | undefined {
  const character = peek(cursor);
  cursor.at += character?.length ?? 0;
  return character;
}

function accept(cursor: Cursor, text: string): boolean {
  const isNext = cursor.pattern.startsWith(text, cursor.at);
  if (isNext) cursor.at += text.length;
  return isNext;
}

/** Skips white space and comments, where the flag `x` allows them. */
function skipSpace(cursor: Cursor): void {
  if (!cursor.flags.has("x")) return;
  for (let character = peek(cursor); character !== undefined; character = peek(cursor)) {
    if (isWhitespace(character)) next(cursor);
    else if (character === "#") {
      const end = cursor.pattern.indexOf("\n", cursor.at);
      cursor.at = end < 0 ? cursor.pattern.length : end + 1;
    } else return;
  }
}

/** The next character, without the space after it. */
function nextAndSpace(cursor: Cursor): string | undefined {
  const character = next(cursor);
  skipSpace(cursor);
  return character;
}

function textFrom({ pattern, at }: Cursor, from: number): string {
  return pattern.slice(from, at);
}

function undecided(cursor: Cursor, from: number, reason: string): void {
  cursor.undecided ??= `\`${textFrom(cursor, from)}\`: ${reason}`;
}

/** The node, which must not nest too deeply. */
function limited<N extends PatternNode>(node: N): N {
  if (node.height > limits.nesting) fail(problems.nesting(limits.nesting), node.from, node.to);
  return node;
}

function parseChoice(cursor: Cursor): PatternNode {
  const from = cursor.at;
  const items = [parseSequence(cursor)];
  while (accept(cursor, "|")) items.push(parseSequence(cursor));
  return limited({ kind: "choice", items, from, to: cursor.at, ...measure(items) });
}

/** The size of items together, and the height of a node with them. */
function measure(items: readonly PatternNode[]): { readonly size: number; readonly height: number } {
  let [size, height] = [0, 0];
  for (const item of items) {
    size += item.size;
    height = Math.max(height, item.height);
  }
  return { size, height: height + Number(items.length > 1) };
}

function parseSequence(cursor: Cursor): PatternNode {
  const from = cursor.at;
  const items: PatternNode[] = [];
  let isRepeatable = false;
  for (;;) {
    skipSpace(cursor);
    const character = peek(cursor);
    if (character === undefined || character === "|" || character === ")") break;
    if (!"*+?{".includes(character)) {
      const item = parseAtom(cursor);
      isRepeatable = item !== undefined;
      items.push(item ?? { kind: "sequence", items: [], from: cursor.at, to: cursor.at, ...measure([]) });
    } else {
      const item = items.pop();
      if (item === undefined || !isRepeatable)
        fail(problems.nothingRepeated(character), cursor.at, cursor.at + 1);
      items.push(parseRepetition(cursor, item));
    }
  }
  return limited({ kind: "sequence", items, from, to: cursor.at, ...measure(items) });
}

/** The bounds of the repetitions of one character. */
const bounds: Readonly<Record<string, readonly [min: number, max: number]>> = {
  "*": [0, Infinity],
  "+": [1, Infinity],
  "?": [0, 1],
};

function parseRepetition(cursor: Cursor, item: PatternNode): PatternNode {
  const start = cursor.at;
  const isCounted = peek(cursor) === "{";
  const [min, max] = bounds[next(cursor) as string] ?? readCount(cursor, start);
  // Whether a repetition is greedy or lazy does not change what is found.
  const isLazy = accept(cursor, "?");
  return limited({
    kind: "repeat",
    item,
    min,
    max,
    isCounted,
    isLazy,
    from: item.from,
    to: cursor.at,
    size: item.size * Math.max(1, max === Infinity ? min : max),
    height: item.height + 1,
  });
}

/** Reads `2}`, `2,}` or `2,3}`; white space around the numbers is allowed. */
function readCount(cursor: Cursor, start: number): readonly [min: number, max: number] {
  skipSpace(cursor);
  const min = readNumber(cursor, start);
  let max = min;
  if (accept(cursor, ",")) {
    skipSpace(cursor);
    max = peek(cursor) === "}" ? Infinity : readNumber(cursor, start);
  }
  if (min === undefined || max === undefined || peek(cursor) !== "}")
    fail(problems.noCount(), start, start + 1);
  nextAndSpace(cursor);
  if (max < min) fail(problems.emptyCount(textFrom(cursor, start).trimEnd()), start, cursor.at);
  return [min, max];
}

function readNumber(cursor: Cursor, start: number): number | undefined {
  const skip = () => {
    for (let char = peek(cursor); char !== undefined && isWhitespace(char); char = peek(cursor))
      nextAndSpace(cursor);
  };
  skip();
  let digits = "";
  for (let char = peek(cursor); char !== undefined && char >= "0" && char <= "9"; char = peek(cursor))
    digits += nextAndSpace(cursor);
  skip();
  const value = Number(digits);
  if (value > limits.count) fail(problems.largeCount(limits.count), start, cursor.at);
  return digits === "" ? undefined : value;
}

/** Parses a group, a class, an escape or a character; undefined for flags of the rest of the group. */
function parseAtom(cursor: Cursor): PatternNode | undefined {
  const from = cursor.at;
  const character = peek(cursor) as string;
  if (character === "(") return parseGroup(cursor);
  if (character === "[") return parseClass(cursor);
  if (character === "\\") return parseEscape(cursor);
  next(cursor);
  if (character === ".") return leafOf(cursor, from, dotSet(cursor));
  if (character === "^" || character === "$") return lineAnchor(cursor, from, character);
  return characterNode(cursor, from, character.codePointAt(0) as number, false);
}

function dotSet({ flags }: Cursor): CodeSet {
  const all = flags.has("u") ? allCodePoints : allBytes;
  const newlines: CodeSet = flags.has("s")
    ? []
    : flags.has("R")
      ? codeSet([
          [0x0a, 0x0a],
          [0x0d, 0x0d],
        ])
      : [[0x0a, 0x0a]];
  return subtract(all, newlines);
}

function lineAnchor(cursor: Cursor, from: number, character: "^" | "$"): PatternNode {
  const isStart = character === "^";
  if (!cursor.flags.has("m")) return condition(cursor, from, isStart ? "start" : "end");
  if (cursor.flags.has("R"))
    undecided(
      cursor,
      from,
      "the flags `m` and `R` together look at two characters, which is not computed here",
    );
  return condition(cursor, from, isStart ? "lineStart" : "lineEnd");
}

type Condition = Exclude<(PlainLeaf | SpecialLeaf)["kind"], "class" | "codePoints">;

function condition(cursor: Cursor, from: number, kind: Condition): PatternNode {
  return { kind, from, to: cursor.at, size: 0, height: 0 };
}

/** The leaf for a set: code points that are not all of ASCII are several bytes. */
function leafOf(cursor: Cursor, from: number, set: CodeSet, parts?: ClassParts, height = 0): PatternNode {
  const span = { from, to: cursor.at, height };
  const isOfBytes = !cursor.flags.has("u") || (set.at(-1)?.[1] ?? 0) <= 0x7f;
  if (isOfBytes) return { kind: "class", set, size: 1, ...span, ...(parts === undefined ? {} : { parts }) };
  return codePoints(cursor, set, span);
}

function codePoints(
  cursor: Cursor,
  set: CodeSet,
  span: PatternSpan & { readonly height: number },
): PatternNode {
  const size = utf8Ranges(set).reduce((sum, { length }) => sum + length, 0);
  cursor.size += size;
  if (cursor.size > maxSize) fail(problems.size(maxSize), span.from, span.to);
  return { kind: "codePoints", set, size, ...span };
}

/** The node of a character; one above ASCII is its bytes in UTF-8, except as `\xHH`. */
function characterNode(cursor: Cursor, from: number, code: number, isByte: boolean): PatternNode {
  const isUnicode = cursor.flags.has("u");
  if (!isUnicode && !isByte && code > 0x7f)
    return codePoints(cursor, [[code, code]], { from, to: cursor.at, height: 0 });
  return leafOf(cursor, from, withCase(cursor, from, [[code, code]]));
}

/** The set with letters in both cases, where the flag `i` asks for it. */
function withCase(cursor: Cursor, from: number, set: CodeSet): CodeSet {
  if (!cursor.flags.has("i")) return set;
  if (!cursor.flags.has("u")) return foldAscii(set);
  const folded = foldCodePoints(set);
  if (folded === undefined) undecided(cursor, from, "its letters in both cases are not known here");
  return folded ?? set;
}

/** The distance of both cases of a letter. */
const caseDistance = 0x20;

function foldAscii(set: CodeSet): CodeSet {
  const shift = (letters: CodeSet, by: number) =>
    intersect(set, letters).map(([first, last]) => [first + by, last + by] as const);
  return codeSet([...set, ...shift([[0x41, 0x5a]], caseDistance), ...shift([[0x61, 0x7a]], -caseDistance)]);
}

function parseGroup(cursor: Cursor): PatternNode | undefined {
  const from = cursor.at;
  const { flags } = cursor;
  nextAndSpace(cursor);
  if (accept(cursor, "?=") || accept(cursor, "?!") || accept(cursor, "?<=") || accept(cursor, "?<!"))
    fail(problems.lookAround(textFrom(cursor, from)), from, cursor.at);
  if (accept(cursor, "?P<") || accept(cursor, "?<")) readName(cursor);
  else if (accept(cursor, "?")) {
    readFlags(cursor, from);
    if (next(cursor) === ")") return undefined;
  }
  if (++cursor.nesting > limits.nesting) fail(problems.nesting(limits.nesting), from, cursor.at);
  const node = parseChoice(cursor);
  if (peek(cursor) !== ")") fail(problems.unclosedGroup(), from, from + 1);
  cursor.flags = flags;
  cursor.nesting--;
  next(cursor);
  return limited({ ...node, height: node.height + 1, from, to: cursor.at });
}

function readName(cursor: Cursor): void {
  const from = cursor.at;
  for (let char = peek(cursor); char !== ">"; char = peek(cursor)) {
    if (char === undefined || !isNameCharacter(char, cursor.at === from))
      fail(problems.groupName(char), cursor.at, cursor.at + (char?.length ?? 0));
    next(cursor);
  }
  const name = textFrom(cursor, from);
  if (name === "") fail(problems.groupName(">"), from, from);
  if (cursor.names.has(name)) fail(problems.sameName(name), from, cursor.at);
  cursor.names.add(name);
  next(cursor);
}

/** Reads the flags of `(?flags)` or `(?flags:...)`, up to the character after them. */
function readFlags(cursor: Cursor, from: number): void {
  const flags = new Set(cursor.flags);
  const seen = new Set<string>();
  let isLastMinus = false;
  for (let char = peek(cursor); char !== ":" && char !== ")"; char = peek(cursor)) {
    if (char === undefined || (char !== "-" && !flagLetters.includes(char)) || seen.has(char))
      fail(problems.flag(char, seen.has(char ?? "")), cursor.at, cursor.at + (char?.length ?? 0));
    if (char !== "-" && seen.has("-")) flags.delete(char);
    else if (char !== "-") flags.add(char);
    seen.add(char);
    isLastMinus = char === "-";
    next(cursor);
  }
  if (isLastMinus) fail(problems.flag("-", false), cursor.at - 1, cursor.at);
  if (seen.size === 0 && peek(cursor) === ")") fail(problems.nothingRepeated("?"), from, cursor.at + 1);
  cursor.flags = flags;
}

/** An escape outside of a class. */
function parseEscape(cursor: Cursor): PatternNode {
  const from = cursor.at;
  const read = readEscape(cursor);
  if (read.kind === "character") return characterNode(cursor, from, read.code, read.isByte);
  if (read.kind === "set") return leafOf(cursor, from, read.set);
  if (read.kind === "condition" && read.of !== undefined) return condition(cursor, from, read.of);
  return condition(cursor, from, "wordBoundary");
}

type Escape =
  | CharacterEscape
  | { readonly kind: "set"; readonly set: CodeSet }
  /** Undefined for a condition that is not computed here. */
  | { readonly kind: "condition"; readonly of?: Condition };

/** Reads an escape, in a class as outside of it. */
function readEscape(cursor: Cursor): Escape {
  const from = cursor.at;
  next(cursor);
  const letter = next(cursor);
  if (letter === undefined) fail(problems.lonelyBackslash(), from, cursor.at);
  if (letter >= "0" && letter <= "9") fail(problems.backreference(textFrom(cursor, from)), from, cursor.at);
  if (letter === "x" || letter === "u" || letter === "U") return readHexadecimal(cursor, from, letter);
  if (letter === "p" || letter === "P") return readProperty(cursor, from, letter === "P");
  const perl = perlClasses[letter.toLowerCase()];
  if (perl !== undefined && /^[dswDSW]$/.test(letter)) return perlSet(cursor, from, letter, perl);
  if (isEscapable(letter)) return { kind: "character", code: letter.charCodeAt(0), isByte: false };
  const control = controls.get(letter);
  if (control !== undefined) return { kind: "character", code: control, isByte: false };
  return readCondition(cursor, from, letter);
}

/** The numbers of digits of `\x41`, `\u0041` and `\U00000041`. */
const digitCounts = { x: 2, u: 4, U: 8 } as const;

function readHexadecimal(cursor: Cursor, from: number, letter: keyof typeof digitCounts): CharacterEscape {
  skipSpace(cursor);
  const isBraced = peek(cursor) === "{";
  if (isBraced) nextAndSpace(cursor);
  let [code, count] = [0, 0];
  const isComplete = () => (isBraced ? peek(cursor) === "}" : count === digitCounts[letter]);
  for (; !isComplete(); count++) {
    const digit = nextAndSpace(cursor) ?? "";
    if (!isHexadecimal(digit)) fail(problems.hexadecimal(letter), from, cursor.at);
    code = Math.min(code * 16 + Number.parseInt(digit, 16), limits.codePoint + 1);
  }
  if (isBraced) nextAndSpace(cursor);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (count === 0 || isSurrogate || code > limits.codePoint)
    fail(problems.hexadecimal(letter), from, cursor.at);
  return { kind: "character", code, isByte: letter === "x" && !isBraced };
}

/** Reads the name after `\p` or `\P`. */
function readProperty(cursor: Cursor, from: number, isNegated: boolean): Escape {
  skipSpace(cursor);
  let name = "";
  if (accept(cursor, "{")) {
    skipSpace(cursor);
    for (let char = peek(cursor); char !== "}"; char = peek(cursor)) {
      if (char === undefined) fail(problems.propertyName(), from, cursor.at);
      name += nextAndSpace(cursor);
    }
    next(cursor);
  } else name = nextAndSpace(cursor) ?? "";
  if (name === "" || name === "\\") fail(problems.propertyName(), from, cursor.at);
  if (!cursor.flags.has("u")) fail(problems.property(textFrom(cursor, from)), from, cursor.at);
  const set = unicodeSet([name], isNegated);
  if (set === undefined) undecided(cursor, from, "this Unicode property is not known here");
  return { kind: "set", set: set ?? [] };
}

function perlSet(
  cursor: Cursor,
  from: number,
  letter: string,
  { ascii, properties }: (typeof perlClasses)[string],
): Escape {
  const isNegated = letter !== letter.toLowerCase();
  if (!cursor.flags.has("u")) return { kind: "set", set: isNegated ? subtract(allBytes, ascii) : ascii };
  const set = unicodeSet(properties, isNegated);
  if (set === undefined) undecided(cursor, from, "the Unicode characters of the class are not known here");
  return { kind: "set", set: set ?? [] };
}

const conditions: Readonly<Record<string, Condition>> = {
  A: "start",
  z: "end",
  b: "wordBoundary",
  B: "noWordBoundary",
};

/** The names of one side of a word. */
const wordSides: ReadonlySet<string> = new Set(["start", "end", "start-half", "end-half"]);

function readCondition(cursor: Cursor, from: number, letter: string): Escape {
  const of = conditions[letter];
  const isSide = letter === "<" || letter === ">" || (letter === "b" && readWordSide(cursor));
  if (of === undefined && !isSide) fail(problems.escape(textFrom(cursor, from)), from, cursor.at);
  if (isSide) undecided(cursor, from, "one side of a word is not computed here; `\\b` is both sides");
  else if ("bB".includes(letter) && cursor.flags.has("u"))
    undecided(cursor, from, "the words of Unicode are not computed here; `(?-u:\\b)` is of those of ASCII");
  return isSide || of === undefined ? { kind: "condition" } : { kind: "condition", of };
}

/** Reads `{start}` and the like; false, without advancing, for a repetition. */
function readWordSide(cursor: Cursor): boolean {
  const start = cursor.at;
  if (peek(cursor) !== "{") return false;
  nextAndSpace(cursor);
  let name = "";
  for (let char = peek(cursor) ?? ""; /^[A-Za-z-]$/.test(char); char = peek(cursor) ?? "")
    name += nextAndSpace(cursor);
  if (name === "") {
    cursor.at = start;
    return false;
  }
  if (next(cursor) !== "}" || !wordSides.has(name)) fail(problems.wordSide([...wordSides]), start, cursor.at);
  return true;
}

/** A class that is not closed yet, with what was read of it. */
interface OpenClass {
  readonly from: number;
  readonly open: PatternSpan;
  readonly isNegated: boolean;
  /** The items since the last operator. */
  items: ClassItem[];
  /** The nesting of these items. */
  height: number;
  /** The operator before them, with its left side. */
  pending?: { readonly operator: ClassOperator; readonly left: CodeSet };
  /** The nesting of the operations. */
  pendingHeight: number;
  isOperation: boolean;
}

type ClassOperator = "&&" | "--" | "~~";

const classOperators: Readonly<Record<ClassOperator, (left: CodeSet, right: CodeSet) => CodeSet>> = {
  "&&": intersect,
  "--": subtract,
  "~~": (left, right) => codeSet([...subtract(left, right), ...subtract(right, left)]),
};

const operatorNames = Object.keys(classOperators) as ClassOperator[];

function parseClass(cursor: Cursor): PatternNode {
  const outer: OpenClass[] = [];
  let current = openClass(cursor);
  for (;;) {
    skipSpace(cursor);
    const { at } = cursor;
    const character = peek(cursor);
    if (character === undefined) fail(problems.unclosedClass(), current.from, cursor.at);
    const operator = operatorNames.find((name) => accept(cursor, name));
    if (operator !== undefined) {
      const left = reduceClass(cursor, current);
      current = { ...current, items: [], height: 0, pending: { operator, left }, isOperation: true };
    } else if (character === "[") {
      const named = readNamedClass(cursor);
      if (named !== undefined) addItem(current, { set: named, from: at, to: cursor.at });
      else {
        outer.push(current);
        if (outer.length > limits.nesting) fail(problems.nesting(limits.nesting), at, at + 1);
        current = openClass(cursor);
      }
    } else if (character === "]") {
      next(cursor);
      const { from, isNegated, open, isOperation } = current;
      const set = closedSet(cursor, current);
      const height = 1 + classHeight(current);
      const parent = outer.pop();
      if (parent === undefined) {
        const items = isOperation ? [] : current.items;
        return limited(leafOf(cursor, from, set, { isNegated, open, items }, height));
      }
      addItem(parent, { set, from, to: cursor.at }, height);
      current = parent;
    } else addItem(current, readClassItem(cursor, current));
  }
}

function addItem(to: OpenClass, item: ClassItem, height = 0): void {
  to.items.push(item);
  to.height = Math.max(to.height, height);
}

function openClass(cursor: Cursor): OpenClass {
  const from = cursor.at;
  nextAndSpace(cursor);
  const isNegated = accept(cursor, "^");
  const open = { from, to: cursor.at };
  skipSpace(cursor);
  const items: ClassItem[] = [];
  const readLiteral = (character: "-" | "]") => {
    const at = cursor.at;
    const code = character.charCodeAt(0);
    next(cursor);
    items.push({ set: [[code, code]], from: at, to: cursor.at });
    skipSpace(cursor);
  };
  // A minus sign at the start is one, and so is a bracket that would close an empty class.
  while (peek(cursor) === "-") readLiteral("-");
  if (items.length === 0 && peek(cursor) === "]") readLiteral("]");
  return { from, open, isNegated, items, height: 0, pendingHeight: 0, isOperation: false };
}

/** The nesting within a class: several items are one level, and so is each operation. */
function classHeight({ items, height, pendingHeight, pending }: OpenClass): number {
  const ofItems = height + Number(items.length > 1);
  return pending === undefined ? ofItems : 1 + Math.max(pendingHeight, ofItems);
}

/** The set of what was read so far, with the operation before it; sets the nesting of the next one. */
function reduceClass(cursor: Cursor, open: OpenClass): CodeSet {
  open.pendingHeight = classHeight(open);
  if (open.pendingHeight > limits.nesting) fail(problems.nesting(limits.nesting), open.from, cursor.at);
  const set = codeSet([...new Set(open.items.map((item) => item.set))].flat());
  if (open.pending === undefined) return set;
  const { operator, left } = open.pending;
  const cased = (side: CodeSet) => withCase(cursor, open.from, side);
  return classOperators[operator](cased(left), cased(set));
}

function closedSet(cursor: Cursor, open: OpenClass): CodeSet {
  const set = withCase(cursor, open.from, reduceClass(cursor, { ...open }));
  return open.isNegated ? subtract(cursor.flags.has("u") ? allCodePoints : allBytes, set) : set;
}

/** Reads `[:alpha:]` or `[:^alpha:]`; undefined, without advancing, for an inner class. */
function readNamedClass(cursor: Cursor): CodeSet | undefined {
  const { pattern, at } = cursor;
  if (!pattern.startsWith("[:", at)) return undefined;
  const isNegated = pattern[at + 2] === "^";
  const start = at + (isNegated ? 3 : 2);
  const end = pattern.indexOf(":", start);
  const set = end < 0 || pattern[end + 1] !== "]" ? undefined : namedClasses.get(pattern.slice(start, end));
  if (set === undefined) return undefined;
  cursor.at = end + 2;
  return isNegated ? subtract(cursor.flags.has("u") ? allCodePoints : allBytes, set) : set;
}

/** Reads a character, an escape or a range. */
function readClassItem(cursor: Cursor, { from: classStart }: OpenClass): ClassItem {
  const from = cursor.at;
  const low = readClassPart(cursor);
  const to = cursor.at;
  skipSpace(cursor);
  if (peek(cursor) === undefined) fail(problems.unclosedClass(), classStart, cursor.at);
  if (peek(cursor) !== "-" || isMinusLiteral(cursor))
    return { set: itemSet(cursor, from, low.set), from, to };
  nextAndSpace(cursor);
  if (peek(cursor) === undefined) fail(problems.unclosedClass(), classStart, cursor.at);
  const high = readClassPart(cursor);
  const range = textFrom(cursor, from);
  if (low.code === undefined || high.code === undefined) fail(problems.rangeOfClass(range), from, cursor.at);
  if (high.code < low.code) fail(problems.emptyRange(range), from, cursor.at);
  const all = cursor.flags.has("u") ? allCodePoints : allBytes;
  const set = intersect(all, [[low.code, high.code]]);
  return { set: itemSet(cursor, from, set), range: [low.code, high.code], from, to: cursor.at };
}

/** The set of an item alone; that of the whole class is again in both cases. */
function itemSet(cursor: Cursor, from: number, set: CodeSet): CodeSet {
  return cursor.flags.has("u") ? set : withCase(cursor, from, set);
}

/** Whether the minus sign at the cursor is a character, or the start of an operator. */
function isMinusLiteral(cursor: Cursor): boolean {
  const ahead = { ...cursor };
  nextAndSpace(ahead);
  return peek(ahead) === "]" || peek(ahead) === "-";
}

function readClassPart(cursor: Cursor): { readonly set: CodeSet; readonly code?: number } {
  const from = cursor.at;
  if (peek(cursor) !== "\\") {
    const code = (next(cursor) as string).codePointAt(0) as number;
    return classCharacter(cursor, from, { kind: "character", code, isByte: false });
  }
  const read = readEscape(cursor);
  if (read.kind === "condition") fail(problems.conditionInClass(textFrom(cursor, from)), from, cursor.at);
  return read.kind === "set" ? { set: read.set } : classCharacter(cursor, from, read);
}

function classCharacter(cursor: Cursor, from: number, { code, isByte }: CharacterEscape) {
  if (code > 0x7f && !isByte && !cursor.flags.has("u"))
    fail(problems.characterInClass(textFrom(cursor, from)), from, cursor.at);
  return { set: [[code, code]] as CodeSet, code };
}
