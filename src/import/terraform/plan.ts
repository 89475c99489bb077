/** The instances that exist after a plan is applied. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import { type Instance, maskValues, sensitiveValue, unknownValue } from "./instance.ts";
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

function instanceOf(resource: JsonObject, at: string, withSecrets: boolean): Instance | undefined {
  const { address, mode, type, change, deposed } = resource;
  if (typeof address !== "string" || typeof type !== "string" || deposed !== undefined) return undefined;
  if (!isJsonObject(change)) return undefined;
  // A forgotten resource is no longer in the state, and stays as it is at the service.
  const isForgotten = Array.isArray(change["actions"]) && change["actions"][0] === "forget";
  const side = isForgotten ? "before" : "after";
  const values = change[side];
  if (!isJsonObject(values)) return undefined;
  const known = withSecrets ? values : maskValues(values, change[`${side}_sensitive`], sensitiveValue);
  const masked = isForgotten ? known : maskValues(known, change["after_unknown"], unknownValue);
  return {
    address,
    isData: mode === "data",
    type,
    pointer: `${at}/change/${side}`,
    values: masked as JsonObject,
  };
}
