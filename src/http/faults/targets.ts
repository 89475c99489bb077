/** The endpoints that rules of faults can match: all except probes, so that a health check never counts. */
import type { FaultTarget } from "../../service/faults/match.ts";
import { isProbePath, methodsOf } from "../endpoints/endpoint.ts";
import { endpoints } from "../endpoints/endpoints.ts";
import { withWireNames } from "../router.ts";
import { wireNames } from "../wire-names.ts";

/**
 * The endpoints by the paths of both sets of wire names.
 *
 * @param basePath path of the interface, without a slash at the end
 */
export function faultTargets(basePath: string): readonly FaultTarget[] {
  return endpoints
    .filter(({ path }) => !isProbePath(path))
    .map((row) => {
      const { id, path, mount } = row;
      const named = Object.values(wireNames).map((wire) => withWireNames(path, wire));
      const mounted = mount === "origin" ? [] : named.map((suffix) => `${basePath}${suffix}`);
      return { id, methods: methodsOf(row), paths: [...new Set([...named, ...mounted])] };
    });
}
