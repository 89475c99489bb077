/**
 * Regular expressions over bytes, of which `(?i)` ignores the case of ASCII letters alone (`observed`: the open source engine, measured
 * on a build of it). Bytes above ASCII are searched as characters for private use, which have no case.
 */

import { compilePattern, patternProblem } from "./regular-expression.ts";

/** The reason why a pattern is invalid, or would need unbounded work; undefined for an accepted one. */
export function bytePatternProblem(pattern: string): string | undefined {
  const problem = patternProblem(withoutCase(pattern));
  return problem?.replace(privateUse, (letter) => String.fromCharCode(letter.charCodeAt(0) - offset));
}

/** Compiles an accepted pattern to a test of whether some part of a string of bytes matches. */
export function compileBytePattern(pattern: string): (bytes: string) => boolean {
  const replaced = withoutCase(pattern);
  const find = compilePattern(replaced);
  if (replaced === pattern) return find;
  return (bytes) => find(replaceBytes(bytes));
}

/** The character for byte 0 of those for private use. */
const offset = 0xe000;
const privateUse = /[\ue080-\ue0ff]/g;

/** Quoted text, escapes with the code of a character, other escapes, and characters above ASCII. */
const parts =
  /\\Q[\s\S]*?(?:\\E|$)|\\x\{([0-9a-f]+)\}|\\x([0-9a-f]{2})|\\([23][0-7]{2})|\\[\s\S]|[\x80-\xff]/gi;

/** A pattern that may ignore case, with other characters for bytes above ASCII; any other one as it is. */
function withoutCase(pattern: string): string {
  if (!/\(\?\w*i/.test(pattern)) return pattern;
  return pattern.replace(parts, (part: string, braced?: string, hex?: string, octal?: string) => {
    const code = octal === undefined ? Number.parseInt(braced ?? hex ?? "", 16) : Number.parseInt(octal, 8);
    return code >= 0x80 && code <= 0xff ? String.fromCharCode(offset + code) : replaceBytes(part);
  });
}

function replaceBytes(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(offset + byte.charCodeAt(0)));
}
