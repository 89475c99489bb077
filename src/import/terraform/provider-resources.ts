/** The resources of the provider that a world can hold, and their attributes in the spelling of the interface. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { resources } from "../../schemas/resources.ts";
import type { ResourceKind } from "../reading.ts";
import { memberKinds } from "../resources/kinds.ts";
import type { ProviderAttributes } from "./instance.ts";
import { readListBlocks, readRulesetBlocks } from "./provider-rulesets.ts";

const kinds: Readonly<Record<string, ResourceKind>> = {
  ...Object.fromEntries(
    memberKinds.flatMap((kind) => resources[kind].terraform.map((type) => [type, kind] as const)),
  ),
  cloudflare_list_item: "rule_list_item",
  cloudflare_zone: "zone",
  cloudflare_zone_setting: "zone_setting",
  cloudflare_url_normalization_settings: "url_normalization",
  cloudflare_dns_record: "dns_record",
  cloudflare_record: "dns_record",
};

/** The kind of a resource type; undefined for types that a world does not hold. */
export function kindOfType(type: string): ResourceKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** Types that belong to the areas of a world, and why it does not hold them. */
export const unsupportedTypes: Readonly<Record<string, string>> = {
  cloudflare_image:
    "An image needs its file, which Terraform does not store; add it to the world file by its path.",
  cloudflare_schema_validation_schemas:
    "The world has no schemas. Save `source` as a file to read the operations of the OpenAPI document.",
  cloudflare_api_shield_schema:
    "The world has no schemas. Save `source` as a file to read the operations of the OpenAPI document.",
};

/** Attributes that are blocks in version 4 of the provider: lists of at most one element. */
const blocks = ["account", "credentials", "dns", "edge_ips", "options", "origin_dns", "position", "selector"];

/** Reads the attributes of version 5 and of version 4 of the provider. The form decides, not the schema's number. */
export function readAttributes(kind: ResourceKind, attributes: JsonObject): ProviderAttributes {
  const moved = new Map<string, string>();
  const entries = Object.entries(attributes).map(([name, value]): [string, unknown] => {
    if (!blocks.includes(name) || !Array.isArray(value)) return [name, value];
    moved.set(`/${name}`, `/${name}/0`);
    return [name, value[0] ?? null];
  });
  const values = Object.fromEntries(entries);
  if (kind === "ruleset") return readRulesetBlocks(values);
  if (kind === "rule_list") return readListBlocks(values);
  if (kind === "zone_setting") return { values: readSetting(values), moved };
  return { values: kind === "proxy_application" ? readApplication(values, moved) : values, moved };
}

/** State files wrap a value whose type is not fixed; the id, which may be unknown yet, is that of the setting. */
function readSetting({ id, value, ...rest }: JsonObject): JsonObject {
  return { ...rest, value: isJsonObject(value) && Object.hasOwn(value, "value") ? value["value"] : value };
}

function readApplication(given: JsonObject, moved: Map<string, string>): JsonObject {
  const { origin_port_range: ranges, origin_direct: direct, ...rest } = given;
  const range: unknown = Array.isArray(ranges) ? ranges[0] : undefined;
  const port = portOf(rest["origin_port"], moved);
  if (isJsonObject(range)) moved.set("/origin_port", "/origin_port_range/0");
  return {
    ...rest,
    origin_port: isJsonObject(range) ? printRange(range) : port,
    origin_direct: Array.isArray(direct) && direct.length === 0 ? null : direct,
    edge_ips: isJsonObject(rest["edge_ips"]) ? readEdgeIps(rest["edge_ips"]) : rest["edge_ips"],
    origin_dns: isJsonObject(rest["origin_dns"]) ? readOriginDns(rest["origin_dns"]) : rest["origin_dns"],
  };
}

/** State files wrap a value whose type is not fixed; 0 is an unset port of version 4. */
function portOf(port: unknown, moved: Map<string, string>): unknown {
  if (port === 0) return null;
  if (!isJsonObject(port) || !Object.hasOwn(port, "value")) return port;
  moved.set("/origin_port", "/origin_port/value");
  return portOf(port["value"], new Map());
}

function printRange({ start, end }: JsonObject): unknown {
  return typeof start === "number" && typeof end === "number" ? `${start}-${end}` : (start ?? end);
}

/** Each mode has its own member; version 4 stores the other one empty. */
function readEdgeIps({ type, connectivity, ips, ...others }: JsonObject): JsonObject {
  const isEmpty = ips === null || (Array.isArray(ips) && ips.length === 0);
  if (type === "dynamic" && isEmpty) return { type, connectivity, ...others };
  if (type === "static" && (connectivity === null || connectivity === "")) return { type, ips, ...others };
  return { type, connectivity, ips, ...others };
}

function readOriginDns({ ttl, ...others }: JsonObject): JsonObject {
  return ttl === 0 ? others : { ttl, ...others };
}
