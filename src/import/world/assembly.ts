/** Collects the resources of a world with their places, and the report. */
import type { Placed } from "../../core/diagnostic.ts";
import type { PreviousApplication } from "../../service/world/applications.ts";
import { derivedValue, leftOut, type RejectionRule, rejectedResource } from "../import-rules.ts";
import { locationOf, type Origin } from "../origin.ts";
import type { Resource, ResourceKind, ResourceOf } from "../reading.ts";
import { type Undecided, type UndecidedFacts, undecidedPart } from "../undecided.ts";
import type { AcceptedResource } from "./report.ts";
import type { MappedResource } from "./source-map.ts";

/** Facts from the caller, beside the files. */
export interface AssemblyOptions {
  /** Domain of a zone by its id. */
  readonly zoneNames: ReadonlyMap<string, string>;
  /** Whether secrets are copied. */
  readonly withSecrets: boolean;
}

/** A world that is being assembled. */
export interface Assembly {
  readonly mapped: MappedResource[];
  /** Applications before a plan is applied, by the pointer of what the world has instead. */
  readonly previous: Map<string, PreviousApplication>;
  readonly accepted: AcceptedResource[];
  readonly dropped: Placed[];
  readonly derived: Placed[];
  readonly undecided: Undecided[];
  readonly invalid: Placed[];
  /** The command for a file in which no value is unknown. */
  readonly runOf: (resource: Resource) => string;
}

/** The resources of one kind. */
export function ofKind<K extends ResourceKind>(resources: readonly Resource[], kind: K): ResourceOf<K>[] {
  return resources.filter((resource) => resource.kind === kind) as unknown as ResourceOf<K>[];
}

/** An assembly without resources. */
export function createAssembly(runOf: Assembly["runOf"]): Assembly {
  return {
    mapped: [],
    previous: new Map(),
    accepted: [],
    dropped: [],
    derived: [],
    undecided: [],
    invalid: [],
    runOf,
  };
}

/** Adds a resource of the world with its place. */
export function accept(assembly: Assembly, { kind, origin, members, previous }: Resource, at: string): void {
  if (previous) assembly.previous.set(at, previous);
  assembly.mapped.push({ at, origin, ...(members && { members }) });
  assembly.accepted.push({ kind, pointer: at, at: locationOf(origin) });
}

/** Adds a part that the world does not contain. */
export function drop({ dropped }: Assembly, origin: Origin, message: string): void {
  dropped.push(leftOut(origin, message));
}

/** Adds a value that no file contains as it is. */
export function derive({ derived }: Assembly, origin: Origin, message: string): void {
  derived.push(derivedValue(origin, message));
}

/** Adds a resource that the service would reject, or that two files have with different values. */
export function reject({ invalid }: Assembly, origin: Origin, rule: RejectionRule, message: string): void {
  invalid.push(rejectedResource(origin, rule, message));
}

/** Adds what no file decides. */
export function leaveUndecided({ undecided }: Assembly, origin: Origin, facts: UndecidedFacts): void {
  undecided.push(undecidedPart(locationOf(origin), facts));
}

/** Reports a resource that is left out because a value of it is unknown. */
export function leaveOut(assembly: Assembly, resource: Resource, facts: Omit<UndecidedFacts, "run">): void {
  const run = runFor(assembly, resource, resource.unknown);
  leaveUndecided(assembly, resource.origin, { ...facts, run });
}

/** The treatment of unknown values of a resource. */
export function runFor(assembly: Assembly, resource: Resource, unknown: Resource["unknown"] = []): string {
  const isSensitive = unknown.length > 0 && unknown.every(({ isSensitive }) => isSensitive);
  if (unknown.length > 0 && unknown.every(({ isSecret }) => isSecret))
    return "a file that has the secret as well";
  return isSensitive ? "--with-secrets" : assembly.runOf(resource);
}
