/** One entry of `origin_direct`: `tcp://192.0.2.1:22`, `udp://[2001:db8::1]:443-450` (`spec`). */

import { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "../../../core/address/ip.ts";
import type { ParseFault } from "../../../core/address/parse-fault.ts";
import { type Failure, failure, type Result, success } from "../../../core/result.ts";
import { type PortRange, parsePorts, printPorts } from "./port.ts";
import type { Transport } from "./protocol.ts";

/** A parsed origin address. */
export interface Origin {
  /** The scheme. */
  readonly transport: Transport;
  /** Address of the host. */
  readonly ip: Ip;
  /** Ports of the host; a single port is a range of one. */
  readonly ports: PortRange;
}

/**
 * Why a string is not an origin address.
 * - `brackets`: an IPv6 address without brackets
 * - `spelling`: a host that lenient parsers read as an address (octal, hexadecimal, short, a zone id)
 * - `port`: only the port is wrong
 * - `syntax`: anything else
 */
export type OriginFaultKind = "brackets" | "spelling" | "port" | "syntax";

/** The fault of a string that is not an origin address. */
export interface OriginFault extends ParseFault {
  /** Kind of the fault. */
  readonly kind: OriginFaultKind;
  /** The address with brackets, when only the brackets are missing. */
  readonly fixed?: string;
}

const schemeLength = "tcp://".length;

/**
 * Parses an origin address.
 *
 * @example parseOrigin("tcp://[2001:db8::1]:443-450") // { ok: true, value: { transport: "tcp", ip: { family: 6, words: [0x20010db8, 0, 0, 1] }, ports: { first: 443, last: 450 } } }
 */
export function parseOrigin(text: string): Result<Origin, OriginFault> {
  const transport = text.startsWith("tcp://") ? "tcp" : text.startsWith("udp://") ? "udp" : undefined;
  if (!transport) return originFailure("syntax", 0, "`tcp://` or `udp://` is expected");
  if (text.charCodeAt(schemeLength) === 91) return bracketed(text, transport);
  const colon = text.lastIndexOf(":");
  if (colon < schemeLength) return withoutPort(text);
  const host = text.slice(schemeLength, colon);
  const ip = parseIpv4(host);
  if (!ip.ok) return hostFailure(text, host, ip.problems[0]);
  return withPorts(text, transport, ip.value, colon);
}

function bracketed(text: string, transport: Transport): Result<Origin, OriginFault> {
  const close = text.indexOf("]", schemeLength);
  if (close < 0) return originFailure("syntax", text.length, "`]` is expected");
  const host = text.slice(schemeLength + 1, close);
  const ip = parseIpv6(host);
  if (!ip.ok) {
    const kind = host.includes("%") ? "spelling" : "syntax";
    const [{ offset, message }] = ip.problems;
    return originFailure(kind, schemeLength + 1 + offset, message);
  }
  if (text[close + 1] !== ":") return originFailure("port", close + 1, "`:` and a port are expected");
  return withPorts(text, transport, ip.value, close + 1);
}

function withPorts(text: string, transport: Transport, ip: Ip, colon: number): Result<Origin, OriginFault> {
  const ports = parsePorts(text, colon + 1);
  if (ports.ok) return success({ transport, ip, ports: ports.value });
  const [{ offset, message }] = ports.problems;
  return originFailure("port", offset, message);
}

function withoutPort(text: string): Result<Origin, OriginFault> {
  const ip = parseIpv4(text.slice(schemeLength));
  if (ip.ok) return originFailure("port", text.length, "`:` and a port are expected");
  return hostFailure(text, text.slice(schemeLength), ip.problems[0]);
}

function hostFailure(text: string, host: string, { offset, message }: ParseFault): Failure<OriginFault> {
  if (host.includes(":")) return unbracketed(text, host);
  const kind = readsAsNumber(host) ? "spelling" : "syntax";
  return originFailure(kind, schemeLength + offset, message);
}

/** The fault of a host with colons: IPv6 without brackets, with or without a port after it, or neither address. */
function unbracketed(text: string, host: string): Failure<OriginFault> {
  const [address = ""] = host.split("%", 1);
  const rest = text.slice(schemeLength + host.length);
  const kind = address === host ? "brackets" : "spelling";
  if (parseIpv6(address).ok) {
    const fixed = `${text.slice(0, schemeLength)}[${host}]${rest}`;
    const known = kind === "brackets" && parseOrigin(fixed).ok ? { fixed } : {};
    return failure({ kind, offset: schemeLength, message: "`[` is expected before IPv6", ...known });
  }
  if (parseIp(text.slice(schemeLength)).ok)
    return originFailure("brackets", schemeLength, "`[` is expected before IPv6");
  return originFailure("syntax", schemeLength, "an IPv4 address, or an IPv6 address in brackets is expected");
}

/** Whether lenient address parsers read a host as an address: its last part is a decimal or hexadecimal number. */
function readsAsNumber(host: string): boolean {
  const trimmed = host.endsWith(".") ? host.slice(0, -1) : host;
  return /^(?:0x[0-9a-f]*|\d+)$/i.test(trimmed.slice(trimmed.lastIndexOf(".") + 1));
}

function originFailure(kind: OriginFaultKind, offset: number, message: string): Failure<OriginFault> {
  return failure({ kind, offset, message });
}

/**
 * Prints an origin address in canonical notation.
 *
 * @example printOrigin({ transport: "tcp", ip: { family: 4, words: [0, 0, 0, 0xc0000201] }, ports: { first: 22, last: 22 } }) // "tcp://192.0.2.1:22"
 */
export function printOrigin({ transport, ip, ports }: Origin): string {
  const host = ip.family === 6 ? `[${printIp(ip)}]` : printIp(ip);
  return `${transport}://${host}:${printPorts(ports)}`;
}
