/** The one type for everything that is wrong with an input, or worth knowing about it. */
import type { PatchOperation } from "./json/patch.ts";
import type { TextPosition } from "./line-index.ts";

/** The levels, worst first: an error must be corrected, a warning is probably a mistake, a note may be intended. */
export const levels = ["error", "warning", "note"] as const;

/** A level of diagnostics. */
export type Level = (typeof levels)[number];

/** A kind of diagnostic. Its id is its key in a table of rules: unique and stable, since code hosts keep dismissals by it. */
export interface Rule {
  /** Level of its diagnostics unless they say otherwise. */
  readonly level: Level;
  /** The situation that it reports, in one sentence. */
  readonly description: string;
  /** The consequence, in one sentence. */
  readonly why?: string;
  /** The advice, in one sentence. */
  readonly help: string;
  /** Words for filters, at most 20. */
  readonly tags: readonly string[];
  /** Page of the documentation and the anchor in it, such as `proxy-codes.md#port-range`. */
  readonly docs?: string;
  /** Code of the error catalogue, where the interface reports it too. */
  readonly code?: number;
  /** Origin of the rule: `spec`, `observed` or `chosen`. */
  readonly source?: string;
  /** Whether a diagnostic says that something was not decided, so that a check with it proves less. */
  readonly leavesOpen?: true;
}

/** Rules by id. */
export type Rules<R extends string = string> = Readonly<Record<R, Rule>>;

/** A part of a string, in UTF-16 code units. */
export interface Span {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
}

/** A fault or a remark. Engines return it with pointers; `place` adds files, lines and columns. */
export interface Diagnostic<R extends string = string> {
  /** Id of its rule. */
  readonly rule: R;
  /** Whether it fails a check. */
  readonly level: Level;
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
  /** RFC 6901 pointer into the value that was checked; absent when it is not about a part of it. */
  readonly pointer?: string;
  /** Characters of the string at `pointer`, such as a part of an expression. */
  readonly span?: Span;
  /** Code of the error catalogue. */
  readonly code?: number;
  /** The advice. Default: the help of the rule. */
  readonly help?: string;
  /** The command or option that resolves it. */
  readonly run?: string;
  /** Lines that explain it: a request, a trace. */
  readonly details?: string;
  /** The fix as JSON Patch of the value that was checked, when there is only one. */
  readonly fix?: readonly PatchOperation[];
  /** Other places that it is about. */
  readonly related?: readonly { readonly pointer: string; readonly message: string }[];
  /** Ids of what it is about, such as the zone and the rule. */
  readonly subject?: Readonly<Record<string, string>>;
}

/** A place in a file. */
export interface Location {
  /** The file as the user named it; `-` is standard input. */
  readonly file: string;
  /** Position of the first character. */
  readonly start: TextPosition;
  /** Position after the last character. */
  readonly end?: TextPosition;
  /** RFC 6901 pointer into the file, or the address of a resource. */
  readonly pointer?: string;
  /** The part of the resource for people, such as ``rule `admin` `` or `rule 3 of 7`. */
  readonly part?: string;
  /** RFC 6901 pointer into the resource whose address `pointer` is. */
  readonly member?: string;
}

/** A replacement of a part of a file. */
export interface TextEdit {
  /** Position of the first replaced character. */
  readonly start: TextPosition;
  /** Position after the last replaced character. */
  readonly end: TextPosition;
  /** The characters that replace them. */
  readonly text: string;
}

/** A diagnostic with its place in a file. Its pointer is relative to the value that was checked. */
export interface Placed<R extends string = string> extends Diagnostic<R> {
  /** Its place. */
  readonly at: Location;
  /** The fix as edits of the file. */
  readonly edits?: readonly TextEdit[];
}

/** Creates a diagnostic of a rule of a table, with the level of the rule. */
export function diagnostic<R extends string>(
  rules: Rules<R>,
  rule: R,
  message: string,
  more: Partial<Omit<Diagnostic<R>, "rule" | "message">> = {},
): Diagnostic<R> {
  return { rule, level: rules[rule].level, message, ...more };
}

/** Every pointer of a diagnostic, the most relevant first. */
export function pointersOf({ pointer = "", related = [] }: Diagnostic): readonly string[] {
  return [pointer, ...related.map(({ pointer }) => pointer)];
}

/** The diagnostics by level, worst first; those of the same level keep their order. */
export function worstFirst<T extends { readonly level: Level }>(diagnostics: readonly T[]): readonly T[] {
  return levels.flatMap((level) => diagnostics.filter((candidate) => candidate.level === level));
}

/** Whether a level is at least as bad as another one. */
export function isAtLeast(level: Level, other: Level): boolean {
  return levels.indexOf(level) <= levels.indexOf(other);
}
