/** 11014, 11026, 11018, 11019, 11033 and 11034 (`spec`): features, permissions and resources of the account. */

import { type Ip, printIp } from "../../../core/address/ip.ts";
import { quote } from "../../../errors.ts";
import type { CompiledFacts, NamedApp } from "../facts/facts.ts";
import { parseProtocol, printProtocol } from "../grammar/protocol.ts";
import { type Candidate, isStatic } from "../read/candidate.ts";
import { type Check, check, missing, type Written } from "./check.ts";
import { direct, staticEdge, world } from "./samples.ts";

type Feature = keyof CompiledFacts["features"];

interface FeatureEntry extends Omit<Written, "phase" | "facts"> {
  readonly feature: Feature;
  readonly uses: (candidate: Candidate) => boolean;
  /** Noun phrase for the message. */
  readonly subject: string;
  readonly pointer: string;
}

/** A member that is allowed only with a feature. */
function featureCheck(entry: FeatureEntry): Check<Candidate> {
  const { feature, uses, subject, pointer, ...description } = entry;
  return check<Candidate, true>({
    ...description,
    phase: "entitlement",
    facts: [`features.${feature}`],
    find: (candidate, { features }) => {
      if (!uses(candidate)) return undefined;
      if (features[feature] === undefined) return missing(`features.${feature}`);
      return features[feature] ? undefined : [true];
    },
    message: () => `${subject} needs a feature of the account that is not enabled.`,
    pointers: () => [pointer],
  });
}

function without(feature: Feature) {
  return { ...world, features: { ...world.features, [feature]: false } };
}

interface RejectedEdgeIp {
  readonly index: number;
  readonly ip: string;
}

/** The edge addresses that violate a rule; undefined when there is none. */
function findEdgeIps(
  { app, edgeIps }: Candidate,
  violates: (ip: Ip) => boolean,
): readonly RejectedEdgeIp[] | undefined {
  const ips = app.edge_ips.type === "static" ? app.edge_ips.ips : [];
  const found: RejectedEdgeIp[] = [];
  edgeIps.forEach((ip, index) => {
    if (violates(ip)) found.push({ index, ip: ips[index] ?? "" });
  });
  return found.length > 0 ? found : undefined;
}

function edgeIpPointers({ index }: RejectedEdgeIp): readonly string[] {
  return [`/edge_ips/ips/${index}`];
}

/** Checks of features: 11014, 11026, 11018. */
export const featureChecks: readonly Check<Candidate>[] = [
  featureCheck({
    id: "ftp-feature",
    code: 11014,
    feature: "ftp",
    uses: ({ app }) => app.traffic_type === "ftp",
    subject: "The `traffic_type` `ftp`",
    pointer: "/traffic_type",
    rule: "`traffic_type` is `ftp` only when FTP is enabled for the account.",
    why: "FTP is a separate product.",
    fix: "Use another `traffic_type`, or get FTP enabled.",
    bad: { body: { ...direct, traffic_type: "ftp" }, facts: without("ftp") },
    good: { body: { ...direct, traffic_type: "ftp" }, facts: world },
  }),
  featureCheck({
    id: "smart-routing-feature",
    code: 11026,
    feature: "smart_routing",
    uses: ({ app }) => app.smart_routing,
    subject: "`smart_routing`",
    pointer: "/smart_routing",
    rule: "`smart_routing` is true only when it is enabled for the account.",
    why: "Smart routing is a separate product.",
    fix: "Set `smart_routing` to false, or get it enabled.",
    bad: { body: { ...direct, smart_routing: true }, facts: without("smart_routing") },
    good: { body: { ...direct, smart_routing: false }, facts: without("smart_routing") },
  }),
  featureCheck({
    id: "edge-ips-feature",
    code: 11018,
    feature: "edge_ips",
    uses: isStatic,
    subject: "`edge_ips` of type `static`",
    pointer: "/edge_ips",
    rule: "`edge_ips` is static only when the feature is enabled for the account.",
    why: "Static edge addresses are a separate product.",
    fix: "Use dynamic edge addresses (with `dns.type` `CNAME`), or get the feature enabled.",
    bad: { body: staticEdge, facts: without("edge_ips") },
    good: { body: direct, facts: without("edge_ips") },
  }),
];

/** Checks of 11019. */
export const edgeIpChecks: readonly Check<Candidate>[] = [
  check<Candidate, true>({
    id: "edge-ips-permission",
    code: 11019,
    phase: "entitlement",
    facts: ["permissions.ip_prefixes"],
    rule: "The credential may use the account's IP prefixes when `edge_ips` is static.",
    why: "An application on an address of a prefix redirects the traffic of that address.",
    fix: "Use a global key, or a token with the account-level IP prefix permission.",
    find: (_, { permissions }) => {
      if (permissions.ip_prefixes) return undefined;
      return permissions.ip_prefixes === undefined ? missing("permissions.ip_prefixes") : [true];
    },
    message: () =>
      "`edge_ips` of type `static` needs the permission for IP prefixes, which the credential does not have.",
    pointers: () => ["/edge_ips"],
    bad: { body: staticEdge, facts: { ...world, permissions: { ip_prefixes: false } } },
    good: { body: staticEdge, facts: world },
  }),
  check<Candidate, RejectedEdgeIp>({
    id: "edge-ips-prefix",
    code: 11019,
    phase: "entitlement",
    facts: ["prefixes"],
    rule: "Static edge addresses are in prefixes that are allocated to the account.",
    why: "An account may use only its own addresses.",
    fix: "Use an address of the account's prefixes.",
    find: (candidate, { prefixes }) => {
      return prefixes ? findEdgeIps(candidate, (ip) => !prefixes.lookup(ip)) : missing("prefixes");
    },
    message: ({ ip }) =>
      `The edge address ${quote(ip)} is in no prefix of the account; it must be in one of them.`,
    pointers: edgeIpPointers,
    bad: { body: staticEdge, facts: { ...world, prefixes: ["203.0.113.0/24"] } },
    good: { body: staticEdge, facts: { ...world, prefixes: ["198.51.100.10/32"] } },
  }),
];

/** Edge addresses that another zone, or an application of a deleted zone, uses. */
function findUsed(candidate: Candidate, facts: CompiledFacts, orphaned: boolean) {
  const { edgeIps, zone } = facts;
  if (!edgeIps) return missing("edge_ips");
  let needsZone = false;
  const found = findEdgeIps(candidate, (ip) => {
    const uses = edgeIps.get(printIp(ip))?.filter((use) => (use.deleted ?? false) === orphaned) ?? [];
    if (orphaned) return uses.length > 0;
    if (zone === undefined && uses.length > 0) needsZone = true;
    return zone !== undefined && uses.some((use) => use.zone !== zone);
  });
  return found ?? (needsZone ? missing("zone") : undefined);
}

/** Checks of 11033. */
export const edgeUseChecks: readonly Check<Candidate>[] = [
  check<Candidate, RejectedEdgeIp>({
    id: "edge-ip-in-use",
    code: 11033,
    phase: "stateful",
    facts: ["edge_ips", "zone"],
    rule: "A static edge address is not used by another zone.",
    why: "The traffic of an address goes to one zone.",
    fix: "Use another address, or release it on the other zone.",
    find: (candidate, facts) => findUsed(candidate, facts, false),
    message: ({ ip }) => `The edge address ${quote(ip)} is in use on another zone; it must be unused.`,
    pointers: edgeIpPointers,
    bad: { body: staticEdge, facts: { ...world, edge_ips: [{ ip: "198.51.100.10", zone: "z2" }] } },
    good: { body: staticEdge, facts: { ...world, edge_ips: [{ ip: "198.51.100.10", zone: "z1" }] } },
  }),
  check<Candidate, RejectedEdgeIp>({
    id: "edge-ip-orphaned",
    code: 11033,
    phase: "stateful",
    facts: ["edge_ips"],
    rule: "A static edge address is not used by an application whose zone was deleted.",
    why: "Such an orphaned application keeps its addresses until support removes it.",
    fix: "Use another address, or ask support to remove the orphaned application.",
    find: (candidate, facts) => findUsed(candidate, facts, true),
    message: ({ ip }) =>
      `The edge address ${quote(ip)} is in use by an application of a deleted zone; it must be unused.`,
    pointers: edgeIpPointers,
    bad: {
      body: staticEdge,
      facts: { ...world, edge_ips: [{ ip: "198.51.100.10", zone: "z0", deleted: true }] },
    },
    good: {
      body: staticEdge,
      facts: { ...world, edge_ips: [{ ip: "198.51.100.11", zone: "z0", deleted: true }] },
    },
  }),
];

/** The canonical form of a stored application's protocol. */
function canonical(protocol: string): string | undefined {
  const result = parseProtocol(protocol);
  return result.ok ? printProtocol(result.value) : undefined;
}

function findSameProtocol(candidate: Candidate, { plan, apps, zone }: CompiledFacts) {
  if (plan !== "pay-as-you-go") return undefined;
  const { previous } = candidate;
  const key = printProtocol(candidate.protocol);
  const same = apps.byProtocol.get(key) ?? [];
  // Ids are unique in a zone.
  const isOther = (app: NamedApp) => app.id !== previous?.id || (app.zone ?? zone) !== zone;
  const others = previous?.id === undefined ? same : same.filter(isOther);
  const own = previous && previous.id === undefined && canonical(previous.protocol) === key ? 1 : 0;
  if (others.length > own) return [candidate.app.protocol];
  return apps.isComplete ? undefined : missing("apps");
}

const payAsYouGo = { ...world, plan: "pay-as-you-go" } as const;

/** Checks of 11034. */
export const protocolUseChecks: readonly Check<Candidate>[] = [
  check<Candidate, string>({
    id: "protocol-taken",
    code: 11034,
    phase: "stateful",
    facts: ["apps"],
    rule: "A pay-as-you-go account has one application for each protocol over all of its zones; `ssh` and `tcp/22` are the same.",
    why: "More applications need the paid add-on.",
    fix: "Change the existing application, or get the paid add-on.",
    find: findSameProtocol,
    message: (protocol) =>
      `The account already has an application for the protocol \`${protocol}\`; pay-as-you-go accounts may have only one.`,
    pointers: () => ["/protocol"],
    bad: { body: direct, facts: { ...payAsYouGo, apps: [{ id: "a1", protocol: "ssh" }] } },
    good: { body: direct, facts: { ...payAsYouGo, apps: [{ id: "a1", protocol: "tcp/23" }] } },
  }),
];
