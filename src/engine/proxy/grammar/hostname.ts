/**
 * Host names (RFC 1123 section 2.1, with underscores as DNS owner names have them). At least two labels, ASCII only
 * (an internationalized name must be punycode), and the last label must not be a number to an address parser.
 */

import { type ParseFault, parseFailure } from "../../../core/address/parse-fault.ts";
import { type Failure, type Result, success } from "../../../core/result.ts";

/** Maximum length of a name and of a label, in characters (RFC 1035, section 2.3.4). */
const maxName = 253;
const maxLabel = 63;
const dot = 46;
const hyphen = 45;

/**
 * Parses a host name. The value is normalized for comparison: lower case, without the trailing dot.
 *
 * @example parseHostname("Origin.Example.com.") // { ok: true, value: "origin.example.com" }
 */
export function parseHostname(text: string): Result<string, ParseFault> {
  const end = text.endsWith(".") ? text.length - 1 : text.length;
  if (end > maxName) return parseFailure(maxName, `at most ${maxName} characters are allowed`);
  let start = 0;
  let labels = 0;
  for (let at = 0; at <= end; at++) {
    if (at < end && text.charCodeAt(at) !== dot) continue;
    const wrong = labelFailure(text, start, at);
    if (wrong) return wrong;
    labels++;
    if (at < end) start = at + 1;
  }
  if (labels < 2) return parseFailure(end, "a name of at least two labels is expected");
  if (isNumber(text, start, end)) return parseFailure(start, "a last label that is not a number is expected");
  return success(foldHostname(text));
}

/**
 * Normalizes a host name for comparison: lower case, without one trailing dot. Does not validate the name.
 *
 * @example foldHostname("Origin.Example.com.") // "origin.example.com"
 */
export function foldHostname(name: string): string {
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}

function labelFailure(text: string, start: number, end: number): Failure<ParseFault> | undefined {
  if (start === end) return parseFailure(start, "a label is expected");
  if (end - start > maxLabel)
    return parseFailure(start, `a label of at most ${maxLabel} characters is expected`);
  for (let at = start; at < end; at++) {
    if (!isLabelCode(text.charCodeAt(at))) {
      return parseFailure(at, "a letter, digit, `-` or `_` is expected (other scripts as punycode)");
    }
  }
  if (text.charCodeAt(start) === hyphen)
    return parseFailure(start, "a label that does not begin with `-` is expected");
  if (text.charCodeAt(end - 1) === hyphen)
    return parseFailure(end - 1, "a label that does not end with `-` is expected");
  return undefined;
}

function isLabelCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === hyphen;
}

/** Whether lenient address parsers read the label as a number: all digits, or `0x...`. */
function isNumber(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  return code >= 48 && code <= 57 && /^(?:\d+|0x[0-9a-f]*)$/i.test(text.slice(start, end));
}
