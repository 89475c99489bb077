/** Parses JSON (RFC 8259) and keeps the position of each value; reports the position of the first syntax error. */
import { diagnostic, type Placed, type Rules } from "./diagnostic.ts";
import { createJsonIndex, nextMark, stringEnd } from "./json-index.ts";
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

/** The rule of texts that no reader can parse. */
export const syntaxRules = {
  syntax: {
    level: "error",
    description: "A text is not one of its language.",
    help: "Correct the text at this place.",
    tags: ["syntax"],
  },
} as const satisfies Rules;

/** A syntax error. Its message has no full stop. */
export function syntaxError(file: string, start: TextPosition, message: string): Placed<"syntax"> {
  return { ...diagnostic(syntaxRules, "syntax", message), at: { file, start } };
}

/** Maximum nesting in levels; `JSON.parse` accepts more, but no file written by a person needs them. */
const maxDepth = 500;

/** Parses a JSON text, or returns its first syntax error, in `file`. */
export function parseJsonSource(text: string, file = ""): Result<JsonSource, Placed<"syntax">> {
  const parsed = tryParse(text);
  const fault = parsed ? tooDeepAt(text) : faultOf(text);
  const positionAt = createLineIndex(text);
  if (!parsed || fault !== undefined)
    return failure(syntaxError(file, positionAt(fault?.offset ?? 0), faultMessage(text, fault)));
  const { startOf, endOf } = createJsonIndex(text);
  const locate = (at: string) => positionAt(startOf(at));
  const range = (at: string) => {
    const start = startOf(at);
    return { start: positionAt(start), end: positionAt(endOf(start)) };
  };
  return success({ value: parsed.value, locate, range });
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The first value that is nested too deeply in a valid text. */
function tooDeepAt(text: string): ScanStop | undefined {
  let depth = 0;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at)) {
    const found = text[at];
    if (found === '"') at = stringEnd(text, at);
    else {
      depth += found === "{" || found === "[" ? 1 : -1;
      if (depth > maxDepth) return new ScanStop(at, true);
      at++;
    }
  }
  return undefined;
}

/** Before the value of a private member of a key (RFC 7518, section 6), which no message repeats. */
const secretMember = /"(k|d|p|q|dp|dq|qi)"\s?:\s?$/;

function faultMessage(text: string, { offset, isTooDeep, isSecond }: ScanStop = new ScanStop(0)): string {
  if (text.trim() === "") return "the text is empty";
  if (isTooDeep) return `objects and arrays are nested in more than ${maxDepth} levels`;
  if (offset >= text.length) return "the text ends too early";
  if (text[offset] === '"' && stringEnd(text, offset) === 0)
    return "the text ends too early, inside a string";
  const [, secret] = secretMember.exec(text.slice(Math.max(0, offset - 40), offset)) ?? [];
  const found = secret
    ? `the value of \`${secret}\``
    : `\`${text.slice(offset, offset + 12).split("\n")[0]}\``;
  if (isSecond && /[[{]/.test(text[offset] ?? ""))
    return `${found} begins a second value; a text has one, or one a line, as \`jq -c\` writes them`;
  return `${found} is not allowed here`;
}

const space = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in strings
const characters = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Stops a scan at an offset; thrown and caught in this file only. */
class ScanStop {
  readonly offset: number;
  /** Whether the values around it are nested too deeply. */
  readonly isTooDeep: boolean;
  /** Whether a whole value is before it. */
  readonly isSecond: boolean;
  constructor(offset: number, isTooDeep = false, isSecond = false) {
    this.offset = offset;
    this.isTooDeep = isTooDeep;
    this.isSecond = isSecond;
  }
}

/** The first syntax error. */
function faultOf(text: string): ScanStop | undefined {
  let offset = 0;

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = offset;
    const found = pattern.test(text);
    if (found) offset = pattern.lastIndex;
    return found;
  }

  /** Piece by piece: one pattern for the whole of a very long string would exhaust the stack. */
  function takeString(): boolean {
    if (text[offset] !== '"') return false;
    const start = offset++;
    while (take(characters));
    if (text[offset++] === '"') return true;
    offset = start;
    return false;
  }

  function isNext(mark: string): boolean {
    take(space);
    if (text[offset] !== mark) return false;
    offset++;
    return true;
  }

  function expect(isFound: boolean): void {
    if (!isFound) throw new ScanStop(offset);
  }

  function value(depth: number): void {
    take(space);
    if (depth > maxDepth) throw new ScanStop(offset, true);
    if (isNext("{")) members(depth);
    else if (isNext("[")) elements(depth);
    else expect(takeString() || take(scalar));
  }

  function members(depth: number): void {
    if (isNext("}")) return;
    do {
      take(space);
      expect(takeString());
      expect(isNext(":"));
      value(depth + 1);
    } while (isNext(","));
    expect(isNext("}"));
  }

  function elements(depth: number): void {
    if (isNext("]")) return;
    do value(depth + 1);
    while (isNext(","));
    expect(isNext("]"));
  }

  try {
    value(0);
    take(space);
    return offset === text.length ? undefined : new ScanStop(offset, false, true);
  } catch (error) {
    if (error instanceof ScanStop) return error;
    throw error;
  }
}
