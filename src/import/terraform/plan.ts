/** The instances that exist after a plan is applied. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import type { PlannedResource } from "../reading.ts";
import {
  type Instance,
  maskValues,
  type PreviousValues,
  sensitiveValue,
  unknownValue,
  unreadInstance,
} from "./instance.ts";
import { instancesOfTree } from "./state-tree.ts";

/** Every managed resource whose planned value is not null, and the data sources that were read. */
export function instancesOfPlan(plan: JsonObject, withSecrets: boolean): readonly Instance[] {
  const { resource_changes: changes, prior_state: prior } = plan;
  const state =
    isJsonObject(prior) && isJsonObject(prior["values"]) ? prior["values"]["root_module"] : undefined;
  const data = instancesOfTree(state, "/prior_state/values/root_module", withSecrets).filter(
    ({ isData }) => isData,
  );
  const planned = Array.isArray(changes) ? changes : [];
  return [
    ...data,
    ...planned.flatMap((change: unknown, i) => {
      const instance = isJsonObject(change)
        ? instanceOf(change, pointer("resource_changes", i), withSecrets)
        : undefined;
      return instance ? [instance] : [];
    }),
  ];
}

/** The managed resources of a plan by their addresses, with those that it deletes or moves. */
export function plannedResources({
  resource_changes: changes,
}: JsonObject): ReadonlyMap<string, PlannedResource> {
  const planned = new Map<string, PlannedResource>();
  for (const resource of Array.isArray(changes) ? changes.filter(isJsonObject) : []) {
    const { address, previous_address: previous, mode, change } = resource;
    if (mode === "data" || !isJsonObject(change)) continue;
    const known = [change["after"], change["before"]].filter(isJsonObject);
    const found = Object.assign({}, ...known.map(scopeOf)) as PlannedResource;
    for (const name of [address, previous]) if (typeof name === "string") planned.set(name, found);
  }
  return planned;
}

/** The members that are ids. */
function scopeOf({ id, zone_id: zone, account_id: account }: JsonObject): PlannedResource {
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof zone === "string" && { zone }),
    ...(typeof account === "string" && { account }),
  };
}

function instanceOf(resource: JsonObject, at: string, withSecrets: boolean): Instance | undefined {
  const { address, mode, type, change, deposed } = resource;
  if (typeof address !== "string" || typeof type !== "string" || deposed !== undefined) return undefined;
  const found = { address, isData: mode === "data", type };
  if (!isJsonObject(change)) return unreadInstance(found, at, "it has no `change`");
  // A forgotten resource is no longer in the state, and stays as it is at the service.
  const isForgotten = Array.isArray(change["actions"]) && change["actions"][0] === "forget";
  const side = isForgotten ? "before" : "after";
  const values = change[side];
  if (!isJsonObject(values)) return undefined;
  const known = sideOf(change, side, withSecrets);
  const masked = isForgotten ? known : maskValues(known, change["after_unknown"], unknownValue);
  const previous = previousOf(change, withSecrets);
  return {
    ...found,
    pointer: `${at}/change/${side}`,
    values: withId(masked as JsonObject, previous),
    ...(previous && { previous }),
  };
}

/** The values of a side of a change, without sensitive ones unless they are asked for. */
function sideOf(change: JsonObject, side: "before" | "after", withSecrets: boolean): unknown {
  const values = change[side];
  return withSecrets ? values : maskValues(values, change[`${side}_sensitive`], sensitiveValue);
}

/**
 * The actions of a change after which the service has, or had until then, what was before: also when a resource was moved
 * or is imported. A resource that is deleted first is gone when the new one is created.
 */
const keepingActions: Readonly<Record<string, Pick<PreviousValues, "isReplaced">>> = {
  "no-op": { isReplaced: false },
  update: { isReplaced: false },
  forget: { isReplaced: false },
  "create,delete": { isReplaced: true },
  "create,forget": { isReplaced: true },
};

function previousOf(change: JsonObject, withSecrets: boolean): PreviousValues | undefined {
  const { actions, before } = change;
  const kept = Array.isArray(actions) && keepingActions[actions.join()];
  if (!kept || !isJsonObject(before)) return undefined;
  return { ...kept, values: sideOf(change, "before", withSecrets) as JsonObject };
}

/** The values with the id that a changed resource keeps, also where the plan says that it is known after the apply only. */
function withId(values: JsonObject, previous: PreviousValues | undefined): JsonObject {
  const id = previous?.isReplaced === false ? previous.values["id"] : undefined;
  return values["id"] === unknownValue && typeof id === "string" ? { ...values, id } : values;
}
