/** Makes a zone of the world from its resources; what is undecided is left out and reported. */
import { pointer } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import type { Resource, ResourceOf, UndecidedPart } from "../reading.ts";
import { ofKind } from "./assemble-account.ts";
import { type Assembly, type AssemblyOptions, accept, describeUnknown, leaveUndecided } from "./assembly.ts";
import type { Owner } from "./place-resources.ts";
import type { Effect } from "./report.ts";

type Zone = NonNullable<World["zones"]>[number];

/** @param at RFC 6901 pointer of the zone in the world */
export function assembleZone(
  assembly: Assembly,
  owner: Owner,
  at: string,
  { zoneNames }: AssemblyOptions,
): Zone {
  const { id, resources } = owner;
  const facts = ofKind(resources, "zone");
  for (const fact of facts.slice(0, 1)) accept(assembly, fact, at);
  const name = zoneNames.get(id) ?? facts.find(({ value }) => value.name !== undefined)?.value.name;
  const account = facts.find(({ value }) => value.account_id !== undefined)?.value.account_id;
  if (name === undefined) leaveNameless(assembly, owner);
  const tokens = assembleTokens(assembly, owner, `${at}/token_validation`);
  return {
    id,
    ...(name !== undefined && { name }),
    ...(account !== undefined && { account_id: account }),
    ...(Object.keys(tokens).length > 0 && { token_validation: tokens }),
  } as Zone;
}

/** A request is evaluated in the zone that has its host, so that the name decides. */
function leaveNameless(assembly: Assembly, { id, isNamed, resources }: Owner): void {
  const [first] = resources;
  if (!first) return;
  const message = isNamed
    ? `No file names the domain of the zone \`${id}\`.`
    : "No file names the zone; its id in the world is `zone`.";
  const run = `--zone-name ${id}=<domain>`;
  leaveUndecided(assembly, { origin: first.origin, subject: "zone", zone: id, message, run });
}

function assembleTokens(assembly: Assembly, { id, resources }: Owner, at: string): object {
  const operations = keep(assembly, ofKind(resources, "operation"), `${at}/operations`, (one) => ({
    part: undecidedPart(assembly, one, id, "host", "An operation is left out"),
    effect: {},
  }));
  const configs = keep(assembly, ofKind(resources, "token_config"), `${at}/configs`, (one) => ({
    part: undecidedPart(assembly, one, id, "key", "A token configuration is left out"),
    effect: {},
  }));
  const rules = keep(assembly, ofKind(resources, "token_rule"), `${at}/rules`, (one) => ({
    part: undecidedPart(assembly, one, id, "rule", "A rule is left out"),
    effect: {},
  }));
  return {
    ...(operations.length > 0 && { operations }),
    ...(configs.length > 0 && { configs }),
    ...(rules.length > 0 && { rules }),
  };
}

type ZoneKind = "operation" | "token_config" | "token_rule";

/** The values of the resources in which nothing is unknown. */
function keep<K extends ZoneKind>(
  assembly: Assembly,
  resources: readonly ResourceOf<K>[],
  at: string,
  undecided: (resource: Resource) => { readonly part: UndecidedPart; readonly effect: Effect },
): ResourceOf<K>["value"][] {
  const values: ResourceOf<K>["value"][] = [];
  for (const resource of resources as readonly (ResourceOf<K> & Resource)[]) {
    if (resource.unknown?.length) {
      const { part, effect } = undecided(resource);
      leaveUndecided(assembly, part, effect);
    } else accept(assembly, resource, at + pointer(values.push(resource.value) - 1));
  }
  return values;
}

function undecidedPart(
  assembly: Assembly,
  resource: Resource,
  zone: string,
  subject: UndecidedPart["subject"],
  result: string,
): UndecidedPart {
  const message = `${result}: ${describeUnknown(resource)}.`;
  return { origin: resource.origin, subject, zone, message, run: assembly.runOf(resource) };
}
