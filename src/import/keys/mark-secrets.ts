/** Shared secrets in configurations that were read: without `withSecrets` they are sensitive values, which no world has. */
import { isJsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import type { Reading, Resource, ResourceOf, UnknownValue } from "../reading.ts";

type Config = ResourceOf<"token_config">;

/** The readings, in which each secret that is missing, or that must not be read, is an unknown value. */
export function markSecrets(readings: readonly Reading[], withSecrets: boolean): readonly Reading[] {
  const mark = (resource: Resource) =>
    resource.kind === "token_config" ? markConfig(resource, withSecrets) : resource;
  return readings.map((reading) => ({ ...reading, resources: reading.resources.map(mark) }));
}

function markConfig(config: Config, withSecrets: boolean): Config {
  const { value, unknown = [] } = config;
  const keys: unknown = value.credentials?.keys;
  if (!Array.isArray(keys)) return config;
  const known = new Set(unknown.map(({ pointer }) => pointer));
  const marks = keys.flatMap((key: unknown, i): UnknownValue[] => {
    const at = pointer("credentials", "keys", i, "k");
    if (!isJsonObject(key) || key["kty"] !== "oct" || known.has(at)) return [];
    const isMissing = key["k"] === undefined || key["k"] === null;
    if (isMissing) return [{ pointer: at, isSecret: true }];
    return withSecrets ? [] : [{ pointer: at, isSensitive: true }];
  });
  if (marks.length === 0) return config;
  const hidden = new Set(marks.map(({ pointer }) => pointer));
  const shown = keys.map((key: unknown, i) => {
    if (!isJsonObject(key) || !hidden.has(pointer("credentials", "keys", i, "k"))) return key;
    const { k: _, ...others } = key;
    return others;
  });
  return { ...config, value: { ...value, credentials: { keys: shown } }, unknown: [...unknown, ...marks] };
}
