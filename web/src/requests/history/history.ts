/** The last requests of this tab with their verdicts. */
import type { PlainRequest, VerdictView } from "../../../../src/workbench/messages.ts";

/** A request that was evaluated. */
export interface PastRequest extends Pick<VerdictView, "action" | "missing"> {
  /** Id of the zone. */
  readonly zone: string;
  readonly request: PlainRequest;
  /** Time of the evaluation, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Number of requests that are kept (`chosen`). */
export const maxPast = 20;

/**
 * The list with a request in front.
 *
 * @param replacesFirst whether the first one is an earlier state of the same typing
 */
export function withRequest(
  past: readonly PastRequest[],
  added: PastRequest,
  replacesFirst: boolean,
): readonly PastRequest[] {
  const keyOf = ({ zone, request }: PastRequest) => JSON.stringify([zone, request]);
  const key = keyOf(added);
  const others = past.slice(replacesFirst ? 1 : 0).filter((request) => keyOf(request) !== key);
  return [added, ...others].slice(0, maxPast);
}
