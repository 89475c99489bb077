/** An application in the right format, with its strings parsed once for all checks. */

import type { Ip } from "../../../core/address/ip.ts";
import type { ParseFault } from "../../../core/address/parse-fault.ts";
import type { Result } from "../../../core/result.ts";
import type { Origin, OriginFault } from "../grammar/origin.ts";
import type { PortRange } from "../grammar/port.ts";
import type { Protocol } from "../grammar/protocol.ts";
import type { App, PreviousApp } from "../model.ts";

/** The input of the checks after the format phase. */
export interface Candidate {
  /** The application with its defaults; only its format has been checked. */
  readonly app: App;
  readonly protocol: Protocol;
  /** `dns.name` in lower case, without a trailing dot. */
  readonly hostname: string;
  /** The entries of `origin_direct`, in their order; empty when it is absent. */
  readonly origins: readonly Result<Origin, OriginFault>[];
  /** `origin_port`, absent or parsed; always well-formed when `origin_direct` is given. */
  readonly originPort: Result<PortRange, ParseFault> | undefined;
  /** `edge_ips.ips`; empty for dynamic edge addresses. */
  readonly edgeIps: readonly Ip[];
  readonly previous: PreviousApp | undefined;
}

/** Whether the origin is in a virtual network. */
export function isVirtual({ app }: Candidate): boolean {
  return app.virtual_network_id !== undefined;
}

/** Whether the origin is found by name. */
export function isByName({ app }: Candidate): boolean {
  return app.origin_dns !== undefined;
}

/** Whether the edge addresses are the account's own. */
export function isStatic({ app }: Candidate): boolean {
  return app.edge_ips.type === "static";
}

/** Whether an application uses an IPv4 address of the zone's quota for its host name. */
export function usesIpv4({ edge_ips: edge }: App): boolean {
  return edge.type === "dynamic" && edge.connectivity !== "ipv6";
}

/** Whether every entry of `origin_direct` is an address. */
export function isAddressed({ origins }: Candidate): boolean {
  return origins.every((origin) => origin.ok);
}
