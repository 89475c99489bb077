/** Reads a resource into the members of the world file, from the table of its kind. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { Resource } from "../../schemas/member.ts";
import { type MemberKind, resources } from "../../schemas/resources.ts";
import { zoneObjects } from "../../schemas/zones.ts";
import type { ResourceKind } from "../reading.ts";
import { type MemberTable, type PickedMembers, pickMembers } from "./pick-members.ts";
import { readItems, readListItem, readRules } from "./rulesets.ts";
import { spell } from "./spell.ts";

/** The kinds of resources that are read from the table; files do not contain the pictures of the others. */
export const memberKinds = [
  "token_config",
  "token_rule",
  "operation",
  "ruleset",
  "rule_list",
  "image_variant",
  "image_key",
  "image_config",
  "domain_query",
  "proxy_application",
] as const satisfies readonly (ResourceKind & MemberKind)[];

/** A fact: it is no resource of a world. */
const dnsRecord: MemberTable = {
  picked: { name: "name", hostname: "name", type: "type", proxied: "proxied" },
  groups: [],
  ignored: [],
};

/** A setting is under its name in the settings of a zone. Responses have the name as the id. */
const zoneSetting: MemberTable = {
  picked: { id: "setting_id", setting_id: "setting_id", value: "value" },
  groups: [],
  ignored: [],
};

/** The only one of a zone, so that its id is that of the zone. */
const urlNormalization: MemberTable = {
  picked: { type: "type", scope: "scope" },
  groups: [],
  ignored: ["id", "zone_id"],
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
  if (kind === "zone_setting") return { ...pickMembers(resource, zoneSetting), others: [] };
  if (kind === "url_normalization") return pickMembers(resource, urlNormalization);
  if (kind === "rule_list_item") return readListItem(resource);
  if (kind === "dns_record") return { ...pickMembers(resource, dnsRecord), others: [] };
  const picked = pickMembers(resource, tableOf(resources[kind]));
  if (kind === "ruleset") return readRules(picked, tableOf(resources.custom_rule));
  if (kind === "rule_list") return readItems(picked);
  return { ...picked, value: spell(picked.value, resources[kind].members) };
}

/** A plan, in Terraform by its name alone. */
function readPlan(given: unknown): object {
  const plan = zoneObjects["plan"]?.read(isJsonObject(given) ? given : { legacy_id: given });
  return typeof plan === "string" ? { plan } : {};
}

function readZone({ id, name, zone, account, account_id, plan }: JsonObject): PickedMembers {
  const accountId = isJsonObject(account) ? zoneObjects["account"]?.read(account) : account_id;
  const members = new Map<string, string>();
  if (typeof name !== "string" && typeof zone === "string") members.set("/name", "/zone");
  if (isJsonObject(account)) members.set("/account_id", "/account/id");
  const value = {
    ...(typeof id === "string" && { id }),
    ...(typeof (name ?? zone) === "string" && { name: name ?? zone }),
    ...(typeof accountId === "string" && { account_id: accountId }),
    ...readPlan(plan),
  };
  return { value, members, others: [] };
}

/** Picked members: names of the world file by the paths in a resource. */
function tableOf({ members, answers, saved }: Resource): MemberTable {
  const entries = Object.entries(members);
  const picked = entries.flatMap(([name, { also, within, imported }]) =>
    imported ? [name, ...also].map((alias) => [within === "none" ? alias : `${within}/${alias}`, name]) : [],
  );
  const left = entries.flatMap(([name, { imported }]) => (imported ? [] : [name]));
  return {
    picked: Object.fromEntries(picked),
    groups: entries.map(([, { within }]) => within),
    ignored: [...answers, ...savedMembers, ...saved, ...left],
  };
}
