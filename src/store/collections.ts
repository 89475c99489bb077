/** All collections of edgeproof, from which adapters create their tables. Each area has one file of records. */
import type { CollectionDefinition } from "./definition.ts";
import {
  brandDomains,
  brandSettings,
  brandStates,
  domainLookbacks,
  domainMatches,
  domainQueries,
  logoLookbacks,
  logoMatches,
  logoQueries,
  logoScans,
  logoSegments,
} from "./records/brand.ts";
import { imageAccounts, images, imageVariants, signingKeys } from "./records/images.ts";
import { proxyApps, proxyEdgeIps, proxyFacts, proxyHostnames } from "./records/proxy.ts";
import { accountRevisions, accountRulesets, ruleLists, zoneRulesets } from "./records/rulesets.ts";
import { operations, tokenConfigs, tokenRevisions, tokenRules } from "./records/tokens.ts";
import { accounts, apiTokens, zoneSettings, zones } from "./records/world.ts";

export const collections = {
  accounts,
  zones,
  zone_settings: zoneSettings,
  api_tokens: apiTokens,
  token_configs: tokenConfigs,
  token_rules: tokenRules,
  token_revisions: tokenRevisions,
  operations,
  zone_rulesets: zoneRulesets,
  account_rulesets: accountRulesets,
  rule_lists: ruleLists,
  account_revisions: accountRevisions,
  proxy_apps: proxyApps,
  proxy_hostnames: proxyHostnames,
  proxy_edge_ips: proxyEdgeIps,
  proxy_facts: proxyFacts,
  brand_settings: brandSettings,
  brand_states: brandStates,
  brand_domain_queries: domainQueries,
  brand_domain_lookbacks: domainLookbacks,
  brand_domains: brandDomains,
  brand_domain_matches: domainMatches,
  brand_logo_queries: logoQueries,
  brand_logo_lookbacks: logoLookbacks,
  brand_logo_scans: logoScans,
  brand_logo_segments: logoSegments,
  brand_logo_matches: logoMatches,
  image_accounts: imageAccounts,
  images,
  image_variants: imageVariants,
  signing_keys: signingKeys,
};

type RecordOf<D> = D extends CollectionDefinition<infer R> ? R : never;

/** The record type of each collection. */
export type Collections = { readonly [C in keyof typeof collections]: RecordOf<(typeof collections)[C]> };

/** Name of a collection. */
export type CollectionName = keyof Collections;

/** The names of all collections, in a fixed order. */
export const collectionNames = Object.keys(collections) as CollectionName[];
