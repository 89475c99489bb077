/**
 * The addresses of the public internet: all but those in the IANA special-purpose registries (RFC 6890 and its
 * updates). IPv6 addresses are public only within 2000::/3, except those that embed an IPv4 address.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

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
  if (isIPv4(address)) return !blocked4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !blocked6.check(address, "ipv6");
}

const loopback4 = blockList([["127.0.0.0", 8]], "ipv4");

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
