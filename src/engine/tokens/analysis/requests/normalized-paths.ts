/** The paths that a zone leaves as they are: rules read no others once URLs are normalized. */

import { isNormalizedPath, type PathNormalization } from "../../zone/url-normalization.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { normalizedPathDfas } from "../strings/request-dfas.ts";
import type { Assumptions } from "./variables.ts";

/** From the one that leaves the most paths to the one that leaves the fewest, each a part of those before. */
const byStrictness: readonly PathNormalization[] = ["none", "rfc3986", "cloudflare"];

/** The normalization whose paths all zones leave as they are. */
export function commonNormalization(zones: readonly Pick<ReadZone, "normalization">[]): PathNormalization {
  const strictness = zones.map(({ normalization }) => byStrictness.indexOf(normalization));
  return byStrictness[Math.max(0, ...strictness)] ?? "none";
}

/** Restricts the paths of requests to those that are left as they are. */
export function withNormalizedPaths(assumptions: Assumptions, normalization: PathNormalization): Assumptions {
  if (normalization === "none") return assumptions;
  const {
    values,
    preferred,
    requiredDfas = [],
    isSendable,
    ...rest
  } = assumptions["http.request.uri.path"] ?? {};
  const dfa = normalizedPathDfas[normalization];
  if (requiredDfas.includes(dfa)) return assumptions;
  const isNormalized = (path: string) => isNormalizedPath(path, normalization);
  return {
    ...assumptions,
    "http.request.uri.path": {
      ...rest,
      ...(values && { values: values.filter(isNormalized) }),
      ...(preferred && { preferred: preferred.filter(isNormalized) }),
      requiredDfas: [...requiredDfas, dfa],
      isSendable: (path) => isNormalized(path) && (isSendable?.(path) ?? true),
    },
  };
}
