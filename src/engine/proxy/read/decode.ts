/**
 * Decodes a body: copies its own known members by name and lists the unknown ones. Later phases read only the copies,
 * so prototypes, accessors and later changes of the body have no effect.
 */
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { pointer } from "../../../errors.ts";
import { describeValue } from "./describe-input.ts";

/** The members that an application can have, in the order in which they are checked and printed. */
const noMembers = {
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

/** Name of a member of an application. */
export type MemberName = keyof typeof noMembers;

/** The members of an application as they were sent, unchecked. */
export type Members = Record<MemberName, unknown>;

/** Members of responses, which a body may repeat: they are ignored (`observed`: the answer to a GET can be put back). */
export const answerMembers = ["id", "created_on", "modified_on"] as const;

const ignored: ReadonlySet<string> = new Set(answerMembers);

/** The names of the members, in their order. */
export const memberNames = Object.keys(noMembers) as readonly MemberName[];

/** Maximum nesting of unknown members in levels (`chosen`: well above what any client sends). */
export const maxDepth = 64;

/** Maximum length of an array (`chosen`). */
export const maxListLength = 1000;

const nested: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["dns", new Set(["name", "type"])],
  ["origin_dns", new Set(["name", "ttl", "type"])],
  ["edge_ips", new Set(["type", "connectivity", "ips"])],
]);

/** The names that a member of an object can have; `parent` is the name of the object, undefined for the application. */
export function namesIn(parent: string | undefined): readonly string[] {
  return parent === undefined ? memberNames : [...(nested.get(parent) ?? [])];
}

/** An unknown member. */
export interface UnknownMember {
  readonly pointer: string;
  /** Name of the object that has it; undefined for the application itself. */
  readonly parent: string | undefined;
  readonly name: string;
  readonly value: unknown;
  /** Names of all members of the object that has it. */
  readonly siblings: ReadonlySet<string>;
}

/** A decoded body. */
export interface Decoded {
  readonly members: Members;
  /** Names of the known members that the body has, also those that are null. */
  readonly present: readonly MemberName[];
  /** Unknown members, sorted by pointer. */
  readonly unknown: readonly UnknownMember[];
  /** Set when the body is not a JSON object. */
  readonly fault?: DecodeFault;
}

/** Why a body is not a JSON object. */
export interface DecodeFault {
  readonly kind: "not-an-object" | "not-json";
  readonly pointer: string;
  /** Noun phrase for messages: what was found. */
  readonly found: string;
}

const noUnknown: readonly UnknownMember[] = [];

/** Treatment of members that are null: dropped from a whole application, kept in a change, which clears them. */
export type NullMode = "drop" | "keep";

/** Decodes a body. Never throws: a value that cannot be read becomes a fault. */
export function decodeBody(body: unknown, nulls: NullMode): Decoded {
  try {
    return isJsonObject(body)
      ? decodeObject(body, nulls)
      : undecodable("not-an-object", "", describeValue(body));
  } catch {
    return undecodable("not-json", "", "a value that cannot be read");
  }
}

function undecodable(kind: DecodeFault["kind"], at: string, found: string): Decoded {
  return { members: noMembers, present: [], unknown: noUnknown, fault: { kind, pointer: at, found } };
}

function decodeObject(body: JsonObject, nulls: NullMode): Decoded {
  const members: Members = { ...noMembers };
  const present: MemberName[] = [];
  const unknown: UnknownMembers = { members: undefined, fault: undefined };
  const keys = Object.keys(body);
  let siblings: ReadonlySet<string> | undefined;
  for (const key of keys) {
    const value = body[key];
    if (value === undefined || ignored.has(key)) continue;
    if (!isMemberName(key)) {
      siblings ??= new Set(keys);
      addUnknown(unknown, { pointer: pointer(key), parent: undefined, name: key, value, siblings });
      continue;
    }
    present.push(key);
    if (value !== null) members[key] = copyMember(key, value, nulls, unknown);
    else if (nulls === "keep") members[key] = null;
  }
  const decoded = { members, present, unknown: unknown.members?.sort(byPointer) ?? noUnknown };
  return unknown.fault ? { ...decoded, fault: unknown.fault } : decoded;
}

function isMemberName(key: string): key is MemberName {
  return Object.hasOwn(noMembers, key);
}

interface UnknownMembers {
  members: UnknownMember[] | undefined;
  fault: DecodeFault | undefined;
}

function byPointer(a: UnknownMember, b: UnknownMember): number {
  return a.pointer < b.pointer ? -1 : 1;
}

function addUnknown(unknown: UnknownMembers, member: UnknownMember): void {
  const { pointer: at, value } = member;
  unknown.members ??= [];
  unknown.members.push(member);
  const found = findNonJson(value, maxDepth, new Map());
  if (found && !(unknown.fault && unknown.fault.pointer < at))
    unknown.fault = { kind: "not-json", pointer: at, found };
}

function copyMember(key: string, value: unknown, nulls: NullMode, unknown: UnknownMembers): unknown {
  if (Array.isArray(value)) return copyList(value);
  const names = nested.get(key);
  return names && isJsonObject(value) ? copyObject(key, value, names, nulls, unknown) : value;
}

/** Copies at most one element more than allowed, which is enough to see that an array is too long. */
function copyList(value: readonly unknown[]): unknown[] {
  const length = Math.min(value.length, maxListLength + 1);
  const out: unknown[] = [];
  for (let i = 0; i < length; i++) out.push(value[i]);
  return out;
}

function copyObject(
  key: string,
  value: JsonObject,
  names: ReadonlySet<string>,
  nulls: NullMode,
  unknown: UnknownMembers,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const keys = Object.keys(value);
  let siblings: ReadonlySet<string> | undefined;
  for (const name of keys) {
    const member = value[name];
    if (member === undefined) continue;
    if (!names.has(name)) {
      siblings ??= new Set(keys);
      addUnknown(unknown, { pointer: pointer(key, name), parent: key, name, value: member, siblings });
    } else if (member !== null || nulls === "keep")
      out[name] = Array.isArray(member) ? copyList(member) : member;
  }
  return out;
}

/**
 * Searches a value for a part that JSON cannot represent, and returns its noun phrase for messages; undefined when there
 * is none. Visits every object once; `seen` holds whether an object is still being visited, which distinguishes a cycle
 * from an object that occurs twice.
 */
function findNonJson(value: unknown, depth: number, seen: Map<object, boolean>): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value !== "object") return value === undefined ? undefined : describeValue(value);
  if (depth === 0) return `more than ${maxDepth} levels`;
  const open = seen.get(value);
  if (open !== undefined) return open ? "a cycle" : undefined;
  seen.set(value, true);
  for (const part of Object.values(value)) {
    const found = findNonJson(part, depth - 1, seen);
    if (found) return found;
  }
  seen.set(value, false);
  return undefined;
}
