/** Rulesets and lists of both versions of the provider, in the form of the interface. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { skippablePhases, skippableProducts } from "../../engine/tokens/rulesets/input/phases.ts";
import { pointer } from "../../errors.ts";
import type { ProviderAttributes } from "./instance.ts";

/** Members of a rule, and of its parameters, that are blocks in version 4: lists of at most one element. */
const ruleBlocks = ["action_parameters", "logging", "exposed_credential_check", "ratelimit"];
const parameterBlocks = ["response"];

/**
 * The rules of version 5 are a list of objects, or null when there are none; in version 4 they are blocks with blocks in
 * them. Version 5 accepts names of kinds, phases, actions and products in any letter case (`observed`).
 */
export function readRulesetBlocks({ rules: given, ...others }: JsonObject): ProviderAttributes {
  const rules = given === null ? [] : given;
  const values = { ...lowered(others, ["kind", "phase"]), ...(rules !== undefined && { rules }) };
  const moved = new Map<string, string>();
  if (!Array.isArray(rules)) return { values, moved };
  // An unknown element can be any number of rules.
  const unknown: unknown = rules.find((rule) => typeof rule === "symbol");
  if (unknown !== undefined) return { values: { ...values, rules: unknown }, moved };
  const read = rules.map((rule: unknown, i) =>
    isJsonObject(rule) ? readRule(rule, pointer("rules", i), moved) : rule,
  );
  return { values: { ...values, rules: read }, moved };
}

/** The object with the strings of some members in lower case. */
function lowered(object: JsonObject, names: readonly string[]): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => {
    return [name, names.includes(name) && typeof value === "string" ? value.toLowerCase() : value];
  });
  return Object.fromEntries(entries);
}

function readRule(rule: JsonObject, at: string, moved: Map<string, string>): JsonObject {
  const flat = lowered(withoutComputed(unblock(rule, ruleBlocks, at, at, moved)), ["action"]);
  const { action_parameters: parameters } = flat;
  if (!isJsonObject(parameters)) return flat;
  const name = `${at}/action_parameters`;
  const inFile = moved.get(name) ?? name;
  const inner = lowered(unblock(parameters, parameterBlocks, name, inFile, moved), ["ruleset", "phase"]);
  const set = Object.entries(inner)
    .filter(([, value]) => !isEmpty(value))
    .map(([key, value]) => [key, readNames(key, value)] as const);
  return { ...flat, action_parameters: set.length === 0 ? null : Object.fromEntries(set) };
}

const skippableNames: Readonly<Record<string, readonly string[]>> = {
  products: skippableProducts,
  phases: skippablePhases,
};

/** Some releases of version 4 have products in lower case (`observed`). */
function readNames(member: string, value: unknown): unknown {
  const names = skippableNames[member];
  if (names === undefined || !Array.isArray(value)) return value;
  return value.map((element: unknown) => {
    const found =
      typeof element === "string" && names.find((name) => name.toLowerCase() === element.toLowerCase());
    return found || element;
  });
}

/** Some releases of version 4 have `status` beside or in place of `enabled` (`observed`). */
function readLogging(logging: unknown): unknown {
  if (!isJsonObject(logging)) return logging;
  const { status, ...rest } = logging;
  return status === "enabled" || status === "disabled" ? { ...rest, enabled: status === "enabled" } : rest;
}

/** The object with the first element of each block; the longest places are added first, so that they are found first. */
function unblock(
  object: JsonObject,
  blocks: readonly string[],
  at: string,
  inFile: string,
  moved: Map<string, string>,
): JsonObject {
  const entries = Object.entries(object).map(([name, value]): [string, unknown] => {
    if (!blocks.includes(name) || !Array.isArray(value)) return [name, value];
    if (value.length > 0) moved.set(at + pointer(name), `${inFile}${pointer(name)}/0`);
    return [name, value[0] ?? null];
  });
  return Object.fromEntries(entries);
}

/** Values that the service chooses when a configuration leaves them out; ids of a mocked provider are random. */
function withoutComputed({ id, ref, logging, ...rule }: JsonObject): JsonObject {
  return {
    ...(typeof id === "string" && /^[0-9a-f]{32}$/.test(id) && { id }),
    ...(typeof ref === "string" && { ref }),
    ...(typeof logging !== "symbol" && { logging: readLogging(logging) }),
    ...rule,
  };
}

/** Unset members of version 4: no parameter of the evaluated actions is a number or a boolean. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Items are `items` in version 5, and blocks with the name `item` in version 4. */
export function readListBlocks({ item, items, ...rest }: JsonObject): ProviderAttributes {
  const isBlocks = Array.isArray(item) && item.length > 0;
  const given = isBlocks ? item : items;
  const moved = new Map(isBlocks ? [["/items", "/item"]] : []);
  return { values: { ...lowered(rest, ["kind"]), ...(given !== undefined && { items: given }) }, moved };
}
