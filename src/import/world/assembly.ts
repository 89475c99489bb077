/** Collects the resources of a world with their places, and the report. */
import { counted } from "../../errors.ts";
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

/** The unknown values of a resource in a sentence: their members, and what they are computed from. */
export function describeUnknown({ unknown = [] }: Resource): string {
  const names = unknown.map(({ pointer }) => `\`${pointer.slice(1).replaceAll("/", ".")}\``);
  const references = [...new Set(unknown.flatMap((one) => one.references ?? []))];
  const from =
    references.length === 0 ? "" : ` (computed from ${references.map((r) => `\`${r}\``).join(", ")})`;
  const verb = names.length === 1 ? "is" : "are";
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${counted(names.length - 3, "other member")}` : "";
  return `${shown}${more} ${verb} not known${from}`;
}
