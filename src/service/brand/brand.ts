/** The services of brand protection. */
import type { ServiceContext } from "../context.ts";
import { createQueryCompiler, type QueryCompiler } from "./domains/compiled-domain-queries.ts";
import { type DomainMatchService, domainMatchService } from "./domains/domain-matches.ts";
import { type DomainQueryService, domainQueryService } from "./domains/domain-queries.ts";
import { createObserve, type Observe } from "./domains/observe-domains.ts";
import { createLogoQueryCompiler } from "./logos/compiled-logo-queries.ts";
import { type LogoMatchService, logoMatchService } from "./logos/logo-matches.ts";
import { type LogoQueryService, logoQueryService } from "./logos/logo-queries.ts";
import { createObserveImages, type ObserveImages } from "./logos/observe-images.ts";

/** Brand protection, without HTTP. */
export interface BrandService {
  /** Lists, creates, edits and deletes domain queries. */
  readonly queries: DomainQueryService;
  /** Lists and dismisses domain matches. */
  readonly matches: DomainMatchService;
  /** Stores observed names and their matches. */
  readonly observe: Observe;
  /** Logo queries and their matches. */
  readonly logos: {
    /** Lists, creates and deletes logo queries. */
    readonly queries: LogoQueryService;
    /** Lists and dismisses logo matches. */
    readonly matches: LogoMatchService;
  };
  /** Stores scanned pictures and their matches. */
  readonly observeImages: ObserveImages;
  /** Compiles the current domain queries of an account, to match names without storing them. */
  readonly compile: QueryCompiler;
}

export function brandService(context: ServiceContext): BrandService {
  const compile = createQueryCompiler(context);
  return {
    queries: domainQueryService(context),
    matches: domainMatchService(context, compile),
    observe: createObserve(context, compile),
    logos: { queries: logoQueryService(context), matches: logoMatchService(context) },
    observeImages: createObserveImages(context, createLogoQueryCompiler(context)),
    compile,
  };
}
