/** Parses JSON (RFC 8259) and keeps the position of each value; reports the position of the first syntax error. */
import { pointer } from "../errors.ts";
import { createLineIndex, type TextPosition, type TextRange } from "./line-index.ts";
import { failure, type Result, success } from "./result.ts";

export type { TextPosition, TextRange };

/** A parsed JSON text. */
export interface JsonSource {
  /** The value, unchecked. */
  readonly value: unknown;
  /** Start of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  locate(pointer: string): TextPosition;
  /** The characters of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  range(pointer: string): TextRange;
}

/** A syntax error. */
export interface JsonFault extends TextPosition {
  /** The error as a sentence without a full stop. */
  readonly message: string;
}

/** Maximum nesting in levels; `JSON.parse` accepts more, but no file written by a person needs them. */
const maxDepth = 500;

/** Parses a JSON text, or returns its first syntax error. */
export function parseJsonSource(text: string): Result<JsonSource, JsonFault> {
  const scan = scanJson(text);
  const positionAt = createLineIndex(text);
  if (scan.fault !== undefined)
    return failure({ ...positionAt(scan.fault), message: faultMessage(text, scan.fault) });
  const locate = (at: string) => positionAt(nearestOffset(scan.offsets, at));
  const range = (at: string) => {
    const start = nearestOffset(scan.offsets, at);
    return { start: positionAt(start), end: positionAt(endOfValue(text, start)) };
  };
  return success({ value: JSON.parse(text), locate, range });
}

function nearestOffset(places: ReadonlyMap<string, number>, at: string): number {
  const offset = places.get(at);
  return offset ?? (at === "" ? 0 : nearestOffset(places, at.slice(0, at.lastIndexOf("/"))));
}

/** The offset after a value of a valid text. Found when it is asked for, which saves memory in large texts. */
function endOfValue(text: string, start: number): number {
  const part = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]|[\]}]|[^\s,:"[\]{}]+/g;
  part.lastIndex = start;
  let depth = 0;
  do {
    const [found = ""] = part.exec(text) ?? [];
    if (found === "[" || found === "{") depth++;
    else if (found === "]" || found === "}") depth--;
  } while (depth > 0);
  return part.lastIndex;
}

function faultMessage(text: string, offset: number): string {
  if (text.trim() === "") return "the text is empty";
  if (offset >= text.length) return "the text ends too early";
  return `\`${text.slice(offset, offset + 12).split("\n")[0]}\` is not allowed here`;
}

interface Scan {
  readonly offsets: ReadonlyMap<string, number>;
  /** Offset of the first syntax error. */
  readonly fault?: number;
}

const space = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Stops a scan at an offset; thrown and caught in this file only. */
class ScanStop {
  readonly offset: number;
  constructor(offset: number) {
    this.offset = offset;
  }
}

function scanJson(text: string): Scan {
  const places = new Map<string, number>();
  let offset = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) offset += found.length;
    return found;
  }

  function skip(): void {
    take(space);
  }

  function isNext(mark: string): boolean {
    skip();
    if (text[offset] !== mark) return false;
    offset++;
    return true;
  }

  function expect(mark: string): void {
    if (!isNext(mark)) throw new ScanStop(offset);
  }

  function value(at: string, depth: number): void {
    skip();
    places.set(at, offset);
    if (depth > maxDepth) throw new ScanStop(offset);
    if (isNext("{")) members(at, depth);
    else if (isNext("[")) elements(at, depth);
    else if (take(string) === undefined && take(scalar) === undefined) throw new ScanStop(offset);
  }

  function members(at: string, depth: number): void {
    if (isNext("}")) return;
    do {
      skip();
      const name = take(string);
      if (name === undefined) throw new ScanStop(offset);
      expect(":");
      value(at + pointer(JSON.parse(name) as string), depth + 1);
    } while (isNext(","));
    expect("}");
  }

  function elements(at: string, depth: number): void {
    if (isNext("]")) return;
    let index = 0;
    do value(at + pointer(index++), depth + 1);
    while (isNext(","));
    expect("]");
  }

  try {
    value("", 0);
    skip();
    return offset === text.length ? { offsets: places } : { offsets: places, fault: offset };
  } catch (error) {
    if (error instanceof ScanStop) return { offsets: places, fault: error.offset };
    throw error;
  }
}
