/**
 * The format phase: JSON types, enumerations, and the strings whose grammar has no code of its own (protocol, host name,
 * edge addresses). Reads the members into a candidate with its defaults, or lists what is wrong with each.
 */

import { type Ip, parseIp } from "../../../core/address/ip.ts";
import type { ParseFault } from "../../../core/address/parse-fault.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import type { Result } from "../../../core/result.ts";
import { quote } from "../../../errors.ts";
import { parseHostname } from "../grammar/hostname.ts";
import { parseOrigin } from "../grammar/origin.ts";
import { type PortRange, parsePorts } from "../grammar/port.ts";
import { parseProtocol } from "../grammar/protocol.ts";
import {
  type App,
  type AppDns,
  connectivities,
  type DnsType,
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
import { type Members, maxListLength } from "./decode.ts";
import { describeValue, memberPath } from "./describe-input.ts";

/** Ids of the checks of the format phase. */
export type FormatCheck =
  | "member-missing"
  | "member-type"
  | "member-value"
  | "list-length"
  | "protocol-syntax"
  | "hostname-syntax"
  | "edge-ip-syntax"
  | "origin-port-syntax";

/** The outcome of the format phase. */
export interface AppReading {
  /** Absent when there are faults. */
  readonly candidate?: Candidate;
  /** The members whose format is wrong. */
  readonly faults: readonly Diagnostic<FormatCheck>[];
  /** Pointers to known members that have no effect in combination with the others. */
  readonly ignored: readonly string[];
}

/** Collects the faults and ignored members of one body. */
interface Collector {
  readonly faults: Diagnostic<FormatCheck>[];
  readonly ignored: string[];
}

/** Reads the members of a body. */
export function readApp(members: Members, previous: PreviousApp | undefined): AppReading {
  const out: Collector = { faults: [], ignored: [] };
  const protocol = readGrammar(members.protocol, "/protocol", "protocol-syntax", parseProtocol, out);
  const dns = readDns(members.dns, out);
  const direct = readOriginDirect(members.origin_direct, out);
  const originDns = readOriginDns(members.origin_dns, out);
  const originPort = readOriginPort(members.origin_port, originDns !== undefined, out);
  const edge = readEdgeIps(members.edge_ips, out);
  const modes = readModes(members, out);
  const network = readOptionalString(members.virtual_network_id, "/virtual_network_id", out);
  const { faults, ignored } = out;
  if (!protocol || !dns || !direct || !edge || faults.length > 0) return { faults, ignored };
  const { name, type = edge.ips.type === "static" ? "ADDRESS" : "CNAME" } = dns;
  const app: Writable<App> = {
    protocol: protocol.text,
    dns: { name, type },
    traffic_type: modes.traffic_type,
    edge_ips: edge.ips,
    smart_routing: modes.smart_routing,
    ip_firewall: modes.ip_firewall,
    proxy_protocol: modes.proxy_protocol,
    tls: modes.tls,
  };
  if (direct.length > 0) app.origin_direct = direct;
  if (originDns) app.origin_dns = originDns;
  if (originPort) app.origin_port = originPort.value;
  if (network !== undefined) app.virtual_network_id = network;
  const candidate: Candidate = {
    app,
    protocol: protocol.parsed,
    hostname: dns.hostname,
    origins: direct.map(parseOrigin),
    originPort: originPort?.ports,
    edgeIps: edge.parsed,
    previous,
  };
  return { candidate, faults, ignored };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function readModes(members: Members, out: Collector) {
  return {
    traffic_type: readOneOf(members.traffic_type, trafficTypes, "direct", "/traffic_type", out),
    smart_routing: readFlag(members.smart_routing, "/smart_routing", out),
    ip_firewall: readFlag(members.ip_firewall, "/ip_firewall", out),
    proxy_protocol: readOneOf(members.proxy_protocol, proxyProtocols, "off", "/proxy_protocol", out),
    tls: readOneOf(members.tls, tlsModes, "off", "/tls", out),
  };
}

/** Adds a fault; `fixed` is the correct value, when there is only one. */
function addFault(
  out: Collector,
  rule: FormatCheck,
  pointer: string,
  message: string,
  fixed?: string,
): undefined {
  const fix = fixed === undefined ? {} : { fix: [{ op: "replace", path: pointer, value: fixed } as const] };
  out.faults.push({ rule, level: "error", pointer, message, ...fix });
  return undefined;
}

/** Adds the fault that a value is missing or has the wrong type. */
function addTypeFault(out: Collector, pointer: string, found: unknown, expected: string): undefined {
  const path = memberPath(pointer);
  if (found === undefined) {
    return addFault(out, "member-missing", pointer, `${path} is missing; it must be ${expected}.`);
  }
  return addFault(out, "member-type", pointer, `${path} must be ${expected}; found ${describeValue(found)}.`);
}

/** Reads one of a few strings; `byDefault` when it is absent or wrong. */
function readOneOf<T extends string>(
  value: unknown,
  allowed: readonly T[],
  byDefault: T,
  pointer: string,
  out: Collector,
): T {
  if (value === undefined) return byDefault;
  const known = allowed.find((choice) => choice === value);
  if (known !== undefined) return known;
  const expected = `one of ${allowed.map((choice) => `\`${choice}\``).join(", ")}`;
  if (typeof value !== "string") {
    addTypeFault(out, pointer, value, expected);
    return byDefault;
  }
  const message = `${memberPath(pointer)} must be ${expected}; found ${quote(value)}.`;
  const fixed = allowed.find((choice) => choice.toLowerCase() === value.toLowerCase());
  addFault(out, "member-value", pointer, message, fixed);
  return byDefault;
}

function readFlag(value: unknown, pointer: string, out: Collector): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  addTypeFault(out, pointer, value, "true or false");
  return false;
}

function readOptionalString(value: unknown, pointer: string, out: Collector): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return addTypeFault(out, pointer, value, "a string");
}

/** A string of a grammar, and its parsed value. */
interface ParsedString<T> {
  readonly text: string;
  readonly parsed: T;
}

function readGrammar<T>(
  value: unknown,
  pointer: string,
  check: FormatCheck,
  parse: (text: string) => Result<T, ParseFault>,
  out: Collector,
): ParsedString<T> | undefined {
  if (typeof value !== "string") return addTypeFault(out, pointer, value, "a string");
  const result = parse(value);
  if (result.ok) return { text: value, parsed: result.value };
  return addFault(out, check, pointer, syntaxMessage(pointer, value, result.problems[0]));
}

function syntaxMessage(pointer: string, found: string | number, { offset, message }: ParseFault): string {
  return `${memberPath(pointer)} is ${quote(found)}: at offset ${offset} ${message}.`;
}

interface ReadDns extends Omit<AppDns, "type"> {
  readonly hostname: string;
  readonly type: DnsType | undefined;
}

function readDns(value: unknown, out: Collector): ReadDns | undefined {
  if (!isJsonObject(value)) return addTypeFault(out, "/dns", value, "an object with a `name`");
  const name = readGrammar(value["name"], "/dns/name", "hostname-syntax", parseHostname, out);
  const type =
    value["type"] === undefined ? undefined : readOneOf(value["type"], dnsTypes, "CNAME", "/dns/type", out);
  return name && { name: name.text, hostname: name.parsed, type };
}

function readOriginDirect(value: unknown, out: Collector): Strings {
  return value === undefined ? [] : readStrings(value, "/origin_direct", "an array of addresses", out);
}

type Strings = readonly string[] | undefined;

/** Reads an array of strings; undefined when it has a fault. */
function readStrings(value: unknown, pointer: string, expected: string, out: Collector): Strings {
  if (!Array.isArray(value)) return addTypeFault(out, pointer, value, expected);
  if (value.length > maxListLength) {
    const message = `${memberPath(pointer)} must have at most ${maxListLength} entries; found more.`;
    return addFault(out, "list-length", pointer, message);
  }
  const strings: string[] = [];
  value.forEach((item: unknown, i) => {
    if (typeof item === "string") strings.push(item);
    else addTypeFault(out, `${pointer}/${i}`, item, "a string");
  });
  return strings.length === value.length ? strings : undefined;
}

function readOriginDns(value: unknown, out: Collector): OriginDns | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return addTypeFault(out, "/origin_dns", value, "an object with a `name`");
  const name = readOptionalString(value["name"], "/origin_dns/name", out) ?? "";
  const type = readOneOf(value["type"], originDnsTypes, "", "/origin_dns/type", out);
  const ttl = value["ttl"];
  if (isInteger(ttl)) return { name, ttl, type };
  if (ttl !== undefined) addTypeFault(out, "/origin_dns/ttl", ttl, "an integer");
  return { name, type };
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

interface ReadPort {
  readonly value: number | string;
  readonly ports: Result<PortRange, ParseFault>;
}

/** Reads `origin_port`. With `origin_dns` a malformed port is left to 11001. */
function readOriginPort(value: unknown, byName: boolean, out: Collector): ReadPort | undefined {
  if (value === undefined) return undefined;
  const pointer = "/origin_port";
  if (typeof value !== "string" && !isInteger(value))
    return addTypeFault(out, pointer, value, "an integer, or a string with a port or a range");
  const ports = parsePorts(String(value));
  if (!ports.ok && !byName) {
    addFault(out, "origin-port-syntax", pointer, syntaxMessage(pointer, value, ports.problems[0]));
  }
  return { value, ports };
}

interface Edge {
  readonly ips: EdgeIps;
  readonly parsed: readonly Ip[];
}

const dynamicToAll: Edge = { ips: { type: "dynamic", connectivity: "all" }, parsed: [] };

function readEdgeIps(value: unknown, out: Collector): Edge | undefined {
  if (value === undefined) return dynamicToAll;
  if (!isJsonObject(value)) return addTypeFault(out, "/edge_ips", value, "an object with a `type`");
  if (value["type"] === undefined)
    return addTypeFault(out, "/edge_ips/type", undefined, "`dynamic` or `static`");
  const type = readOneOf(value["type"], edgeIpTypes, "dynamic", "/edge_ips/type", out);
  return type === "static" ? readStatic(value, out) : readDynamic(value, out);
}

function readDynamic(value: JsonObject, out: Collector): Edge {
  if (value["ips"] !== undefined) out.ignored.push("/edge_ips/ips");
  const connectivity = readOneOf(value["connectivity"], connectivities, "all", "/edge_ips/connectivity", out);
  return { ips: { type: "dynamic", connectivity }, parsed: dynamicToAll.parsed };
}

function readStatic(value: JsonObject, out: Collector): Edge | undefined {
  if (value["connectivity"] !== undefined) out.ignored.push("/edge_ips/connectivity");
  const pointer = "/edge_ips/ips";
  const ips = readStrings(value["ips"], pointer, "an array of IP addresses", out);
  if (!ips) return undefined;
  if (ips.length === 0) {
    const message = `${memberPath(pointer)} must have at least one address; found none.`;
    addFault(out, "list-length", pointer, message);
  }
  const parsed: Ip[] = [];
  ips.forEach((ip, i) => {
    const read = readGrammar(ip, `${pointer}/${i}`, "edge-ip-syntax", parseIp, out);
    if (read) parsed.push(read.parsed);
  });
  return { ips: { type: "static", ips }, parsed };
}
