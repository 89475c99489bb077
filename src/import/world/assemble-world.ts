/** Joins what the readers found in all files to one world, with the places of its values and a report. */

import type { Placed } from "../../core/diagnostic.ts";
import { groupBy } from "../../core/groups.ts";
import { counted, pointer, quote } from "../../errors.ts";
import type { PreviousApplication } from "../../service/world/applications.ts";
import type { World } from "../../service/world/schema.ts";
import type { ListedPage, Reading, Resource, ResourceKind } from "../reading.ts";
import { assembleAccount } from "./assemble-account.ts";
import { assembleZone } from "./assemble-zone.ts";
import { type Assembly, type AssemblyOptions, createAssembly, drop, leaveUndecided } from "./assembly.ts";
import { type MergedOwner, mergeOwner } from "./merge-resources.ts";
import { type MissingPart, missingParts } from "./missing-parts.ts";
import { withNewerPlans } from "./newer-plan.ts";
import { type Owner, type PlacedResources, placeResources } from "./place-resources.ts";
import type { ImportSummary } from "./report.ts";
import { createSourceMap, type SourceMap } from "./source-map.ts";

/** A world with its report. */
export interface AssembledWorld {
  readonly world: World;
  readonly report: Omit<ImportSummary, "formats">;
  readonly sources: SourceMap;
  readonly previous: ReadonlyMap<string, PreviousApplication>;
}

/** Identical readings give an identical world. */
export function assembleWorld(given: readonly Reading[], options: AssemblyOptions): AssembledWorld {
  const readings = withNewerPlans(given);
  const assembly = createAssembly(runner(readings));
  for (const reading of readings) addParts(assembly, reading);
  noteMissingPages(assembly, readings);
  const placed = placeResources(readings, [...options.zoneNames.keys()]);
  for (const resource of placed.homeless) leaveHomeless(assembly, resource, placed);
  const world = assembleOwners(assembly, placed, options);
  const { mapped, previous, accepted, dropped, derived, undecided, invalid } = assembly;
  return {
    world,
    report: {
      accepted,
      dropped: unique(dropped),
      derived: unique(derived),
      undecided: unique(undecided),
      invalid: unique(invalid),
    },
    sources: createSourceMap(mapped),
    previous,
  };
}

/** A file that is given twice says everything twice. */
function unique<T extends Placed>(parts: readonly T[]): readonly T[] {
  const keyOf = ({ rule, message, at }: T) => JSON.stringify([rule, message, at]);
  return [...new Map(parts.map((part) => [keyOf(part), part])).values()];
}

function runner(readings: readonly Reading[]): (resource: Resource) => string {
  const runs = new Map(
    readings.flatMap(({ resources, run }) => resources.map(({ origin }) => [origin, run] as const)),
  );
  return ({ origin }) => runs.get(origin) ?? "";
}

function addParts(assembly: Assembly, { dropped, derived, undecided, missing = [], run }: Reading): void {
  assembly.dropped.push(...dropped);
  assembly.derived.push(...derived);
  assembly.undecided.push(...undecided);
  for (const resources of missing) leaveMissing(assembly, resources, resources.message, run);
}

/** Pages of one list have the same total. An empty page, such as the one after the last, is of the list with its total. */
function noteMissingPages(assembly: Assembly, readings: readonly Reading[]): void {
  const pages = readings.flatMap(({ lists = [] }) => lists);
  for (const list of groupBy(pages, ({ kind, total }) => `${kind} ${total}`).values()) {
    if (list[0]?.total === undefined) noteCursor(assembly, list, pages);
    else noteMissing(assembly, list, pages);
  }
}

/** Pages with cursors do not say which page they are: the list is complete when the last one is there. */
function noteCursor(assembly: Assembly, list: readonly ListedPage[], pages: readonly ListedPage[]): void {
  const first = list.find(({ hasNext }) => hasNext);
  if (!first) return;
  const { kind } = first;
  const isLast = (page: ListedPage) => page.hasNext === false && (page.kind ?? kind) === kind;
  if (pages.some(isLast)) return;
  const message = `The files have ${counted(countElements(list), "element")} of the list${ofKinds(kind)}; its cursor says that there are more.`;
  leaveMissing(
    assembly,
    first,
    message,
    "save the other pages, too (`?cursor=` with the one of `result_info`)",
  );
}

function noteMissing(assembly: Assembly, list: readonly ListedPage[], pages: readonly ListedPage[]): void {
  const [first] = list;
  const count = countElements(list);
  if (first?.total === undefined || count >= first.total) return;
  const { kind, total } = first;
  if (kind === undefined && pages.some((other) => other.kind !== undefined && other.total === total)) return;
  const message = `The files have ${count} of ${total} elements of the list${ofKinds(kind)}.`;
  leaveMissing(assembly, first, message, "save the other pages, too (`?page=2`)");
}

function ofKinds(kind: ResourceKind | undefined): string {
  return kind === undefined ? "" : ` of ${kind.replaceAll("_", " ")}s`;
}

function leaveMissing(
  assembly: Assembly,
  { kind, origin }: Pick<ListedPage, "kind" | "origin">,
  message: string,
  run: string,
): void {
  const missing: MissingPart | undefined =
    kind === undefined ? { about: "rule", effect: {} } : missingParts[kind];
  if (missing) leaveUndecided(assembly, origin, { ...missing, message, run });
  else drop(assembly, origin, message);
}

/** A page that is given twice counts once; one without a number is known by its elements. */
function countElements(list: readonly ListedPage[]): number {
  const counts = new Map<unknown, number>();
  for (const listed of list) {
    const page = listed.page ?? JSON.stringify(listed.elements);
    counts.set(page, Math.max(listed.count, counts.get(page) ?? 0));
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function leaveHomeless(assembly: Assembly, { kind, origin }: Resource, { zones }: PlacedResources): void {
  const known = [...zones.keys()].map((id) => `\`${id}\``).join(", ");
  const message = `The file does not name the zone or account of this ${kind.replaceAll("_", " ")}; the files name the zones ${known}.`;
  const run = "give the files of one zone at a time";
  leaveUndecided(assembly, origin, { about: "zone", message, run, effect: {} });
}

/** Custom rules of an account are evaluated in its zones. */
function leaveAccountless(assembly: Assembly, zone: Owner | undefined): void {
  const [first] = zone?.resources ?? [];
  if (!zone || !first) return;
  const message = `No file names the account of the zone ${quote(zone.id)}, and the files have several with rulesets.`;
  const run = `save the response of \`/zones/${zone.id}\`, too`;
  leaveUndecided(assembly, first.origin, { about: "rule", zone: zone.id, message, run, effect: {} });
}

function assembleOwners(
  assembly: Assembly,
  { zones, accounts }: PlacedResources,
  options: AssemblyOptions,
): World {
  const list = <T>(
    owners: ReadonlyMap<string, Owner>,
    of: (owner: MergedOwner, at: string) => T,
    name: string,
  ) => [...owners.values()].map((owner, i) => of(mergeOwner(assembly, owner), pointer(name, i)));
  const accountList = list(
    accounts,
    (owner, at) => assembleAccount(assembly, owner, at, options),
    "accounts",
  );
  const zoneList = list(zones, (owner, at) => assembleZone(assembly, owner, at, options), "zones");
  const owning = accountList.filter(({ rulesets = [] }) => rulesets.length > 0);
  if (accountList.length > 1 && owning.length > 0)
    for (const { id, account_id: account } of zoneList)
      if (account === undefined) leaveAccountless(assembly, zones.get(id));
  return {
    profile: "provider",
    ...(accountList.length > 0 && { accounts: accountList }),
    ...(zoneList.length > 0 && { zones: zoneList }),
  };
}
