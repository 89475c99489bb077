/** Headers that report how far the lookbacks of queries came (`chosen`, docs/interface/brand.md). */
import type { LookbackProgress } from "../../store/records/brand.ts";

/** The headers of a query with this lookback; none without one. */
export function lookbackHeaders(lookback: LookbackProgress | undefined): Record<string, string> {
  if (!lookback) return {};
  const { state, total, searched, dense } = lookback;
  return {
    "edgeproof-lookback": state === "pending" ? `${state} ${searched}/${total}` : state,
    ...(dense !== undefined && { "edgeproof-dense-lookback": `${dense}/${total}` }),
  };
}

/** The headers of the answer to the request that began the lookback: at its start a pending one has no numbers yet. */
export function startedLookbackHeaders(lookback: LookbackProgress | undefined): Record<string, string> {
  return {
    ...lookbackHeaders(lookback),
    ...(lookback?.state === "pending" && { "edgeproof-lookback": "pending" }),
  };
}
