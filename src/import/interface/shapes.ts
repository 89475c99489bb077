/** Tells the kind of an object of the interface by its members. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { normalizationScopes } from "../../engine/tokens/zone/url-normalization.ts";
import { quote } from "../../errors.ts";
import type { ResourceKind } from "../reading.ts";

interface Shape {
  readonly kind: ResourceKind;
  readonly matches: (object: JsonObject) => boolean;
}

function hasStrings(object: JsonObject, ...names: readonly string[]): boolean {
  return names.every((name) => typeof object[name] === "string");
}

const shapes: readonly Shape[] = [
  {
    kind: "ruleset",
    matches: (one) => hasStrings(one, "kind", "phase") && (Array.isArray(one["rules"]) || "version" in one),
  },
  {
    kind: "rule_list",
    matches: (one) => hasStrings(one, "name", "kind") && typeof one["num_items"] === "number",
  },
  {
    kind: "rule_list_item",
    matches: (one) =>
      hasStrings(one, "id", "created_on") &&
      !("name" in one) &&
      ["ip", "asn", "hostname", "redirect"].some((name) => name in one),
  },
  { kind: "token_config", matches: (one) => Array.isArray(one["token_sources"]) && "credentials" in one },
  { kind: "token_rule", matches: (one) => hasStrings(one, "expression", "action") },
  { kind: "operation", matches: (one) => hasStrings(one, "method", "host", "endpoint") },
  { kind: "proxy_application", matches: (one) => hasStrings(one, "protocol") && isJsonObject(one["dns"]) },
  { kind: "domain_query", matches: (one) => "query_id" in one && isJsonObject(one["parameters"]) },
  {
    kind: "zone_setting",
    matches: (one) => hasStrings(one, "id") && "value" in one && typeof one["editable"] === "boolean",
  },
  {
    kind: "url_normalization",
    matches: (one) =>
      Object.keys(one).length === 2 &&
      typeof one["type"] === "string" &&
      normalizationScopes.some((scope) => scope === one["scope"]),
  },
  { kind: "dns_record", matches: (one) => hasStrings(one, "name", "type", "content") },
  {
    kind: "zone",
    matches: (one) =>
      hasStrings(one, "id", "name") && (Array.isArray(one["name_servers"]) || isJsonObject(one["account"])),
  },
  { kind: "image_variant", matches: (one) => hasStrings(one, "id") && isJsonObject(one["options"]) },
  {
    kind: "image_key",
    matches: (one) => hasStrings(one, "name", "value") && Object.keys(one).length === 2,
  },
  { kind: "image_config", matches: (one) => "flexible_variants" in one && "browser_ttl" in one },
];

/** The kind of an object; undefined when it has the members of none. */
export function kindByShape(object: JsonObject): ResourceKind | undefined {
  return shapes.find(({ matches }) => matches(object))?.kind;
}

/** The reason why an object of another kind is left out. */
export function unsupportedByShape(object: JsonObject): string {
  if ("similarity_threshold" in object)
    return "A logo query needs its picture, which the list does not contain; add it to the world file by `image_path`.";
  if ("requireSignedURLs" in object)
    return "An image needs its file, which the list does not contain; add it to the world file by its path.";
  const names = Object.keys(object).slice(0, 6);
  return `An object with the members ${names.map(quote).join(", ") || "of an empty object"} is of no kind that a world has.`;
}
