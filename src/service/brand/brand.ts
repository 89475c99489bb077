/** Brand protection as one service. */
import type { ServiceContext } from "../context.ts";
import { type LogoMatchService, logoMatchService } from "./logo-matches.ts";
import { type LogoQueryService, logoQueryService } from "./logo-queries.ts";
import { createLogoWatches } from "./logo-watch.ts";
import { type DomainMatchService, domainMatchService } from "./matches.ts";
import { createObserve, type Observe } from "./observe.ts";
import { createObserveImages, type ObserveImages } from "./observe-images.ts";
import { type DomainQueryService, domainQueryService } from "./queries.ts";
import { createWatches, type OpenWatch } from "./watch.ts";

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
