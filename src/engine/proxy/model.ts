/** The shapes of proxy applications, with the interface's own field names (`spec`; details `observed`). */
import type { Code, Note } from "../../errors.ts";
import type { PatchOperation } from "./patch.ts";

/** How the DNS record of an application is made: CNAME for dynamic edge addresses, ADDRESS for static ones (`spec`). */
export const dnsTypes = ["CNAME", "ADDRESS"] as const;
export type DnsType = (typeof dnsTypes)[number];

/** What the proxied bytes are. `ftp` is in no public list; accepted so that 11014 can be reached (`chosen`). */
export const trafficTypes = ["direct", "http", "https", "ftp"] as const;
export type TrafficType = (typeof trafficTypes)[number];

/** Records that an origin name resolves by; the empty text stands for A and AAAA (`observed`). */
export const originDnsTypes = ["", "A", "AAAA", "SRV"] as const;
export type OriginDnsType = (typeof originDnsTypes)[number];

/** Address families that dynamic edge addresses have (`observed`). */
export const connectivities = ["all", "ipv4", "ipv6"] as const;
export type Connectivity = (typeof connectivities)[number];

export const edgeIpTypes = ["dynamic", "static"] as const;
export const proxyProtocols = ["off", "v1", "v2", "simple"] as const;
export type ProxyProtocol = (typeof proxyProtocols)[number];
export const tlsModes = ["off", "flexible", "full", "strict"] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Where clients reach an application: addresses the service picks, or the account's own. */
export type EdgeIps =
  | { readonly type: "dynamic"; readonly connectivity: Connectivity }
  | { readonly type: "static"; readonly ips: readonly string[] };

/** An origin found by name. */
export interface OriginDns {
  readonly name: string;
  /** Seconds, 600..2147483647. */
  readonly ttl?: number;
  readonly type: OriginDnsType;
}

/** An application with its defaults filled in: what a service stores, and what a client reads back. */
export interface App {
  readonly protocol: string;
  readonly dns: { readonly name: string; readonly type: DnsType };
  readonly traffic_type: TrafficType;
  readonly origin_direct?: readonly string[];
  readonly origin_dns?: OriginDns;
  readonly origin_port?: number | string;
  readonly edge_ips: EdgeIps;
  readonly smart_routing: boolean;
  readonly ip_firewall: boolean;
  readonly proxy_protocol: ProxyProtocol;
  readonly tls: TlsMode;
  readonly virtual_network_id?: string;
}

/** The application that an update changes; `id` tells it from the others of its zone. */
export type PreviousApp = App & { readonly id?: string };

/** How a body is taken. */
export interface ValidateOptions {
  /** The stored application, for an update. */
  readonly previous?: PreviousApp;
  /** `merge`: the body is a change to `previous` (PATCH). `replace` (default): the body is the whole application. */
  readonly mode?: "merge" | "replace";
}

/** The phases of a validation, in their order; one that finds something is the last. */
export const phases = [
  "decode",
  "fields",
  "shape",
  "protocol",
  "stateless",
  "entitlement",
  "stateful",
] as const;
export type Phase = (typeof phases)[number];

/** One broken rule. */
export interface Violation {
  readonly code: Code;
  /** HTTP status of the code. */
  readonly status: number;
  /** Id of the check, finer than the code. */
  readonly check: string;
  readonly phase: Phase;
  /** One sentence: what was found, and what is allowed. */
  readonly message: string;
  /** RFC 6901 pointers into the body (merged, when the mode is `merge`), the first one the best place to look. */
  readonly pointers: readonly string[];
  /** What to do about it. */
  readonly fix: string;
  /** The mend, where there is only one. Apply with `applyPatch`. */
  readonly patch?: readonly PatchOperation[];
}

/** A check that applied to the body and could not be decided. */
export interface NotEvaluated {
  readonly check: string;
  readonly code: Code;
  /** The missing facts, as paths into `Facts`. */
  readonly needs: readonly FactName[];
}

/** The outcome of a validation. */
export interface Validation {
  /** The normalised application; present exactly when there are no violations. */
  readonly app?: App;
  /** Every violation of the first phase that found one, in the order of the catalogue. */
  readonly violations: readonly Violation[];
  /** Checks that no fact decides, of the phases that were reached. */
  readonly notEvaluated: readonly NotEvaluated[];
  /** Ignored members, and one entry for each check of `notEvaluated`; for the answer's `messages`. */
  readonly messages: readonly Note[];
}

/** Facts that a check can need. */
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
