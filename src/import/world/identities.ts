/** The identity of resources, and the members that two copies of one must have in common: one row for each kind. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { Member } from "../../schemas/member.ts";
import { resources } from "../../schemas/resources.ts";
import type { Resource, ResourceKind, ResourceOf } from "../reading.ts";

/** How resources of a kind are compared. */
interface Identity<K extends ResourceKind> {
  /**
   * The names of a resource that are unique among those of its kind in a zone or account. The parts of a name that are
   * missing make it no name. Without a name, only equal resources are one.
   */
  readonly names: (resource: ResourceOf<K>) => readonly (readonly unknown[])[];
  /** Members in a form in which different spellings of one value are equal. Default: as they are. */
  readonly spelled?: (value: JsonObject) => JsonObject;
  /** Whether a world with two of one name is invalid, so that those of one configuration are left for its validation. */
  readonly isValidated?: true;
  /** Members that a list of resources leaves out, so that their absence means nothing. */
  readonly unlisted?: readonly string[];
}

/** Of kinds of which a zone or account has one. */
const onlyOne = { names: () => [["only"]] } as const;

const lower = (text: unknown) => (typeof text === "string" ? text.toLowerCase() : text);

/** A path without the names of its parameters. */
function pathShape(endpoint: unknown): unknown {
  return typeof endpoint === "string" ? endpoint.replaceAll(/\{[^{}/]*\}/g, "{}") : endpoint;
}

/** The kinds of rulesets of which a phase has one. */
const entryKinds: ReadonlySet<unknown> = new Set(["zone", "root"]);

const identities: { readonly [K in ResourceKind]: Identity<K> } = {
  zone: { ...onlyOne, spelled: (value) => ({ ...value, name: lower(value["name"]) }) },
  token_config: { names: ({ value }) => [[lower(value.id)]] },
  token_rule: { names: ({ value }) => [[lower(value.id)]] },
  operation: {
    names: ({ value: { operation_id: id, method, host, endpoint } }) => [
      [id],
      [lower(method), lower(host), pathShape(endpoint)],
    ],
    spelled: ({ method, host, endpoint }) => {
      return { method: lower(method), host: lower(host), endpoint: pathShape(endpoint) };
    },
  },
  ruleset: {
    unlisted: ["rules"],
    names: ({ value: { id, kind, phase } }) => [
      [id],
      ...(entryKinds.has(kind) ? [["entry", kind, phase]] : []),
    ],
    spelled: ({ rules, ...ruleset }) => ({
      ...ruleset,
      rules: Array.isArray(rules)
        ? rules.map((rule) =>
            isJsonObject(rule) ? comparedMembers(rule, resources.custom_rule.members) : rule,
          )
        : rules,
    }),
  },
  rule_list: {
    isValidated: true,
    names: ({ value: { id, name } }) => [[id], ["named", name]],
    spelled: ({ items, ...list }) => ({
      ...list,
      items: Array.isArray(items) ? items.map((item) => JSON.stringify(item)).toSorted() : items,
    }),
  },
  rule_list_item: { names: () => [] },
  image_variant: { isValidated: true, names: ({ value }) => [[value.id]] },
  image_key: { names: ({ value }) => [[value.name]] },
  image_config: onlyOne,
  domain_query: { names: ({ id }) => [[id]] },
  proxy_application: {
    isValidated: true,
    names: ({ id, value: { protocol, dns } }) => [
      [id],
      [lower(protocol), isJsonObject(dns) ? lower(dns["name"]) : undefined],
    ],
    spelled: ({ dns, ...app }) => ({
      ...app,
      dns: isJsonObject(dns) ? { ...dns, name: lower(dns["name"]) } : dns,
    }),
  },
  zone_setting: { names: ({ value }) => [[value.setting_id]] },
  url_normalization: onlyOne,
  dns_record: { names: ({ id }) => [[id]] },
};

/** The names of a resource, each unique among the resources of its kind and owner; the first is the strongest. */
export function namesOf(resource: Resource): readonly string[] {
  const { names } = identities[resource.kind] as Identity<ResourceKind>;
  const known = names(resource as ResourceOf<ResourceKind>).filter((parts) =>
    parts.every((part) => part !== undefined),
  );
  const { kind, value, unknown } = resource;
  const own = known.length > 0 ? known : [["equal", textOf(value), textOf(unknown ?? [])]];
  return own.map((parts) => JSON.stringify([kind, ...parts]));
}

/** Whether the validation of a world reports two resources of one name. */
export function isValidated({ kind }: Resource): boolean {
  return identities[kind].isValidated === true;
}

/** Whether a resource is the entry point of a phase. */
export function isEntryPoint({ kind, value }: Resource): boolean {
  return kind === "ruleset" && entryKinds.has(value.kind);
}

/** The known members on which answers depend, as text by name: equal texts are equal values. */
export function comparedTexts({ kind, value }: Resource): ReadonlyMap<string, string> {
  const { spelled, unlisted = [] } = identities[kind] as Identity<ResourceKind>;
  const given = spelled ? spelled(value) : (value as JsonObject);
  const members = Object.hasOwn(resources, kind) ? resources[kind as keyof typeof resources].members : {};
  const compared = Object.entries(comparedMembers(given, members)).filter(
    ([name]) => given[name] !== undefined || !unlisted.includes(name),
  );
  return new Map(compared.map(([name, member]) => [name, textOf(member)]));
}

/** The decisive members of a value with those of the table that have a usual value; without a table, all. */
function comparedMembers(value: JsonObject, members: Readonly<Record<string, Member>>): JsonObject {
  const usual = Object.entries(members).flatMap(([name, member]) =>
    member.usual === undefined ? [] : [[name, member.usual] as const],
  );
  const given = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  const all = Object.entries({ ...Object.fromEntries(usual), ...Object.fromEntries(given) });
  return Object.fromEntries(
    all.filter(([name]) => !Object.hasOwn(members, name) || members[name]?.decisive === true),
  );
}

/** JSON with sorted members, without those that are null or empty. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (!isJsonObject(part)) return part;
      const members = Object.entries(part).filter(([, member]) => !isEmpty(member));
      return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }) ?? ""
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
