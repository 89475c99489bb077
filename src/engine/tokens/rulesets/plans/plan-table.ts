/**
 * The features and limits of the plans of zones, as one table of data: each row with its source, the page of the provider's
 * documentation (`observed`) and the day on which it was read.
 */

import { type ZonePlan, zonePlans } from "../input/zone-facts.ts";
import { customPhase } from "../model.ts";

/** The plans, in ascending order: each has what those before it have. */
export const planOrder = Object.keys(zonePlans) as readonly ZonePlan[];

/** Where a row is from. */
interface PlanSource {
  readonly source: "spec" | "observed" | "chosen";
  /** Path of the page in the provider's documentation. */
  readonly page: string;
  /** The day on which it was read. */
  readonly read: string;
}

/** Something that only some plans have. */
export interface PlanFeature extends PlanSource {
  /** The lowest plan that has it. */
  readonly from: ZonePlan;
  /** Whether it is an addition to the plan with a price of its own. */
  readonly isAddOn?: boolean;
}

/** A number of which each plan has a maximum. */
export interface PlanMaximum extends PlanSource {
  /** The noun for one and for many. */
  readonly nouns: readonly [singular: string, plural: string];
  /** The phases whose rulesets of the zone are counted together. */
  readonly phases: readonly string[];
  /** All rules with disabled ones, enabled rules alone, or custom rulesets. */
  readonly counts: "rules" | "enabled rules" | "custom rulesets";
  readonly max: Readonly<Record<ZonePlan, number>>;
}

const read = "2026-11-28";
const rulesPage = { source: "observed", page: "waf/custom-rules", read } as const;
const fieldsPage = {
  source: "observed",
  page: "ruleset-engine/rules-language/fields/reference",
  read,
} as const;

/** The features that are not fields. */
export const planFeatures = {
  log: { from: "enterprise", ...rulesPage },
  matches: { from: "business", ...rulesPage },
  response: { from: "pro", source: "observed", page: "waf/custom-rules/create-dashboard", read },
  "managed lists": {
    from: "enterprise",
    source: "observed",
    page: "waf/tools/lists/managed-lists",
    read,
  },
  // Their number is the same in each plan that has them: the setting `configsPerZone` of the profile.
  "token configurations": {
    from: "enterprise",
    isAddOn: true,
    source: "observed",
    page: "api-shield",
    read,
  },
} as const satisfies Readonly<Record<string, PlanFeature>>;

const pro = { from: "pro", ...fieldsPage } as const;
const business = { from: "business", ...fieldsPage } as const;
const enterprise = { from: "enterprise", ...fieldsPage } as const;
const addOn = { from: "enterprise", isAddOn: true, ...fieldsPage } as const;

/** Fields by name; a row is also about the names that begin with its name and a dot, unless they have a row. */
const planFields: Readonly<Record<string, PlanFeature>> = {
  "http.request.cookies": pro,
  "cf.waf.credential_check.username_and_password_leaked": pro,
  "ip.src.subdivision_1_iso_code": business,
  "ip.src.subdivision_2_iso_code": business,
  "ip.src.is_in_european_union": business,
  "cf.waf.score.class": business,
  "cf.waf.score": enterprise,
  "cf.waf.auth_detected": enterprise,
  "cf.waf.credential_check.username_leaked": enterprise,
  "cf.waf.credential_check.username_password_similar": enterprise,
  "cf.llm.prompt": enterprise,
  "http.request.body": enterprise,
  "http.request.body.mime": { from: "free", ...fieldsPage },
  "cf.waf.content_scan": addOn,
  "cf.bot_management": addOn,
  "cf.api_gateway.auth_id_present": addOn,
  "http.request.jwt.claims": addOn,
};

/** The row of a field; undefined for a field that every plan has. */
export function planFieldOf(name: string): PlanFeature | undefined {
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
    const prefix = name.slice(0, end);
    if (Object.hasOwn(planFields, prefix)) return planFields[prefix];
  }
  return undefined;
}

const common = { free: 10, pro: 25, business: 50, enterprise: 300 } as const;

/** A number of rules that is the same in most phases. */
const rulesOf = (kind: string, phase: string, page: string): PlanMaximum => ({
  nouns: [`${kind} rule`, `${kind} rules`],
  phases: [phase],
  counts: "rules",
  max: common,
  source: "observed",
  page,
  read,
});

/** The numbers, each of a zone. */
export const planMaxima: readonly PlanMaximum[] = [
  {
    nouns: ["custom rule", "custom rules"],
    phases: [customPhase],
    counts: "rules",
    max: { free: 5, pro: 20, business: 100, enterprise: 1_000 },
    ...rulesPage,
  },
  {
    nouns: ["custom ruleset", "custom rulesets"],
    phases: [customPhase],
    counts: "custom rulesets",
    max: { free: 1, pro: 2, business: 5, enterprise: 10 },
    ...rulesPage,
  },
  {
    nouns: ["rate limiting rule", "rate limiting rules"],
    phases: ["http_ratelimit"],
    counts: "rules",
    // Without the add-on, Enterprise has 5.
    max: { free: 1, pro: 2, business: 5, enterprise: 100 },
    source: "observed",
    page: "waf/rate-limiting-rules",
    read,
  },
  {
    nouns: ["enabled transform rule", "enabled transform rules"],
    phases: ["http_request_transform", "http_request_late_transform", "http_response_headers_transform"],
    counts: "enabled rules",
    max: common,
    source: "observed",
    page: "rules/transform",
    read,
  },
  {
    ...rulesOf("custom error", "http_custom_errors", "rules/custom-errors"),
    max: { ...common, free: 0 },
  },
  rulesOf("redirect", "http_request_dynamic_redirect", "rules/url-forwarding/single-redirects"),
  rulesOf("cache", "http_request_cache_settings", "cache/how-to/cache-rules"),
  rulesOf("configuration", "http_config_settings", "rules/configuration-rules"),
  rulesOf("origin", "http_request_origin", "rules/origin-rules"),
  rulesOf("compression", "http_response_compression", "rules/compression-rules"),
];
