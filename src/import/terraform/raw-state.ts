/** The instances of a state file, version 4, as `terraform state pull` prints it. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import { deposedReason, type Instance, maskValues, sensitiveValue, unreadInstance } from "./instance.ts";

/** Instances in the order of the file; those without values say why. */
export function instancesOfRawState({ resources }: JsonObject, withSecrets: boolean): readonly Instance[] {
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((resource: unknown, i) => {
    if (!isJsonObject(resource)) return [];
    const { instances } = resource;
    const list = Array.isArray(instances) ? instances : [undefined];
    return list.flatMap((instance: unknown, j) => {
      const at = pointer("resources", i, "instances", j);
      return instanceOf(resource, isJsonObject(instance) ? instance : {}, at, withSecrets) ?? [];
    });
  });
}

function instanceOf(
  resource: JsonObject,
  instance: JsonObject,
  at: string,
  withSecrets: boolean,
): Instance | undefined {
  const { mode, type, name, module } = resource;
  const {
    attributes,
    attributes_flat: flat,
    index_key: key,
    sensitive_attributes: sensitive,
    deposed,
  } = instance;
  if (typeof type !== "string" || typeof name !== "string") return undefined;
  const prefix = typeof module === "string" && module !== "" ? `${module}.` : "";
  const address = `${prefix}${mode === "data" ? "data." : ""}${type}.${name}${printKey(key)}`;
  const found = { address, isData: mode === "data", type };
  if (deposed !== undefined) return unreadInstance(found, at, deposedReason);
  if (!isJsonObject(attributes)) {
    const reason = isJsonObject(flat)
      ? "it has `attributes_flat`, the form of Terraform 0.11; save the state with a newer version"
      : "it has no `attributes`";
    return unreadInstance(found, at, reason);
  }
  const masked = withSecrets ? attributes : maskPaths(attributes, sensitive);
  return { ...found, pointer: `${at}/attributes`, values: masked };
}

function printKey(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  return typeof key === "string" ? `[${JSON.stringify(key)}]` : "";
}

/** Paths of steps such as `{"type": "get_attr", "value": "title"}`, in a list or alone. */
function maskPaths(attributes: JsonObject, paths: unknown): JsonObject {
  if (!Array.isArray(paths)) return attributes;
  return paths.reduce<JsonObject>((masked, path: unknown) => {
    const mask = maskOfPath(Array.isArray(path) ? path : [path]);
    return mask === undefined ? masked : (maskValues(masked, mask, sensitiveValue) as JsonObject);
  }, attributes);
}

/** The mask of one path. The first element of a list is masked alone, the others need fillers before them. */
function maskOfPath(steps: readonly unknown[]): unknown {
  return steps.reduceRight<unknown>((mask, step) => {
    const value = isJsonObject(step) ? step["value"] : undefined;
    const key = isJsonObject(value) ? value["value"] : value;
    if (typeof key === "string") return { [key]: mask };
    const isIndex = typeof key === "number" && Number.isInteger(key) && key >= 0 && key < maxIndex;
    return isIndex ? [...Array<boolean>(key).fill(false), mask] : true;
  }, true);
}

/** A path to a later element masks its whole list. */
const maxIndex = 1_000;
