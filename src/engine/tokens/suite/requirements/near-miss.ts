/** Requests that just miss an operation: no operation matches them, so no rule is evaluated. */

import { samplePath } from "../../analysis/requests/partition.ts";
import type { SimulatedRequest } from "../../model.ts";
import { isHostTemplate } from "../../zone/host-template.ts";
import { variable } from "../../zone/path-template.ts";
import { readRequest } from "../../zone/request.ts";
import { findRoute, type Router } from "../../zone/router.ts";
import type { PathNormalization } from "../../zone/url-normalization.ts";
import type { ReadOperation } from "../../zone/zone-input.ts";

/** A request near an operation; undefined when operations match all of them. `unused` is a segment of no template. */
export function nearMissOf(
  operation: ReadOperation,
  unused: string,
  router: Router<ReadOperation>,
  normalization: PathNormalization,
): SimulatedRequest | undefined {
  return nearRequests(operation, unused).find((request) => {
    const { host, method, path } = readRequest(request, normalization);
    return findRoute(router, host, method, path) === undefined;
  });
}

/** The same path with one more segment, one less, another last one, and with another method. */
function nearRequests({ host, method, segments }: ReadOperation, unused: string): SimulatedRequest[] {
  const sample = isHostTemplate(host) ? host.replaceAll("{}", "x") : host;
  const at = (path: string, by = method) => ({ method: by, url: `https://${sample}${path}`, headers: [] });
  const last = segments.at(-1);
  const paths = [
    ...(last === variable || segments.length === 0 ? [] : [[...segments.slice(0, -1), unused]]),
    [...segments, unused],
    ...(segments.length > 1 ? [segments.slice(0, -1)] : []),
    [...segments, ""],
    [...segments, unused, unused],
  ];
  const path = samplePath(segments, unused);
  return [
    ...paths.map((list) => at(samplePath(list, unused))),
    ...["GET", "POST", "PUT", "DELETE", "OPTIONS"]
      .filter((other) => other !== method)
      .map((other) => at(path, other)),
  ];
}
