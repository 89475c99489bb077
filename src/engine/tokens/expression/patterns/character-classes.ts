/** Characters that no instruction of a program distinguishes, as classes: the columns of an automaton's table. */

import { opcodes, type PatternProgram } from "./program.ts";

/** The classes of a program. */
export interface CharacterClasses {
  /** The classes, in the order of their first characters. */
  readonly all: readonly CharacterClass[];
  /** The position in `all` of the class of a code point. */
  classOf(codePoint: number): number;
}

/** Characters that no instruction distinguishes. */
export interface CharacterClass {
  readonly kind: CharacterKind;
  /** 1 for each instruction that accepts the characters. */
  readonly accepted: Uint8Array;
}

/** The kinds of characters that conditions distinguish. */
export type CharacterKind = "newline" | "word" | "other";

/** The code points whose class is in a table. */
const tabled = 256;

const maxCodePoint = 0x10ffff;

/** Divides all characters. */
export function classifyCharacters({ inst }: PatternProgram): CharacterClasses {
  const tests = distinctTests(inst);
  const starts = intervalsOf(inst);
  const all: CharacterClass[] = [];
  const known = new Map<string, number>();
  const classes = Uint32Array.from(starts, (rune) => {
    const answers = tests.map(({ test }) => Number(test(rune)));
    const kind = kindOf(rune);
    const key = `${kind} ${answers.join("")}`;
    const index = known.get(key) ?? all.length;
    known.set(key, index);
    if (index === all.length) {
      const accepted = new Uint8Array(inst.length);
      for (const [i, { instructions }] of tests.entries())
        if (answers[i] === 1) for (const at of instructions) accepted[at] = 1;
      all.push({ kind, accepted });
    }
    return index;
  });
  const find = (codePoint: number) => classes[indexOf(starts, codePoint)] ?? 0;
  const table = Uint32Array.from({ length: tabled }, (_, code) => find(code));
  return { all, classOf: (codePoint) => (codePoint < tabled ? (table[codePoint] ?? 0) : find(codePoint)) };
}

/** A test of characters, and the instructions that have it. */
interface SharedTest {
  readonly test: (rune: number) => boolean;
  readonly instructions: number[];
}

function distinctTests(inst: PatternProgram["inst"]): SharedTest[] {
  const tests = new Map<string, SharedTest>();
  for (const [at, instruction] of inst.entries()) {
    if (instruction.op < opcodes.rune || instruction.op > opcodes.anyRuneButNewline) continue;
    const key =
      instruction.op >= opcodes.anyRune
        ? String(instruction.op)
        : `${instruction.arg} ${Array.from(instruction.runes).join()}`;
    const known = tests.get(key) ?? { test: (rune) => accepts(instruction, rune), instructions: [] };
    tests.set(key, known);
    known.instructions.push(at);
  }
  return [...tests.values()];
}

function accepts(instruction: PatternProgram["inst"][number], rune: number): boolean {
  if (instruction.op === opcodes.anyRune) return true;
  return instruction.op === opcodes.anyRuneButNewline ? rune !== 0x0a : instruction.matchRune(rune);
}

function kindOf(rune: number): CharacterKind {
  if (rune === 0x0a) return "newline";
  return /^\w$/.test(String.fromCodePoint(rune)) ? "word" : "other";
}

/** The first code points of intervals in which all characters have one class. */
function intervalsOf(inst: PatternProgram["inst"]): readonly number[] {
  const starts = new Set([0]);
  const add = (first: number, last: number) => {
    starts.add(first);
    if (last < maxCodePoint) starts.add(last + 1);
  };
  for (const [first = "", last = ""] of ["\n\n", "09", "AZ", "__", "az"])
    add(first.charCodeAt(0), last.charCodeAt(0));
  for (const instruction of inst) {
    const { op, runes, arg } = instruction;
    if (op !== opcodes.rune && op !== opcodes.oneRune) continue;
    if (runes.length === 1) {
      const [rune = 0] = Array.from(runes);
      for (const letter of arg === 0 ? [rune] : lettersOf(instruction, rune)) add(letter, letter);
    } else for (let i = 0; i < runes.length; i += 2) add(runes[i] ?? 0, runes[i + 1] ?? 0);
  }
  return [...starts].sort((a, b) => a - b);
}

/** The position of the last start that is at most the code point. */
function indexOf(starts: readonly number[], codePoint: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle;
  }
  return low;
}

/** The code points that an instruction accepts for a letter without case (simple case folding, Unicode). */
function lettersOf(instruction: PatternProgram["inst"][number], rune: number): readonly number[] {
  const known = letterCache.get(rune);
  if (known !== undefined) return known;
  const letters = [rune, ...casedCodePoints().filter((letter) => instruction.matchRune(letter))];
  letterCache.set(rune, letters);
  return letters;
}

/** Above it no letter has two cases (Unicode 16). */
const lastCased = 0x1e943;

const letterCache = new Map<number, readonly number[]>();

let cased: readonly number[] | undefined;

function casedCodePoints(): readonly number[] {
  cased ??= Array.from({ length: lastCased + 1 }, (_, code) => code).filter((code) => {
    const letter = String.fromCodePoint(code);
    return letter.toLowerCase() !== letter || letter.toUpperCase() !== letter;
  });
  return cased;
}
