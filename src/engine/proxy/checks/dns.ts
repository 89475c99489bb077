/** 11004, 16001 and 12005 (`spec`): the host name on which clients reach an application. */
import { quote } from "../../../errors.ts";
import type { CompiledFacts } from "../facts/facts.ts";
import { foldHostname } from "../grammar/hostname.ts";
import type { App, DnsType, EdgeIps } from "../model.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, check, missing, statelessCheck } from "./check.ts";
import { direct, staticEdge, world } from "./samples.ts";

/** The type that the edge addresses require. */
function requiredType(edge: EdgeIps): DnsType {
  return edge.type === "static" ? "ADDRESS" : "CNAME";
}

interface TypeMismatch {
  readonly app: App;
  readonly stored: DnsType | undefined;
  /** The type that the edge addresses require. */
  readonly required: DnsType;
}

const typePointer = "/dns/type";

const storedDirect: App = {
  ...direct,
  traffic_type: "direct",
  edge_ips: { type: "dynamic", connectivity: "all" },
  smart_routing: false,
  ip_firewall: false,
  proxy_protocol: "off",
  tls: "off",
};

/** Checks of 11004. */
export const dnsChecks: readonly Check<Candidate>[] = [
  statelessCheck<TypeMismatch>({
    id: "dns-type-edge-mode",
    code: 11004,
    rule: "`dns.type` is `CNAME` for dynamic edge addresses and `ADDRESS` for static ones.",
    why: "Dynamic addresses change, so that only a CNAME record can refer to them.",
    fix: "Change `dns.type`, or omit it.",
    find: ({ app, previous }) => {
      const required = requiredType(app.edge_ips);
      return app.dns.type === required ? undefined : [{ app, stored: previous?.dns.type, required }];
    },
    message: ({ app, required }) =>
      `\`dns.type\` is \`${app.dns.type}\` with ${app.edge_ips.type} edge addresses; it must be \`${required}\`.`,
    pointers: () => [typePointer, "/edge_ips/type"],
    patch: ({ stored, required }) =>
      stored === undefined || stored === required
        ? [{ op: "replace", path: typePointer, value: required }]
        : undefined,
    bad: { body: { ...direct, dns: { ...direct.dns, type: "ADDRESS" } } },
    good: { body: staticEdge, facts: world },
  }),
  statelessCheck<TypeMismatch>({
    id: "dns-type-changed",
    code: 11004,
    rule: "An update keeps the `dns.type` of the stored application.",
    why: "The type of a DNS record cannot be changed.",
    fix: "Keep `dns.type`, or delete the application and create it again.",
    find: ({ app, previous }) =>
      previous && previous.dns.type !== app.dns.type
        ? [{ app, stored: previous.dns.type, required: requiredType(app.edge_ips) }]
        : undefined,
    message: ({ app, stored }) =>
      `\`dns.type\` is \`${app.dns.type}\`; the stored application has \`${stored}\`, which cannot be changed.`,
    pointers: () => [typePointer],
    bad: { body: staticEdge, facts: world, options: { previous: storedDirect } },
    good: { body: { ...direct, tls: "full" }, options: { previous: storedDirect } },
  }),
];

/** Checks of 16001. */
export const hostnameChecks: readonly Check<Candidate>[] = [
  check<Candidate, string>({
    id: "hostname-other-zone",
    code: 16001,
    phase: "stateful",
    facts: ["hostnames", "zone"],
    rule: "`dns.name` is not in use on another zone; case and a trailing dot make no difference.",
    why: "A host name belongs to one zone.",
    fix: "Use another host name, or delete the application on the other zone.",
    find: ({ app, hostname }, { hostnames, zone }) => {
      if (!hostnames) return missing("hostnames");
      const holders = hostnames.get(hostname);
      if (!holders || holders.every((holder) => holder.zone === zone)) return undefined;
      return zone === undefined ? missing("zone") : [app.dns.name];
    },
    message: (name) => `The host name ${quote(name)} is in use on another zone; it must be unused.`,
    pointers: () => ["/dns/name"],
    bad: { body: direct, facts: { ...world, hostnames: [{ name: "SSH.example.com.", zone: "z2" }] } },
    good: { body: direct, facts: { ...world, hostnames: [{ name: "ssh.example.com", zone: "z1" }] } },
  }),
];

/** Whether an application uses an IPv4 address of the zone's quota for its host name. */
function usesIpv4({ edge_ips: edge }: App): boolean {
  return edge.type === "dynamic" && edge.connectivity !== "ipv6";
}

/** Whether the stored application already uses an IPv4 address for the same host name. */
function usedIpv4Before({ hostname, previous }: Candidate): boolean {
  return previous !== undefined && usesIpv4(previous) && foldHostname(previous.dns.name) === hostname;
}

function findQuota(candidate: Candidate, { ipv4, hostnames, zone }: CompiledFacts) {
  if (!usesIpv4(candidate.app) || usedIpv4Before(candidate)) return undefined;
  if (!ipv4) return missing("ipv4");
  if (ipv4.quota === undefined || ipv4.used < ipv4.quota) return undefined;
  if (!hostnames) return missing("hostnames");
  const holders = hostnames.get(candidate.hostname)?.filter((holder) => holder.ipv4);
  if (holders?.some((holder) => zone === undefined || holder.zone === zone)) return undefined;
  return [{ quota: ipv4.quota, used: ipv4.used, name: candidate.app.dns.name }];
}

/** Checks of 12005. */
export const quotaChecks: readonly Check<Candidate>[] = [
  check<Candidate, { readonly quota: number; readonly used: number; readonly name: string }>({
    id: "ipv4-quota",
    code: 12005,
    phase: "stateful",
    facts: ["ipv4", "hostnames", "zone"],
    rule: "A new host name with IPv4 fits into the zone's quota of IPv4 addresses.",
    why: "IPv4 addresses are scarce, so each zone has a quota.",
    fix: "Set `edge_ips.connectivity` to `ipv6`, reuse a host name, or raise the quota.",
    find: findQuota,
    message: ({ quota, used, name }) =>
      `The zone uses \`${used}\` of its \`${quota}\` IPv4 addresses, and the host name ${quote(name)} needs one more.`,
    pointers: () => ["/edge_ips/connectivity", "/dns/name"],
    bad: { body: direct, facts: { ...world, ipv4: { quota: 1, used: 1 } } },
    good: {
      body: direct,
      facts: {
        ...world,
        ipv4: { quota: 1, used: 1 },
        hostnames: [{ name: "ssh.example.com", zone: "z1", ipv4: true }],
      },
    },
  }),
];
