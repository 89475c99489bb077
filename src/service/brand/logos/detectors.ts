/** The detectors of stored logos: compiled from their pictures, and kept for the logos that were used most recently. */
import { createLruCache } from "../../../core/lru-cache.ts";
import type { DenseCalibration } from "../../../engine/logo/dense/detector.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { inQueue } from "../account-state.ts";
import { compileStored as compileTask } from "../tasks/logo-tasks.ts";
import type { PackedDetector } from "../tasks/packed-detector.ts";
import type { LoadDetectors } from "./picture-search.ts";
import { storedLimits } from "./stored-descriptors.ts";

/** Detectors of stored logos. */
export interface Detectors {
  readonly load: LoadDetectors;
  /** Keeps the detector of a query that was just created. */
  keep(query: LogoQueryRecord, detector: PackedDetector): void;
}

/** Compiles logos when they are first needed. Calibration numbers of another version are replaced in the query. */
export function createDetectors(context: ServiceContext): Detectors {
  const kept = createLruCache<PackedDetector>(context.limits.compiledLogos);
  return {
    keep: ({ store_path }, detector) => kept.set(store_path, detector),
    load: async (queries, signal) => {
      const detectors: (PackedDetector | undefined)[] = [];
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
): Promise<PackedDetector | undefined> {
  const bytes = await context.store.blobs.get(query.store_path);
  if (!bytes) return undefined;
  const { calibration } = query;
  const input = { bytes, limits: storedLimits(bytes), calibration };
  const detector = await context.compute.run(compileTask, input, signal);
  if (detector && detector.calibration.version !== calibration?.version)
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
