/**
 * Facts about an account and its zones. Every fact is optional: a check that needs a missing fact is reported as not
 * evaluated.
 */

import type { Cidr } from "../../../core/address/cidr.ts";
import type { Protocol, ProtocolSet } from "../grammar/protocol.ts";
import type { OriginAccess } from "./origin-access.ts";
import type { PrefixTable } from "./prefix-table.ts";

/** Values of `Plan`. */
export const plans = ["pay-as-you-go", "add-on"] as const;
/** Plans: `pay-as-you-go` may send three members and have one application for each protocol (`spec`). */
export type Plan = (typeof plans)[number];

/** The plan of an account of which nothing is known (`chosen`). */
export const defaultPlan: Plan = "add-on";

/** Features of the account. A missing feature is unknown, not disabled. */
export interface FeatureFacts {
  /** `traffic_type` may be `ftp`. */
  readonly ftp?: boolean;
  /** Edge addresses may be static. */
  readonly edge_ips?: boolean;
  /** `smart_routing` may be true. */
  readonly smart_routing?: boolean;
}

/** Permissions of the credential. */
export interface PermissionFacts {
  /** Whether it may use the account's IP prefixes for static edge addresses. */
  readonly ip_prefixes?: boolean;
}

/** Protocols in the grammar of the member `protocol`, such as `tcp/22` and `udp/1000-2000`. */
export interface ProtocolFacts {
  /** Protocols of the zone's plan. */
  readonly allowed?: readonly string[];
  /** Protocols that the service reserves for itself. */
  readonly reserved?: readonly string[];
}

/** An application of the account. */
export interface AppFact {
  /** Id, which excludes the application from the checks when it is updated. */
  readonly id?: string;
  /** Its member `protocol`. */
  readonly protocol: string;
  /** Id of its zone. Default: the zone of the validated application. */
  readonly zone?: string;
  /** Its `dns.name`, compared without case and trailing dot. */
  readonly hostname?: string;
}

/** A zone of the account. */
export interface ZoneFact {
  /** Id of the zone. */
  readonly id: string;
  /** Domain name of the zone. */
  readonly name: string;
}

/** A host name on which an application is reached. */
export interface HostnameFact {
  /** Host name, compared without case and trailing dot. */
  readonly name: string;
  /** Id of the application's zone. */
  readonly zone: string;
  /** Whether the name uses an IPv4 address of the zone's quota. Default false. */
  readonly ipv4?: boolean;
}

/** A static edge address that an application uses. */
export interface EdgeIpFact {
  /** IPv4 or IPv6 address in any notation. */
  readonly ip: string;
  /** Id of the application's zone. */
  readonly zone: string;
  /** Whether the zone was deleted, which leaves the application orphaned. Default false. */
  readonly deleted?: boolean;
}

/** A virtual network and its routes. */
export interface VirtualNetworkFact {
  /** UUID, compared without case. */
  readonly id: string;
  /** CIDR prefixes. */
  readonly routes: readonly string[];
}

/** A DNS record of a zone, besides those of applications. */
export interface DnsRecordFact {
  /** Its name, compared without case and trailing dot. A wildcard is the record of no other name. */
  readonly name: string;
  /** Type of the record, such as `A`. */
  readonly type?: string;
  /** Whether HTTP requests to the name go through the edge. Default false. */
  readonly proxied?: boolean;
}

/** IPv4 addresses of the zone. */
export interface Ipv4Facts {
  /** Maximum number of addresses, 0 or more. Default: no limit. */
  readonly quota?: number;
  /** Number of addresses in use, 0 or more. */
  readonly used: number;
}

/** The known facts. A JSON value, except for the two functions. */
export interface Facts {
  /** Plan of the account. Default `add-on`. */
  readonly plan?: Plan;
  /** Features of the account. */
  readonly features?: FeatureFacts;
  /** Permissions of the credential. */
  readonly permissions?: PermissionFacts;
  /** CIDR prefixes that are allocated to the account. */
  readonly prefixes?: readonly string[];
  /** Allowed and reserved protocols. */
  readonly protocols?: ProtocolFacts;
  /** The account's applications, of all of its zones; may include the one that is updated. */
  readonly apps?: readonly AppFact[];
  /** Id of the application's zone. */
  readonly zone?: string;
  /** The account's zones. A `name` with a dot is the zone's domain; another name leaves the domain unknown. */
  readonly zones?: readonly ZoneFact[];
  /** Known zones of other accounts, in whose domains a `dns.name` must not be. */
  readonly other_zones?: readonly ZoneFact[];
  /** Host names in use, on this zone and on others. */
  readonly hostnames?: readonly HostnameFact[];
  /** Static edge addresses in use, by this zone and by others. */
  readonly edge_ips?: readonly EdgeIpFact[];
  /** The account's virtual networks. */
  readonly virtual_networks?: readonly VirtualNetworkFact[];
  /** The zone's IPv4 addresses. */
  readonly ipv4?: Ipv4Facts;
  /** Known DNS records. Default: none are known. */
  readonly dns_records?: readonly DnsRecordFact[];
  /**
   * Returns the id of the zone of a DNS name, or undefined when unknown. Default: the longest matching name in `zones`;
   * for `dns.name` also those in `other_zones`.
   */
  readonly zoneOf?: (name: string) => string | undefined;
  /** Decides which addresses an origin may have. Default: `originAccess`. */
  readonly originAccess?: OriginAccess;
}

/** An application with its parsed protocol, and its host name in lower case without a trailing dot. */
export interface NamedApp extends Pick<AppFact, "id" | "zone" | "hostname"> {
  /** Its edge ports. */
  readonly protocol: Protocol;
}

/** The known applications of the account. */
export interface CompiledApps {
  /** Whether there are no others. */
  readonly isComplete: boolean;
  /** All of them, by canonical protocol. */
  readonly byProtocol: ReadonlyMap<string, readonly NamedApp[]>;
  /** The applications with a known host name, by it. */
  readonly byHostname: ReadonlyMap<string, readonly NamedApp[]>;
  /** The applications without a known host name. */
  readonly nameless: readonly NamedApp[];
}

/** A use of a host name; its zone is undefined when it is the unknown zone of the validated application. */
export interface HostnameUse extends Pick<HostnameFact, "ipv4"> {
  /** Id of the zone. */
  readonly zone: string | undefined;
}

/** The known host names in use. */
export interface CompiledHostnames {
  /** Whether there are no others. */
  readonly isComplete: boolean;
  /** By name in lower case without a trailing dot. */
  readonly byName: ReadonlyMap<string, readonly HostnameUse[]>;
}

/** Facts in the form that the checks use; created by `compileFacts`. Undefined members are unknown. */
export interface CompiledFacts {
  /** Plan of the account. */
  readonly plan: Plan;
  /** Features of the account. */
  readonly features: FeatureFacts;
  /** Permissions of the credential. */
  readonly permissions: PermissionFacts;
  /** Prefixes of the account. */
  readonly prefixes: PrefixTable<Cidr> | undefined;
  /** Protocols of the zone's plan. */
  readonly allowed: ProtocolSet | undefined;
  /** Reserved protocols. */
  readonly reserved: ProtocolSet | undefined;
  /** The account's applications. */
  readonly apps: CompiledApps;
  /** Id of the application's zone. */
  readonly zone: string | undefined;
  /** Whether the list of zones is known, so that a name in none of them certainly belongs to none. */
  readonly zonesKnown: boolean;
  /** Returns the id of the zone of a DNS name. */
  readonly zoneOf: ((name: string) => string | undefined) | undefined;
  /** Returns the id of the zone in whose domain a `dns.name` is; undefined when nothing is known about domains. */
  readonly domainOf: ((name: string) => string | undefined) | undefined;
  /** Whether the domains of the application's zone and of all zones of its account are known. */
  readonly domainsKnown: boolean;
  /** Host names in use. */
  readonly hostnames: CompiledHostnames;
  /** Edge addresses in use, by canonical address. */
  readonly edgeIps: ReadonlyMap<string, readonly Omit<EdgeIpFact, "ip">[]> | undefined;
  /** Routes of virtual networks, by id in lower case. */
  readonly networks: ReadonlyMap<string, PrefixTable<Cidr>> | undefined;
  /** The zone's IPv4 addresses. */
  readonly ipv4: Ipv4Facts | undefined;
  /** Names of DNS records that are proxied, in lower case without a trailing dot. */
  readonly proxiedNames: ReadonlySet<string>;
  /** Decides which addresses an origin may have. */
  readonly originAccess: OriginAccess;
}

/** The facts that were compiled: those of a caller would lack what checks read. */
export const compiledFacts = new WeakSet<CompiledFacts>();
