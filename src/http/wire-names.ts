/**
 * The names on the wire. The specification replaced some of the provider's names with neutral ones; only this
 * table and the aliases of members (schemas/) have both, and the layers below use the neutral ones (`spec`, `observed`).
 */

import { providerNames } from "../schemas/provider-names.ts";

/** The names that differ between the specification and the provider. */
export interface WireNames {
  /** Path segment of brand protection. */
  readonly intel: string;
  /** Path segment of proxy applications. */
  readonly app_service: string;
  /** Member of a logo query. */
  readonly store_path: string;
  /** Member of a proxy application. */
  readonly smart_routing: string;
  /** Response header with the trace id. */
  readonly traceHeader: string;
  /** Response header with the reason why an image was not delivered. */
  readonly imageErrorHeader: string;
  /** Response header with the result of a transformation. */
  readonly imageResultHeader: string;
}

/** The names of the specification and of the provider. */
export const wireNames: Readonly<Record<"spec" | "provider", WireNames>> = {
  spec: {
    intel: "intel",
    app_service: "app_service",
    store_path: "store_path",
    smart_routing: "smart_routing",
    traceHeader: "x-trace-id",
    imageErrorHeader: "x-image-error",
    imageResultHeader: "x-image-result",
  },
  provider: {
    intel: "cloudforce-one",
    app_service: "spectrum",
    ...providerNames,
    traceHeader: "cf-ray",
    imageErrorHeader: "cf-resized",
    imageResultHeader: "cf-resized",
  },
};

/** A copy of the object with one member renamed, in the same position. Other values are returned unchanged. */
export function renameMember(value: unknown, from: string, to: string): unknown {
  if (from === to || typeof value !== "object" || value === null || !Object.hasOwn(value, from)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === from ? to : key, member]));
}
