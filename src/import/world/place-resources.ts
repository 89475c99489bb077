/** Finds the zone or account of each resource, from what the files say together. */
import { resources } from "../../schemas/resources.ts";
import type { Reading, Resource, ResourceKind } from "../reading.ts";
import { memberKinds } from "../resources/kinds.ts";

/** The kinds of resources of an account; all others but zones are of a zone. */
const accountKinds: ReadonlySet<ResourceKind> = new Set([
  ...memberKinds.filter((kind) => resources[kind].owner === "account"),
  "rule_list_item",
]);

/** A ruleset is of a zone or of an account. */
function isOfAccount({ kind, zone, account, owner }: Resource): boolean {
  if (kind !== "ruleset") return accountKinds.has(kind);
  return zone === undefined && (account !== undefined || owner === "account");
}

/** A zone or account with its resources, in the order of the files. */
export interface Owner {
  readonly id: string;
  /** Whether the id is in a file or an option. */
  readonly isNamed: boolean;
  readonly resources: Resource[];
}

/** The owners, and the resources whose owner no file says. */
export interface PlacedResources {
  readonly zones: ReadonlyMap<string, Owner>;
  readonly accounts: ReadonlyMap<string, Owner>;
  readonly homeless: readonly Resource[];
}

/** The id of a zone or account that no file names. */
const unnamed = { zone: "zone", account: "account" } as const;

/** Mocked data sources return random text as the name of a zone. */
function withDomain(resource: Resource): Resource {
  if (resource.kind !== "zone" || resource.value.name?.includes(".") !== false) return resource;
  const { name, ...value } = resource.value;
  return { ...resource, value };
}

/** @param zoneIds ids of zones that the caller names */
export function placeResources(readings: readonly Reading[], zoneIds: readonly string[]): PlacedResources {
  const resources = readings
    .flatMap((reading) => reading.resources.map(withDomain))
    .toSorted(({ page = 0 }, { page: other = 0 }) => page - other);
  const zones = new Map<string, Owner>();
  const accounts = new Map<string, Owner>();
  for (const { id, account } of namedOwners(resources, usedZoneIds(resources, zoneIds))) {
    if (id !== undefined) addOwner(zones, id, true);
    if (account !== undefined) addOwner(accounts, account, true);
  }
  const homeless: Resource[] = [];
  for (const resource of resources) {
    const isAccount = isOfAccount(resource);
    const owner = ownerOf(resource, isAccount ? accounts : zones, isAccount ? "account" : "zone");
    if (owner) owner.resources.push(resource);
    else homeless.push(resource);
  }
  return { zones, accounts, homeless };
}

/** An id that no file has is the zone of resources without one; when there are none, it would be a zone without resources. */
function usedZoneIds(resources: readonly Resource[], zoneIds: readonly string[]): readonly string[] {
  const found = resources
    .filter((resource) => !isOfAccount(resource))
    .map(({ kind, value, zone }) => (kind === "zone" ? value.id : zone));
  const isOpen = found.length === 0 || found.includes(undefined);
  return isOpen ? zoneIds : zoneIds.filter((id) => found.includes(id));
}

function* namedOwners(resources: readonly Resource[], zoneIds: readonly string[]) {
  for (const id of zoneIds) yield { id, account: undefined };
  for (const { kind, value, zone, account } of resources) {
    if (kind === "zone") yield { id: value.id, account: value.account_id };
    else yield { id: zone, account };
  }
}

function addOwner(owners: Map<string, Owner>, id: string, isNamed: boolean): Owner {
  const owner = owners.get(id) ?? { id, isNamed, resources: [] };
  owners.set(id, owner);
  return owner;
}

function ownerOf(
  { kind, value, zone, account }: Resource,
  owners: Map<string, Owner>,
  type: keyof typeof unnamed,
): Owner | undefined {
  const id = kind === "zone" ? value.id : type === "zone" ? zone : account;
  if (id !== undefined) return addOwner(owners, id, true);
  const [only, ...more] = owners.values();
  if (more.length > 0) return undefined;
  return only ?? addOwner(owners, unnamed[type], false);
}
