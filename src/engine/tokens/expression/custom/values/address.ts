/** IP addresses, networks and ranges (RFC 4291, section 2.2; RFC 4632). IPv4 is a number, IPv6 a bigint. */

import type { Address } from "../../language/custom-types.ts";

/** The bits of an address. */
const bitsOf = (address: Address) => (typeof address === "number" ? 32 : 128);

const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const group = /^[0-9A-Fa-f]{1,4}$/;
const groups = 8;

/** Parses an address; undefined for another string. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): number | undefined {
  if (!ipv4.test(text)) return undefined;
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const parts = [...head, ...(tail ?? [])];
  const last = parts.at(-1);
  if (last?.includes(".")) {
    const end = tail?.length === 0 ? undefined : parseIpv4(last);
    if (end === undefined) return undefined;
    const pair = [Math.floor(end / 65536).toString(16), (end % 65536).toString(16)];
    (tail ?? head).splice(-1, 1, ...pair);
  }
  const count = head.length + (tail?.length ?? 0);
  if (tail === undefined ? count !== groups : count >= groups) return undefined;
  const all = [...head, ...new Array<string>(groups - count).fill("0"), ...(tail ?? [])];
  if (!all.every((one) => group.test(one))) return undefined;
  return all.reduce((sum, one) => (sum << 16n) | BigInt(`0x${one}`), 0n);
}

/** Prints an address; the inverse of parsing it. */
export function printAddress(address: Address): string {
  if (typeof address === "number") return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".");
  const parts = Array.from({ length: groups }, (_, i) =>
    ((address >> BigInt(16 * (groups - 1 - i))) & 0xffffn).toString(16),
  );
  const zeros = [...parts.join(":").matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length)[0];
  const text = parts.join(":");
  if (zeros === undefined) return text;
  const before = text.slice(0, zeros.index).replace(/:$/, "");
  return `${before}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, "")}`;
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
  const [start = "", prefix, ...more] = text.split("/");
  const first = parseAddress(start);
  if (first === undefined || more.length > 0) return `\`${text}\` is not an IP address, network or range`;
  if (prefix === undefined) return { first, last: first };
  return parseNetwork(text, first, prefix);
}

function parseRange(text: string, [start, end]: readonly [string, string]): AddressRange | string {
  const first = parseAddress(start);
  const last = parseAddress(end);
  if (first === undefined || last === undefined) return `\`${text}\` is not a range of IP addresses`;
  if (typeof first !== typeof last) return `the range \`${text}\` has addresses of two families`;
  return first <= last ? { first, last } : `the range \`${text}\` must be ascending`;
}

function parseNetwork(text: string, first: Address, prefix: string): AddressRange | string {
  const length = /^(?:0|[1-9][0-9]{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  const bits = bitsOf(first);
  if (!(length <= bits)) return `the prefix of \`${text}\` must be an integer from 0 to ${bits}`;
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
