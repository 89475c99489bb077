/** Turns the instances of Terraform resources into resources of a world. */

import type { Placed } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { PlacedSource } from "../../core/place.ts";
import { counted, pointer, quote, withArticle } from "../../errors.ts";
import type { PreviousApplication } from "../../service/world/applications.ts";
import { derivedValue, leftOut } from "../import-rules.ts";
import { locationOf, type Origin } from "../origin.ts";
import type { Reading, Resource, ResourceKind, RulePosition, UnknownValue } from "../reading.ts";
import { readResource } from "../resources/kinds.ts";
import { type Undecided, undecidedPart } from "../undecided.ts";
import { missingParts } from "../world/missing-parts.ts";
import { type Instance, sensitiveValue, unknownValue } from "./instance.ts";
import { kindOfType, readAttributes, unsupportedTypes } from "./provider-resources.ts";
import type { References } from "./references.ts";
import { findRenames, idOf, type Renames, renameIds } from "./rename-ids.ts";
import { resolveReference } from "./resolve-reference.ts";
import { rulePartOf } from "./rule-parts.ts";
import { zonesOfData } from "./zone-data.ts";

/** A file of Terraform. */
export interface TerraformFile {
  readonly place: PlacedSource;
  readonly instances: readonly Instance[];
  readonly references: References;
  /** Whether the file says that an attribute of an instance is not set. Default: it does not say. */
  readonly isUnset?: (address: string, attribute: string) => boolean;
  /** How to get a file in which no value is unknown. */
  readonly run: string;
}

interface Collected {
  readonly file: TerraformFile;
  readonly renames: Renames;
  readonly resources: Resource[];
  readonly dropped: Placed[];
  readonly derived: Placed[];
  readonly undecided: Undecided[];
}

/** Resources of other types are counted, one line a type. */
export function readInstances(file: TerraformFile): Reading {
  const renames = findRenames(file.instances);
  const collected: Collected = { file, renames, resources: [], dropped: [], derived: [], undecided: [] };
  const addresses = new Set(
    file.instances.flatMap(({ unread, address }) => (unread === undefined ? [address] : [])),
  );
  const others = new Map<string, { readonly first: Instance; count: number }>();
  for (const instance of file.instances) {
    const kind = kindOfType(instance.type);
    const zones = instance.unread === undefined ? zonesOfData(instance) : undefined;
    if (kind && instance.unread !== undefined) leaveUnread(collected, instance, kind, addresses);
    else if (zones)
      collected.resources.push(
        ...zones.map((zone) => ({ ...zone, origin: originOf(file, instance, zone.at) })),
      );
    else if (kind) addResource(collected, instance, kind);
    else if (!instance.isData) countOther(others, instance);
  }
  for (const [type, { first, count }] of others) dropType(collected, type, first, count);
  const { resources, dropped, derived, undecided } = collected;
  return { resources, dropped, derived, undecided, run: file.run };
}

/** A resource without values exists at the service: nothing is complete without it, unless the file has the newer one. */
function leaveUnread(
  { file, dropped, undecided }: Collected,
  instance: Instance,
  kind: ResourceKind,
  known: ReadonlySet<string>,
): void {
  const { address, unread } = instance;
  const origin = originOf(file, instance);
  const message = `The resource ${quote(address)} is left out: ${unread}.`;
  const missing = missingParts[kind];
  if (missing === undefined || known.has(address)) dropped.push(leftOut(origin, message));
  else undecided.push(undecidedPart(locationOf(origin), { ...missing, message, run: file.run }));
}

function originOf({ place }: TerraformFile, { pointer: at, address, values }: Instance, within = ""): Origin {
  return { file: place, pointer: at + within, address, base: at, partOf: rulePartOf(values) };
}

/** Resources of other providers are counted together. */
const otherProviders = "";

function countOther(
  others: Map<string, { readonly first: Instance; count: number }>,
  instance: Instance,
): void {
  const type = instance.type.startsWith("cloudflare_") ? instance.type : otherProviders;
  const other = others.get(type) ?? { first: instance, count: 0 };
  other.count++;
  others.set(type, other);
}

function dropType({ file, dropped }: Collected, type: string, first: Instance, count: number): void {
  const known = Object.hasOwn(unsupportedTypes, type) ? unsupportedTypes[type] : undefined;
  const kind = type === otherProviders ? "of other providers" : `of the type ${quote(type)}`;
  const message = known ?? `A world holds no resources ${kind} (${counted(count, "resource")}).`;
  dropped.push(leftOut(originOf(file, first), message));
}

function addResource(collected: Collected, instance: Instance, kind: ResourceKind): void {
  const { file, renames } = collected;
  const origin = originOf(file, instance);
  const renamed = renameIds(instance.values, renames);
  const { values, moved } = readAttributes(kind, renamed);
  const { value, members, others } = readResource(kind, values);
  const { known, unknown } = splitUnknown(resolveIds(collected, instance, kind, value));
  const before = kind === "proxy_application" ? previousOf(instance, renames) : undefined;
  const id = idOf(instance, renames);
  noteId(collected, instance, id, origin);
  collected.dropped.push(...others.map((name) => droppedAttribute(origin, kind, name)));
  collected.resources.push({
    kind,
    value: { ...(id !== undefined && { [idMember(kind)]: id }), ...withoutId(known as JsonObject, kind) },
    origin,
    ...(typeof values["id"] === "string" && { id: values["id"] }),
    members: joinPaths(members, moved),
    unknown: [...unknown, ...(before?.unknown ?? [])]
      .filter((at) => at.pointer !== pointer(idMember(kind)) && !isDefault(collected, instance, kind, at))
      .map((marked) => withReferences(marked, file, instance)),
    ...(before && { previous: before.application }),
    ...scopeOf(collected, instance, kind, values),
    ...(kind === "token_rule" && orderOf(values)),
  } as unknown as Resource);
}

/** Members of an application by which the service decides about an update. */
const keptMembers = /^\/(?:protocol|dns|edge_ips)(?=\/|$)/;

/** The application that a plan changes, and what is sensitive of what an update depends on. */
function previousOf({ previous, address }: Instance, renames: Renames) {
  if (!previous) return undefined;
  const { values } = readAttributes("proxy_application", renameIds(previous.values, renames));
  const { known, unknown } = splitUnknown(readResource("proxy_application", values).value);
  const { id } = previous.values;
  const application: PreviousApplication = {
    id: typeof id === "string" ? id : address,
    body: known,
    isReplaced: previous.isReplaced,
  };
  return { application, unknown: unknown.filter((mark) => keptMembers.test(mark.pointer)) };
}

/** Whether an application leaves its edge addresses to the service, which then gives it dynamic ones. */
function isDefault(
  { file, derived }: Collected,
  instance: Instance,
  kind: ResourceKind,
  { pointer: at, mark }: MarkedValue,
): boolean {
  if (kind !== "proxy_application" || at !== "/edge_ips" || mark !== unknownValue) return false;
  if (!file.isUnset?.(instance.address, "edge_ips")) return false;
  const message = "`edge_ips` is not set; the application has the default of the service, dynamic addresses.";
  derived.push(derivedValue(originOf(file, instance), message));
  return true;
}

/** The id is first, and never that of the file, which can be a random one. */
function withoutId(value: JsonObject, kind: ResourceKind): JsonObject {
  if (!["token_config", "token_rule", "operation", "zone", "ruleset", "rule_list"].includes(kind))
    return value;
  const { [idMember(kind)]: id, ...others } = value;
  return others;
}

function idMember(kind: ResourceKind): string {
  return kind === "operation" ? "operation_id" : "id";
}

function noteId(
  { derived }: Collected,
  { values, address }: Instance,
  id: string | undefined,
  origin: Origin,
): void {
  const given = values["id"];
  if (id === undefined || given === id) return;
  const message =
    typeof given === "string"
      ? `The id ${quote(given)} is not one of the service; the world has ${quote(id)}, derived from ${quote(address)}.`
      : `The id is not known yet; the world has ${quote(id)}, derived from ${quote(address)}.`;
  derived.push(derivedValue({ ...origin, pointer: `${origin.pointer}/id` }, message));
}

function droppedAttribute(origin: Origin, kind: ResourceKind, name: string): Placed {
  const message = `${quote(name)} is not a member of ${withArticle(kind.replaceAll("_", " "))} in the world file.`;
  return leftOut({ ...origin, pointer: `${origin.pointer}/${name}` }, message);
}

/** A zone that does not exist yet is the one that the configuration refers to. */
function scopeOf(collected: Collected, instance: Instance, kind: ResourceKind, values: JsonObject) {
  const { zone_id: given, account_id: account } = values;
  const zone = given === unknownValue ? referredId(collected, instance, "zone_id", "cloudflare_zone") : given;
  const isOfZone = given === unknownValue;
  const isOfAccount = account === unknownValue || values["kind"] === "root";
  return {
    ...(typeof zone === "string" && { zone }),
    ...(typeof account === "string" && { account }),
    ...(kind === "ruleset" && (isOfZone || isOfAccount) && { owner: isOfZone ? "zone" : "account" }),
  };
}

/** The id in the world of the only resource of a type that an attribute refers to. */
function referredId(
  { file, renames }: Collected,
  instance: Instance,
  attribute: string,
  type: string,
): string | undefined {
  const found = resolveReference(file, instance, attribute, type);
  return found && idOf(found, renames);
}

/** The value with the ids of rulesets and lists that do not exist yet. */
function resolveIds(
  collected: Collected,
  instance: Instance,
  kind: ResourceKind,
  value: JsonObject,
): JsonObject {
  const { list_id: list, rules } = value;
  if (kind === "rule_list_item" && list === unknownValue)
    return { ...value, list_id: referredId(collected, instance, "list_id", "cloudflare_list") ?? list };
  if (kind !== "ruleset" || !Array.isArray(rules)) return value;
  const id = referredId(collected, instance, "rules", "cloudflare_ruleset");
  return id === undefined ? value : { ...value, rules: rules.map((rule) => withExecuted(rule, id)) };
}

function withExecuted(rule: unknown, id: string): unknown {
  const parameters = isJsonObject(rule) ? rule["action_parameters"] : undefined;
  if (!isJsonObject(rule) || !isJsonObject(parameters) || parameters["id"] !== unknownValue) return rule;
  return { ...rule, action_parameters: { ...parameters, id } };
}

function orderOf({ position, created_at: created }: JsonObject) {
  const wish = isJsonObject(position) ? readPosition(position) : {};
  const isTime = typeof created === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(created);
  return {
    isUnordered: true,
    ...(Object.keys(wish).length > 0 && { position: wish }),
    ...(isTime && { createdAt: created }),
  };
}

function readPosition({ index, before, after }: JsonObject): RulePosition {
  return {
    ...(typeof index === "number" && { index }),
    ...(typeof before === "string" && { before }),
    ...(typeof after === "string" && { after }),
  };
}

/** Two maps one after the other: names of the interface, then places in the file. */
function joinPaths(
  members: ReadonlyMap<string, string>,
  moved: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (moved.size === 0) return members;
  const inFile = (path: string) => {
    const found = [...moved].find(([to]) => path === to || path.startsWith(`${to}/`));
    return found ? found[1] + path.slice(found[0].length) : path;
  };
  return new Map([...moved, ...[...members].map(([to, from]) => [to, inFile(from)] as const)]);
}

/** Removes the marks of unknown values; an element that is unknown leaves its list. */
function splitUnknown(value: unknown): { readonly known: unknown; readonly unknown: readonly MarkedValue[] } {
  const unknown: MarkedValue[] = [];
  return { known: withoutMarks(value, "", unknown), unknown };
}

interface MarkedValue {
  readonly pointer: string;
  readonly mark: symbol;
}

function withoutMarks(value: unknown, at: string, found: MarkedValue[]): unknown {
  if (typeof value === "symbol") {
    found.push({ pointer: at, mark: value });
    return undefined;
  }
  if (Array.isArray(value))
    return value.flatMap((element: unknown, i) => {
      const known = withoutMarks(element, at + pointer(i), found);
      return known === undefined ? [] : [known];
    });
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    withoutMarks(member, at + pointer(name), found),
  ]);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function withReferences(
  { pointer: at, mark }: MarkedValue,
  { references }: TerraformFile,
  { address }: Instance,
): UnknownValue {
  if (mark === sensitiveValue) return { pointer: at, isSensitive: true };
  const [, member = ""] = at.split("/");
  const found = mark === unknownValue ? references(address, member, at) : [];
  return { pointer: at, ...(found.length > 0 && { references: found }) };
}
