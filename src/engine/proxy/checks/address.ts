/** 11002 (`spec`): the addresses of `origin_direct`. */
import { quote } from "../../../errors.ts";
import { printIp } from "../grammar/ip.ts";
import type { Origin, OriginFault, OriginFaultKind } from "../grammar/origin.ts";
import { printPorts, widthOf } from "../grammar/port.ts";
import type { PatchOperation } from "../patch.ts";
import { type Candidate, isVirtual } from "../read/candidate.ts";
import { type Check, type CheckText, check } from "./check.ts";
import { direct, virtual, world } from "./samples.ts";

interface FaultAt {
  readonly at: number;
  readonly text: string;
  readonly fault: OriginFault;
}

type GrammarEntry = Omit<CheckText, "code" | "phase" | "facts"> & {
  readonly kind: OriginFaultKind;
  readonly patch?: (subject: FaultAt) => readonly PatchOperation[] | undefined;
};

/** A check of one kind of grammar fault. */
function grammarCheck({ kind, ...entry }: GrammarEntry): Check<Candidate> {
  return check<Candidate, FaultAt>({
    ...entry,
    code: 11002,
    phase: "stateless",
    facts: [],
    find: ({ app, origins }) => {
      let found: FaultAt[] | undefined;
      origins.forEach((origin, at) => {
        if (origin.ok || origin.fault.kind !== kind) return;
        found ??= [];
        found.push({ at, text: app.origin_direct?.[at] as string, fault: origin.fault });
      });
      return found;
    },
    message: ({ text, fault }) =>
      `The origin ${quote(text)} is no address: at offset ${fault.at} ${fault.message}.`,
    pointers: ({ at }) => [pointerTo(at)],
  });
}

function pointerTo(at: number): string {
  return `/origin_direct/${at}`;
}

interface Parsed {
  readonly at: number;
  readonly origin: Origin;
}

interface Denied extends Parsed {
  readonly reason: string;
}

interface Mismatch extends Parsed {
  readonly protocol: string;
  readonly wanted: number;
}

/** The well-formed origins for which a rule finds something. */
function eachOrigin<S>({ origins }: Candidate, find: (origin: Origin, at: number) => S | undefined) {
  let found: S[] | undefined;
  for (let at = 0; at < origins.length; at++) {
    const origin = origins[at];
    const subject = origin?.ok ? find(origin.value, at) : undefined;
    if (subject === undefined) continue;
    found ??= [];
    found.push(subject);
  }
  return found;
}

/** Checks of 11002 for texts that are no addresses. */
export const grammarChecks: readonly Check<Candidate>[] = [
  grammarCheck({
    kind: "brackets",
    id: "origin-brackets",
    what: "An IPv6 origin stands in brackets.",
    why: "Without them its end and the port cannot be told apart.",
    fix: "Put the IPv6 address in brackets.",
    patch: ({ at, fault }) =>
      fault.mended === undefined ? undefined : [{ op: "replace", path: pointerTo(at), value: fault.mended }],
    bad: { body: { ...direct, origin_direct: ["tcp://2001:db8::1:443"] } },
    good: { body: { ...direct, origin_direct: ["tcp://[2001:db8::1]:443"] } },
  }),
  grammarCheck({
    kind: "spelling",
    id: "origin-spelling",
    what: "Addresses are written in full: IPv4 as four decimal numbers without leading zeros, IPv6 without a zone id.",
    why: "Octal, hexadecimal and short spellings mean different addresses to different readers.",
    fix: "Write the address in its usual form.",
    bad: { body: { ...direct, origin_direct: ["tcp://0x7f.1:22"] } },
    good: { body: { ...direct, origin_direct: ["tcp://203.0.113.1:22"] } },
  }),
  grammarCheck({
    kind: "port",
    id: "origin-port-grammar",
    what: "An origin address ends in a port or a range of ports from 1 to 65535.",
    why: "There is no default port.",
    fix: "Write the port as in `tcp://192.0.2.1:22` or `tcp://192.0.2.1:1000-2000`.",
    bad: { body: { ...direct, origin_direct: ["tcp://192.0.2.1:65536"] } },
    good: { body: { ...direct, origin_direct: ["tcp://192.0.2.1:65535"] } },
  }),
  grammarCheck({
    kind: "syntax",
    id: "origin-syntax",
    what: "An origin is `tcp://` or `udp://`, an IP address, and a port.",
    why: "Host names belong into `origin_dns`.",
    fix: "Write the origin as in `tcp://192.0.2.1:22`, or use `origin_dns` for a name.",
    bad: { body: { ...direct, origin_direct: ["tcp://origin.example.com:22"] } },
    good: { body: { ...direct, origin_direct: ["tcp://198.51.100.7:22"] } },
  }),
];

/** Checks of 11002 for addresses. */
export const addressChecks: readonly Check<Candidate>[] = [
  check<Candidate, Denied>({
    id: "origin-denied",
    code: 11002,
    phase: "stateless",
    facts: [],
    what: "An origin outside of a virtual network has a public address, not an IPv4 address inside IPv6.",
    why: "The service must not be turned against its own or anybody's internal network.",
    fix: "Use a public address, or reach a private one through `virtual_network_id`.",
    find: (candidate, facts) => {
      if (candidate.app.virtual_network_id !== undefined) return undefined;
      return eachOrigin(candidate, (origin, at) => {
        const reason = facts.originAccess(origin.ip);
        return reason === undefined ? undefined : { at, origin, reason };
      });
    },
    message: ({ origin, reason }) =>
      `The origin's address \`${printIp(origin.ip)}\` is ${reason}; a public address is needed.`,
    pointers: ({ at }) => [pointerTo(at)],
    bad: { body: { ...direct, origin_direct: ["tcp://10.0.0.5:22"] } },
    good: { body: virtual, facts: world },
  }),
  check<Candidate, Mismatch>({
    id: "origin-scheme",
    code: 11002,
    phase: "stateless",
    facts: [],
    what: "The scheme of an origin is the transport of `protocol`.",
    why: "Traffic is not translated between TCP and UDP.",
    fix: "Write the same transport in `protocol` and in the origin.",
    find: (candidate) =>
      eachOrigin(candidate, (origin, at) =>
        origin.transport === candidate.protocol.transport
          ? undefined
          : { at, origin, protocol: candidate.app.protocol, wanted: 0 },
      ),
    message: ({ origin, protocol }) =>
      `The origin is \`${origin.transport}://\` under the protocol \`${protocol}\`; both must have the same transport.`,
    pointers: ({ at }) => [pointerTo(at), "/protocol"],
    bad: { body: { ...direct, origin_direct: ["udp://192.0.2.1:22"] } },
    good: { body: { ...direct, protocol: "udp/22", origin_direct: ["udp://192.0.2.1:22"] } },
  }),
  check<Candidate, Mismatch>({
    id: "origin-range-width",
    code: 11002,
    phase: "stateless",
    facts: [],
    what: "An origin has as many ports as `protocol`.",
    why: "Edge ports are mapped to origin ports one by one.",
    fix: "Give both ranges the same width.",
    find: (candidate) => {
      const wanted = widthOf(candidate.protocol.ports);
      return eachOrigin(candidate, (origin, at) => {
        const width = widthOf(origin.ports);
        // A range in a virtual network is 11043, whatever its width.
        if (width === wanted || (width > 1 && isVirtual(candidate))) return undefined;
        return { at, origin, protocol: candidate.app.protocol, wanted };
      });
    },
    message: ({ origin, protocol, wanted }) =>
      `The origin's ports \`${printPorts(origin.ports)}\` are ${widthOf(origin.ports)}, the protocol \`${protocol}\` has ${wanted}; the numbers must be equal.`,
    pointers: ({ at }) => [pointerTo(at), "/protocol"],
    bad: { body: { ...direct, protocol: "tcp/1000-1009", origin_direct: ["tcp://192.0.2.1:2000-2010"] } },
    good: { body: { ...direct, protocol: "tcp/1000-1009", origin_direct: ["tcp://192.0.2.1:2000-2009"] } },
  }),
];
