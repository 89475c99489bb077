/** Finds values in a valid JSON text by their pointers. Reads only what a pointer passes, when it is asked for. */
import { pointerSegments } from "./json-pointer.ts";

/** The places of the values of a text. */
export interface JsonIndex {
  /** Offset of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  readonly startOf: (pointer: string) => number;
  /** Offset after the value that starts at an offset. */
  readonly endOf: (offset: number) => number;
  /** Offsets of the name of the member whose value starts at an offset. */
  readonly nameOf: (offset: number) => { readonly start: number; readonly end: number };
}

/** Remembers the children of the objects and arrays that it has passed. */
export function createJsonIndex(text: string): JsonIndex {
  const known = new Map<number, Children>();
  const startOf = (pointer: string) => {
    let offset = skipSpace(text, 0);
    for (const segment of pointerSegments(pointer)) {
      const children = known.get(offset) ?? childrenOf(text, offset);
      known.set(offset, children);
      const child = children(segment);
      if (child === undefined) break;
      offset = child;
    }
    return offset;
  };
  return { startOf, endOf: (offset) => valueEnd(text, offset), nameOf: (offset) => nameBefore(text, offset) };
}

/** The starts of the members or elements of the value at an offset; of a repeated member the last. */
function childrenOf(text: string, offset: number): Children {
  if (text[offset] === "{") return membersOf(text, offset);
  return text[offset] === "[" ? elementsOf(text, offset) : noChildren;
}

/** Start of a child by its name or index. */
type Children = (segment: string) => number | undefined;

const noChildren: Children = () => undefined;

function membersOf(text: string, offset: number): Children {
  const members = new Map<string, number>();
  let at = skipSpace(text, offset + 1);
  while (text[at] !== "}") {
    const end = stringEnd(text, at);
    const name = JSON.parse(text.slice(at, end)) as string;
    at = skipSpace(text, skipSpace(text, end) + 1);
    members.set(name, at);
    at = nextChild(text, at);
  }
  return (segment) => members.get(segment);
}

function elementsOf(text: string, offset: number): Children {
  const elements: number[] = [];
  let at = skipSpace(text, offset + 1);
  while (text[at] !== "]") {
    elements.push(at);
    at = nextChild(text, at);
  }
  return (segment) => (/^(0|[1-9]\d*)$/.test(segment) ? elements[Number(segment)] : undefined);
}

/** Offset of what follows a value and its comma. */
function nextChild(text: string, offset: number): number {
  const at = skipSpace(text, valueEnd(text, offset));
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Offset after a string. @param offset that of the opening quote */
export function stringEnd(text: string, offset: number): number {
  let end = text.indexOf('"', offset + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** The string before the colon before a value. */
function nameBefore(text: string, offset: number): { readonly start: number; readonly end: number } {
  const end = text.lastIndexOf('"', text.lastIndexOf(":", offset - 1)) + 1;
  let start = text.lastIndexOf('"', end - 2);
  while (isEscaped(text, start)) start = text.lastIndexOf('"', start - 1);
  return { start, end };
}

/** Whether an odd number of backslashes is before the character. */
function isEscaped(text: string, offset: number): boolean {
  let before = offset - 1;
  while (text[before] === "\\") before--;
  return (offset - before) % 2 === 0;
}

function valueEnd(text: string, offset: number): number {
  const first = text[offset];
  if (first === '"') return stringEnd(text, offset);
  if (first === "{" || first === "[") return containerEnd(text, offset);
  let at = offset;
  while (at < text.length && !isScalarEnd(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a code is white space, a comma or a closing bracket. */
function isScalarEnd(code: number): boolean {
  return isSpace(code) || code === 44 || code === 93 || code === 125;
}

function containerEnd(text: string, offset: number): number {
  let depth = 0;
  let at = offset;
  do {
    at = nextMark(text, at);
    const found = text[at];
    if (found === '"') at = stringEnd(text, at);
    else {
      depth += found === "{" || found === "[" ? 1 : -1;
      at++;
    }
  } while (depth > 0);
  return at;
}

/** Offset of the next quote or bracket; the length of the text when there is none. */
export function nextMark(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isMark(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a code is a quote or a bracket: `"`, `{`, `}`, `[` or `]`. */
function isMark(code: number): boolean {
  return code === 34 || code === 123 || code === 125 || code === 91 || code === 93;
}
