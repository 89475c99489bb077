/** 11002 (`spec`): the addresses of `origin_direct`. */

import { printIp } from "../../../core/address/ip.ts";
import type { PatchOperation } from "../../../core/json/patch.ts";
import { quote } from "../../../errors.ts";
import type { Origin, OriginFault, OriginFaultKind } from "../grammar/origin.ts";
import { printPorts, widthOf } from "../grammar/port.ts";
import { type Candidate, isVirtual } from "../read/candidate.ts";
import { type Check, statelessCheck, type Written } from "./check.ts";
import { direct, virtual, world } from "./samples.ts";

/** A string in `origin_direct` that is not an address. */
interface MalformedOrigin {
  readonly index: number;
  readonly text: string;
  readonly fault: OriginFault;
}

type GrammarEntry = Omit<Written, "code" | "phase" | "facts"> & {
  readonly kind: OriginFaultKind;
  readonly patch?: (origin: MalformedOrigin) => readonly PatchOperation[] | undefined;
};

/** A check for one kind of syntax fault. */
function grammarCheck({ kind, ...entry }: GrammarEntry): Check<Candidate> {
  return statelessCheck<MalformedOrigin>({
    ...entry,
    code: 11002,
    find: ({ app, origins }) => {
      const found: MalformedOrigin[] = [];
      origins.forEach((origin, index) => {
        if (origin.ok) return;
        const [fault] = origin.problems;
        if (fault.kind === kind) found.push({ index, text: app.origin_direct?.[index] ?? "", fault });
      });
      return found.length > 0 ? found : undefined;
    },
    message: ({ text, fault }) =>
      `The origin ${quote(text)} is not an address: at offset ${fault.offset} ${fault.message}.`,
    pointers: ({ index }) => [pointerTo(index)],
  });
}

function pointerTo(index: number): string {
  return `/origin_direct/${index}`;
}

interface ParsedOrigin {
  readonly index: number;
  readonly origin: Origin;
}

interface DeniedOrigin extends ParsedOrigin {
  readonly reason: string;
}

interface Mismatch extends ParsedOrigin {
  readonly protocol: string;
  /** Number of ports that the origin must have. */
  readonly width: number;
}

/** The violations among the well-formed origins; undefined when there is none. */
function findOrigins<S>({ origins }: Candidate, find: (origin: Origin, index: number) => S | undefined) {
  let found: S[] | undefined;
  origins.forEach((origin, index) => {
    const violation = origin.ok ? find(origin.value, index) : undefined;
    if (violation === undefined) return;
    found ??= [];
    found.push(violation);
  });
  return found;
}

/** Checks of 11002 for strings that are not addresses. */
export const grammarChecks: readonly Check<Candidate>[] = [
  grammarCheck({
    kind: "brackets",
    id: "origin-brackets",
    rule: "The address of an IPv6 origin is in brackets.",
    why: "Without brackets the end of the address and the port cannot be distinguished.",
    fix: "Put the IPv6 address in brackets.",
    patch: ({ index, fault }) =>
      fault.fixed === undefined ? undefined : [{ op: "replace", path: pointerTo(index), value: fault.fixed }],
    bad: { body: { ...direct, origin_direct: ["tcp://2001:db8::1:443"] } },
    good: { body: { ...direct, origin_direct: ["tcp://[2001:db8::1]:443"] } },
  }),
  grammarCheck({
    kind: "spelling",
    id: "origin-spelling",
    rule: "Addresses are written in full: IPv4 as four decimal numbers without leading zeros, IPv6 without a zone id.",
    why: "Parsers disagree on octal, hexadecimal and short notations.",
    fix: "Write the address in standard notation.",
    bad: { body: { ...direct, origin_direct: ["tcp://0x7f.1:22"] } },
    good: { body: { ...direct, origin_direct: ["tcp://203.0.113.1:22"] } },
  }),
  grammarCheck({
    kind: "port",
    id: "origin-port-grammar",
    rule: "An origin address ends in a port or a range of ports from 1 to 65535.",
    why: "There is no default port.",
    fix: "Write the port as in `tcp://192.0.2.1:22` or `tcp://192.0.2.1:1000-2000`.",
    bad: { body: { ...direct, origin_direct: ["tcp://192.0.2.1:65536"] } },
    good: { body: { ...direct, origin_direct: ["tcp://192.0.2.1:65535"] } },
  }),
  grammarCheck({
    kind: "syntax",
    id: "origin-syntax",
    rule: "An origin is `tcp://` or `udp://`, an IP address, and a port.",
    why: "Host names belong in `origin_dns`.",
    fix: "Write the origin as in `tcp://192.0.2.1:22`, or replace `origin_direct` by `origin_dns` with a name, and `origin_port`.",
    bad: { body: { ...direct, origin_direct: ["tcp://origin.example.com:22"] } },
    good: { body: { ...direct, origin_direct: ["tcp://198.51.100.7:22"] } },
  }),
];

/** Checks of 11002 for addresses. */
export const addressChecks: readonly Check<Candidate>[] = [
  statelessCheck<DeniedOrigin>({
    id: "origin-denied",
    code: 11002,
    rule: "An origin outside of a virtual network has a public address, not an IPv4 address inside IPv6.",
    why: "The service must not give access to internal networks.",
    fix: "Use a public address, or add the `virtual_network_id` of a virtual network that contains it.",
    find: (candidate, facts) => {
      if (candidate.app.virtual_network_id !== undefined) return undefined;
      return findOrigins(candidate, (origin, index) => {
        const reason = facts.originAccess(origin.ip);
        return reason === undefined ? undefined : { index, origin, reason };
      });
    },
    message: ({ origin, reason }) =>
      `The origin's address \`${printIp(origin.ip)}\` is ${reason}; it must be a public address.`,
    pointers: ({ index }) => [pointerTo(index)],
    bad: { body: { ...direct, origin_direct: ["tcp://10.0.0.5:22"] } },
    good: { body: virtual, facts: world },
  }),
  statelessCheck<Mismatch>({
    id: "origin-scheme",
    code: 11002,
    rule: "The scheme of an origin is the transport of `protocol`.",
    why: "Traffic is not translated between TCP and UDP.",
    fix: "Use the same transport in `protocol` and in the origin.",
    find: (candidate) =>
      findOrigins(candidate, (origin, index) =>
        origin.transport === candidate.protocol.transport
          ? undefined
          : { index, origin, protocol: candidate.app.protocol, width: 0 },
      ),
    message: ({ origin, protocol }) =>
      `The origin has the scheme \`${origin.transport}://\` and the protocol is \`${protocol}\`; both must have the same transport.`,
    pointers: ({ index }) => [pointerTo(index), "/protocol"],
    bad: { body: { ...direct, origin_direct: ["udp://192.0.2.1:22"] } },
    good: { body: { ...direct, protocol: "udp/22", origin_direct: ["udp://192.0.2.1:22"] } },
  }),
  statelessCheck<Mismatch>({
    id: "origin-range-width",
    code: 11002,
    rule: "An origin has as many ports as `protocol`.",
    why: "Edge ports are mapped to origin ports one by one.",
    fix: "Give both ranges the same width.",
    find: (candidate) => {
      const width = widthOf(candidate.protocol.ports);
      return findOrigins(candidate, (origin, index) => {
        const found = widthOf(origin.ports);
        // A range in a virtual network is 11043, whatever its width.
        if (found === width || (found > 1 && isVirtual(candidate))) return undefined;
        return { index, origin, protocol: candidate.app.protocol, width };
      });
    },
    message: ({ origin, protocol, width }) =>
      `The origin's range \`${printPorts(origin.ports)}\` has ${widthOf(origin.ports)} ports and the protocol \`${protocol}\` has ${width}; the numbers must be equal.`,
    pointers: ({ index }) => [pointerTo(index), "/protocol"],
    bad: { body: { ...direct, protocol: "tcp/1000-1009", origin_direct: ["tcp://192.0.2.1:2000-2010"] } },
    good: { body: { ...direct, protocol: "tcp/1000-1009", origin_direct: ["tcp://192.0.2.1:2000-2009"] } },
  }),
];
