/** Types of proxy applications and their validation, with the interface's own field names (`spec`; details `observed`). */

import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Code, CodedDiagnostic, noteCodes } from "../../errors.ts";

/** Values of `DnsType`. */
export const dnsTypes = ["CNAME", "ADDRESS"] as const;
/** Kind of the application's DNS record: CNAME for dynamic edge addresses, ADDRESS for static ones (`spec`). */
export type DnsType = (typeof dnsTypes)[number];

/** Values of `TrafficType`. */
export const trafficTypes = ["direct", "http", "https", "ftp"] as const;
/** Kind of the proxied traffic. `ftp` is in no public list; accepted so that 11014 can occur (`chosen`). */
export type TrafficType = (typeof trafficTypes)[number];

/** Values of `OriginDnsType`. */
export const originDnsTypes = ["", "A", "AAAA", "SRV"] as const;
/** Records that an origin name resolves to; the empty string means A and AAAA (`observed`). */
export type OriginDnsType = (typeof originDnsTypes)[number];

/** Values of `Connectivity`. */
export const connectivities = ["all", "ipv4", "ipv6"] as const;
/** Address families of dynamic edge addresses (`observed`). */
export type Connectivity = (typeof connectivities)[number];

/** Kinds of edge addresses: chosen by the service, or the account's own. */
export const edgeIpTypes = ["dynamic", "static"] as const;

/** Values of `ProxyProtocol`. */
export const proxyProtocols = ["off", "v1", "v2", "simple"] as const;
/** How the client's address is passed to the origin: PROXY protocol version 1 or 2, Simple Proxy Protocol, or not at all. */
export type ProxyProtocol = (typeof proxyProtocols)[number];

/** Values of `TlsMode`. */
export const tlsModes = ["off", "flexible", "full", "strict"] as const;
/** TLS termination at the edge, and encryption and certificate validation between edge and origin. */
export type TlsMode = (typeof tlsModes)[number];

/** Addresses on which clients reach an application: chosen by the service, or the account's own. */
export type EdgeIps =
  | {
      /** The service chooses the addresses. */
      readonly type: "dynamic";
      /** Address families. */
      readonly connectivity: Connectivity;
    }
  | {
      /** The account's own addresses. */
      readonly type: "static";
      /** IPv4 and IPv6 addresses as the client wrote them, 1..1000. */
      readonly ips: readonly string[];
    };

/** The DNS record of an application. */
export interface AppDns {
  /** Host name on which clients reach the application. */
  readonly name: string;
  /** Kind of the record. */
  readonly type: DnsType;
}

/** An origin found by name. */
export interface OriginDns {
  /** Host name of the origin. */
  readonly name: string;
  /** Time to live in seconds, 600..2147483647. */
  readonly ttl?: number;
  /** Records that the name resolves to. */
  readonly type: OriginDnsType;
}

/** An application with its defaults filled in: the stored form, which clients read back. */
export interface App {
  /** `tcp/22`, `udp/1000-2000`, `ssh`, `rdp` or `minecraft`. */
  readonly protocol: string;
  /** Its DNS record. */
  readonly dns: AppDns;
  /** Kind of the proxied traffic. Default `direct`. */
  readonly traffic_type: TrafficType;
  /** Origins by address, such as `tcp://192.0.2.1:22`; 1..1000 of them. Excludes `origin_dns`. */
  readonly origin_direct?: readonly string[];
  /** The origin by name. Excludes `origin_direct`. */
  readonly origin_dns?: OriginDns;
  /** Port 1..65535, or a range such as `1000-2000`, of the origin in `origin_dns`. */
  readonly origin_port?: number | string;
  /** Addresses on which clients reach the application. Default: dynamic, all families. */
  readonly edge_ips: EdgeIps;
  /** Whether traffic takes the fastest route to the origin. Default false. */
  readonly smart_routing: boolean;
  /** Whether the account's IP access rules apply. Default false. */
  readonly ip_firewall: boolean;
  /** How the client's address is passed to the origin. Default `off`. */
  readonly proxy_protocol: ProxyProtocol;
  /** TLS mode. Default `off`. */
  readonly tls: TlsMode;
  /** UUID of the virtual network that contains the origin. */
  readonly virtual_network_id?: string;
}

/** The application that an update changes. */
export type PreviousApp = App & {
  /** Id of the application; excludes it from the checks against the zone's other applications. */
  readonly id?: string;
};

/** Options of a validation. */
export interface ValidateOptions {
  /** The stored application, for an update. */
  readonly previous?: PreviousApp;
  /** `merge`: the body is a change to `previous` (PATCH). `replace` (default): the body is the whole application. */
  readonly mode?: "merge" | "replace";
  /**
   * Restrictions of the real service that the specification does not state: `note` (default) reports them in `warnings`,
   * `enforce` makes them violations.
   */
  readonly restrictions?: "note" | "enforce";
}

/** The phases of a validation, in order. The first phase that finds a violation is the last one that runs. */
export const phases = [
  "decode",
  "fields",
  "format",
  "protocol",
  "stateless",
  "restrictions",
  "entitlement",
  "stateful",
] as const;
/** A phase of a validation. */
export type Phase = (typeof phases)[number];

/** Values of `CheckLevel`. */
export const checkLevels = ["error", "restriction", "warning", "note"] as const;
/**
 * Effect of a check's findings. `error`: the body is rejected. `restriction`: the real service rejects it, the
 * specification does not; the option `restrictions` decides. `warning`: probably a mistake. `note`: may be intended.
 */
export type CheckLevel = (typeof checkLevels)[number];

/** Codes of checks that never reject: of ignored members, and of values that are noted. */
export type NoteCode = typeof noteCodes.memberIgnored | typeof noteCodes.valueNoted;

/** A check that applies to the body and needs facts that are missing. */
export interface NotEvaluated {
  /** Id of the check. */
  readonly check: string;
  /** Code that a finding of the check would have. */
  readonly code: Code | NoteCode;
  /** The missing facts, as paths into `Facts`. */
  readonly needs: readonly FactName[];
}

/** The outcome of a validation. */
export interface Validation {
  /** The normalized application; present exactly when there are no violations. */
  readonly app?: App;
  /** Every violation of the first phase that found one, in the order of the catalogue; the rule is the id of the check. */
  readonly violations: readonly CodedDiagnostic[];
  /** Warnings and notes of the phases that ran: they do not reject the body. */
  readonly warnings: readonly Diagnostic[];
  /** Checks of the phases that ran that need missing facts. */
  readonly notEvaluated: readonly NotEvaluated[];
}

/** Facts that a check can need, as paths into `Facts`. */
export type FactName =
  | "features.ftp"
  | "features.edge_ips"
  | "features.smart_routing"
  | "permissions.ip_prefixes"
  | "prefixes"
  | "protocols.allowed"
  | "protocols.reserved"
  | "apps"
  | "zone"
  | "zones"
  | "hostnames"
  | "edge_ips"
  | "virtual_networks"
  | "ipv4";
