/**
 * Finds what `JSON.parse` changes in silence: of members that an object has more than once it keeps the last, and it rounds
 * integers beyond 2^53.
 */
import { stringEnd } from "../json-index.ts";

/** An object or array around the place of the scan. */
interface Container {
  /** The names of an object so far. */
  readonly names?: Set<string>;
  /** The name or index of its current child. */
  child: string | number;
}

/** A place of a text that `JSON.parse` reads in another way than it is written. */
export interface JsonOddity {
  /** A member whose name the object already has, or a number that is read as another one. */
  readonly kind: "repeated" | "rounded";
  /** RFC 6901 pointer. */
  readonly pointer: string;
}

/**
 * The oddities of a valid JSON text, in its order.
 *
 * @example [...jsonOddities('{"a":1,"a":2}')] // [{ kind: "repeated", pointer: "/a" }]
 */
export function* jsonOddities(text: string): Generator<JsonOddity> {
  const path: Container[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at);
    const inner = path.at(-1);
    if (mark === marks.quote) {
      const end = stringEnd(text, at);
      if (isName && inner?.names) {
        inner.child = JSON.parse(text.slice(at, end)) as string;
        if (inner.names.has(inner.child)) yield { kind: "repeated", pointer: pointerOf(path) };
        inner.names.add(inner.child);
      }
      isName = false;
      at = end - 1;
    } else if (mark === marks.comma) {
      if (typeof inner?.child === "number") inner.child++;
      else isName = true;
    } else if (mark === marks.openBrace) {
      path.push({ names: new Set(), child: "" });
      isName = true;
    } else if (mark === marks.openBracket) path.push({ child: 0 });
    else if (mark === marks.closeBrace || mark === marks.closeBracket) {
      path.pop();
      isName = false;
    } else if (mark === marks.minus || isDigit(mark)) {
      const end = numberEnd(text, at);
      // No integer of fewer digits is beyond 2^53, and only an exponent makes a short number a large one.
      const literal = end - at < minDigits ? "" : text.slice(at, end);
      if (literal !== "" && isRounded(literal)) yield { kind: "rounded", pointer: pointerOf(path) };
      at = end - 1;
    }
  }
}

const minDigits = 5;

function numberEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberPart(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Digits, and `+`, `-`, `.`, `E` and `e`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
}

/** Whether a number is beyond the range of a double, or an integer that is read as another one. */
function isRounded(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(literal) && BigInt(literal) !== BigInt(value);
}

const marks = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  minus: 0x2d,
};

function pointerOf(path: readonly Container[]): string {
  return path.map(({ child }) => `/${String(child).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
