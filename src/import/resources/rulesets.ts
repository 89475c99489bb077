/** Reads the rules within a ruleset, and the items of lists, in the forms of the interface and of Terraform. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import { type MemberTable, type PickedMembers, pickMembers } from "./pick-members.ts";

/** The ruleset with the members of its rules that a world has. */
export function readRules(ruleset: PickedMembers, table: MemberTable): PickedMembers {
  const { rules } = ruleset.value;
  if (!Array.isArray(rules)) return ruleset;
  const others: string[] = [];
  const read = rules.map((rule: unknown, i) => {
    if (!isJsonObject(rule)) return rule;
    const picked = pickMembers(rule, table);
    others.push(...picked.others.map((name) => pointer("rules", i, name).slice(1)));
    return picked.value;
  });
  return { ...ruleset, value: { ...ruleset.value, rules: read }, others: [...ruleset.others, ...others] };
}

/** The list with the values of its items. */
export function readItems(list: PickedMembers): PickedMembers {
  const { items } = list.value;
  return Array.isArray(items)
    ? { ...list, value: { ...list.value, items: items.flatMap(itemValues) } }
    : list;
}

/** The values of an item: a wildcard that includes the name itself is two. */
function itemValues(item: unknown): unknown {
  const value = itemValue(item);
  return includesExact(item) && typeof value === "string" && value.startsWith("*.")
    ? [value, value.slice(2)]
    : value;
}

/** `exclude_exact_hostname` is true by default: a wildcard is for subdomains alone (`observed`). */
function includesExact(item: unknown): boolean {
  if (!isJsonObject(item)) return false;
  const block = first(item["value"]);
  if (isJsonObject(block)) return includesExact(block);
  const name = first(item["hostname"]);
  return isJsonObject(name) && name["exclude_exact_hostname"] === false;
}

/** An item that is a resource of its own. */
export function readListItem(resource: JsonObject): PickedMembers {
  const { list_id: id } = resource;
  const value = { ...(id !== undefined && id !== null && { list_id: id }), item: itemValues(resource) };
  return { value, members: new Map([["/item", ""]]), others: [] };
}

/** The value of an item; undefined for one of a redirect. Version 4 of the provider has blocks, and fills in zeros. */
export function itemValue(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const { ip, asn, hostname, value } = item;
  const block = first(value);
  if (isJsonObject(block)) return itemValue(block);
  const name = first(hostname);
  const host = isJsonObject(name) ? name["url_hostname"] : name;
  return [ip, asn, host].find(
    (member) => member !== undefined && member !== null && member !== "" && member !== 0,
  );
}

/** A block is a list of at most one element. */
function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}
