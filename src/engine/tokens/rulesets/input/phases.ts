/** The phases of rulesets, and the names that a `skip` may have (`observed`). */

import { customPhase } from "../model.ts";

/** Phases that a `skip` can name. */
export const skippablePhases = [
  "http_ratelimit",
  "http_request_sbfm",
  "http_request_firewall_managed",
] as const;

/** Products that a `skip` can name. */
export const skippableProducts = [
  "zoneLockdown",
  "uaBlock",
  "bic",
  "hot",
  "securityLevel",
  "rateLimit",
  "waf",
] as const;

/** Phases of rulesets that are accepted and not evaluated. */
const otherPhases = [
  ...skippablePhases,
  "ddos_l4",
  "ddos_l7",
  "http_config_settings",
  "http_custom_errors",
  "http_log_custom_fields",
  "http_request_cache_settings",
  "http_request_dynamic_redirect",
  "http_request_late_transform",
  "http_request_origin",
  "http_request_redirect",
  "http_request_sanitize",
  "http_request_transform",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_response_headers_transform",
  "magic_transit",
  "magic_transit_ids_managed",
  "magic_transit_managed",
  "magic_transit_ratelimit",
] as const;

/** Every phase. */
export const phases: readonly string[] = [customPhase, ...otherPhases];
