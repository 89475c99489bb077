/** Longest-prefix lookup over any number of address prefixes. */

import { bitOf, type Cidr } from "../../../core/address/cidr.ts";
import type { Ip } from "../../../core/address/ip.ts";

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
 * const wide = { ip: { family: 4, words: [0, 0, 0, 0x0a000000] }, length: 8 } as const; // 10.0.0.0/8
 * const narrow = { ip: { family: 4, words: [0, 0, 0, 0x0a090000] }, length: 16 } as const; // 10.9.0.0/16
 * const table = compilePrefixes([[wide, "wide"], [narrow, "narrow"]]);
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
