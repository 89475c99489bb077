/**
 * Splits a text of shell commands into commands and words. Nothing is run and no file is read: a word with an
 * expansion (`$NAME`, `$(...)`, backticks) keeps its text and is marked.
 *
 * Two dialects: POSIX shells with `'...'`, `"..."`, `$'...'` and `\` at the end of a line; and the form for the Windows
 * prompt that browsers copy, with `^` as the escape.
 */

/** A word of a command. */
export interface ShellWord {
  /** Without quotes and escapes; expansions as written. */
  readonly text: string;
  /** Whether a shell would replace a part of it. */
  readonly expands: boolean;
}

/** A command: its words and the line on which it starts, from 1. */
export interface ShellCommand {
  readonly line: number;
  readonly words: readonly ShellWord[];
  /** Set when a quote is not closed. */
  readonly unclosed?: true;
}

interface Reader {
  readonly text: string;
  at: number;
  line: number;
  readonly commands: ShellCommand[];
  words: ShellWord[];
  startLine: number;
  /** The word that is being read; undefined between words. */
  word: string | undefined;
  expands: boolean;
  unclosed: boolean;
  /** The escape character: `\`, or `^` of the Windows prompt. */
  readonly escape: "\\" | "^";
}

const namedEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Splits a text into its commands, in order. Comments and empty commands are left out. */
export function splitCommands(text: string): readonly ShellCommand[] {
  const form = isWindowsForm(text) ? "^" : "\\";
  const reader: Reader = {
    text: text.replaceAll("\r\n", "\n"),
    at: 0,
    line: 1,
    commands: [],
    words: [],
    startLine: 1,
    word: undefined,
    expands: false,
    unclosed: false,
    escape: form,
  };
  while (reader.at < reader.text.length) step(reader);
  endCommand(reader);
  return reader.commands;
}

/** Browsers escape the quotes of the Windows form (`^"`), or end its lines with `^`. */
function isWindowsForm(text: string): boolean {
  return /\s\^"|\^\r?\n|^curl\.exe\s/m.test(text);
}

function step(reader: Reader): void {
  const character = next(reader);
  const handler = handlers[reader.escape].get(character);
  if (handler !== undefined) handler(reader);
  else append(reader, character);
}

function next(reader: Reader): string {
  const character = reader.text.charAt(reader.at++);
  if (character === "\n") reader.line++;
  return character;
}

function append(reader: Reader, text: string): void {
  if (reader.words.length === 0 && reader.word === undefined) reader.startLine = reader.line;
  reader.word = (reader.word ?? "") + text;
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.words.push({ text: reader.word, expands: reader.expands });
  reader.word = undefined;
  reader.expands = false;
}

function endCommand(reader: Reader): void {
  endWord(reader);
  const { words, startLine: line, unclosed } = reader;
  if (words.length > 0) reader.commands.push({ line, words, ...(unclosed && { unclosed: true as const }) });
  reader.words = [];
  reader.unclosed = false;
}

/** A comment, unless the character is inside of a word. */
function comment(reader: Reader): void {
  if (reader.word === undefined) skipLine(reader);
  else append(reader, "#");
}

function skipLine(reader: Reader): void {
  const end = reader.text.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.text.length : end;
}

/** An escaped line end joins two lines. */
function escaped(reader: Reader): void {
  const character = next(reader);
  if (character === "\n") return;
  if (reader.escape === "^" && character === '"') windowsQuoted(reader);
  else append(reader, character);
}

function backtick(reader: Reader): void {
  append(reader, "`");
  reader.expands = true;
}

function singleQuoted(reader: Reader): void {
  append(reader, "");
  const end = reader.text.indexOf("'", reader.at);
  if (end === -1) {
    stopUnclosed(reader);
    return;
  }
  take(reader, end);
  reader.at++;
}

/** Takes everything up to an offset, as it is. */
function take(reader: Reader, end: number): void {
  const text = reader.text.slice(reader.at, end);
  append(reader, text);
  reader.line += text.split("\n").length - 1;
  reader.at = end;
}

function stopUnclosed(reader: Reader): void {
  reader.unclosed = true;
  reader.at = reader.text.length;
}

/** `"..."`: a backslash escapes `"`, `\`, `$`, a backtick and a line end only. */
function doubleQuoted(reader: Reader): void {
  append(reader, "");
  while (reader.at < reader.text.length) {
    const character = next(reader);
    if (character === '"') return;
    if (character === "\\") quotedEscape(reader);
    else {
      if (reader.escape === "\\" && (character === "`" || (character === "$" && isExpansion(reader))))
        reader.expands = true;
      append(reader, character);
    }
  }
  stopUnclosed(reader);
}

function quotedEscape(reader: Reader): void {
  const character = next(reader);
  if (character === "\n") return;
  const isEscape = reader.escape === "\\" ? '"\\$`'.includes(character) : '"\\'.includes(character);
  append(reader, isEscape ? character : `\\${character}`);
}

/** `^"...^"`, in which `^` escapes every character, and `^\^"` or `\^"` is a quote. */
function windowsQuoted(reader: Reader): void {
  append(reader, "");
  while (reader.at < reader.text.length) {
    const first = next(reader);
    const character = first === "^" ? next(reader) : first;
    if (first === "^" && character === '"') return;
    const isQuote = character === "\\" && reader.text.startsWith('^"', reader.at);
    if (isQuote) reader.at += 2;
    append(reader, isQuote ? '"' : character);
  }
  stopUnclosed(reader);
}

/** After a `$`: a name, a brace or a parenthesis makes an expansion. */
function isExpansion({ text, at }: Reader): boolean {
  return /[A-Za-z0-9_{(@*#?$!-]/.test(text.charAt(at));
}

function dollar(reader: Reader): void {
  if (reader.text.charAt(reader.at) === "'") {
    reader.at++;
    ansiQuoted(reader);
  } else expansion(reader);
}

function expansion(reader: Reader): void {
  if (isExpansion(reader)) reader.expands = true;
  append(reader, "$");
  if (reader.text.charAt(reader.at) === "(") take(reader, endOfSubstitution(reader));
}

/** The parentheses of `$(...)` belong to the word. */
function endOfSubstitution({ text, at }: Reader): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "(") depth++;
    if (character === ")" && --depth === 0) return i + 1;
  }
  return text.length;
}

/** `$'...'` with the escapes of C (POSIX.1-2024, section 2.2.4). */
function ansiQuoted(reader: Reader): void {
  append(reader, "");
  while (reader.at < reader.text.length) {
    const character = next(reader);
    if (character === "'") return;
    append(reader, character === "\\" ? ansiEscape(reader) : character);
  }
  stopUnclosed(reader);
}

const numericEscape = /x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})/y;

const maxCodePoint = 0x10ffff;

function ansiEscape(reader: Reader): string {
  numericEscape.lastIndex = reader.at;
  const found = numericEscape.exec(reader.text);
  if (found === null) {
    const character = next(reader);
    return Object.hasOwn(namedEscapes, character) ? (namedEscapes[character] ?? "") : character;
  }
  reader.at += found[0].length;
  const hexadecimal = found[1] ?? found[2] ?? found[3];
  const code =
    hexadecimal === undefined ? Number.parseInt(found[4] ?? "0", 8) : Number.parseInt(hexadecimal, 16);
  return code <= maxCodePoint ? String.fromCodePoint(code) : "\ufffd";
}

type Handler = (reader: Reader) => void;

const sharedHandlers: readonly (readonly [string, Handler])[] = [
  ['"', doubleQuoted],
  [" ", endWord],
  ["\t", endWord],
  ["#", comment],
  ...[..."\n;|&()<>"].map((separator) => [separator, endCommand] as const),
];

/** The effect of each character that is not a part of a word, by the escape character of the dialect. */
const handlers: Readonly<Record<Reader["escape"], ReadonlyMap<string, Handler>>> = {
  "\\": new Map([...sharedHandlers, ["\\", escaped], ["'", singleQuoted], ["$", dollar], ["`", backtick]]),
  "^": new Map([...sharedHandlers, ["^", escaped]]),
};
