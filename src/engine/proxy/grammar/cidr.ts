/** Address prefixes (RFC 4632, RFC 4291 section 2.3) and longest-prefix lookup over any number of them. */

import { type Ip, parseIp } from "../../../core/address/ip.ts";
import { type ParseFault, parseFailure } from "../../../core/address/parse-fault.ts";
import { type Result, success } from "../../../core/result.ts";
import { parseDecimal } from "./port.ts";

/** An address prefix: the first `length` bits of `ip`. */
export interface Cidr {
  /** The network address; all bits after the prefix are 0. */
  readonly ip: Ip;
  /** In bits: 0..32 for IPv4, 0..128 for IPv6. */
  readonly length: number;
}

/**
 * Parses `address/length`. Bits beyond the length must be zero, since a route like 10.0.0.5/8 is usually a mistake.
 *
 * @example parseCidr("10.0.0.0/8") // { ok: true, value: { ip: { family: 4, words: [0, 0, 0, 0x0a000000] }, length: 8 } }
 */
export function parseCidr(text: string): Result<Cidr, ParseFault> {
  const slash = text.indexOf("/");
  if (slash < 0) return parseFailure(text.length, "`/` and a prefix length are expected");
  const ip = parseIp(text.slice(0, slash));
  if (!ip.ok) return ip;
  const max = ip.value.family === 4 ? 32 : 128;
  const length = parseDecimal(text, slash + 1, text.length, max);
  if (length === undefined) return parseFailure(slash + 1, `a prefix length from 0 to ${max} is expected`);
  for (let bit = length; bit < max; bit++) {
    if (bitOf(ip.value, bit) === 1)
      return parseFailure(slash + 1, "only zeros are allowed beyond the prefix length");
  }
  return success({ ip: ip.value, length });
}

/** The bit of an address, 0 the most significant of its family. */
function bitOf(ip: Ip, index: number): 0 | 1 {
  const at = ip.family === 4 ? index + 96 : index;
  return (((ip.words[at >>> 5] as number) >>> (31 - (at & 31))) & 1) as 0 | 1;
}

/** A set of prefixes with a value each, searched by longest prefix. */
export interface PrefixTable<T> {
  /** The value of the longest prefix that contains the address; undefined when no prefix contains it. */
  lookup(ip: Ip): T | undefined;
}

/** A node of the trie. Every member is always set, so that all nodes have one hidden class in V8. */
interface TrieNode<T> {
  zero: TrieNode<T> | undefined;
  one: TrieNode<T> | undefined;
  value: T | undefined;
}

function newNode<T>(): TrieNode<T> {
  return { zero: undefined, one: undefined, value: undefined };
}

/**
 * Compiles prefixes into a binary trie. The later one of two entries with the same prefix wins.
 *
 * @example
 * ```ts
 * const prefix = (text: string) => (parseCidr(text) as { value: Cidr }).value;
 * const table = compilePrefixes([[prefix("10.0.0.0/8"), "wide"], [prefix("10.9.0.0/16"), "narrow"]]);
 * table.lookup({ family: 4, words: [0, 0, 0, 0x0a090001] }); // => "narrow"
 * ```
 */
export function compilePrefixes<T>(entries: Iterable<readonly [Cidr, T]>): PrefixTable<T> {
  const roots: Record<4 | 6, TrieNode<T>> = { 4: newNode(), 6: newNode() };
  for (const [{ ip, length }, value] of entries) {
    let node = roots[ip.family];
    for (let bit = 0; bit < length; bit++) {
      const side = bitOf(ip, bit) === 1 ? "one" : "zero";
      node[side] ??= newNode();
      node = node[side];
    }
    node.value = value;
  }
  return { lookup: (ip) => lookup(roots[ip.family], ip) };
}

function lookup<T>(root: TrieNode<T>, ip: Ip): T | undefined {
  let found: T | undefined;
  let node: TrieNode<T> | undefined = root;
  for (let bit = 0; node; bit++) {
    if (node.value !== undefined) found = node.value;
    if (!node.zero && !node.one) break;
    node = bitOf(ip, bit) === 1 ? node.one : node.zero;
  }
  return found;
}
