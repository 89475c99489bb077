/** The operations of a zone that a document lacks. */

import type { Operation } from "../../model.ts";
import { isHostTemplate, matchesHost } from "../../zone/host-template.ts";
import { createRouter, findRoute } from "../../zone/router.ts";
import type { ReadOperation, ReadZone } from "../../zone/zone-input.ts";
import { samplePath, unusedSegment } from "../requests/partition.ts";

/**
 * The operations of the second zone with requests that match no operation of the first. A path whose variables have a
 * value that no template names shows it: when a documented template matches that path, it matches all paths. Of a host
 * with variables the documented hosts count.
 */
export function undocumentedOperations(document: ReadZone, zone: ReadZone): readonly Operation[] {
  const operations = document.operations ?? [];
  const router = createRouter(operations.map((operation) => ({ ...operation, value: operation })));
  const hosts = [...new Set(operations.map(({ host }) => host))];
  const value = unusedSegment([document, zone]);
  const isDocumented = ({ host, method, segments }: ReadOperation) => {
    const path = samplePath(segments, value);
    const own = isHostTemplate(host) ? hosts.filter((documented) => matchesHost(host, documented)) : [host];
    return own.some((candidate) => findRoute(router, candidate, method, path) !== undefined);
  };
  return (zone.operations ?? [])
    .filter((operation) => !isDocumented(operation))
    .map(({ operation }) => operation);
}
