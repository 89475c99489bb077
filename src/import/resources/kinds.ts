/** Reads a resource into the members of the world file, from the table of its kind. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { Resource } from "../../schemas/member.ts";
import { type MemberKind, resources } from "../../schemas/resources.ts";
import type { ResourceKind } from "../reading.ts";
import { type MemberTable, type PickedMembers, pickMembers } from "./pick-members.ts";
import { spell } from "./spell.ts";

/** The kinds of resources that are read from the table; files do not contain the pictures of the others. */
export const memberKinds = [
  "token_config",
  "token_rule",
  "operation",
  "image_variant",
  "image_key",
  "domain_query",
  "proxy_application",
] as const satisfies readonly (ResourceKind & MemberKind)[];

/** A fact: it is no resource of a world. */
const dnsRecord: MemberTable = {
  picked: { name: "name", hostname: "name", type: "type", proxied: "proxied" },
  ignored: [],
};

/** Members of every saved resource that configure nothing. */
const savedMembers = [
  "zone_id",
  "account_id",
  "created_at",
  "last_updated",
  "created_on",
  "modified_on",
  "modified_by",
];

/** The members of a resource under the names of the world file, in its spelling. */
export function readResource(kind: ResourceKind, resource: JsonObject): PickedMembers {
  if (kind === "zone") return readZone(resource);
  if (kind === "dns_record") return { ...pickMembers(resource, dnsRecord), others: [] };
  return readMembers(resource, resources[kind]);
}

function readZone({ id, name, zone, account, account_id }: JsonObject): PickedMembers {
  const accountId = isJsonObject(account) ? account["id"] : account_id;
  const members = new Map<string, string>();
  if (typeof name !== "string" && typeof zone === "string") members.set("/name", "/zone");
  if (isJsonObject(account)) members.set("/account_id", "/account/id");
  const value = {
    ...(typeof id === "string" && { id }),
    ...(typeof (name ?? zone) === "string" && { name: name ?? zone }),
    ...(typeof accountId === "string" && { account_id: accountId }),
  };
  return { value, members, others: [] };
}

function readMembers(resource: JsonObject, table: Resource): PickedMembers {
  const groups = new Set(Object.values(table.members).map(({ within }) => within));
  groups.delete("none");
  let picked = pickMembers(resource, tableOf(table, groups));
  for (const group of groups) picked = lift(picked, group, namesWithin(table, group));
  return { ...picked, value: spell(picked.value, table.members) };
}

/** What is picked; a member of a group is picked with its group. */
function tableOf({ members, answers, saved }: Resource, groups: ReadonlySet<string>): MemberTable {
  const entries = Object.entries(members);
  const picked = entries.flatMap(([name, { also, within, imported }]) =>
    imported && within === "none" ? [name, ...also].map((one) => [one, name] as const) : [],
  );
  const left = entries.flatMap(([name, { imported }]) => (imported ? [] : [name]));
  return {
    picked: Object.fromEntries([...picked, ...[...groups].map((group) => [group, group] as const)]),
    ignored: [...answers, ...savedMembers, ...saved, ...left],
  };
}

function namesWithin({ members }: Resource, group: string): readonly string[] {
  return Object.entries(members).flatMap(([name, { within }]) => (within === group ? [name] : []));
}

/** Moves the members of a group up, where the world file has them. */
function lift(
  { value, members, others }: PickedMembers,
  group: string,
  names: readonly string[],
): PickedMembers {
  const { [group]: given, ...rest } = value;
  if (!isJsonObject(given)) return { value: rest, members, others };
  const prefix = `/${group}`;
  const moved = Object.keys(given).map((name) => [`/${name}`, `${prefix}/${name}`] as const);
  const known = [...members].map(([to, from]) => {
    return [to.startsWith(`${prefix}/`) ? to.slice(prefix.length) : to, from] as const;
  });
  const lifted = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  const more = Object.keys(given).filter((name) => !names.includes(name));
  return {
    value: { ...rest, ...Object.fromEntries(lifted) },
    members: new Map([...moved, ...known]),
    others: [...others, ...more.map((name) => `${group}/${name}`)],
  };
}
