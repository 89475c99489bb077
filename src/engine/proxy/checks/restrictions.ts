/**
 * Restrictions of the real service that the specification does not state (`observed`). The option `restrictions`
 * decides whether they reject an application.
 */
import { noteCodes, quote } from "../../../errors.ts";
import { foldHostname } from "../grammar/hostname.ts";
import { type Candidate, isStatic, isVirtual } from "../read/candidate.ts";
import { type Check, type CheckDescription, check, type Example, type Written } from "./check.ts";
import { byName, direct, staticEdge, virtual } from "./samples.ts";

type RestrictionEntry = Pick<Written, "id" | "rule" | "why" | "fix"> & {
  readonly violates: (candidate: Candidate) => boolean;
  readonly message: (candidate: Candidate) => string;
  readonly pointers: readonly string[];
  readonly bad: CheckDescription["bad"]["body"];
  readonly good: CheckDescription["good"]["body"];
};

function restriction({
  violates,
  message,
  pointers,
  bad,
  good,
  ...entry
}: RestrictionEntry): Check<Candidate> {
  return check<Candidate, Candidate>({
    ...entry,
    code: 10400,
    level: "restriction",
    source: "observed",
    phase: "restrictions",
    find: (candidate) => (violates(candidate) ? [candidate] : undefined),
    message,
    pointers: () => pointers,
    bad: enforced(bad),
    good: enforced(good),
  });
}

function enforced(body: unknown): Example {
  return { body, options: { restrictions: "enforce" } };
}

const udp = { ...direct, protocol: "udp/22", origin_direct: ["udp://192.0.2.1:22"] } as const;

/** Domain of the names of tunnels, which are not origins. */
const tunnelDomain = "cfargotunnel.com";

function isUdp({ protocol }: Candidate): boolean {
  return protocol.transport === "udp";
}

function isHttp({ app }: Candidate): boolean {
  return app.traffic_type === "http" || app.traffic_type === "https";
}

function isTunnel(name: string): boolean {
  return `.${foldHostname(name)}`.endsWith(`.${tunnelDomain}`);
}

const useTcp = "Use TCP in `protocol` and in the origin";

/** A member that TCP applications have and UDP applications do not. */
function tcpOnly(
  entry: Pick<RestrictionEntry, "id" | "fix" | "violates" | "bad"> & {
    readonly subject: string;
    readonly shown: (candidate: Candidate) => string;
    readonly pointer: string;
  },
): Check<Candidate> {
  const { subject, shown, pointer, ...rest } = entry;
  return restriction({
    ...rest,
    violates: (candidate) => isUdp(candidate) && entry.violates(candidate),
    rule: `${subject} is not combined with a UDP protocol.`,
    why: "The real service supports it for TCP only.",
    message: (candidate) =>
      `${shown(candidate)} is set with the protocol \`${candidate.app.protocol}\`; it is allowed only with TCP.`,
    pointers: [pointer, "/protocol"],
    good: { ...(entry.bad as object), protocol: "tcp/22", origin_direct: direct.origin_direct },
  });
}

/** The restrictions, in the order of the decisions. */
export const restrictionChecks: readonly Check<Candidate>[] = [
  tcpOnly({
    id: "udp-tls",
    subject: "`tls` other than `off`",
    fix: `${useTcp}, or set \`tls\` to \`off\`.`,
    violates: ({ app }) => app.tls !== "off",
    shown: ({ app }) => `\`tls\` \`${app.tls}\``,
    pointer: "/tls",
    bad: { ...udp, tls: "full" },
  }),
  tcpOnly({
    id: "udp-ip-firewall",
    subject: "`ip_firewall`",
    fix: `${useTcp}, or set \`ip_firewall\` to false.`,
    violates: ({ app }) => app.ip_firewall,
    shown: () => "`ip_firewall`",
    pointer: "/ip_firewall",
    bad: { ...udp, ip_firewall: true },
  }),
  tcpOnly({
    id: "udp-proxy-protocol",
    subject: "`proxy_protocol` `v1` or `v2`",
    fix: "Set `proxy_protocol` to `simple` or `off`.",
    violates: ({ app }) => app.proxy_protocol === "v1" || app.proxy_protocol === "v2",
    shown: ({ app }) => `\`proxy_protocol\` \`${app.proxy_protocol}\``,
    pointer: "/proxy_protocol",
    bad: { ...udp, proxy_protocol: "v2" },
  }),
  restriction({
    id: "tcp-simple-proxy-protocol",
    rule: "`proxy_protocol` `simple` is not combined with a TCP protocol.",
    why: "The Simple Proxy Protocol is one of UDP datagrams.",
    fix: "Set `proxy_protocol` to `v1`, `v2` or `off`.",
    violates: (candidate) => !isUdp(candidate) && candidate.app.proxy_protocol === "simple",
    message: ({ app }) =>
      `\`proxy_protocol\` \`simple\` is set with the protocol \`${app.protocol}\`; it is allowed only with UDP.`,
    pointers: ["/proxy_protocol", "/protocol"],
    bad: { ...direct, proxy_protocol: "simple" },
    good: { ...udp, proxy_protocol: "simple" },
  }),
  tcpOnly({
    id: "udp-http",
    subject: "`traffic_type` `http` or `https`",
    fix: `${useTcp}, or set \`traffic_type\` to \`direct\`.`,
    violates: isHttp,
    shown: ({ app }) => `\`traffic_type\` \`${app.traffic_type}\``,
    pointer: "/traffic_type",
    bad: { ...udp, traffic_type: "http" },
  }),
  restriction({
    id: "network-proxy-protocol",
    rule: "`virtual_network_id` is not combined with `proxy_protocol`.",
    why: "The real service connects to virtual networks without a proxy header.",
    fix: "Set `proxy_protocol` to `off`, or use a public origin without `virtual_network_id`.",
    violates: (candidate) => isVirtual(candidate) && candidate.app.proxy_protocol !== "off",
    message: ({ app }) =>
      `\`virtual_network_id\` is set together with \`proxy_protocol\` \`${app.proxy_protocol}\`; only \`off\` is allowed.`,
    pointers: ["/virtual_network_id", "/proxy_protocol"],
    bad: { ...virtual, proxy_protocol: "v1" },
    good: { ...virtual, proxy_protocol: "off" },
  }),
  restriction({
    id: "network-http",
    rule: "`virtual_network_id` is not combined with `traffic_type` `http` or `https`.",
    why: "The real service reaches HTTP origins over the public network only.",
    fix: "Set `traffic_type` to `direct`, or use a public origin without `virtual_network_id`.",
    violates: (candidate) => isVirtual(candidate) && isHttp(candidate),
    message: ({ app }) =>
      `\`virtual_network_id\` is set together with \`traffic_type\` \`${app.traffic_type}\`; \`http\` and \`https\` are not allowed.`,
    pointers: ["/virtual_network_id", "/traffic_type"],
    bad: { ...virtual, traffic_type: "https" },
    good: { ...virtual, traffic_type: "direct" },
  }),
  restriction({
    id: "smart-routing-http",
    rule: "`smart_routing` is not combined with `traffic_type` `http` or `https`.",
    why: "HTTP traffic is routed by the settings of its zone.",
    fix: "Set `smart_routing` to false, or `traffic_type` to `direct`.",
    violates: (candidate) => candidate.app.smart_routing && isHttp(candidate),
    message: ({ app }) =>
      `\`smart_routing\` is set together with \`traffic_type\` \`${app.traffic_type}\`; \`http\` and \`https\` are not allowed.`,
    pointers: ["/smart_routing", "/traffic_type"],
    bad: { ...direct, smart_routing: true, traffic_type: "http" },
    good: { ...direct, smart_routing: true, traffic_type: "direct" },
  }),
  check<Candidate, Candidate>({
    id: "smart-routing-udp",
    code: noteCodes.valueNoted,
    level: "warning",
    source: "observed",
    phase: "restrictions",
    rule: "`smart_routing` is not combined with a UDP protocol.",
    why: "The reference of the real service names TCP only; its guide has UDP as a beta.",
    fix: `${useTcp}, or set \`smart_routing\` to false.`,
    find: (candidate) => (isUdp(candidate) && candidate.app.smart_routing ? [candidate] : undefined),
    message: ({ app }) =>
      `\`smart_routing\` is set with the protocol \`${app.protocol}\`; it may have an effect only with TCP.`,
    pointers: () => ["/smart_routing", "/protocol"],
    bad: { body: { ...udp, smart_routing: true } },
    good: { body: { ...direct, smart_routing: true } },
  }),
  tcpOnly({
    id: "udp-static-edge-ips",
    subject: "`edge_ips` of type `static`",
    fix: `${useTcp}, or dynamic edge addresses with \`dns.type\` \`CNAME\`.`,
    violates: isStatic,
    shown: () => "`edge_ips` of type `static`",
    pointer: "/edge_ips/type",
    bad: { ...staticEdge, protocol: udp.protocol, origin_direct: udp.origin_direct },
  }),
  restriction({
    id: "origin-tunnel",
    rule: `\`origin_dns.name\` is not \`${tunnelDomain}\`, and not in that domain.`,
    why: "The names of tunnels have no addresses that the service could connect to.",
    fix: "Use a host name with public addresses, or replace `origin_dns` by `origin_direct` with an address in a virtual network and its `virtual_network_id`.",
    violates: ({ app }) => app.origin_dns !== undefined && isTunnel(app.origin_dns.name),
    message: ({ app }) =>
      `The origin name ${quote(app.origin_dns?.name ?? "")} is in the domain \`${tunnelDomain}\`; it must be another name.`,
    pointers: ["/origin_dns/name"],
    bad: { ...byName, origin_dns: { name: `a.${tunnelDomain}` } },
    good: { ...byName, origin_dns: { name: `a.${tunnelDomain}.example.com` } },
  }),
];
