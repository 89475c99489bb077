/**
 * Host names (RFC 1123 section 2.1, with underscores as DNS owner names have them). At least two labels, ASCII only
 * (an internationalised name must be punycode), and never something an address parser could take for a number.
 */
import { failed, type Parsed, parsed } from "./parsed.ts";

/** Longest name and label, in characters (RFC 1035, section 2.3.4). */
const maxName = 253;
const maxLabel = 63;
const dot = 46;
const hyphen = 45;

/**
 * Parses a host name into the form in which two are compared: lower case, without the trailing dot.
 *
 * @example parseHostname("Origin.Example.com.") // { ok: true, value: "origin.example.com" }
 */
export function parseHostname(text: string): Parsed<string> {
  const end = text.endsWith(".") ? text.length - 1 : text.length;
  if (end > maxName) return failed(maxName, `no more than ${maxName} characters are allowed`);
  let start = 0;
  let labels = 0;
  for (let at = 0; at <= end; at++) {
    if (at < end && text.charCodeAt(at) !== dot) continue;
    const fault = labelFault(text, start, at);
    if (fault) return fault;
    labels++;
    if (at < end) start = at + 1;
  }
  if (labels < 2) return failed(end, "a name of at least two labels is expected");
  if (isNumber(text, start, end)) return failed(start, "a last label that is no number is expected");
  return parsed(foldHostname(text));
}

/** The form in which two names are compared, for names that are known to be valid. */
export function foldHostname(name: string): string {
  return (name.endsWith(".") ? name.slice(0, -1) : name).toLowerCase();
}

function labelFault(text: string, start: number, end: number) {
  if (start === end) return failed(start, "a label is expected");
  if (end - start > maxLabel) return failed(start, `a label of at most ${maxLabel} characters is expected`);
  for (let at = start; at < end; at++) {
    if (!isLabelCode(text.charCodeAt(at))) {
      return failed(at, "a letter, digit, `-` or `_` is expected (other scripts as punycode)");
    }
  }
  if (text.charCodeAt(start) === hyphen)
    return failed(start, "a label that does not begin with `-` is expected");
  if (text.charCodeAt(end - 1) === hyphen)
    return failed(end - 1, "a label that does not end with `-` is expected");
  return undefined;
}

function isLabelCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === hyphen;
}

/** Whether address parsers in the wild read the label as a number: all digits, or `0x...`. */
function isNumber(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  return code >= 48 && code <= 57 && /^(?:\d+|0x[0-9a-f]*)$/i.test(text.slice(start, end));
}
