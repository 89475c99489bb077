/** Address prefixes (RFC 4632, RFC 4291 section 2.3) and longest-prefix lookup over any number of them. */

import { type Ip, parseIp } from "./ip.ts";
import { failed, type Parsed, parsed } from "./parsed.ts";
import { parseDecimal } from "./port.ts";

/** An address prefix: the first `length` bits of `ip`. */
export interface Cidr {
  readonly ip: Ip;
  /** In bits: 0..32 for IPv4, 0..128 for IPv6. */
  readonly length: number;
}

/**
 * Parses `address/length`. Bits beyond the length must be zero, since a route like 10.0.0.5/8 is usually a slip.
 *
 * @example parseCidr("10.0.0.0/8") // { ok: true, value: { ip: { family: 4, words: [0, 0, 0, 0x0a000000] }, length: 8 } }
 */
export function parseCidr(text: string): Parsed<Cidr> {
  const slash = text.indexOf("/");
  if (slash < 0) return failed(text.length, "`/` and a prefix length are expected");
  const ip = parseIp(text.slice(0, slash));
  if (!ip.ok) return ip;
  const most = ip.value.family === 4 ? 32 : 128;
  const length = parseDecimal(text, slash + 1, text.length, most);
  if (length === undefined) return failed(slash + 1, `a prefix length from 0 to ${most} is expected`);
  for (let bit = length; bit < most; bit++) {
    if (bitOf(ip.value, bit) === 1)
      return failed(slash + 1, "only zeros are allowed beyond the prefix length");
  }
  return parsed({ ip: ip.value, length });
}

/** The bit of an address, 0 the most significant of its family. */
function bitOf(ip: Ip, index: number): 0 | 1 {
  const at = ip.family === 4 ? index + 96 : index;
  return (((ip.words[at >>> 5] as number) >>> (31 - (at & 31))) & 1) as 0 | 1;
}

/** Finds the longest prefix that holds an address. */
export interface PrefixTable<T> {
  lookup(ip: Ip): T | undefined;
}

/** A place of the trie; every member is always there, so that all nodes have one layout. */
interface Node<T> {
  zero: Node<T> | undefined;
  one: Node<T> | undefined;
  value: T | undefined;
}

function node<T>(): Node<T> {
  return { zero: undefined, one: undefined, value: undefined };
}

/**
 * Compiles prefixes into a binary trie. Of two entries with the same prefix the later one counts.
 *
 * @example
 * ```ts
 * const prefix = (text: string) => (parseCidr(text) as { value: Cidr }).value;
 * const table = compilePrefixes([[prefix("10.0.0.0/8"), "wide"], [prefix("10.9.0.0/16"), "narrow"]]);
 * table.lookup({ family: 4, words: [0, 0, 0, 0x0a090001] }); // => "narrow"
 * ```
 */
export function compilePrefixes<T>(entries: Iterable<readonly [Cidr, T]>): PrefixTable<T> {
  const roots: Record<4 | 6, Node<T>> = { 4: node(), 6: node() };
  for (const [{ ip, length }, value] of entries) {
    let place = roots[ip.family];
    for (let bit = 0; bit < length; bit++) {
      const side = bitOf(ip, bit) === 1 ? "one" : "zero";
      place[side] ??= node();
      place = place[side];
    }
    place.value = value;
  }
  return { lookup: (ip) => walk(roots[ip.family], ip) };
}

function walk<T>(root: Node<T>, ip: Ip): T | undefined {
  let found: T | undefined;
  let place: Node<T> | undefined = root;
  for (let bit = 0; place; bit++) {
    if (place.value !== undefined) found = place.value;
    if (!place.zero && !place.one) break;
    place = bitOf(ip, bit) === 1 ? place.one : place.zero;
  }
  return found;
}
