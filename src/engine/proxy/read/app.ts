/**
 * The shape of an application: JSON types, enumerations, and the texts without a code of their own (protocol, host name,
 * edge addresses). Reads the members into a candidate with its defaults, or says what is wrong with each.
 */

import { parseHostname } from "../grammar/hostname.ts";
import { type Ip, parseIp } from "../grammar/ip.ts";
import { parseOrigin } from "../grammar/origin.ts";
import type { Parsed } from "../grammar/parsed.ts";
import { type PortRange, parsePorts } from "../grammar/port.ts";
import { type Protocol, parseProtocol } from "../grammar/protocol.ts";
import {
  type App,
  connectivities,
  dnsTypes,
  type EdgeIps,
  edgeIpTypes,
  type OriginDns,
  originDnsTypes,
  type PreviousApp,
  proxyProtocols,
  tlsModes,
  trafficTypes,
} from "../model.ts";
import type { Candidate } from "./candidate.ts";
import { isObject, type Members, maxListLength } from "./decode.ts";

/** Checks of the shape phase. */
export type ShapeCheck =
  | "member-missing"
  | "member-type"
  | "member-value"
  | "list-length"
  | "protocol-syntax"
  | "hostname-syntax"
  | "edge-ip-syntax"
  | "origin-port-syntax";

/** One member whose shape is wrong. */
export interface ShapeFault {
  readonly check: ShapeCheck;
  readonly pointer: string;
  readonly found: unknown;
  /** What is expected, as the end of a sentence. */
  readonly expected: string;
}

/** The outcome of the shape phase. */
export interface Reading {
  /** Absent when there are faults. */
  readonly candidate?: Candidate;
  readonly faults: readonly ShapeFault[];
  /** Pointers to known members that have no meaning beside the others. */
  readonly ignored: readonly string[];
}

interface Notes {
  faults: ShapeFault[];
  ignored: string[];
}

/** Reads the members of a body. */
export function readShape(members: Members, previous: PreviousApp | undefined): Reading {
  const notes: Notes = { faults: [], ignored: [] };
  const protocol = readGrammar(members.protocol, "/protocol", "protocol-syntax", parseProtocol, notes);
  const dns = readDns(members.dns, notes);
  const direct = readOriginDirect(members.origin_direct, notes);
  const originDns = readOriginDns(members.origin_dns, notes);
  const originPort = readOriginPort(members.origin_port, originDns !== undefined, notes);
  const edge = readEdgeIps(members.edge_ips, notes);
  const rest = {
    traffic_type: oneOf(members.traffic_type, trafficTypes, "direct", "/traffic_type", notes),
    smart_routing: flag(members.smart_routing, "/smart_routing", notes),
    ip_firewall: flag(members.ip_firewall, "/ip_firewall", notes),
    proxy_protocol: oneOf(members.proxy_protocol, proxyProtocols, "off", "/proxy_protocol", notes),
    tls: oneOf(members.tls, tlsModes, "off", "/tls", notes),
  };
  const network = optionalText(members.virtual_network_id, "/virtual_network_id", notes);
  const { faults, ignored } = notes;
  if (faults.length > 0) return { faults, ignored };
  const app: Writable<App> = {
    protocol: members.protocol as string,
    dns: { name: dns.name, type: dns.type ?? (edge.ips.type === "static" ? "ADDRESS" : "CNAME") },
    traffic_type: rest.traffic_type,
    edge_ips: edge.ips,
    smart_routing: rest.smart_routing,
    ip_firewall: rest.ip_firewall,
    proxy_protocol: rest.proxy_protocol,
    tls: rest.tls,
  };
  if (direct.length > 0) app.origin_direct = direct;
  if (originDns) app.origin_dns = originDns;
  if (originPort) app.origin_port = members.origin_port as number | string;
  if (network !== undefined) app.virtual_network_id = network;
  const candidate: Candidate = {
    app,
    protocol: protocol as Protocol,
    hostname: dns.hostname,
    origins: direct.map(parseOrigin),
    originPort,
    edgeIps: edge.parsed,
    previous,
  };
  return { candidate, faults, ignored };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function fault(
  notes: Notes,
  check: ShapeCheck,
  pointer: string,
  found: unknown,
  expected: string,
): undefined {
  notes.faults.push({ check, pointer, found, expected });
  return undefined;
}

function wrongType(notes: Notes, pointer: string, found: unknown, expected: string): undefined {
  return fault(notes, found === undefined ? "member-missing" : "member-type", pointer, found, expected);
}

function oneOf<T extends string>(
  value: unknown,
  allowed: readonly T[],
  byDefault: T,
  pointer: string,
  notes: Notes,
): T {
  if (value === undefined || (allowed as readonly unknown[]).includes(value))
    return (value ?? byDefault) as T;
  fault(
    notes,
    typeof value === "string" ? "member-value" : "member-type",
    pointer,
    value,
    `one of ${allowed.map((one) => `\`${one}\``).join(", ")}`,
  );
  return byDefault;
}

function flag(value: unknown, pointer: string, notes: Notes): boolean {
  if (value === undefined) return false;
  return typeof value === "boolean" ? value : (wrongType(notes, pointer, value, "true or false") ?? false);
}

function optionalText(value: unknown, pointer: string, notes: Notes): string | undefined {
  return value === undefined || typeof value === "string"
    ? value
    : wrongType(notes, pointer, value, "a string");
}

function readGrammar<T>(
  value: unknown,
  pointer: string,
  check: ShapeCheck,
  parse: (text: string) => Parsed<T>,
  notes: Notes,
): T | undefined {
  if (typeof value !== "string") return wrongType(notes, pointer, value, "a string");
  const result = parse(value);
  if (result.ok) return result.value;
  return fault(notes, check, pointer, value, `at offset ${result.fault.at}: ${result.fault.message}`);
}

const noDns = { name: "", hostname: "", type: undefined };

function readDns(value: unknown, notes: Notes) {
  if (!isObject(value)) {
    wrongType(notes, "/dns", value, "an object with a `name`");
    return noDns;
  }
  const hostname = readGrammar(value["name"], "/dns/name", "hostname-syntax", parseHostname, notes);
  const type =
    value["type"] === undefined ? undefined : oneOf(value["type"], dnsTypes, "CNAME", "/dns/type", notes);
  return { name: value["name"] as string, hostname: hostname ?? "", type };
}

const noOrigins: readonly string[] = [];

function readOriginDirect(value: unknown, notes: Notes): readonly string[] {
  if (value === undefined) return noOrigins;
  return readList(value, "/origin_direct", "a list of addresses", notes);
}

function readList(value: unknown, pointer: string, expected: string, notes: Notes): readonly string[] {
  if (!Array.isArray(value)) return wrongType(notes, pointer, value, expected) ?? noOrigins;
  if (value.length > maxListLength) {
    return fault(notes, "list-length", pointer, value, `at most ${maxListLength} entries`) ?? noOrigins;
  }
  value.forEach((item: unknown, i) => {
    if (typeof item !== "string") fault(notes, "member-type", `${pointer}/${i}`, item, "a string");
  });
  return value as string[];
}

function readOriginDns(value: unknown, notes: Notes): OriginDns | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return wrongType(notes, "/origin_dns", value, "an object with a `name`");
  const name = optionalText(value["name"], "/origin_dns/name", notes) ?? "";
  const type = oneOf(value["type"], originDnsTypes, "", "/origin_dns/type", notes);
  const ttl = value["ttl"];
  if (ttl === undefined) return { name, type };
  if (!Number.isInteger(ttl)) wrongType(notes, "/origin_dns/ttl", ttl, "an integer");
  return { name, ttl: ttl as number, type };
}

function readOriginPort(value: unknown, byName: boolean, notes: Notes): Parsed<PortRange> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" && !Number.isInteger(value)) {
    return wrongType(notes, "/origin_port", value, "an integer, or a string with a port or a range");
  }
  const result = parsePorts(String(value));
  if (!result.ok && !byName) {
    const { at, message } = result.fault;
    fault(notes, "origin-port-syntax", "/origin_port", value, `at offset ${at}: ${message}`);
  }
  return result;
}

interface Edge {
  readonly ips: EdgeIps;
  readonly parsed: readonly Ip[];
}

const dynamicToAll: Edge = { ips: { type: "dynamic", connectivity: "all" }, parsed: [] };

function readEdgeIps(value: unknown, notes: Notes): Edge {
  if (value === undefined) return dynamicToAll;
  if (!isObject(value))
    return wrongType(notes, "/edge_ips", value, "an object with a `type`") ?? dynamicToAll;
  if (value["type"] === undefined) {
    return wrongType(notes, "/edge_ips/type", undefined, "`dynamic` or `static`") ?? dynamicToAll;
  }
  const type = oneOf(value["type"], edgeIpTypes, "dynamic", "/edge_ips/type", notes);
  return type === "static" ? readStatic(value, notes) : readDynamic(value, notes);
}

function readDynamic(value: Record<string, unknown>, notes: Notes): Edge {
  if (value["ips"] !== undefined) notes.ignored.push("/edge_ips/ips");
  const connectivity = oneOf(value["connectivity"], connectivities, "all", "/edge_ips/connectivity", notes);
  return { ips: { type: "dynamic", connectivity }, parsed: dynamicToAll.parsed };
}

function readStatic(value: Record<string, unknown>, notes: Notes): Edge {
  if (value["connectivity"] !== undefined) notes.ignored.push("/edge_ips/connectivity");
  const before = notes.faults.length;
  const ips = readList(value["ips"], "/edge_ips/ips", "a list of IP addresses", notes);
  if (notes.faults.length > before) return dynamicToAll;
  if (ips.length === 0) fault(notes, "list-length", "/edge_ips/ips", ips, "at least one address");
  const parsed = ips.map(
    (ip, i) => readGrammar(ip, `/edge_ips/ips/${i}`, "edge-ip-syntax", parseIp, notes) as Ip,
  );
  return { ips: { type: "static", ips }, parsed };
}
