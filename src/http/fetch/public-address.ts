/**
 * The addresses of the public internet: all but those in the IANA special-purpose registries (RFC 6890 and its
 * updates). IPv6 addresses are public only within 2000::/3, except those that embed an IPv4 address.
 */

import { BlockList, isIPv4, isIPv6 } from "node:net";
import { aString, requireArgument } from "../../core/arguments.ts";

const special4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Special ranges within 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const special6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const blocked4 = blockList(special4, "ipv4");
const blocked6 = blockList(special6, "ipv6");
const global6 = blockList([["2000::", 3]], "ipv6");

function blockList(subnets: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family);
  return list;
}

/**
 * Whether an IP address belongs to the public internet; false for strings that are not addresses.
 *
 * @example
 * ```ts
 * isPublicAddress("93.184.215.14"); // => true
 * isPublicAddress("::ffff:10.0.0.1"); // => false
 * ```
 */
export function isPublicAddress(address: string): boolean {
  requireArgument("address", address, aString);
  if (isIPv4(address)) return !blocked4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !blocked6.check(address, "ipv6");
}

const loopback4 = blockList([["127.0.0.0", 8]], "ipv4");

const private4 = blockList(
  [
    ["10.0.0.0", 8],
    ["127.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ],
  "ipv4",
);
const private6 = blockList([["fc00::", 7]], "ipv6");
/** The metadata service of a cloud that has an address of a private network. */
const metadata6 = blockList([["fd00:ec2::254", 128]], "ipv6");

/**
 * Whether an IP address is of the public internet, of this machine's loopback interface or of a private network (RFC 1918,
 * RFC 4193). Link-local addresses and those of metadata services, which hand out credentials, never are.
 *
 * @example
 * ```ts
 * isPublicOrPrivateAddress("10.1.2.3"); // => true
 * isPublicOrPrivateAddress("169.254.169.254"); // => false
 * ```
 */
export function isPublicOrPrivateAddress(address: string): boolean {
  if (isPublicAddress(address)) return true;
  if (isIPv4(address)) return private4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  if (metadata6.check(address, "ipv6")) return false;
  return private6.check(address, "ipv6") || isLoopbackAddress(address);
}

/**
 * Whether an IP address is one of this machine's loopback interface (127.0.0.0/8, ::1).
 *
 * @example
 * ```ts
 * isLoopbackAddress("127.0.0.2"); // => true
 * isLoopbackAddress("10.0.0.1"); // => false
 * ```
 */
export function isLoopbackAddress(address: string): boolean {
  return isIPv4(address) ? loopback4.check(address, "ipv4") : address === "::1";
}
