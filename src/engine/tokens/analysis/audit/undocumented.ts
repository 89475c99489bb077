/** The operations of a zone that a document lacks. */

import type { Operation } from "../../model.ts";
import { createRouter, findRoute } from "../../zone/router.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { samplePath, unusedSegment } from "../requests/partition.ts";

/**
 * The operations of the second zone with requests that match no operation of the first. A path whose variables have a
 * value that no template names shows it: when a documented template matches that path, it matches all paths.
 */
export function undocumentedOperations(document: ReadZone, zone: ReadZone): readonly Operation[] {
  const operations = document.operations ?? [];
  const router = createRouter(operations.map((operation) => ({ ...operation, value: operation })));
  const value = unusedSegment([document, zone]);
  return (zone.operations ?? [])
    .filter(({ host, method, segments }) => {
      return findRoute(router, host, method, samplePath(segments, value)) === undefined;
    })
    .map(({ operation }) => operation);
}
