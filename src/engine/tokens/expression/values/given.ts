/** The members of a request that only custom rules read: `ip`, `httpVersion`, `body` and `fields` (`chosen`). */

import { isJsonObject } from "../../../../core/json-value.ts";
import { type CodedDiagnostic, pointer, quote } from "../../../../errors.ts";
import { inputProblem, invalidValue } from "../../input-problem.ts";
import type { SimulatedRequest } from "../../model.ts";
import { hasField, knownFields } from "../language/fields.ts";
import {
  type Address,
  isArrayType,
  isMapType,
  type MapValue,
  nameType,
  partType,
  type ValueType,
} from "../language/types.ts";
import { adviseField } from "../words.ts";
import { parseAddress } from "./address.ts";
import { bytesOf, toBytes } from "./bytes.ts";

/** The read members. Fields are by their own names, not by aliases. */
export interface GivenValues {
  readonly ip?: Address | undefined;
  readonly httpVersion?: string | undefined;
  /** Bytes. */
  readonly body?: string | undefined;
  readonly fields: ReadonlyMap<string, unknown>;
}

type GivenMembers = Pick<SimulatedRequest, "ip" | "httpVersion" | "body" | "fields">;

/** The problems of the members; empty when they can be read. */
export function checkGiven(request: { readonly [M in keyof GivenMembers]?: unknown }): CodedDiagnostic[] {
  const { ip, httpVersion, body, fields, challengePassed } = request as Record<string, unknown>;
  const problems: CodedDiagnostic[] = [];
  if (ip !== undefined && (typeof ip !== "string" || parseAddress(ip) === undefined))
    problems.push(invalidValue("/ip", "`ip`", "an IPv4 or IPv6 address", ip));
  if (httpVersion !== undefined && typeof httpVersion !== "string")
    problems.push(invalidValue("/httpVersion", "`httpVersion`", "a string such as `HTTP/2`", httpVersion));
  if (body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array))
    problems.push(invalidValue("/body", "`body`", "a string or bytes (Uint8Array)", body));
  if (challengePassed !== undefined && typeof challengePassed !== "boolean")
    problems.push(invalidValue("/challengePassed", "`challengePassed`", "a boolean", challengePassed));
  if (fields === undefined) return problems;
  if (!isJsonObject(fields))
    return [...problems, invalidValue("/fields", "`fields`", "an object of fields by name", fields)];
  return [...problems, ...Object.entries(fields).flatMap(([name, value]) => checkField(name, value))];
}

function checkField(name: string, value: unknown): CodedDiagnostic[] {
  const at = pointer("fields", name);
  const field = knownFields.get(name);
  if (field === undefined || !hasField("custom", field))
    return [inputProblem(at, adviseField("custom", name))];
  if (field.source === "claims")
    return [inputProblem(at, `${quote(name)} is read from the tokens of the request, not from \`fields\``)];
  if (toValue(field.type, value) !== undefined) return [];
  return [invalidValue(at, `\`${name}\``, `${nameType(field.type)}, as ${jsonOf(field.type)}`, value)];
}

/** The members of a request without problems. */
export function readGiven({ ip, httpVersion, body, fields }: GivenMembers): GivenValues {
  return {
    ip: ip === undefined ? undefined : parseAddress(ip),
    httpVersion: httpVersion === undefined ? undefined : toBytes(httpVersion),
    body: body === undefined || typeof body === "string" ? body && toBytes(body) : bytesOf(body),
    fields: new Map(Object.entries(fields ?? {}).map(([name, value]) => readField(name, value))),
  };
}

function readField(name: string, value: unknown): [string, unknown] {
  const field = knownFields.get(name);
  if (field === undefined) throw new RangeError(`There is no field ${name}.`);
  return [ownName(field), toValue(field.type, value)];
}

/** The name of a field without aliases. */
export function ownName({ base, part }: { readonly base: string; readonly part?: string }): string {
  return part === undefined ? base : `${base}.${part}`;
}

/** A JSON value as one of a type; undefined when it is not one. */
function toValue(type: ValueType, value: unknown): unknown {
  if (isMapType(type)) return isJsonObject(value) ? toMap(type, value) : undefined;
  if (isArrayType(type)) return Array.isArray(value) ? toArray(type, value) : undefined;
  switch (type) {
    case "Bool":
      return typeof value === "boolean" ? value : undefined;
    case "Int":
      return Number.isSafeInteger(value) ? value : undefined;
    case "IP":
      return typeof value === "string" ? parseAddress(value) : undefined;
    default:
      return typeof value === "string" ? toBytes(value) : undefined;
  }
}

function toArray(type: ValueType, value: readonly unknown[]): readonly unknown[] | undefined {
  const part = partType(type) as ValueType;
  const values = value.map((element) => toValue(part, element));
  return values.includes(undefined) ? undefined : values;
}

function toMap(type: ValueType, value: Readonly<Record<string, unknown>>): MapValue | undefined {
  const part = partType(type) as ValueType;
  const lists = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const list = toValue(part, member);
    if (list === undefined) return undefined;
    lists.set(toBytes(name), list);
  }
  return { get: (name) => lists.get(name), names: () => [...lists.keys()], lists: () => [...lists.values()] };
}

/** A type as JSON. */
function jsonOf(type: ValueType): string {
  const part = partType(type);
  if (part !== undefined)
    return isMapType(type) ? `an object of ${jsonOf(part)}` : `an array with each element ${jsonOf(part)}`;
  return { Bool: "a boolean", Int: "an integer", IP: "a string with an address", String: "a string" }[
    type as "Bool" | "Int" | "IP" | "String"
  ];
}
