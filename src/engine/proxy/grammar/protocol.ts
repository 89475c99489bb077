/** The `protocol` member: `tcp/22`, `udp/1000-2000`, and the canonical names `ssh`, `rdp`, `minecraft` (`spec`). */

import { type ParseFault, parseFailure } from "../../../core/address/parse-fault.ts";
import { type Result, success } from "../../../core/result.ts";
import { type PortRange, parsePorts, printPorts } from "./port.ts";

/** The transports a proxy application can carry. */
export type Transport = "tcp" | "udp";

/** A transport with its edge ports. */
export interface Protocol {
  /** Transport of the edge ports. */
  readonly transport: Transport;
  /** Ports on which clients connect to the edge. */
  readonly ports: PortRange;
}

/** Names for well-known services (`observed`), with their registered ports. */
const named: ReadonlyMap<string, Protocol> = new Map([
  ["ssh", { transport: "tcp", ports: { first: 22, last: 22 } }],
  ["rdp", { transport: "tcp", ports: { first: 3389, last: 3389 } }],
  ["minecraft", { transport: "tcp", ports: { first: 25_565, last: 25_565 } }],
]);

/**
 * Parses a protocol. Upper case is not accepted.
 *
 * @example parseProtocol("ssh") // { ok: true, value: { transport: "tcp", ports: { first: 22, last: 22 } } }
 */
export function parseProtocol(text: string): Result<Protocol, ParseFault> {
  const known = named.get(text);
  if (known) return success(known);
  const transport = text.startsWith("tcp/") ? "tcp" : text.startsWith("udp/") ? "udp" : undefined;
  if (!transport)
    return parseFailure(0, "`tcp/` or `udp/` with a port, or `ssh`, `rdp` or `minecraft` is expected");
  const ports = parsePorts(text, transport.length + 1);
  return ports.ok ? success({ transport, ports: ports.value }) : ports;
}

/**
 * Prints the canonical form of a protocol, which is equal for `ssh` and `tcp/22`.
 *
 * @example printProtocol({ transport: "tcp", ports: { first: 22, last: 22 } }) // "tcp/22"
 */
export function printProtocol({ transport, ports }: Protocol): string {
  return `${transport}/${printPorts(ports)}`;
}

/**
 * All strings that `parseProtocol` accepts for a protocol.
 *
 * @example spellingsOf({ transport: "tcp", ports: { first: 22, last: 22 } }) // ["tcp/22", "ssh"]
 */
export function spellingsOf(protocol: Protocol): readonly string[] {
  const canonical = printProtocol(protocol);
  const names = [...named].filter(([, value]) => printProtocol(value) === canonical).map(([name]) => name);
  return [canonical, ...names];
}

/** A compiled list of protocols. */
export interface ProtocolSet {
  /** The ports of a protocol that are in the set, ascending. */
  inside(protocol: Protocol): readonly PortRange[];
  /** The ports of a protocol that are not in the set, ascending. */
  outside(protocol: Protocol): readonly PortRange[];
}

const none: readonly PortRange[] = [];

/** Compiles protocols into disjoint ascending ranges for each transport. */
export function compileProtocols(protocols: readonly Protocol[]): ProtocolSet {
  const ranges = { tcp: merged(protocols, "tcp"), udp: merged(protocols, "udp") };
  return {
    inside: ({ transport, ports }) => inside(ranges[transport], ports),
    outside: ({ transport, ports }) => outside(ranges[transport], ports),
  };
}

function merged(protocols: readonly Protocol[], transport: Transport): readonly PortRange[] {
  const sorted = protocols.filter((p) => p.transport === transport).map((p) => p.ports);
  sorted.sort((a, b) => a.first - b.first);
  const out: PortRange[] = [];
  for (const range of sorted) {
    const before = out.at(-1);
    if (!before || range.first > before.last + 1) out.push(range);
    else if (range.last > before.last) out[out.length - 1] = { first: before.first, last: range.last };
  }
  return out;
}

function inside(ranges: readonly PortRange[], { first, last }: PortRange): readonly PortRange[] {
  if (ranges.length === 0) return none;
  const out = ranges.filter((range) => range.last >= first && range.first <= last);
  return out.map((range) => ({ first: Math.max(range.first, first), last: Math.min(range.last, last) }));
}

function outside(ranges: readonly PortRange[], requested: PortRange): readonly PortRange[] {
  for (const range of ranges) if (range.first <= requested.first && requested.last <= range.last) return none;
  const out: PortRange[] = [];
  let first = requested.first;
  for (const range of inside(ranges, requested)) {
    if (range.first > first) out.push({ first, last: range.first - 1 });
    first = range.last + 1;
  }
  if (first <= requested.last) out.push({ first, last: requested.last });
  return out;
}
