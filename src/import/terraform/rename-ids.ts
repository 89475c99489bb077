/** Gives every resource an id that does not change between runs, and uses it wherever the old one is referenced. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { isUuid } from "../../core/text/uuid.ts";
import type { Resource as Table } from "../../schemas/member.ts";
import { type MemberKind, resources } from "../../schemas/resources.ts";
import { derivedHex, derivedUuid } from "../../service/tokens/derived-ids.ts";
import type { Instance } from "./instance.ts";
import { kindOfType } from "./provider-resources.ts";

/** Old ids, such as the random ones of a mocked provider, and their replacements. */
export type Renames = ReadonlyMap<string, string>;

interface IdRule {
  readonly isStable: (id: string) => boolean;
  readonly derive: (address: string) => string;
}

const uuid: IdRule = { isStable: isUuid, derive: derivedUuid };
const hex: IdRule = { isStable: (id) => /^[0-9a-f]{32}$/.test(id), derive: derivedHex };

const idRules: Readonly<Record<Table["ids"], IdRule | undefined>> = { uuid, hex, chosen: undefined };

/** Undefined for kinds whose id the user chooses. */
function idRuleOf(type: string): IdRule | undefined {
  const kind = kindOfType(type);
  if (kind === "zone") return hex;
  const isMember = kind !== undefined && Object.hasOwn(resources, kind);
  return isMember ? idRules[resources[kind as MemberKind].ids] : undefined;
}

/** The id of an instance for the world; undefined for kinds whose id the user chooses. */
export function idOf(
  { type, address, values }: Pick<Instance, "type" | "address" | "values">,
  renames: Renames,
): string | undefined {
  const rule = idRuleOf(type);
  if (!rule) return undefined;
  const { id } = values;
  return typeof id === "string" ? (renames.get(id) ?? id) : rule.derive(address);
}

/** Renames the ids that are not of the service. */
export function findRenames(instances: readonly Instance[]): Renames {
  const renames = new Map<string, string>();
  for (const { type, address, values, isData } of instances) {
    const rule = idRuleOf(type);
    const { id } = values;
    if (!rule || isData || typeof id !== "string" || rule.isStable(id)) continue;
    if (!renames.has(id)) renames.set(id, rule.derive(address));
  }
  return renames;
}

/** The attributes with renamed ids: in lists of ids, positions, zones, and between quotes in expressions. */
export function renameIds(values: JsonObject, renames: Renames): JsonObject {
  if (renames.size === 0) return values;
  const renamed = Object.entries(values).map(([name, value]): [string, unknown] => {
    if (name === "expression" && typeof value === "string") return [name, renameQuoted(value, renames)];
    if (name === "rules" && Array.isArray(value))
      return [name, value.map((rule) => renameInRule(rule, renames))];
    return [name, references.includes(name) ? renameAll(value, renames) : value];
  });
  return Object.fromEntries(renamed);
}

const references = ["id", "operation_id", "zone_id", "account_id", "list_id", "selector", "position"];

/** A custom rule refers to configurations in its expression, and to rulesets in its parameters. */
function renameInRule(rule: unknown, renames: Renames): unknown {
  if (!isJsonObject(rule)) return rule;
  const { expression, action_parameters: parameters } = rule;
  return {
    ...rule,
    ...(typeof expression === "string" && { expression: renameQuoted(expression, renames) }),
    ...(parameters !== undefined && { action_parameters: renameAll(parameters, renames) }),
  };
}

/** Ids stand alone between quotes: `is_jwt_valid("k3v9t0qa")`. */
function renameQuoted(expression: string, renames: Renames): string {
  return expression.replaceAll(/(?<=")[A-Za-z0-9_-]{1,64}(?=")/g, (id) => renames.get(id) ?? id);
}

/** Renames in lists of ids and in the ids of a position; hosts are no ids. */
function renameAll(value: unknown, renames: Renames): unknown {
  if (typeof value === "string") return renames.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => renameAll(element, renames));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "host" ? member : renameAll(member, renames),
    ]),
  );
}
