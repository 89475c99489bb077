/** Notes about addresses that occur twice, and about host names whose applications share edge ports (`chosen`). */

import { printIp } from "../../../core/address/ip.ts";
import { addTo } from "../../../core/groups.ts";
import { noteCodes, quote } from "../../../errors.ts";
import type { CompiledFacts, NamedApp } from "../facts/facts.ts";
import { foldHostname } from "../grammar/hostname.ts";
import { printOrigin } from "../grammar/origin.ts";
import { parseProtocol, printProtocol } from "../grammar/protocol.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, type CheckDescription, check, missing } from "./check.ts";
import { direct, staticEdge, world } from "./samples.ts";

/** An address that occurs more than once. */
interface RepeatedAddress {
  readonly address: string;
  /** Indexes of its places, ascending. */
  readonly indexes: readonly number[];
}

/** The addresses that occur more than once; undefined when there is none. */
function findRepeated(addresses: readonly (string | undefined)[]): readonly RepeatedAddress[] | undefined {
  if (new Set(addresses).size === addresses.length) return undefined;
  const places = new Map<string, number[]>();
  addresses.forEach((address, index) => {
    if (address !== undefined) addTo(places, address, index);
  });
  const repeated = [...places].filter(([, indexes]) => indexes.length > 1);
  return repeated.length > 0 ? repeated.map(([address, indexes]) => ({ address, indexes })) : undefined;
}

type RepeatedEntry = Pick<CheckDescription, "id" | "rule" | "why" | "bad" | "good"> & {
  readonly addresses: (candidate: Candidate) => readonly (string | undefined)[];
  readonly pointer: string;
};

function repeatedCheck({ addresses, pointer, ...entry }: RepeatedEntry): Check<Candidate> {
  return check<Candidate, RepeatedAddress>({
    ...entry,
    code: noteCodes.valueNoted,
    level: "note",
    phase: "stateless",
    fix: "Remove the repeated address, or correct it.",
    find: (candidate) => findRepeated(addresses(candidate)),
    message: ({ address, indexes }) =>
      `The address \`${address}\` occurs ${indexes.length} times in \`${pointer.slice(1).replace("/", ".")}\`.`,
    // The first place is the one that can stay.
    pointers: ({ indexes: [first, ...others] }) => [...others, first].map((index) => `${pointer}/${index}`),
  });
}

/** Notes about addresses that occur twice. */
export const repeatedChecks: readonly Check<Candidate>[] = [
  repeatedCheck({
    id: "origin-duplicate",
    rule: "An address is in `origin_direct` once, in any notation.",
    why: "A second entry changes the share of the connections that the origin gets.",
    addresses: ({ origins }) => origins.map((origin) => (origin.ok ? printOrigin(origin.value) : undefined)),
    pointer: "/origin_direct",
    bad: { body: { ...direct, origin_direct: ["tcp://[2001:db8::1]:22", "tcp://[2001:DB8:0::1]:22"] } },
    good: { body: { ...direct, origin_direct: ["tcp://[2001:db8::1]:22", "tcp://[2001:db8::2]:22"] } },
  }),
  repeatedCheck({
    id: "edge-ip-duplicate",
    rule: "An address is in `edge_ips.ips` once, in any notation.",
    why: "A second entry has no effect.",
    addresses: ({ edgeIps }) => edgeIps.map(printIp),
    pointer: "/edge_ips/ips",
    bad: {
      body: { ...staticEdge, edge_ips: { type: "static", ips: ["198.51.100.10", "198.51.100.10"] } },
      facts: world,
    },
    good: {
      body: { ...staticEdge, edge_ips: { type: "static", ips: ["198.51.100.10", "198.51.100.11"] } },
      facts: world,
    },
  }),
];

/** Whether an application is the one that is updated. */
function isPrevious({ previous }: Candidate, other: NamedApp): boolean {
  if (!previous) return false;
  if (previous.id !== undefined && other.id !== undefined) return previous.id === other.id;
  const stored = parseProtocol(previous.protocol);
  const isSameProtocol = stored.ok && printProtocol(stored.value) === printProtocol(other.protocol);
  return isSameProtocol && foldHostname(previous.dns.name) === other.hostname;
}

/** Whether both applications listen on a port of the same transport. */
function sharesPorts({ protocol }: Candidate, other: NamedApp): boolean {
  const [a, b] = [protocol.ports, other.protocol.ports];
  return protocol.transport === other.protocol.transport && a.first <= b.last && b.first <= a.last;
}

interface SharedPorts {
  readonly name: string;
  readonly protocol: string;
  /** The protocols of the other applications. */
  readonly others: readonly string[];
}

function findSharedPorts(candidate: Candidate, { apps, zone }: CompiledFacts) {
  const isOther = (app: NamedApp) =>
    (app.zone === undefined || app.zone === zone) &&
    !isPrevious(candidate, app) &&
    sharesPorts(candidate, app);
  const others = (apps.byHostname.get(candidate.hostname) ?? []).filter(isOther);
  if (others.length > 0) {
    const { protocol, dns } = candidate.app;
    return [
      {
        name: dns.name,
        protocol,
        others: [...new Set(others.map((app) => printProtocol(app.protocol)))].sort(),
      },
    ];
  }
  return apps.isComplete && !apps.nameless.some(isOther) ? undefined : missing("apps");
}

/** Maximum number of other applications that a message lists. */
const maxListed = 5;

function list(protocols: readonly string[]): string {
  const more = protocols.length - maxListed;
  const listed = protocols.slice(0, maxListed).map(quote).join(", ");
  return listed + (more > 0 ? ` and ${more} more` : "");
}

/** Notes about the edge ports of a host name. */
export const sharedPortChecks: readonly Check<Candidate>[] = [
  check<Candidate, SharedPorts>({
    id: "hostname-ports-overlap",
    code: noteCodes.valueNoted,
    level: "note",
    phase: "stateful",
    facts: ["apps"],
    rule: "The applications of a host name have different edge ports.",
    why: "A connection to a port of a host name belongs to one application.",
    fix: "Use other edge ports, or another host name.",
    find: findSharedPorts,
    message: ({ name, protocol, others }) =>
      `The edge ports of \`${protocol}\` overlap those of ${list(others)} on the host name ${quote(name)}.`,
    pointers: () => ["/protocol", "/dns/name"],
    bad: {
      body: { ...direct, protocol: "tcp/20-22", origin_direct: ["tcp://192.0.2.1:20-22"] },
      facts: { ...world, apps: [{ id: "a1", protocol: "ssh", hostname: "SSH.example.com" }] },
    },
    good: {
      body: { ...direct, protocol: "tcp/20-21", origin_direct: ["tcp://192.0.2.1:20-21"] },
      facts: { ...world, apps: [{ id: "a1", protocol: "ssh", hostname: "SSH.example.com" }] },
    },
  }),
  check<Candidate, string>({
    id: "hostname-proxied-record",
    code: noteCodes.valueNoted,
    level: "warning",
    source: "chosen",
    phase: "stateful",
    rule: "The host name of an application has no proxied DNS record.",
    why: "HTTP requests to a proxied name go to the record's own origin, and not to the application.",
    fix: "Use another host name, or delete the record.",
    find: ({ app, hostname }, { proxiedNames }) => (proxiedNames.has(hostname) ? [app.dns.name] : undefined),
    message: (name) =>
      `The host name ${quote(name)} has a proxied DNS record, to whose origin its HTTP requests go.`,
    pointers: () => ["/dns/name"],
    bad: { body: direct, facts: { ...world, dns_records: [{ name: "SSH.example.com.", proxied: true }] } },
    good: {
      body: direct,
      facts: {
        ...world,
        dns_records: [
          { name: "ssh.example.com", type: "A", proxied: false },
          { name: "*.example.com", type: "A", proxied: true },
        ],
      },
    },
  }),
];
