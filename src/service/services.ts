/** All use cases over one context, for `createEdge` and the endpoints. */
import { type BrandService, brandService } from "./brand/brand.ts";
import type { ServiceContext } from "./context.ts";
import { type ImageServices, imageServices } from "./images/services.ts";
import { type ProxyAppService, proxyAppService } from "./proxy/apps.ts";
import { type TokenConfigService, tokenConfigService } from "./tokens/configs.ts";
import { type DraftService, draftService } from "./tokens/drafts.ts";
import { type EvaluationService, evaluationService } from "./tokens/evaluation.ts";
import { type OperationService, operationService } from "./tokens/operations.ts";
import { type TokenRuleService, tokenRuleService } from "./tokens/rules.ts";
import { type ZoneService, zoneService } from "./zones.ts";

export interface Services extends Omit<ServiceContext, "proxy"> {
  readonly tokens: EvaluationService & {
    readonly configs: TokenConfigService;
    readonly rules: TokenRuleService;
    readonly operations: OperationService;
    readonly drafts: DraftService;
  };
  readonly brand: BrandService;
  readonly images: ImageServices;
  readonly proxy: { readonly apps: ProxyAppService };
  readonly zones: ZoneService;
}

export function createServices(context: ServiceContext): Services {
  return {
    ...context,
    tokens: {
      configs: tokenConfigService(context),
      rules: tokenRuleService(context),
      operations: operationService(context),
      drafts: draftService(context),
      ...evaluationService(context),
    },
    brand: brandService(context),
    images: imageServices(context),
    proxy: { apps: proxyAppService(context) },
    zones: zoneService(context),
  };
}
