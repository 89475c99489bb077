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
    matches: (object) =>
      hasStrings(object, "kind", "phase") && (Array.isArray(object["rules"]) || "version" in object),
  },
  {
    kind: "rule_list",
    matches: (object) => hasStrings(object, "name", "kind") && typeof object["num_items"] === "number",
  },
  {
    kind: "rule_list_item",
    matches: (object) =>
      hasStrings(object, "id", "created_on") &&
      !("name" in object) &&
      ["ip", "asn", "hostname", "redirect"].some((name) => name in object),
  },
  {
    kind: "token_config",
    matches: (object) => Array.isArray(object["token_sources"]) && "credentials" in object,
  },
  { kind: "token_rule", matches: (object) => hasStrings(object, "expression", "action") },
  { kind: "operation", matches: (object) => hasStrings(object, "method", "host", "endpoint") },
  {
    kind: "proxy_application",
    matches: (object) => hasStrings(object, "protocol") && isJsonObject(object["dns"]),
  },
  { kind: "domain_query", matches: (object) => "query_id" in object && isJsonObject(object["parameters"]) },
  {
    kind: "zone_setting",
    matches: (object) =>
      hasStrings(object, "id") && "value" in object && typeof object["editable"] === "boolean",
  },
  {
    kind: "url_normalization",
    matches: (object) =>
      Object.keys(object).length === 2 &&
      typeof object["type"] === "string" &&
      normalizationScopes.some((scope) => scope === object["scope"]),
  },
  { kind: "dns_record", matches: (object) => hasStrings(object, "name", "type", "content") },
  {
    kind: "zone",
    matches: (object) =>
      hasStrings(object, "id", "name") &&
      (Array.isArray(object["name_servers"]) || isJsonObject(object["account"])),
  },
  { kind: "image_variant", matches: (object) => hasStrings(object, "id") && isJsonObject(object["options"]) },
  {
    kind: "image_key",
    matches: (object) => hasStrings(object, "name", "value") && Object.keys(object).length === 2,
  },
  { kind: "image_config", matches: (object) => "flexible_variants" in object && "browser_ttl" in object },
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
