/** The zones with rules of a world, as inputs of the engine. */

import { isJsonObject } from "../../../core/json-value.ts";
import { type Profile, profiles } from "../../../core/profiles.ts";
import { type Result, success } from "../../../core/result.ts";
import { defaultUrlNormalization } from "../../../engine/tokens/zone/url-normalization.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../../errors.ts";
import type { ParsedWorld } from "../part.ts";
import { parseValidAreas, parseValidParts, type ValidAreas } from "../valid-parts.ts";
import { type WorldRulesets, zoneRulesets } from "./world-rulesets.ts";

/** A zone with token validation or custom rules. */
export interface WorldZone {
  readonly id: string;
  /** Domain of the zone; absent when the world does not have it. */
  readonly name?: string;
  /** RFC 6901 pointer of its token validation in the world file. */
  readonly at: string;
  /** Valid except for its expressions and keys, which the engine validates. Has the custom rules of its account, too. */
  readonly input: ZoneInput;
  /** The RFC 6901 pointer in the world file of one into the input. */
  readonly pointerOf: (within: string) => string;
}

/** The token validation of a zone as it is written. */
export type Validation = NonNullable<NonNullable<ParsedWorld["zones"]>[number]["token_validation"]>;

/**
 * The zones of a world of which `validationOf` returns the token validation, or that have custom rules.
 *
 * @param profile that of the defaults of zones; by default the world's
 */
export function tokenZones(
  world: ParsedWorld,
  profile: Profile | undefined,
  validationOf: (zone: NonNullable<ParsedWorld["zones"]>[number], index: number) => Validation | undefined,
): readonly WorldZone[] {
  const { urlNormalization } = profiles[profile ?? world.profile ?? "spec"];
  const byDefault = urlNormalization === "none" ? undefined : defaultUrlNormalization(urlNormalization);
  return (world.zones ?? []).flatMap((zone, i) => {
    const validation = validationOf(zone, i);
    const custom = zoneRulesets(world, i);
    if (validation === undefined && !hasRulesets(custom)) return [];
    const name = zone.name !== undefined && { name: zone.name };
    const at = pointer("zones", i, "token_validation");
    const normalization = zone.url_normalization ?? byDefault;
    const input = {
      ...zoneInput(validation ?? {}),
      ...custom.input,
      ...(normalization && { url_normalization: normalization }),
    };
    const pointerOf = (within: string) => (isCustom(within) ? custom.pointerOf(within) : at + within);
    return [{ id: zone.id, ...name, at, input, pointerOf }];
  });
}

function hasRulesets({ input }: WorldRulesets): boolean {
  return input.rulesets !== undefined || input.account_rulesets !== undefined;
}

/** Whether a pointer into the input of a zone is to what custom rules are or read. */
function isCustom(within: string): boolean {
  return /^\/(?:rulesets|account_rulesets|lists|name|plan)(?=\/|$)/.test(within);
}

/** The zones with rules of a value that may be a world; none when it is not valid. */
export function tokenZonesOf(value: unknown): readonly WorldZone[] {
  const parsed = parseValidParts(value, () => {});
  return parsed.ok ? tokenZones(parsed.value.world, undefined, (zone) => zone.token_validation) : [];
}

/** Ids in lower case, as the service stores them; a rule without an id gets its position as one. */
export function zoneInput({ configs = [], rules = [], operations }: Validation): ZoneInput {
  const input = {
    configs: configs.map((config) => ({ ...config, id: config.id.toLowerCase() })),
    rules: rules.map((rule, i) => ({ ...rule, id: rule.id?.toLowerCase() ?? `rule ${i + 1}` })),
    ...(operations && { operations }),
  };
  return input as unknown as ZoneInput;
}

/** A world with its zones that have rules. */
export interface WorldWithZones extends ValidAreas {
  /** With their invalid parts, of which the analysis reports what is wrong with them. */
  readonly zones: readonly WorldZone[];
}

/** Reads a world, with the defaults of a profile, whose areas are valid or left out; fails when a problem is in no area of a zone or an account. */
export function readWorldZones(value: unknown, profile?: Profile): Result<WorldWithZones> {
  const read = parseValidAreas(value);
  return read.ok
    ? success({ ...read.value, zones: zonesWithInvalid(read.value.world, value, profile) })
    : read;
}

/**
 * The zones of a world with their invalid parts, of which the analysis reports what is wrong with them.
 *
 * @param world without the areas of `value` that do not match the schema
 */
export function zonesWithInvalid(
  world: ParsedWorld,
  value: unknown,
  profile: Profile | undefined,
): readonly WorldZone[] {
  return tokenZones(world, profile, (zone, i) => zone.token_validation ?? invalidZone(value, i));
}

/** The token validation of a zone that does not match the schema, as lists of objects with ids. */
function invalidZone(world: unknown, index: number): Validation | undefined {
  const zones = isJsonObject(world) && Array.isArray(world["zones"]) ? world["zones"] : [];
  const validation: unknown = zones[index]?.token_validation;
  if (!isJsonObject(validation)) return undefined;
  const { configs, rules, operations } = validation;
  const zone = {
    configs: objectsOf(configs),
    rules: objectsOf(rules).map((rule) => ({ enabled: true, ...rule })),
    ...(Array.isArray(operations) && { operations }),
  };
  return zone as unknown as Validation;
}

function objectsOf(list: unknown): readonly object[] {
  return (Array.isArray(list) ? list : []).map((element: unknown, i) => {
    const { id, ...rest } = isJsonObject(element) ? element : {};
    return { ...rest, id: typeof id === "string" ? id : `${i + 1}` };
  });
}
