/** The dense search of one picture for the logos of any number of queries. */
import type { Raster } from "../../../engine/logo/decode/picture.ts";
import { denseScore } from "../../../engine/logo/dense/dense-score.ts";
import type { DenseMatch } from "../../../engine/logo/dense/search-picture.ts";
import type { LogoQueryRecord } from "../../../store/records/brand.ts";
import type { Compute } from "../../compute.ts";
import { searchRaster } from "../tasks/logo-tasks.ts";
import type { PackedDetector } from "../tasks/packed-detector.ts";

/** Returns the detectors of queries; undefined for a query that was deleted in the meantime. */
export type LoadDetectors = (
  queries: readonly LogoQueryRecord[],
  signal?: AbortSignal,
) => Promise<readonly (PackedDetector | undefined)[]>;

/** Searches one picture. */
export interface PictureSearch {
  /**
   * The best places of the logos of queries, in the order of the queries; undefined where nothing is similar. A logo is
   * searched for once, whatever the number of calls. Returns to the event loop every few milliseconds.
   *
   * @throws the abort reason of `signal`
   */
  find(
    queries: readonly LogoQueryRecord[],
    load: LoadDetectors,
    signal?: AbortSignal,
  ): Promise<readonly (DenseMatch | undefined)[]>;
}

/** The largest score of the dense search: a better copy needs no search. */
export const maxDenseScore = denseScore(1);

/** Logos whose templates are in use together, about 0.2 MB each. */
const groupSize = 100;

export function createPictureSearch(compute: Compute, raster: Raster): PictureSearch {
  /** By the key of the logo's picture, which no other query has. */
  const found = new Map<string, DenseMatch | undefined>();
  return {
    find: async (queries, load, signal) => {
      const missing = queries.filter(({ store_path }) => !found.has(store_path));
      for (let from = 0; from < missing.length; from += groupSize) {
        const group = missing.slice(from, from + groupSize);
        const detectors = await load(group, signal);
        const matches = await compute.run(searchRaster, { raster, detectors }, signal);
        for (const [i, { store_path }] of group.entries()) found.set(store_path, matches[i]);
      }
      return queries.map(({ store_path }) => found.get(store_path));
    },
  };
}
