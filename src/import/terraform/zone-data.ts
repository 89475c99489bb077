/** The zones that data sources have read. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import type { ResourceOf } from "../reading.ts";
import { readResource } from "../resources/kinds.ts";
import type { Instance } from "./instance.ts";

/** A zone, and its pointer in the values of the data source. */
export type ZoneOfData = Omit<ResourceOf<"zone">, "origin"> & { readonly at: string };

/** Undefined for resources, and for data sources of other types. */
export function zonesOfData({ isData, type, values }: Instance): readonly ZoneOfData[] | undefined {
  if (!isData) return undefined;
  if (type === "cloudflare_zone") return zoneOf(values, "");
  if (type !== "cloudflare_zones") return undefined;
  // Version 5 of the provider has `result`, version 4 `zones`.
  const name = Array.isArray(values["result"]) ? "result" : "zones";
  const list = values[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((zone: unknown, i) => (isJsonObject(zone) ? zoneOf(zone, pointer(name, i)) : []));
}

function zoneOf(zone: JsonObject, at: string): readonly ZoneOfData[] {
  const id = typeof zone["zone_id"] === "string" ? zone["zone_id"] : zone["id"];
  const { value, members } = readResource("zone", { ...zone, id });
  return typeof id === "string" ? [{ kind: "zone", value, members, at }] : [];
}
