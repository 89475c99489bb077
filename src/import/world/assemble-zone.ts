/** Makes a zone of the world from its resources; what is undecided is left out and reported. */
import { pointer, quote } from "../../errors.ts";
import { zoneSettingNames } from "../../schemas/zones.ts";
import type { World } from "../../service/world/schema.ts";
import type { Resource, ResourceOf } from "../reading.ts";
import { assembleRulesets } from "../rulesets/assemble-rulesets.ts";
import { assembleTokens } from "./assemble-tokens.ts";
import {
  type Assembly,
  type AssemblyOptions,
  accept,
  derive,
  drop,
  leaveOut,
  leaveUndecided,
  ofKind,
} from "./assembly.ts";
import type { MergedOwner } from "./merge-resources.ts";
import type { Owner } from "./place-resources.ts";
import { hostsOf } from "./selected-hosts.ts";
import { describeUnknown } from "./split-unknown.ts";

type Zone = NonNullable<World["zones"]>[number];

/** @param at RFC 6901 pointer of the zone in the world */
export function assembleZone(
  assembly: Assembly,
  owner: MergedOwner,
  at: string,
  { zoneNames }: AssemblyOptions,
): Zone {
  const { id, resources } = owner;
  const [facts] = ofKind(resources, "zone");
  if (facts) accept(assembly, facts, at);
  const { account_id: account, plan, name: found } = facts?.value ?? {};
  const name = zoneNames.get(id) ?? found;
  if (name === undefined) leaveNameless(assembly, owner);
  const tokens = assembleTokens(assembly, owner, `${at}/token_validation`);
  const rulesets = assembleRulesets(assembly, resources, `${at}/rulesets`, id);
  noteUnproxied(assembly, resources);
  const applications = assembleApplications(assembly, owner, `${at}/proxy/applications`);
  const records =
    applications.length > 0 ? assembleRecords(assembly, resources, `${at}/dns_records`, name) : [];
  const settings = assembleSettings(assembly, resources, `${at}/settings`);
  const normalization = assembleNormalization(assembly, owner, `${at}/url_normalization`);
  return {
    id,
    ...(name !== undefined && { name }),
    ...(account !== undefined && { account_id: account }),
    ...(plan !== undefined && { plan }),
    ...(Object.keys(tokens).length > 0 && { token_validation: tokens }),
    ...(rulesets.length > 0 && { rulesets }),
    ...(applications.length > 0 && { proxy: { applications } }),
    ...(records.length > 0 && { dns_records: records }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(normalization && { url_normalization: normalization }),
  } as Zone;
}

/** A request is evaluated in the zone that has its host, so that the name decides. */
function leaveNameless(assembly: Assembly, { id, isNamed, resources }: Owner): void {
  const [first] = resources;
  if (!first) return;
  const message = isNamed
    ? `No file names the domain of the zone ${quote(id)}.`
    : `No file names the zone; its id in the world is ${quote(id)}.`;
  const run = `--zone-name ${id}=<domain>`;
  leaveUndecided(assembly, first.origin, { about: "zone", zone: id, message, run });
}

/** The members of an application depend on each other: without one of them, no check has a meaning. */
function assembleApplications(assembly: Assembly, { id, resources }: Owner, at: string): readonly object[] {
  const values: object[] = [];
  for (const resource of ofKind(resources, "proxy_application") as readonly (ResourceOf<"proxy_application"> &
    Resource)[]) {
    const { unknown = [], value } = resource;
    if (unknown.length > 0)
      leaveOut(assembly, resource, {
        about: "application",
        zone: id,
        message: `An application is left out: ${describeUnknown(unknown)}.`,
      });
    else accept(assembly, resource, at + pointer(values.push(value) - 1));
  }
  return values;
}

/** The proxied records of a zone with applications, whose host names have none. */
function assembleRecords(
  assembly: Assembly,
  resources: readonly Resource[],
  at: string,
  zoneName: string | undefined,
): NonNullable<Zone["dns_records"]> {
  const values: NonNullable<Zone["dns_records"]> = [];
  for (const resource of ofKind(resources, "dns_record") as readonly (ResourceOf<"dns_record"> &
    Resource)[]) {
    const { name, type, proxied } = resource.value;
    if (proxied !== true || typeof name !== "string") continue;
    const record = { name: wholeName(name, zoneName), ...(typeof type === "string" && { type }), proxied };
    accept(assembly, resource, at + pointer(values.push(record) - 1));
  }
  return values;
}

/** Terraform has names without the domain of the zone, and `@` for the domain. */
function wholeName(name: string, zoneName: string | undefined): string {
  if (zoneName === undefined) return name;
  if (name === "@") return zoneName;
  const [found, domain] = [name.toLowerCase(), zoneName.toLowerCase()];
  return found === domain || found.endsWith(`.${domain}`) ? name : `${name}.${zoneName}`;
}

/** No verdict depends on a setting: one that is unknown, or that a world does not have, is dropped. */
function assembleSettings(assembly: Assembly, resources: readonly Resource[], at: string): object {
  const settings = new Map<string, unknown>();
  for (const resource of ofKind(resources, "zone_setting") as readonly (ResourceOf<"zone_setting"> &
    Resource)[]) {
    const { value, unknown = [], origin } = resource;
    const name = zoneSettingNames.find((known) => known === value.setting_id);
    if (name === undefined) drop(assembly, origin, `A world has no zone setting ${quote(value.setting_id)}.`);
    else if (unknown.length > 0) drop(assembly, origin, `${describeUnknown(unknown)}.`);
    else {
      settings.set(name, value.value);
      accept(assembly, resource, at + pointer(name));
    }
  }
  return Object.fromEntries(settings);
}

/** Every verdict can depend on it. */
function assembleNormalization(
  assembly: Assembly,
  { id, resources }: Owner,
  at: string,
): Zone["url_normalization"] {
  const found = ofKind(resources, "url_normalization") as readonly (ResourceOf<"url_normalization"> &
    Resource)[];
  const [first] = found;
  if (first === undefined) return undefined;
  const { value, unknown = [] } = first;
  if (unknown.length > 0) {
    const message = `The URL normalization is left out: ${describeUnknown(unknown)}.`;
    leaveOut(assembly, first, { about: "zone", zone: id, message, effect: {} });
    return undefined;
  }
  accept(assembly, first, at);
  return value as Zone["url_normalization"];
}

/** The edge serves only hosts whose records are proxied. */
function noteUnproxied(assembly: Assembly, resources: readonly Resource[]): void {
  const hosts = new Set(
    resources.flatMap((resource) => {
      if (resource.kind === "operation") return [String(resource.value.host).toLowerCase()];
      return resource.kind === "token_rule" ? hostsOf(resource) : [];
    }),
  );
  for (const { value, origin } of ofKind(resources, "dns_record")) {
    const name = String(value.name).toLowerCase();
    if (value.proxied === false && hosts.has(name))
      derive(
        assembly,
        origin,
        `The record of ${quote(name)} is not proxied, so that its requests never reach the rules.`,
      );
  }
}
