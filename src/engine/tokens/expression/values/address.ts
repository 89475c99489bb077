/** IP addresses, networks and ranges (RFC 4291, section 2.2; RFC 4632). IPv4 is a number, IPv6 a bigint. */

import { parseAddressWithLength } from "../../../../core/address/cidr.ts";
import { type Ip, parseIp, printIp } from "../../../../core/address/ip.ts";
import type { Address } from "../language/types.ts";

/** Parses an address; undefined for another string. */
export function parseAddress(text: string): Address | undefined {
  const ip = parseIp(text);
  return ip.ok ? addressOf(ip.value) : undefined;
}

function addressOf({ family, words }: Ip): Address {
  return family === 4 ? words[3] : words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
}

/** Prints an address; the inverse of parsing it. */
export function printAddress(address: Address): string {
  if (typeof address === "number") return printIp({ family: 4, words: [0, 0, 0, address] });
  const word = (i: bigint) => Number((address >> (32n * i)) & 0xffff_ffffn);
  return printIp({ family: 6, words: [word(3n), word(2n), word(1n), word(0n)] });
}

/** Addresses from the first to the last one. */
export interface AddressRange {
  readonly first: Address;
  readonly last: Address;
  readonly prefix?: number;
}

/** Parses an address, a network such as `10.0.0.0/8`, or a range such as `192.0.2.1..192.0.2.9`; a string is the problem. */
export function parseAddressRange(text: string): AddressRange | string {
  const ends = text.split("..");
  if (ends.length === 2) return parseRange(text, ends as [string, string]);
  if (text.includes("/")) return parseNetwork(text);
  const first = parseAddress(text);
  return first === undefined ? `\`${text}\` is not an IP address, network or range` : { first, last: first };
}

function parseRange(text: string, [start, end]: readonly [string, string]): AddressRange | string {
  const first = parseAddress(start);
  const last = parseAddress(end);
  if (first === undefined || last === undefined) return `\`${text}\` is not a range of IP addresses`;
  if (typeof first !== typeof last) return `the range \`${text}\` has addresses of two families`;
  return first <= last ? { first, last } : `the range \`${text}\` must be ascending`;
}

function parseNetwork(text: string): AddressRange | string {
  const parsed = parseAddressWithLength(text);
  if (!parsed.ok) {
    const [{ offset, message }] = parsed.problems;
    return offset > text.indexOf("/")
      ? `\`${text}\` is not a network: ${message}`
      : `\`${text}\` is not an IP address, network or range`;
  }
  const { ip, length } = parsed.value;
  const first = addressOf(ip);
  const base = networkOf(first, length);
  if (base !== first)
    return `\`${text}\` has bits after its prefix; the network is \`${printAddress(base)}/${length}\``;
  return { first, last: lastOf(first, length), prefix: length };
}

/** The first address of the network of an address. */
export function networkOf(address: Address, prefix: number): Address {
  if (typeof address === "number") return address - (address % 2 ** (32 - prefix));
  const rest = BigInt(128 - prefix);
  return (address >> rest) << rest;
}

/** The last address of the network of an address. */
export function lastOf(address: Address, prefix: number): Address {
  if (typeof address === "number") return Number(networkOf(address, prefix)) + 2 ** (32 - prefix) - 1;
  return address | ((1n << BigInt(128 - prefix)) - 1n);
}
