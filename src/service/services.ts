/** All use cases over one context, for `createEdge` and the endpoints. */
import { type BrandService, brandService } from "./brand/brand.ts";
import type { ServiceContext } from "./context.ts";
import { type ImageServices, imageServices } from "./images/services.ts";
import { type ProxyAppService, proxyAppService } from "./proxy/apps.ts";
import { type HealthService, watchHealth } from "./store/health.ts";
import { type TokenConfigService, tokenConfigService } from "./tokens/configs.ts";
import { type DraftService, draftService } from "./tokens/drafts/drafts.ts";
import { type EvaluationService, evaluationService } from "./tokens/evaluation.ts";
import { type OperationService, operationService } from "./tokens/operations.ts";
import { type TokenRuleService, tokenRuleService } from "./tokens/rules.ts";
import {
  type RuleListService,
  type RulesetService,
  ruleListService,
  rulesetService,
} from "./tokens/rulesets/rulesets.ts";
import { type UrlNormalizationService, urlNormalizationService } from "./tokens/url-normalization.ts";
import { type ZoneService, zoneService } from "./zones.ts";

/** Every use case, and the context that they share. */
export interface Services extends Omit<ServiceContext, "proxy"> {
  /** Evaluation of requests. */
  readonly tokens: EvaluationService & {
    /** Token configurations. */
    readonly configs: TokenConfigService;
    /** Token validation rules, in their order. */
    readonly rules: TokenRuleService;
    /** Rulesets of custom rules. */
    readonly rulesets: RulesetService;
    /** Lists that custom rules name. */
    readonly lists: RuleListService;
    /** Operations of zones. */
    readonly operations: OperationService;
    /** The URL normalization of zones. */
    readonly urlNormalization: UrlNormalizationService;
    /** Checks of drafts of rules. */
    readonly drafts: DraftService;
  };
  /** Queries of names and logos, and what is observed. */
  readonly brand: BrandService;
  /** Images, their variants and their delivery. */
  readonly images: ImageServices;
  /** Proxy applications. */
  readonly proxy: {
    /** Applications of zones. */
    readonly apps: ProxyAppService;
  };
  /** Zones and their accounts. */
  readonly zones: ZoneService;
  /** Whether the store works. */
  readonly health: HealthService;
}

export function createServices(given: ServiceContext): Services {
  const { store, health } = watchHealth(given.store);
  const context = { ...given, store };
  return {
    ...context,
    tokens: {
      configs: tokenConfigService(context),
      rules: tokenRuleService(context),
      operations: operationService(context),
      rulesets: rulesetService(context),
      lists: ruleListService(context),
      urlNormalization: urlNormalizationService(context),
      drafts: draftService(context),
      ...evaluationService(context),
    },
    brand: brandService(context),
    images: imageServices(context),
    proxy: { apps: proxyAppService(context) },
    zones: zoneService(context),
    health,
  };
}
