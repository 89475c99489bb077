/** The detectors of stored logos: compiled from their pictures, and kept for the logos that were used most recently. */
import { createLruCache } from "../../../core/lru-cache.ts";
import { decodeLogo } from "../../../engine/logo/decode/decode.ts";
import { compileSteps, type DenseCalibration, type Detector } from "../../../engine/logo/dense/detector.ts";
import { runStepsAsync } from "../../../engine/logo/dense/steps.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import type { LoadDetectors } from "./picture-search.ts";
import { storedLimits } from "./stored-descriptors.ts";

/** Detectors of stored logos. */
export interface Detectors {
  readonly load: LoadDetectors;
  /** Keeps the detector of a query that was just created. */
  keep(query: LogoQueryRecord, detector: Detector): void;
}

/** Compiles logos when they are first needed. Calibration numbers of another version are replaced in the query. */
export function createDetectors(context: ServiceContext): Detectors {
  const kept = createLruCache<Detector>(context.limits.compiledLogos);
  return {
    keep: ({ store_path }, detector) => kept.set(store_path, detector),
    load: async (queries, signal) => {
      const detectors: (Detector | undefined)[] = [];
      for (const query of queries) {
        const detector = kept.get(query.store_path) ?? (await compileStored(context, query, signal));
        if (detector) kept.set(query.store_path, detector);
        detectors.push(detector);
      }
      return detectors;
    },
  };
}

async function compileStored(
  context: ServiceContext,
  query: LogoQueryRecord,
  signal: AbortSignal | undefined,
): Promise<Detector | undefined> {
  const bytes = await context.store.blobs.get(query.store_path);
  const decoded = bytes && (await decodeLogo(bytes, "query", storedLimits(bytes)));
  if (!decoded?.ok) return undefined;
  const steps = compileSteps(decoded.value, { calibration: query.calibration });
  const detector = await runStepsAsync(steps, signal);
  if (detector.calibration !== query.calibration)
    await storeCalibration(context, query, detector.calibration);
  return detector;
}

/** The revision stays: the numbers follow from the picture, so compiled queries are not outdated. */
function storeCalibration(
  { store }: ServiceContext,
  { scope, id }: LogoQueryRecord,
  calibration: DenseCalibration,
): Promise<unknown> {
  return store.write(
    async (tx) => {
      const query = await tx.get("brand_logo_queries", scope, id);
      if (query) await tx.replace("brand_logo_queries", { ...query, calibration });
    },
    inQueue(scope, "logos"),
  );
}
