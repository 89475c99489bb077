/** The program of a compiled pattern: instructions of a nondeterministic automaton (RE2), as the engine has them. */

/** The operations of instructions. The numbers are those of the engine. */
export const opcodes = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  rune: 8,
  oneRune: 9,
  anyRune: 10,
  anyRuneButNewline: 11,
} as const;

/** The conditions of an instruction without a character. The numbers are those of the engine. */
export const conditions = {
  startOfLine: 1,
  endOfLine: 2,
  startOfText: 4,
  endOfText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/** One instruction. */
export interface Instruction {
  readonly op: number;
  /** The next instruction. */
  readonly out: number;
  /** The second alternative, the conditions, or whether one character is compared without case. */
  readonly arg: number;
  /** Pairs of first and last characters, or one character. */
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

/** A program; the search starts at `start`. */
export interface PatternProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

/** The engine that compiles patterns in the syntax of RE2 to programs. */
export interface PatternEngine {
  compile(pattern: string): object;
}

/** The program of a compiled pattern. @throws {Error} when the engine has another structure, which its version decides */
export function programOf(compiled: object): PatternProgram {
  const program = (compiled as { readonly re2Input?: { readonly prog?: PatternProgram } }).re2Input?.prog;
  if (Array.isArray(program?.inst) && typeof program.start === "number") return program;
  throw new Error("the installed version of re2js has no program that can be read; 2.10 is needed");
}
