/**
 * IPv4 and IPv6 addresses, parsed into 128 bits and printed. Strict: only dotted decimal without leading zeros
 * (RFC 6943, section 3.1.1, describes the risk of the lenient notations) and RFC 4291, section 2.2, without zone ids.
 */

import { type Failure, type Result, success } from "../result.ts";
import { isHexDigit } from "../text/hex-digit.ts";
import { type ParseFault, parseFailure } from "./parse-fault.ts";

/** An IP address. */
export interface Ip {
  /** 4 for IPv4, 6 for IPv6. */
  readonly family: 4 | 6;
  /** Four unsigned 32-bit words, most significant first. IPv4 is in the last word, and the others are 0. */
  readonly words: readonly [number, number, number, number];
}

const dot = 46;
const colon = 58;
const percent = 37;
const groupCount = 8;

/**
 * Parses dotted decimal. Octal, hexadecimal and short notations are rejected.
 *
 * @example parseIpv4("0177.0.0.1") // { ok: false, problems: [{ offset: 0, message: "a number without leading zeros is expected" }] }
 */
export function parseIpv4(text: string): Result<Ip, ParseFault> {
  let word = 0;
  let octets = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && text.charCodeAt(at) !== dot) continue;
    if (octets === 4) return parseFailure(start - 1, "exactly four numbers are expected");
    const octet = octetOf(text, start, at);
    if (typeof octet !== "number") return octet;
    word = word * 256 + octet;
    octets++;
    start = at + 1;
  }
  if (octets < 4) return parseFailure(text.length, "four numbers are expected");
  return success({ family: 4, words: [0, 0, 0, word] });
}

function octetOf(text: string, start: number, end: number): number | Failure<ParseFault> {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return parseFailure(at, "a decimal digit is expected");
    value = value * 10 + digit;
    if (value > 255) return parseFailure(start, "a number from 0 to 255 is expected");
  }
  if (start === end) return parseFailure(start, "a number from 0 to 255 is expected");
  if (end - start > 1 && text.charCodeAt(start) === 48)
    return parseFailure(start, "a number without leading zeros is expected");
  return value;
}

/**
 * Parses an IPv6 address: eight groups, at most one `::`, an IPv4 address allowed as the last 32 bits.
 *
 * @example parseIpv6("2001:db8::1") // { ok: true, value: { family: 6, words: [0x20010db8, 0, 0, 1] } }
 */
export function parseIpv6(text: string): Result<Ip, ParseFault> {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.charCodeAt(0) === colon) {
    if (text.charCodeAt(1) !== colon)
      return parseFailure(0, "a group of hexadecimal digits or `::` is expected");
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const end = groupEnd(text, at);
    if (text.charCodeAt(end) === dot) {
      const wrongTail = pushIpv4Tail(text, at, groups);
      if (wrongTail) return wrongTail;
      break;
    }
    if (end === at || end - at > 4) return groupFailure(text, at, end);
    groups.push(Number.parseInt(text.slice(at, end), 16));
    if (end === text.length) break;
    if (text.charCodeAt(end) !== colon) return groupFailure(text, end, end);
    at = end + 1;
    if (text.charCodeAt(at) === colon) {
      if (gap >= 0) return parseFailure(end, "only one `::` is allowed");
      gap = groups.length;
      at++;
    } else if (at === text.length) return parseFailure(at, "a group of hexadecimal digits is expected");
    if (groups.length === groupCount) return parseFailure(end, "at most eight groups are allowed");
  }
  return assembled(groups, gap, text.length);
}

function groupEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isHexDigit(text.charCodeAt(at))) at++;
  return at;
}

function groupFailure(text: string, at: number, end: number): Failure<ParseFault> {
  if (end - at > 4) return parseFailure(at, "a group has at most four hexadecimal digits");
  if (text.charCodeAt(at) === percent) return parseFailure(at, "an address without a zone id is expected");
  return parseFailure(at, "a hexadecimal digit or `:` is expected");
}

function pushIpv4Tail(text: string, at: number, groups: number[]): Failure<ParseFault> | undefined {
  if (groups.length > groupCount - 2) return parseFailure(at, "at most 128 bits are allowed");
  const tail = parseIpv4(text.slice(at));
  if (!tail.ok) {
    const [{ offset, message }] = tail.problems;
    return parseFailure(at + offset, message);
  }
  const word = tail.value.words[3];
  groups.push(word >>> 16, word & 0xffff);
  return undefined;
}

function assembled(groups: number[], gap: number, end: number): Result<Ip, ParseFault> {
  if (gap < 0 && groups.length !== groupCount)
    return parseFailure(end, "eight groups or a `::` are expected");
  if (gap >= 0 && groups.length >= groupCount) return parseFailure(end, "`::` stands for at least one group");
  const zeros = groupCount - groups.length;
  const group = (i: number) => {
    if (gap < 0 || i < gap) return groups[i] as number;
    return i < gap + zeros ? 0 : (groups[i - zeros] as number);
  };
  const word = (i: number) => ((group(i) << 16) | group(i + 1)) >>> 0;
  return success({ family: 6, words: [word(0), word(2), word(4), word(6)] });
}

/**
 * Parses an IPv4 or IPv6 address.
 *
 * @example parseIp("::1") // { ok: true, value: { family: 6, words: [0, 0, 0, 1] } }
 */
export function parseIp(text: string): Result<Ip, ParseFault> {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/**
 * Prints the canonical notation: dotted decimal, or RFC 5952 (IPv4-mapped addresses end in dotted decimal, section 5).
 *
 * @example printIp({ family: 6, words: [0x20010db8, 0, 0, 1] }) // "2001:db8::1"
 */
export function printIp(ip: Ip): string {
  const [a, b, c, d] = ip.words;
  if (ip.family === 4) return dotted(d);
  if (a === 0 && b === 0 && c === 0xffff) return `::ffff:${dotted(d)}`;
  const groups = ip.words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const [start, length] = longestZeros(groups);
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":");
  return length < 2 ? hex(0, groupCount) : `${hex(0, start)}::${hex(start + length, groupCount)}`;
}

function dotted(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** The first of the longest runs of zero groups (RFC 5952, section 4.2.3). */
function longestZeros(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best[1]) best = [i - length + 1, length];
  });
  return best;
}
