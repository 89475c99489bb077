/** Brand protection as one service. */
import type { ServiceContext } from "../context.ts";
import { createWatches, type OpenWatch } from "./domains/compiled-domain-queries.ts";
import { type DomainMatchService, domainMatchService } from "./domains/domain-matches.ts";
import { type DomainQueryService, domainQueryService } from "./domains/domain-queries.ts";
import { createObserve, type Observe } from "./domains/observe-domains.ts";
import { createLogoWatches } from "./logos/compiled-logo-queries.ts";
import { type LogoMatchService, logoMatchService } from "./logos/logo-matches.ts";
import { type LogoQueryService, logoQueryService } from "./logos/logo-queries.ts";
import { createObserveImages, type ObserveImages } from "./logos/observe-images.ts";

export interface BrandService {
  readonly queries: DomainQueryService;
  readonly matches: DomainMatchService;
  readonly observe: Observe;
  readonly logos: { readonly queries: LogoQueryService; readonly matches: LogoMatchService };
  readonly observeImages: ObserveImages;
  /** An account's domain queries, compiled: for many names against one state, without storing anything. */
  readonly compile: OpenWatch;
}

export function brandService(context: ServiceContext): BrandService {
  const compile = createWatches(context);
  return {
    queries: domainQueryService(context),
    matches: domainMatchService(context),
    observe: createObserve(context, compile),
    logos: { queries: logoQueryService(context), matches: logoMatchService(context) },
    observeImages: createObserveImages(context, createLogoWatches(context)),
    compile,
  };
}
