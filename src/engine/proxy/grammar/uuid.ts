/** UUIDs: 8-4-4-4-12 hexadecimal digits, either case, any version (RFC 9562, section 4). */

import { type ParseFault, parseFailure } from "../../../core/address/parse-fault.ts";
import { type Result, success } from "../../../core/result.ts";
import { isHexDigit } from "../../../core/text/hex-digit.ts";

const length = 36;
const hyphens: ReadonlySet<number> = new Set([8, 13, 18, 23]);

/**
 * Parses a UUID. The value is in lower case, so that two UUIDs can be compared with `===`.
 *
 * @example parseUuid("F70FF985-A4EF-4643-BBBC-4A0ED4FC8415") // { ok: true, value: "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415" }
 */
export function parseUuid(text: string): Result<string, ParseFault> {
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (hyphens.has(at)) {
      if (code !== 45) return parseFailure(at, "`-` is expected");
    } else if (!isHexDigit(code)) return parseFailure(at, "a hexadecimal digit is expected");
  }
  return text.length === length
    ? success(text.toLowerCase())
    : parseFailure(length, "36 characters are expected");
}

/**
 * Rewrites a UUID in the standard format. Missing or extra hyphens, braces and a `urn:uuid:` prefix are accepted;
 * undefined when the string is not a UUID in any of these formats.
 *
 * @example standardUuid("{f70ff985a4ef4643bbbc4a0ed4fc8415}") // "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415"
 */
export function standardUuid(text: string): string | undefined {
  if (!/^(?:urn:uuid:)?\{?(?:[0-9a-f]{4}-?){8}\}?$/i.test(text)) return undefined;
  const digits = text.replace(/^urn:uuid:/i, "").replace(/[^0-9a-f]/gi, "");
  return digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
