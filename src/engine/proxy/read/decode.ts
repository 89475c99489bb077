/**
 * The first look at a body: its own members, known ones taken out by name, unknown ones listed. Everything later reads
 * only what is copied here, so prototypes, accessors and later changes of the body have no effect.
 */
import { pointer } from "../../../errors.ts";

/** The members of an application, as they were sent. */
export interface Members {
  protocol: unknown;
  dns: unknown;
  traffic_type: unknown;
  origin_direct: unknown;
  origin_dns: unknown;
  origin_port: unknown;
  edge_ips: unknown;
  smart_routing: unknown;
  ip_firewall: unknown;
  proxy_protocol: unknown;
  tls: unknown;
  virtual_network_id: unknown;
}

export type MemberName = keyof Members;

/** The members an application can have, in the order in which they are checked and printed. */
export const memberNames = [
  "protocol",
  "dns",
  "traffic_type",
  "origin_direct",
  "origin_dns",
  "origin_port",
  "edge_ips",
  "smart_routing",
  "ip_firewall",
  "proxy_protocol",
  "tls",
  "virtual_network_id",
] as const satisfies readonly MemberName[];

/** Deepest nesting of members that nobody knows; a chosen bound, well above what any client sends. */
export const maxDepth = 64;

/** Longest list that is read; a chosen bound. */
export const maxListLength = 1000;

const known: ReadonlySet<string> = new Set(memberNames);

const nested: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["dns", new Set(["name", "type"])],
  ["origin_dns", new Set(["name", "ttl", "type"])],
  ["edge_ips", new Set(["type", "connectivity", "ips"])],
]);

/** A body taken apart. */
export interface Decoded {
  readonly members: Members;
  /** Known members that the body has, null ones included. */
  readonly present: readonly MemberName[];
  /** Pointers to members that no application has, sorted. */
  readonly unknown: readonly string[];
  /** Set when the body is no JSON object. */
  readonly fault?: DecodeFault;
}

/** Why a body is no JSON object. */
export interface DecodeFault {
  readonly kind: "not-an-object" | "not-json";
  readonly pointer: string;
  readonly found: string;
}

const nothing: readonly string[] = [];

/** What becomes of members that are null: a whole application does not have them, a change clears them. */
export type Nulls = "drop" | "keep";

/** Takes a body apart. Total: whatever cannot be read becomes a fault. */
export function decodeBody(body: unknown, nulls: Nulls): Decoded {
  try {
    return isObject(body) ? decodeObject(body, nulls) : refused("not-an-object", "", nameOfType(body));
  } catch {
    return refused("not-json", "", "a value that cannot be read");
  }
}

function refused(kind: DecodeFault["kind"], at: string, found: string): Decoded {
  return { members: emptyMembers(), present: [], unknown: nothing, fault: { kind, pointer: at, found } };
}

function emptyMembers(): Members {
  return {
    protocol: undefined,
    dns: undefined,
    traffic_type: undefined,
    origin_direct: undefined,
    origin_dns: undefined,
    origin_port: undefined,
    edge_ips: undefined,
    smart_routing: undefined,
    ip_firewall: undefined,
    proxy_protocol: undefined,
    tls: undefined,
    virtual_network_id: undefined,
  };
}

function decodeObject(body: Record<string, unknown>, nulls: Nulls): Decoded {
  const members = emptyMembers();
  const present: MemberName[] = [];
  const unknown: Unknown = { pointers: undefined, fault: undefined };
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (value === undefined) continue;
    if (!known.has(key)) {
      note(unknown, pointer(key), value);
      continue;
    }
    present.push(key as MemberName);
    if (value !== null) members[key as MemberName] = copied(key, value, nulls, unknown);
    else if (nulls === "keep") members[key as MemberName] = null;
  }
  const decoded = { members, present, unknown: unknown.pointers?.sort() ?? nothing };
  return unknown.fault ? { ...decoded, fault: unknown.fault } : decoded;
}

interface Unknown {
  pointers: string[] | undefined;
  fault: DecodeFault | undefined;
}

function note(unknown: Unknown, at: string, value: unknown): void {
  unknown.pointers ??= [];
  unknown.pointers.push(at);
  const found = foreignPart(value, maxDepth, new Map());
  if (found && !(unknown.fault && unknown.fault.pointer < at))
    unknown.fault = { kind: "not-json", pointer: at, found };
}

function copied(key: string, value: unknown, nulls: Nulls, unknown: Unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return copiedList(value);
  const names = nested.get(key);
  return names ? copiedObject(key, value as Record<string, unknown>, names, nulls, unknown) : value;
}

/** One element more than allowed is enough to see that a list is too long. */
function copiedList(value: readonly unknown[]): unknown[] {
  const length = Math.min(value.length, maxListLength + 1);
  const out: unknown[] = [];
  for (let i = 0; i < length; i++) out.push(value[i]);
  return out;
}

function copiedObject(
  key: string,
  value: Record<string, unknown>,
  names: ReadonlySet<string>,
  nulls: Nulls,
  unknown: Unknown,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    if (!names.has(name)) note(unknown, pointer(key, name), member);
    else if (member !== null || nulls === "keep")
      out[name] = Array.isArray(member) ? copiedList(member) : member;
  }
  return out;
}

/** Whether a value is an object in JSON's sense; arrays are none. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Names what inside a value JSON cannot carry: undefined when there is nothing. Visits every object once; `seen` holds
 * whether an object is still open, so that a cycle is told from a shared part.
 */
function foreignPart(value: unknown, depth: number, seen: Map<object, boolean>): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value !== "object") return value === undefined ? undefined : nameOfType(value);
  if (depth === 0) return `more than ${maxDepth} levels`;
  const open = seen.get(value);
  if (open !== undefined) return open ? "a cycle" : undefined;
  seen.set(value, true);
  for (const key of Object.keys(value)) {
    const found = foreignPart((value as Record<string, unknown>)[key], depth - 1, seen);
    if (found) return found;
  }
  seen.set(value, false);
  return undefined;
}

/** The JSON type of a value, with its article, for messages; for values that JSON has not, JavaScript's type. */
export function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (value === undefined) return "nothing";
  return `a ${typeof value}`;
}
