/** 11004, 16001 and 12005 (`spec`): the host name on which clients reach an application. */
import { quote } from "../../../errors.ts";
import type { CompiledFacts } from "../facts/facts.ts";
import { foldHostname } from "../grammar/hostname.ts";
import type { App, DnsType, EdgeIps } from "../model.ts";
import { type Candidate, usesIpv4 } from "../read/candidate.ts";
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

const namePointer = "/dns/name";

function inDomain(domain: string) {
  return { ...direct, dns: { type: "CNAME", name: `www.${domain}` } };
}

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
    fix: "Change `dns.type`, or set `edge_ips` to addresses of the matching type.",
    find: ({ app, previous }) => {
      const required = requiredType(app.edge_ips);
      return app.dns.type === required ? undefined : [{ app, stored: previous?.dns.type, required }];
    },
    message: ({ app, required }) =>
      `\`dns.type\` is \`${app.dns.type}\` with ${app.edge_ips.type} edge addresses; it must be \`${required}\`.`,
    pointers: () => [typePointer, "/edge_ips/type"],
    // Dynamic addresses may be the mistake: then static ones are missing. The addresses of static ones are written.
    patch: ({ stored, required }) =>
      required === "ADDRESS" && (stored === undefined || stored === required)
        ? [{ op: "replace", path: typePointer, value: required }]
        : undefined,
    bad: { body: { ...staticEdge, dns: { ...direct.dns, type: "CNAME" } }, facts: world },
    good: { body: staticEdge, facts: world },
  }),
  statelessCheck<TypeMismatch>({
    id: "dns-type-changed",
    code: 11004,
    rule: "An update keeps the `dns.type` of the stored application.",
    why: "The type of a DNS record cannot be changed.",
    fix: "Keep `dns.type` and the type of `edge_ips`, or delete the application and create it again.",
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
      const isElsewhere = (holder: { readonly zone: string | undefined }) => holder.zone !== zone;
      if (hostnames.byName.get(hostname)?.some(isElsewhere))
        return zone === undefined ? missing("zone") : [app.dns.name];
      return hostnames.isComplete ? undefined : missing("hostnames");
    },
    message: (name) => `The host name ${quote(name)} is in use on another zone; it must be unused.`,
    pointers: () => [namePointer],
    bad: { body: direct, facts: { ...world, hostnames: [{ name: "SSH.example.com.", zone: "z2" }] } },
    good: { body: direct, facts: { ...world, hostnames: [{ name: "ssh.example.com", zone: "z1" }] } },
  }),
  check<Candidate, string>({
    id: "hostname-other-domain",
    code: 16001,
    level: "restriction",
    source: "chosen",
    phase: "stateful",
    facts: ["zones", "zone"],
    rule: "`dns.name` is not in the domain of another zone; of several domains the longest counts.",
    why: "The record of a host name is created in the zone of its domain.",
    fix: "Use a host name in the domain of the application's zone.",
    find: ({ app, hostname }, { domainOf, zone }) => {
      if (!domainOf) return missing("zones");
      const owner = domainOf(hostname);
      if (owner === undefined || owner === zone) return undefined;
      return zone === undefined ? missing("zone") : [app.dns.name];
    },
    message: (name) =>
      `The host name ${quote(name)} is in the domain of another zone; it must be in that of the application's zone.`,
    pointers: () => [namePointer],
    bad: { body: inDomain("example.net"), facts: world, options: { restrictions: "enforce" } },
    good: { body: inDomain("example.com"), facts: world, options: { restrictions: "enforce" } },
  }),
  check<Candidate, string>({
    id: "hostname-outside-domains",
    code: 10400,
    level: "restriction",
    source: "chosen",
    phase: "stateful",
    facts: ["zones", "zone"],
    rule: "`dns.name` is in the domain of a zone of the account.",
    why: "The record of a host name is created in the zone of its domain.",
    fix: "Use a host name in the domain of the application's zone.",
    find: ({ app, hostname }, { domainOf, domainsKnown, zone }) => {
      if (domainOf?.(hostname) !== undefined) return undefined;
      if (domainsKnown) return [app.dns.name];
      return zone === undefined ? missing("zones", "zone") : missing("zones");
    },
    message: (name) =>
      `The host name ${quote(name)} is in the domain of no known zone; it must be in that of the application's zone.`,
    pointers: () => [namePointer],
    bad: { body: inDomain("example.org"), facts: world, options: { restrictions: "enforce" } },
    good: { body: inDomain("example.com"), facts: world, options: { restrictions: "enforce" } },
  }),
];

/** Whether the stored application already uses an IPv4 address for the same host name. */
function usedIpv4Before({ hostname, previous }: Candidate): boolean {
  return previous !== undefined && usesIpv4(previous) && foldHostname(previous.dns.name) === hostname;
}

function findQuota(candidate: Candidate, { ipv4, hostnames, zone }: CompiledFacts) {
  if (!usesIpv4(candidate.app) || usedIpv4Before(candidate)) return undefined;
  if (!ipv4) return missing("ipv4");
  if (ipv4.quota === undefined || ipv4.used < ipv4.quota) return undefined;
  const holders = hostnames.byName.get(candidate.hostname)?.filter((holder) => holder.ipv4);
  if (holders?.some((holder) => zone === undefined || holder.zone === zone)) return undefined;
  if (!hostnames.isComplete) return missing("hostnames");
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
