/** 11014, 11026, 11018, 11019, 11033 and 11034 (`spec`): what the account has, may do, and already uses. */
import { quote } from "../../../errors.ts";
import { keyOf } from "../facts/compile-facts.ts";
import type { CompiledFacts } from "../facts/facts.ts";
import type { Ip } from "../grammar/ip.ts";
import { parseProtocol, printProtocol } from "../grammar/protocol.ts";
import { type Candidate, isStatic } from "../read/candidate.ts";
import { type Check, type CheckText, check, missing } from "./check.ts";
import { direct, staticEdge, world } from "./samples.ts";

type Feature = keyof CompiledFacts["features"];

interface FeatureEntry extends Omit<CheckText, "phase" | "facts"> {
  readonly feature: Feature;
  readonly uses: (candidate: Candidate) => boolean;
  readonly found: string;
  readonly pointer: string;
  /** The only value that does without the feature, where there is one. */
  readonly without?: unknown;
}

/** A member that is allowed only with a feature. */
function featureCheck({ feature, uses, found, pointer, without, ...entry }: FeatureEntry): Check<Candidate> {
  const mend =
    without === undefined ? undefined : [{ op: "replace", path: pointer, value: without } as const];
  return check<Candidate, true>({
    ...entry,
    phase: "entitlement",
    facts: [`features.${feature}`],
    find: (candidate, { features }) => {
      if (!uses(candidate)) return undefined;
      if (features[feature] === undefined) return missing(`features.${feature}`);
      return features[feature] ? undefined : [true];
    },
    message: () => `${found} is asked for; the account does not have the feature.`,
    pointers: () => [pointer],
    ...(mend ? { patch: () => mend } : {}),
  });
}

function without(feature: Feature) {
  return { ...world, features: { ...world.features, [feature]: false } };
}

interface EdgeAt {
  readonly at: number;
  readonly ip: string;
}

/** The edge addresses for which a rule finds something. */
function eachEdgeIp({ app, edgeIps }: Candidate, broken: (ip: Ip) => boolean): readonly EdgeAt[] | undefined {
  const ips = app.edge_ips.type === "static" ? app.edge_ips.ips : [];
  let found: EdgeAt[] | undefined;
  edgeIps.forEach((ip, at) => {
    if (!broken(ip)) return;
    found ??= [];
    found.push({ at, ip: ips[at] as string });
  });
  return found;
}

function pointerTo({ at }: EdgeAt): readonly string[] {
  return [`/edge_ips/ips/${at}`];
}

/** Checks of features: 11014, 11026, 11018. */
export const featureChecks: readonly Check<Candidate>[] = [
  featureCheck({
    id: "ftp-feature",
    code: 11014,
    feature: "ftp",
    uses: ({ app }) => app.traffic_type === "ftp",
    found: "Traffic of type `ftp`",
    pointer: "/traffic_type",
    what: "`traffic_type` is `ftp` only when the account has FTP.",
    why: "FTP needs support in the service that not every account has.",
    fix: "Choose another `traffic_type`, or have FTP enabled.",
    bad: { body: { ...direct, traffic_type: "ftp" }, facts: without("ftp") },
    good: { body: { ...direct, traffic_type: "ftp" }, facts: world },
  }),
  featureCheck({
    id: "smart-routing-feature",
    code: 11026,
    feature: "smart_routing",
    uses: ({ app }) => app.smart_routing,
    found: "Smart routing",
    pointer: "/smart_routing",
    without: false,
    what: "`smart_routing` is true only when the account has it.",
    why: "Smart routing is a product of its own.",
    fix: "Set `smart_routing` to false, or have it enabled.",
    bad: { body: { ...direct, smart_routing: true }, facts: without("smart_routing") },
    good: { body: { ...direct, smart_routing: false }, facts: without("smart_routing") },
  }),
  featureCheck({
    id: "edge-ips-feature",
    code: 11018,
    feature: "edge_ips",
    uses: isStatic,
    found: "A static edge address",
    pointer: "/edge_ips",
    what: "`edge_ips` is static only when the account has the feature.",
    why: "Bringing own addresses is a product of its own.",
    fix: "Use dynamic edge addresses (with `dns.type` `CNAME`), or have the feature enabled.",
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
    what: "The credential may use the account's IP prefixes when `edge_ips` is static.",
    why: "Binding an address of a prefix changes where its traffic goes.",
    fix: "Use a global key, or a token with the account-level IP prefix permission.",
    find: (_, { permissions }) => {
      if (permissions.ip_prefixes) return undefined;
      return permissions.ip_prefixes === undefined ? missing("permissions.ip_prefixes") : [true];
    },
    message: () =>
      "Static edge addresses are asked for; the credential lacks the permission for IP prefixes.",
    pointers: () => ["/edge_ips"],
    bad: { body: staticEdge, facts: { ...world, permissions: { ip_prefixes: false } } },
    good: { body: staticEdge, facts: world },
  }),
  check<Candidate, EdgeAt>({
    id: "edge-ips-prefix",
    code: 11019,
    phase: "entitlement",
    facts: ["prefixes"],
    what: "Static edge addresses are in prefixes that are allocated to the account.",
    why: "Nobody may bind addresses of others.",
    fix: "Use an address of the account's prefixes.",
    find: (candidate, { prefixes }) => {
      return prefixes ? eachEdgeIp(candidate, (ip) => !prefixes.lookup(ip)) : missing("prefixes");
    },
    message: ({ ip }) =>
      `The edge address ${quote(ip)} is in no prefix of the account; one that it owns is needed.`,
    pointers: pointerTo,
    bad: { body: staticEdge, facts: { ...world, prefixes: ["203.0.113.0/24"] } },
    good: { body: staticEdge, facts: { ...world, prefixes: ["198.51.100.10/32"] } },
  }),
];

function findUsed(candidate: Candidate, facts: CompiledFacts, orphaned: boolean) {
  const { edgeIps, zone } = facts;
  if (!edgeIps) return missing("edge_ips");
  let unsure = false;
  const found = eachEdgeIp(candidate, (ip) => {
    const holders = edgeIps.get(keyOf(ip))?.filter((holder) => (holder.deleted ?? false) === orphaned) ?? [];
    if (orphaned) return holders.length > 0;
    if (zone === undefined && holders.length > 0) unsure = true;
    return zone !== undefined && holders.some((holder) => holder.zone !== zone);
  });
  return found ?? (unsure ? missing("zone") : undefined);
}

/** Checks of 11033. */
export const edgeUseChecks: readonly Check<Candidate>[] = [
  check<Candidate, EdgeAt>({
    id: "edge-ip-in-use",
    code: 11033,
    phase: "stateful",
    facts: ["edge_ips", "zone"],
    what: "A static edge address is not used by another zone.",
    why: "Traffic to an address goes to one zone.",
    fix: "Use another address, or free it on the other zone.",
    find: (candidate, facts) => findUsed(candidate, facts, false),
    message: ({ ip }) =>
      `The edge address ${quote(ip)} is in use on another zone; one that is free is needed.`,
    pointers: pointerTo,
    bad: { body: staticEdge, facts: { ...world, edge_ips: [{ ip: "198.51.100.10", zone: "z2" }] } },
    good: { body: staticEdge, facts: { ...world, edge_ips: [{ ip: "198.51.100.10", zone: "z1" }] } },
  }),
  check<Candidate, EdgeAt>({
    id: "edge-ip-orphaned",
    code: 11033,
    phase: "stateful",
    facts: ["edge_ips"],
    what: "A static edge address is not held by an application whose zone was deleted.",
    why: "Such an orphan keeps its addresses until support removes it.",
    fix: "Use another address, or have the orphaned application removed.",
    find: (candidate, facts) => findUsed(candidate, facts, true),
    message: ({ ip }) =>
      `The edge address ${quote(ip)} is held by an application of a deleted zone; one that is free is needed.`,
    pointers: pointerTo,
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

/** The canonical protocol of a stored application. */
function canonical(protocol: string): string | undefined {
  const result = parseProtocol(protocol);
  return result.ok ? printProtocol(result.value) : undefined;
}

function findSameProtocol(candidate: Candidate, { plan, apps }: CompiledFacts) {
  if (plan !== "pay-as-you-go") return undefined;
  if (!apps) return missing("apps");
  const { previous } = candidate;
  const key = printProtocol(candidate.protocol);
  const same = apps.get(key) ?? [];
  const others = previous?.id === undefined ? same : same.filter((app) => app.id !== previous.id);
  const own = previous && previous.id === undefined && canonical(previous.protocol) === key ? 1 : 0;
  return others.length > own ? [candidate.app.protocol] : undefined;
}

const payAsYouGo = { ...world, plan: "pay-as-you-go" } as const;

/** Checks of 11034. */
export const protocolUseChecks: readonly Check<Candidate>[] = [
  check<Candidate, string>({
    id: "protocol-taken",
    code: 11034,
    phase: "stateful",
    facts: ["apps"],
    what: "A pay-as-you-go account has one application for each protocol; `ssh` and `tcp/22` are the same.",
    why: "More of them belong to the paid add-on.",
    fix: "Change the application that exists, or get the paid add-on.",
    find: findSameProtocol,
    message: (protocol) =>
      `There is an application for the protocol \`${protocol}\` already; pay-as-you-go accounts may have one.`,
    pointers: () => ["/protocol"],
    bad: { body: direct, facts: { ...payAsYouGo, apps: [{ id: "a1", protocol: "ssh" }] } },
    good: { body: direct, facts: { ...payAsYouGo, apps: [{ id: "a1", protocol: "tcp/23" }] } },
  }),
];
