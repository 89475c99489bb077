/** The services of brand protection. */
import type { ServiceContext } from "../context.ts";
import { createQueryCompiler, type QueryCompiler } from "./domains/compiled-domain-queries.ts";
import { type DomainMatchService, domainMatchService } from "./domains/domain-matches.ts";
import { type DomainQueryService, domainQueryService } from "./domains/domain-queries.ts";
import { createObserve, type Observe } from "./domains/observe-domains.ts";
import { prepareDomainSearch } from "./domains/prepare-domain-search.ts";
import { type IngestService, ingestService } from "./ingest/ingest.ts";
import { createLogoQueryCompiler } from "./logos/compiled-logo-queries.ts";
import { createDetectors } from "./logos/detectors.ts";
import { type LogoMatchService, logoMatchService } from "./logos/logo-matches.ts";
import { type LogoQueryService, logoQueryService } from "./logos/logo-queries.ts";
import { prepareLogoSearch } from "./logos/lookback/prepare-logo-search.ts";
import { createObserveImages, type ObserveImages } from "./logos/observe-images.ts";
import { type PictureService, pictureService } from "./logos/pictures.ts";
import { createLookbackRunner, type LookbackRunner } from "./lookback/lookback-runner.ts";
import { type BrandSettingsService, brandSettingsService } from "./settings/account-settings.ts";

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
  /** The steps of `observeImages`: describes a picture once, and stores it for each of several accounts. */
  readonly pictures: PictureService;
  /** Stores observed names and pictures from lines and files, and counts the new, repeated and invalid ones. */
  readonly ingest: IngestService;
  /** Lookbacks that are longer than a request. */
  readonly lookbacks: Omit<LookbackRunner, "start">;
  /** The settings that are stored with accounts and decide their matches. */
  readonly settings: BrandSettingsService;
  /** Compiles the current domain queries of an account, to match names without storing them. */
  readonly compile: QueryCompiler;
}

export function brandService(context: ServiceContext): BrandService {
  const compile = createQueryCompiler(context);
  const compileLogos = createLogoQueryCompiler(context);
  const detectors = createDetectors(context);
  const { start, ...lookbacks } = createLookbackRunner(context, {
    domains: prepareDomainSearch(context),
    logos: prepareLogoSearch(context, detectors),
  });
  const pictures = pictureService(context, compileLogos, detectors.load);
  return {
    queries: domainQueryService(context, { start }),
    matches: domainMatchService(context, compile),
    observe: createObserve(context, compile),
    logos: { queries: logoQueryService(context, detectors, { start }), matches: logoMatchService(context) },
    observeImages: createObserveImages(pictures, compileLogos),
    pictures,
    lookbacks,
    settings: brandSettingsService(context),
    ingest: ingestService(context, compile, pictures),
    compile,
  };
}
