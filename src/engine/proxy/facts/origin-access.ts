/**
 * The default access check of origin addresses. The rule is the specification's ("internal access check": `chosen` in
 * detail); the ranges and their purposes are from the IANA special-purpose address registries (RFC 6890).
 */

import { type Cidr, parseCidr } from "../../../core/address/cidr.ts";
import type { Ip } from "../../../core/address/ip.ts";
import { arrayOf, integerFrom, objectWith, oneOf, requireArgument } from "../../../core/arguments.ts";
import { compilePrefixes } from "./prefix-table.ts";

/** Returns why an address is not allowed as origin, such as `a private address`; undefined when it is allowed. */
export type OriginAccess = (ip: Ip) => string | undefined;

const denied: readonly (readonly [cidr: string, reason: string])[] = [
  ["0.0.0.0/8", "an unspecified address"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "a shared address of carriers"],
  ["127.0.0.0/8", "a loopback address"],
  ["169.254.0.0/16", "a link-local address"],
  ["172.16.0.0/12", "a private address"],
  ["192.168.0.0/16", "a private address"],
  ["224.0.0.0/4", "a multicast address"],
  ["240.0.0.0/4", "a reserved address"],
  ["::/96", "an IPv4 address inside IPv6"],
  ["::/128", "an unspecified address"],
  ["::1/128", "a loopback address"],
  ["::ffff:0:0/96", "an IPv4 address inside IPv6"],
  ["::ffff:0:0:0/96", "an IPv4 address inside IPv6"],
  ["64:ff9b::/96", "an IPv4 address inside IPv6"],
  ["64:ff9b:1::/48", "an IPv4 address inside IPv6"],
  ["2002::/16", "an IPv4 address inside IPv6"],
  ["fc00::/7", "a private address"],
  ["fe80::/10", "a link-local address"],
  ["ff00::/8", "a multicast address"],
];

const table = compilePrefixes(denied.map(([cidr, reason]) => [prefixOf(cidr), reason] as const));

function prefixOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr.ok) return cidr.value;
  throw new RangeError(`${text} in the table of denied origins: ${cidr.problems[0].message}`);
}

/**
 * The default access check. Allows the documentation ranges, so that examples and tests can use them.
 *
 * @example originAccess({ family: 4, words: [0, 0, 0, 0x7f000001] }) // "a loopback address"
 */
export const originAccess: OriginAccess = (ip) => {
  requireArgument(
    "ip",
    ip,
    objectWith({ family: oneOf(4, 6), words: arrayOf(integerFrom(0, 0xffff_ffff), 4) }),
  );
  return table.lookup(ip);
};
