/** The names of kinds of resources in messages. */
import type { ResourceKind } from "../reading.ts";

/** One and several of each kind. */
export const kindNouns: Readonly<Record<ResourceKind, readonly [singular: string, plural: string]>> = {
  zone: ["zone", "zones"],
  token_config: ["token configuration", "token configurations"],
  token_rule: ["token rule", "token rules"],
  operation: ["operation", "operations"],
  ruleset: ["ruleset", "rulesets"],
  rule_list: ["list", "lists"],
  rule_list_item: ["item of a list", "items of lists"],
  image_variant: ["image variant", "image variants"],
  image_key: ["signing key", "signing keys"],
  image_config: ["set of image settings", "sets of image settings"],
  domain_query: ["domain query", "domain queries"],
  proxy_application: ["proxy application", "proxy applications"],
  zone_setting: ["zone setting", "zone settings"],
  url_normalization: ["URL normalization", "URL normalizations"],
  dns_record: ["DNS record", "DNS records"],
};
