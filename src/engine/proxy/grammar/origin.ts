/** One entry of `origin_direct`: `tcp://192.0.2.1:22`, `udp://[2001:db8::1]:443-450` (`spec`). */

import { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "./ip.ts";
import { type Fault, failed, type Parsed, parsed } from "./parsed.ts";
import { type PortRange, parsePorts, printPorts } from "./port.ts";
import type { Transport } from "./protocol.ts";

/** A parsed origin address. */
export interface Origin {
  readonly transport: Transport;
  readonly ip: Ip;
  readonly ports: PortRange;
}

/**
 * Why a text is no origin address.
 * - `brackets`: an IPv6 address that stands without them
 * - `spelling`: a host that lax parsers read as an address (octal, hexadecimal, short, a zone id)
 * - `port`: everything but the port is fine
 * - `syntax`: anything else
 */
export type OriginFaultKind = "brackets" | "spelling" | "port" | "syntax";

/** An origin address's fault. */
export interface OriginFault extends Fault {
  readonly kind: OriginFaultKind;
  /** The same address with its brackets, where only they are missing. */
  readonly mended?: string;
}

const schemeLength = "tcp://".length;

/**
 * Parses an origin address.
 *
 * @example parseOrigin("tcp://[2001:db8::1]:443-450") // { ok: true, value: { transport: "tcp", ip: { family: 6, words: [0x20010db8, 0, 0, 1] }, ports: { first: 443, last: 450 } } }
 */
export function parseOrigin(text: string): Parsed<Origin, OriginFault> {
  const transport = text.startsWith("tcp://") ? "tcp" : text.startsWith("udp://") ? "udp" : undefined;
  if (!transport) return fault("syntax", 0, "`tcp://` or `udp://` is expected");
  if (text.charCodeAt(schemeLength) === 91) return bracketed(text, transport);
  const colon = text.lastIndexOf(":");
  if (colon < schemeLength) return withoutPort(text);
  const host = text.slice(schemeLength, colon);
  const ip = parseIpv4(host);
  if (!ip.ok) return hostFault(text, host, ip.fault);
  return withPorts(text, transport, ip.value, colon);
}

function bracketed(text: string, transport: Transport): Parsed<Origin, OriginFault> {
  const close = text.indexOf("]", schemeLength);
  if (close < 0) return fault("syntax", text.length, "`]` is expected");
  const host = text.slice(schemeLength + 1, close);
  const ip = parseIpv6(host);
  if (!ip.ok) {
    const kind = host.includes("%") ? "spelling" : "syntax";
    return fault(kind, schemeLength + 1 + ip.fault.at, ip.fault.message);
  }
  if (text[close + 1] !== ":") return fault("port", close + 1, "`:` and a port are expected");
  return withPorts(text, transport, ip.value, close + 1);
}

function withPorts(text: string, transport: Transport, ip: Ip, colon: number): Parsed<Origin, OriginFault> {
  const ports = parsePorts(text, colon + 1);
  if (!ports.ok) return fault("port", ports.fault.at, ports.fault.message);
  return parsed({ transport, ip, ports: ports.value });
}

function withoutPort(text: string): Parsed<Origin, OriginFault> {
  const ip = parseIpv4(text.slice(schemeLength));
  if (ip.ok) return fault("port", text.length, "`:` and a port are expected");
  return hostFault(text, text.slice(schemeLength), ip.fault);
}

function hostFault(text: string, host: string, at: Fault): Parsed<Origin, OriginFault> {
  if (host.includes(":")) return unbracketed(text, host);
  const kind = readsAsNumber(host) ? "spelling" : "syntax";
  return fault(kind, schemeLength + at.at, at.message);
}

/** A host with colons: IPv6 without brackets, with or without a port behind it, or nothing at all. */
function unbracketed(text: string, host: string): Parsed<Origin, OriginFault> {
  const [address] = host.split("%", 1) as [string];
  const rest = text.slice(schemeLength + host.length);
  const kind = address === host ? "brackets" : "spelling";
  if (parseIpv6(address).ok) {
    const mended = `${text.slice(0, schemeLength)}[${host}]${rest}`;
    const known = kind === "brackets" && parseOrigin(mended).ok ? { mended } : {};
    return { ok: false, fault: { kind, at: schemeLength, message: "`[` is expected before IPv6", ...known } };
  }
  if (parseIp(text.slice(schemeLength)).ok)
    return fault("brackets", schemeLength, "`[` is expected before IPv6");
  return fault("syntax", schemeLength, "an IPv4 address, or an IPv6 address in brackets is expected");
}

/** Whether address parsers in the wild take a host for a number: its last part is one, decimal or hexadecimal. */
function readsAsNumber(host: string): boolean {
  const trimmed = host.endsWith(".") ? host.slice(0, -1) : host;
  return /^(?:0x[0-9a-f]*|\d+)$/i.test(trimmed.slice(trimmed.lastIndexOf(".") + 1));
}

function fault(kind: OriginFaultKind, at: number, message: string): { ok: false; fault: OriginFault } {
  return { ok: false, fault: { ...failed(at, message).fault, kind } };
}

/**
 * Prints the canonical text of an origin address.
 *
 * @example printOrigin({ transport: "tcp", ip: { family: 4, words: [0, 0, 0, 0xc0000201] }, ports: { first: 22, last: 22 } }) // "tcp://192.0.2.1:22"
 */
export function printOrigin({ transport, ip, ports }: Origin): string {
  const host = ip.family === 6 ? `[${printIp(ip)}]` : printIp(ip);
  return `${transport}://${host}:${printPorts(ports)}`;
}
