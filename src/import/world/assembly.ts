/** Collects the resources of a world with their places, and the report. */
import type { Origin, Resource, UndecidedPart } from "../reading.ts";
import type { AcceptedResource, Derived, Dropped, Effect, Undecided } from "./report.ts";
import { locationOf, type MappedResource } from "./source-map.ts";

/** What the caller knows beside the files. */
export interface AssemblyOptions {
  /** Domain of a zone by its id. */
  readonly zoneNames: ReadonlyMap<string, string>;
  /** Whether secrets are copied. */
  readonly withSecrets: boolean;
}

/** A world that is being assembled. */
export interface Assembly {
  readonly mapped: MappedResource[];
  readonly accepted: AcceptedResource[];
  readonly dropped: Dropped[];
  readonly derived: Derived[];
  readonly undecided: Undecided[];
  /** What to run for a file in which no value is unknown. */
  readonly runOf: (resource: Resource) => string;
}

/** An assembly without resources. */
export function createAssembly(runOf: Assembly["runOf"]): Assembly {
  return { mapped: [], accepted: [], dropped: [], derived: [], undecided: [], runOf };
}

/** Adds a resource of the world with its place. */
export function accept(assembly: Assembly, { kind, origin, members }: Resource, at: string): void {
  assembly.mapped.push({ at, origin, ...(members && { members }) });
  assembly.accepted.push({ kind, pointer: at, location: locationOf(origin) });
}

/** Adds a part that the world does not contain. */
export function drop(assembly: Assembly, origin: Origin, reason: string): void {
  assembly.dropped.push({ reason, location: locationOf(origin) });
}

/** Adds a value that no file contains as it is. */
export function derive(assembly: Assembly, origin: Origin, reason: string): void {
  assembly.derived.push({ reason, location: locationOf(origin) });
}

/** Adds what no file decides. */
export function leaveUndecided(
  assembly: Assembly,
  { origin, ...part }: UndecidedPart,
  effect?: Effect,
): void {
  assembly.undecided.push({ ...part, location: locationOf(origin), ...(effect && { effect }) });
}

/** Reports a resource that is left out because a value of it is unknown. */
export function leaveOut(
  assembly: Assembly,
  resource: Resource,
  part: Omit<UndecidedPart, "origin" | "run">,
  effect?: Effect,
): void {
  const unknown = resource.unknown ?? [];
  const isSensitive = unknown.length > 0 && unknown.every((one) => one.isSensitive);
  const run = isSensitive ? "--with-secrets" : assembly.runOf(resource);
  leaveUndecided(assembly, { origin: resource.origin, ...part, run }, effect);
}
