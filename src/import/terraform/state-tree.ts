/** The instances of a tree of modules: the form of `terraform show -json` and of `terraform test`. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import { deposedReason, type Instance, maskValues, sensitiveValue, unreadInstance } from "./instance.ts";

/** Instances in the order of the file; those without values say why. */
export function instancesOfTree(module: unknown, at: string, withSecrets: boolean): readonly Instance[] {
  if (!isJsonObject(module)) return [];
  const { resources, child_modules: children } = module;
  const own = elementsOf(resources).flatMap(([resource, i]) => {
    const instance = instanceOf(resource, at + pointer("resources", i), withSecrets);
    return instance ? [instance] : [];
  });
  const nested = elementsOf(children).flatMap(([child, i]) =>
    instancesOfTree(child, at + pointer("child_modules", i), withSecrets),
  );
  return [...own, ...nested];
}

function elementsOf(list: unknown): readonly (readonly [JsonObject, number])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((element: unknown, i) => (isJsonObject(element) ? [[element, i] as const] : []));
}

function instanceOf(resource: JsonObject, at: string, withSecrets: boolean): Instance | undefined {
  const { address, mode, type, values, sensitive_values: sensitive, deposed_key: deposed } = resource;
  if (typeof address !== "string" || typeof type !== "string") return undefined;
  const found = { address, isData: mode === "data", type };
  if (deposed !== undefined) return unreadInstance(found, at, deposedReason);
  if (!isJsonObject(values)) return unreadInstance(found, at, "it has no `values`");
  const masked = withSecrets ? values : (maskValues(values, sensitive, sensitiveValue) as JsonObject);
  return { ...found, pointer: `${at}/values`, values: masked };
}
