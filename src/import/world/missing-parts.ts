/** The parts that are undecided when a resource is missing, or a part of a list of them. */
import type { ResourceKind } from "../reading.ts";
import type { Undecided } from "../undecided.ts";

/** A part that is undecided, and the answers that depend on it. */
export type MissingPart = Pick<Undecided, "about" | "effect">;

/** By kind of resource; without DNS records and settings only remarks are missing. */
const parts = {
  token_rule: { about: "rule", effect: {} },
  token_config: { about: "key", effect: {} },
  operation: { about: "host", effect: {} },
  ruleset: { about: "rule", effect: {} },
  rule_list: { about: "rule", effect: {} },
  rule_list_item: { about: "rule", effect: {} },
  proxy_application: { about: "application" },
  zone: { about: "zone" },
  url_normalization: { about: "zone", effect: {} },
  image_variant: { about: "images" },
  image_key: { about: "images" },
  image_config: { about: "images" },
  domain_query: { about: "brand" },
} as const satisfies Partial<Record<ResourceKind, MissingPart>>;

/** The parts of all kinds, of which some have none. */
export const missingParts: typeof parts & Readonly<Partial<Record<ResourceKind, MissingPart>>> = parts;
