/**
 * What the world knows about an account and its zones. Every fact is optional: a check that would need a missing one is
 * reported as not evaluated.
 */

import type { Cidr, PrefixTable } from "../grammar/cidr.ts";
import type { ProtocolSet } from "../grammar/protocol.ts";
import type { OriginAccess } from "./origin-access.ts";

/** Plans: `pay-as-you-go` may send three members and one application for each protocol (`spec`). */
export const plans = ["pay-as-you-go", "add-on"] as const;
export type Plan = (typeof plans)[number];

/** A host name that an application of some zone answers on. */
export interface HostnameFact {
  readonly name: string;
  /** Id of the zone that has it. */
  readonly zone: string;
  /** Whether the name holds an IPv4 address of the zone's quota. */
  readonly ipv4?: boolean;
}

/** A static edge address that an application uses. */
export interface EdgeIpFact {
  readonly ip: string;
  /** Id of the zone whose application uses it. */
  readonly zone: string;
  /** The zone no longer exists: the address is held by an orphan. */
  readonly deleted?: boolean;
}

/** A virtual network with the prefixes it routes. */
export interface VirtualNetworkFact {
  /** UUID, compared without case. */
  readonly id: string;
  /** CIDR prefixes. */
  readonly routes: readonly string[];
}

/** Everything a validation can know. A plain JSON value, but for the two functions. */
export interface Facts {
  /** Default `add-on`. */
  readonly plan?: Plan;
  /** What the account has; a feature left out is unknown, not off. */
  readonly features?: {
    readonly ftp?: boolean;
    readonly edge_ips?: boolean;
    readonly smart_routing?: boolean;
  };
  /** What the credential of the request may do. */
  readonly permissions?: { readonly ip_prefixes?: boolean };
  /** CIDR prefixes that are allocated to the account. */
  readonly prefixes?: readonly string[];
  /** Protocols, in the grammar of `protocol`: those of the plan, and those that nobody may use. */
  readonly protocols?: { readonly allowed?: readonly string[]; readonly reserved?: readonly string[] };
  /** The zone's applications; an updated one may stand among them. */
  readonly apps?: readonly { readonly id?: string; readonly protocol: string }[];
  /** Id of the zone that the application belongs to. */
  readonly zone?: string;
  /** The zones that may be used, with their domain names. */
  readonly zones?: readonly { readonly id: string; readonly name: string }[];
  /** Host names of applications, on this zone and on others. */
  readonly hostnames?: readonly HostnameFact[];
  /** Static edge addresses in use, by this zone and by others. */
  readonly edge_ips?: readonly EdgeIpFact[];
  readonly virtual_networks?: readonly VirtualNetworkFact[];
  /** The zone's IPv4 addresses; without a quota it has no limit. */
  readonly ipv4?: { readonly quota?: number; readonly used: number };
  /** Id of the zone that a DNS name lives on, undefined when unknown. Default: the longest name in `zones` that fits. */
  readonly zoneOf?: (name: string) => string | undefined;
  /** Which addresses an origin may have. Default: `originAccess`. */
  readonly originAccess?: OriginAccess;
}

/** Facts made ready for many validations; made by `compileFacts`. */
export interface CompiledFacts {
  readonly plan: Plan;
  readonly features: NonNullable<Facts["features"]>;
  readonly permissions: NonNullable<Facts["permissions"]>;
  readonly prefixes: PrefixTable<Cidr> | undefined;
  readonly allowed: ProtocolSet | undefined;
  readonly reserved: ProtocolSet | undefined;
  /** The zone's applications by canonical protocol. */
  readonly apps: ReadonlyMap<string, readonly { readonly id?: string }[]> | undefined;
  readonly zone: string | undefined;
  /** Whether the list of zones was given, so that a name outside of it is known to be outside. */
  readonly zonesKnown: boolean;
  readonly zoneOf: ((name: string) => string | undefined) | undefined;
  /** By name in lower case, without a trailing dot. */
  readonly hostnames: ReadonlyMap<string, readonly HostnameFact[]> | undefined;
  /** By canonical address. */
  readonly edgeIps: ReadonlyMap<string, readonly Omit<EdgeIpFact, "ip">[]> | undefined;
  /** Routes by network id in lower case. */
  readonly networks: ReadonlyMap<string, PrefixTable<Cidr>> | undefined;
  readonly ipv4: Facts["ipv4"];
  readonly originAccess: OriginAccess;
}
