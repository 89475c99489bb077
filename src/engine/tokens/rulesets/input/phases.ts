/** The phases of rulesets, and the names that a `skip` may have (`observed`). */

import { checkedPhases } from "../../expression/language/rule-kinds.ts";
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

/** Phases of rulesets that are accepted, and whose expressions are not checked. */
const otherPhases = [
  "http_request_sbfm",
  "http_request_firewall_managed",
  "ddos_l4",
  "ddos_l7",
  "http_request_sanitize",
  "http_response_firewall_managed",
  "magic_transit",
  "magic_transit_ids_managed",
  "magic_transit_managed",
  "magic_transit_ratelimit",
] as const;

/** Every phase. */
export const phases: readonly string[] = [customPhase, ...Object.keys(checkedPhases), ...otherPhases];
