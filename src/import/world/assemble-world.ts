/** Joins what the readers found in all files to one world, with the places of its values and a report. */
import { pointer } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import type { ListedKind, Reading, Resource, ResourceKind } from "../reading.ts";
import { assembleAccount } from "./assemble-account.ts";
import { assembleZone } from "./assemble-zone.ts";
import {
  type Assembly,
  type AssemblyOptions,
  createAssembly,
  derive,
  drop,
  leaveUndecided,
} from "./assembly.ts";
import { type Owner, type PlacedResources, placeResources } from "./place-resources.ts";
import type { ImportReport } from "./report.ts";
import { createSourceMap, type SourceMap } from "./source-map.ts";

/** A world with its report. */
export interface AssembledWorld {
  readonly world: World;
  readonly report: Omit<ImportReport, "formats">;
  readonly sources: SourceMap;
}

/** Identical readings give an identical world. */
export function assembleWorld(readings: readonly Reading[], options: AssemblyOptions): AssembledWorld {
  const assembly = createAssembly(runner(readings));
  for (const reading of readings) addParts(assembly, reading);
  noteMissingPages(assembly, readings);
  const placed = placeResources(readings, [...options.zoneNames.keys()]);
  for (const resource of placed.homeless) leaveHomeless(assembly, resource, placed);
  const world = assembleOwners(assembly, placed, options);
  const { mapped, accepted, dropped, derived, undecided } = assembly;
  return {
    world,
    report: { accepted, dropped, derived, undecided },
    sources: createSourceMap(mapped),
  };
}

function runner(readings: readonly Reading[]): (resource: Resource) => string {
  const runs = new Map(readings.flatMap(({ resources, run }) => resources.map((one) => [one, run] as const)));
  return (resource) => runs.get(resource) ?? "";
}

function addParts(assembly: Assembly, { dropped, derived, undecided }: Reading): void {
  for (const { origin, reason } of dropped) drop(assembly, origin, reason);
  for (const { origin, reason } of derived) derive(assembly, origin, reason);
  for (const part of undecided) leaveUndecided(assembly, part, {});
}

/** What is undecided when elements of a list are missing. */
const subjects = { token_rule: "rule", token_config: "key", operation: "host" } as const;

function noteMissingPages(assembly: Assembly, readings: readonly Reading[]): void {
  const resources = readings.flatMap((reading) => reading.resources);
  const longest = new Map<ResourceKind, ListedKind>();
  for (const list of readings.flatMap(({ lists = [] }) => lists))
    if (list.total > (longest.get(list.kind)?.total ?? 0)) longest.set(list.kind, list);
  for (const { kind, total, origin } of longest.values()) {
    const count = resources.filter((resource) => resource.kind === kind).length;
    if (count >= total) continue;
    const message = `The files have ${count} of ${total} elements of the list of ${kind.replaceAll("_", " ")}s.`;
    if (!isDeciding(kind)) drop(assembly, origin, message);
    else
      leaveUndecided(
        assembly,
        { origin, subject: subjects[kind], message, run: "save the other pages, too (`?page=2`)" },
        {},
      );
  }
}

function isDeciding(kind: ResourceKind): kind is keyof typeof subjects {
  return Object.hasOwn(subjects, kind);
}

function leaveHomeless(assembly: Assembly, { kind, origin }: Resource, { zones }: PlacedResources): void {
  const known = [...zones.keys()].map((id) => `\`${id}\``).join(", ");
  const message = `The file does not name the zone or account of this ${kind.replaceAll("_", " ")}; the files name the zones ${known}.`;
  const run = "give the files of one zone at a time";
  leaveUndecided(assembly, { origin, subject: "zone", message, run }, {});
}

function assembleOwners(
  assembly: Assembly,
  { zones, accounts }: PlacedResources,
  options: AssemblyOptions,
): World {
  const list = <T>(owners: ReadonlyMap<string, Owner>, of: (owner: Owner, at: string) => T, name: string) =>
    [...owners.values()].map((owner, i) => of(owner, pointer(name, i)));
  const accountList = list(
    accounts,
    (owner, at) => assembleAccount(assembly, owner, at, options),
    "accounts",
  );
  const zoneList = list(zones, (owner, at) => assembleZone(assembly, owner, at, options), "zones");
  return {
    profile: "provider",
    ...(accountList.length > 0 && { accounts: accountList }),
    ...(zoneList.length > 0 && { zones: zoneList }),
  };
}
