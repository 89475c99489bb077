/** JSON text with its places: where each member stands, and where a malformed text goes wrong (RFC 8259). */
import { pointer } from "../errors.ts";

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface JsonSource {
  readonly value: unknown;
  /** Where the value of an RFC 6901 pointer begins; the nearest one around it when there is none. */
  locate(pointer: string): Place;
}

export interface JsonFault extends Place {
  /** What stands there. */
  readonly found: string;
}

/** Levels that are read; node itself reads more, but no file that a person wrote has them. */
const maxDepth = 500;

/** Reads a JSON text. */
export function readJson(text: string): JsonSource | JsonFault {
  const scan = scanJson(text);
  if (scan.fault !== undefined) return { ...placeOf(text, scan.fault), found: foundAt(text, scan.fault) };
  return { value: JSON.parse(text), locate: (at) => placeOf(text, nearest(scan.places, at)) };
}

function nearest(places: ReadonlyMap<string, number>, at: string): number {
  const offset = places.get(at);
  return offset ?? (at === "" ? 0 : nearest(places, at.slice(0, at.lastIndexOf("/"))));
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function foundAt(text: string, offset: number): string {
  if (text.trim() === "") return "it is empty";
  if (offset >= text.length) return "the text ends too early";
  return `\`${text.slice(offset, offset + 12).split("\n")[0]}\` cannot stand here`;
}

interface Scan {
  readonly places: ReadonlyMap<string, number>;
  /** Offset of the first fault. */
  readonly fault?: number;
}

const space = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Where a scan stops: thrown inside of this file only. */
class Stop {
  readonly offset: number;
  constructor(offset: number) {
    this.offset = offset;
  }
}

function scanJson(text: string): Scan {
  const places = new Map<string, number>();
  let offset = 0;

  function take(form: RegExp): string | undefined {
    form.lastIndex = offset;
    const found = form.exec(text)?.[0];
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
    if (!isNext(mark)) throw new Stop(offset);
  }

  function value(at: string, depth: number): void {
    skip();
    places.set(at, offset);
    if (depth > maxDepth) throw new Stop(offset);
    if (isNext("{")) members(at, depth);
    else if (isNext("[")) elements(at, depth);
    else if (take(string) === undefined && take(scalar) === undefined) throw new Stop(offset);
  }

  function members(at: string, depth: number): void {
    if (isNext("}")) return;
    do {
      skip();
      const name = take(string);
      if (name === undefined) throw new Stop(offset);
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
    return offset === text.length ? { places } : { places, fault: offset };
  } catch (error) {
    if (error instanceof Stop) return { places, fault: error.offset };
    throw error;
  }
}
