/**
 * Restricts the addresses that a request connects to. Every address is checked when the connection is made, on the
 * result of the lookup that the connection uses: a name cannot resolve to one address for the check and to another for
 * the connection.
 */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress, isPublicOrPrivateAddress } from "./public-address.ts";

/** Looks up all addresses of a name; has the signature of `dns.lookup`. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/** Options of {@link addressGuard}. */
export interface AddressGuardOptions {
  /** Whether an IP address may be connected to. Default: those of the public internet. */
  readonly allow?: ((address: string) => boolean) | undefined;
  /** Resolver of host names. Default: the system's. */
  readonly lookup?: LookupAll | undefined;
  /** Where allowed addresses are, for messages. Default `in the public internet`. */
  readonly where?: string;
}

/** The checks of one request. */
export interface AddressGuard {
  /** @throws {Error} when the host is an address that is not allowed */
  assertHost(hostname: string): void;
  /** Resolver of the connection: fails unless all addresses of a name are allowed. */
  readonly lookup: LookupFunction;
}

/** Where an address would be allowed, at most. */
function nearestOf(address: string): string {
  const nearest = "in the public internet";
  return isPublicOrPrivateAddress(address) ? nearest : `${nearest} or a private network`;
}

/** Creates the checks. */
export function addressGuard({
  allow = isPublicAddress,
  lookup = systemLookup as LookupAll,
  where,
}: AddressGuardOptions): AddressGuard {
  const assertAllowed = (address: string, hostname?: string) => {
    if (allow(address)) return;
    const host = hostname === undefined ? "" : ` of the host ${hostname}`;
    throw new Error(`the address ${address}${host} is not ${where ?? nearestOf(address)}`);
  };
  return {
    assertHost: (hostname) => {
      // The brackets of an IPv6 address are the URL's.
      const address = hostname.replace(/^\[|\]$/g, "");
      if (isIP(address)) assertAllowed(address);
    },
    lookup: (hostname, options, callback) => {
      lookup(hostname, { all: true }, (error, addresses) => {
        try {
          if (error) throw error;
          for (const { address } of addresses) assertAllowed(address, hostname);
          const [first] = addresses;
          if (!first) throw new Error(`the name ${hostname} has no address`);
          if (options.all) callback(null, addresses as { address: string; family: number }[]);
          else callback(null, first.address, first.family);
        } catch (reason) {
          callback(reason as Error, "");
        }
      });
    },
  };
}
