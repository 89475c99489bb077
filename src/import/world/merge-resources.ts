/** The merge of several files: of each owner, the resources of one kind and one name are one. */
import type { JsonObject } from "../../core/json-value.ts";
import { quote } from "../../errors.ts";
import { locationOf, type Origin } from "../origin.ts";
import type { Resource, ResourceKind, UnknownValue } from "../reading.ts";
import { kindNouns } from "../resources/nouns.ts";
import { type Assembly, derive, drop, reject } from "./assembly.ts";
import { comparedTexts, isEntryPoint, isValidated, namesOf } from "./identities.ts";
import { mergeOrders } from "./merge-order.ts";
import type { Owner } from "./place-resources.ts";

/** A zone or account in which each resource is once. */
export interface MergedOwner extends Owner {
  /** The id that a resource has in the world, by its kind and the id that it has in another file. */
  readonly idOf: (kind: ResourceKind, id: string) => string;
}

/** The copies of a resource, in the order of the files. */
interface Group {
  readonly copies: Resource[];
}

/**
 * Copies with equal values are one. Copies with different ones are an error, and so is a second entry point of a phase;
 * the world then has the first, so that everything else is read.
 */
export function mergeOwner(assembly: Assembly, owner: Owner): MergedOwner {
  const groups = orderGroups(assembly, owner, groupByName(assembly, owner));
  const ids = new Map<string, string>();
  const merged = groups.map(({ copies }) => {
    const resource = mergeCopies(assembly, copies.toSorted(byKnowledge));
    for (const copy of copies) {
      const [id, kept] = [worldId(copy), worldId(resource)];
      if (id !== undefined && kept !== undefined) ids.set(`${copy.kind} ${id}`, kept);
    }
    return resource;
  });
  return { ...owner, resources: merged, idOf: (kind, id) => ids.get(`${kind} ${id}`) ?? id };
}

function worldId({ value }: Resource): string | undefined {
  const { id, operation_id: operation = id } = value as {
    readonly id?: string;
    readonly operation_id?: string;
  };
  return operation;
}

function groupByName(assembly: Assembly, { resources }: Owner): readonly Group[] {
  const byName = new Map<string, Group>();
  const groups: Group[] = [];
  for (const resource of resources) {
    const names = namesOf(resource);
    const known = names.flatMap((name) => byName.get(name) ?? [])[0];
    if (known && isSecondEntry(known, resource)) {
      rejectSecondEntry(assembly, known, resource);
      continue;
    }
    const isOwn = known?.copies.some((copy) => isValidated(copy) && isOtherResource(copy, resource));
    const group = known && !isOwn ? known : { copies: [] };
    if (group !== known) groups.push(group);
    group.copies.push(resource);
    for (const name of names) if (!byName.has(name)) byName.set(name, group);
  }
  return groups;
}

/** Copies that say more are first; the order of a list is that of evaluation, which a state does not have. */
function byKnowledge(resource: Resource, other: Resource): number {
  const rank = ({ isUnordered, value, unknown = [] }: Resource) =>
    (isUnordered ? 0 : 1_000_000) + Object.keys(value).length * 1_000 - Math.min(unknown.length, 999);
  return rank(other) - rank(resource);
}

/** Two resources of one configuration, or of the service, are two entry points, although they may have equal rules. */
function isSecondEntry({ copies }: Group, resource: Resource): boolean {
  if (!isEntryPoint(resource)) return false;
  return copies.some((copy) => {
    const [id, other] = [worldId(copy), worldId(resource)];
    return isOtherResource(copy, resource) || (id !== undefined && other !== undefined && id !== other);
  });
}

/** Whether a configuration has both as resources; several data sources can read one zone. */
function isOtherResource({ kind, origin }: Resource, { origin: other }: Resource): boolean {
  return (
    kind !== "zone" &&
    origin.address !== undefined &&
    other.address !== undefined &&
    origin.address !== other.address &&
    origin.file === other.file
  );
}

function rejectSecondEntry(assembly: Assembly, { copies: [first] }: Group, resource: Resource): void {
  if (first?.kind !== "ruleset") return;
  const owner = first.value.kind === "root" ? "an account" : "a zone";
  const places = [first, resource].map(({ origin }) => describePlace(origin)).join(" and ");
  reject(
    assembly,
    resource.origin,
    "invalid-resource",
    `The rulesets at ${places} are both the entry point of the phase ${quote(first.value.phase)}; a phase of ${owner} has one entry point.`,
  );
}

function describePlace(origin: Origin): string {
  const { file, start } = locationOf(origin);
  const place = `${file}:${start.line}:${start.column}`;
  return origin.address === undefined ? place : `${place} (${quote(origin.address)})`;
}

/** The first copy, with the members that others add. */
function mergeCopies(assembly: Assembly, [first, ...others]: readonly Resource[]): Resource {
  let merged = first as Resource;
  for (const copy of others) {
    const different = differences(merged, copy);
    noteOtherTitles(assembly, first as Resource, copy);
    if (different.length > 0) rejectCopy(assembly, first as Resource, copy, different);
    else if (isOtherResource(first as Resource, copy)) dropRepeated(assembly, first as Resource, copy);
    if (different.length === 0) merged = withMembers(merged, copy);
  }
  return merged;
}

/** The decisive members that are known in both, and have different values. */
function differences(resource: Resource, other: Resource): readonly string[] {
  const [texts, others] = [comparedTexts(resource), comparedTexts(other)];
  return [...texts].flatMap(([name, text]) => {
    const found = others.get(name);
    const isComparable = found !== undefined && unknownText(resource, name) === unknownText(other, name);
    return isComparable && found !== text ? [name] : [];
  });
}

/** The members that only people read. */
const titles = ["title", "description"] as const;

function noteOtherTitles(assembly: Assembly, first: Resource, copy: Resource): void {
  const [firstValue, other] = [first, copy].map(({ value }) => value as JsonObject);
  const different = titles.filter((name) => {
    const [text, otherText] = [firstValue?.[name], other?.[name]];
    return text !== undefined && otherText !== undefined && text !== otherText;
  });
  if (different.length === 0) return;
  const names = different.map(quote).join(", ");
  const message = `${describeResource(first)} has the ${names} of ${describePlace(first.origin)}.`;
  derive(assembly, copy.origin, message);
}

function unknownIn({ unknown = [] }: Resource, name: string): readonly UnknownValue[] {
  return unknown.filter(({ pointer }) => pointer.split("/")[1] === name);
}

function unknownText(resource: Resource, name: string): string {
  return unknownIn(resource, name)
    .map(({ pointer }) => pointer)
    .join(" ");
}

/** Values are not printed: they can be secrets. */
function rejectCopy(assembly: Assembly, first: Resource, copy: Resource, different: readonly string[]): void {
  const what = `${describeResource(first)} has different values of ${different.map(quote).join(", ")}`;
  const [firstPlace, other] = [first, copy].map(({ origin }) => describePlace(origin));
  const message = `${what} at ${firstPlace} and at ${other}.`;
  reject(assembly, copy.origin, isOtherResource(first, copy) ? "invalid-resource" : "conflict", message);
}

function describeResource({ kind, value, origin }: Resource): string {
  const { title, name = title, tag = name, endpoint = tag, id } = value as JsonObject;
  const found = endpoint ?? id ?? origin.address;
  const [noun] = kindNouns[kind];
  return found === undefined ? `The ${noun}` : `The ${noun} ${quote(found)}`;
}

/** The service has one of two equal resources of a configuration. */
function dropRepeated(assembly: Assembly, first: Resource, copy: Resource): void {
  drop(assembly, copy.origin, `${describeResource(first)} is the same at ${describePlace(first.origin)}.`);
}

/** Both copies in one: each member from the copy that knows it. */
function withMembers(resource: Resource, other: Resource): Resource {
  const names = new Set([...memberNames(resource), ...memberNames(other)]);
  const picked = [...names].map((name) => [name, knownCopy(resource, other, name)] as const);
  const value = picked.flatMap(([name, copy]) => {
    const members = copy.value as JsonObject;
    return Object.hasOwn(members, name) ? [[name, members[name]]] : [];
  });
  const unknown = picked.flatMap(([name, copy]) => unknownIn(copy, name));
  const isUnknown = unknown.length > 0 || resource.unknown !== undefined;
  return { ...resource, value: Object.fromEntries(value), ...(isUnknown && { unknown }) } as Resource;
}

function memberNames({ value, unknown = [] }: Resource): readonly string[] {
  return [...Object.keys(value), ...unknown.flatMap(({ pointer }) => pointer.split("/")[1] ?? [])];
}

function knownCopy(resource: Resource, other: Resource, name: string): Resource {
  const [isInFirst, isInOther] = [resource, other].map((copy) => memberNames(copy).includes(name));
  if (!isInFirst || !isInOther) return isInFirst ? resource : other;
  const [unknown, others] = [unknownIn(resource, name), unknownIn(other, name)];
  if (unknown.length > 0 === others.length > 0) return resource;
  const isSame = resource.origin.address !== undefined && resource.origin.address === other.origin.address;
  // A value that an apply computes is not that of the service before it, but that of a test of the same resource.
  const isFilled =
    isSame || [...unknown, ...others].every(({ isSensitive, isSecret }) => isSensitive || isSecret);
  return unknown.length > 0 === isFilled ? other : resource;
}

/** The rules in the order of evaluation that the files have; those without an order, as in a state, are last. */
function orderGroups(assembly: Assembly, owner: Owner, groups: readonly Group[]): readonly Group[] {
  const groupOf = new Map(groups.flatMap((group) => group.copies.map((copy) => [copy, group] as const)));
  const lists = new Map<Origin["file"], Set<Group>>();
  for (const rule of owner.resources) {
    const group = groupOf.get(rule);
    if (rule.kind !== "token_rule" || rule.isUnordered || !group) continue;
    const { file } = rule.origin;
    lists.set(file, (lists.get(file) ?? new Set()).add(group));
  }
  if (lists.size === 0) return groups;
  const { order, reversed } = mergeOrders([...lists.values()].map((list) => [...list]));
  for (const [group, other, list] of reversed) rejectOrder(assembly, group, other, [...lists.keys()][list]);
  const ordered = new Set(order);
  return [...order, ...groups.filter((group) => !ordered.has(group))];
}

function rejectOrder(assembly: Assembly, group: Group, other: Group, file: Origin["file"] | undefined): void {
  const [first] = group.copies;
  const copy = group.copies.find(({ origin }) => origin.file === file);
  const second = other.copies[0];
  if (!first || !copy || !second) return;
  const [name, otherName] = [first, second].map((rule) => describeResource(rule).replace("The ", "the "));
  const places = [first, copy].map(({ origin }) => describePlace(origin)).join(" and ");
  reject(
    assembly,
    copy.origin,
    "conflict",
    `The order of ${name} and ${otherName} is different at ${places}.`,
  );
}
