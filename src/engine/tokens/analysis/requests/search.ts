/** Searches for a request that makes a function true, and has the real engine confirm it. */

import { completeRequest } from "./complete-request.ts";
import type { ConcreteRequest } from "./concretize.ts";
import type { DecisionDiagram } from "./decision-diagram.ts";
import type { RequestVariables } from "./variables.ts";

/** A request, the certainty that there is none, or the reason why neither is known. */
export type RequestSearchResult<T> =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly concrete: ConcreteRequest; readonly confirmation: T }
  | { readonly kind: "undecided"; readonly reason: string };

/** The maximum number of assignments to try. */
const maxAssignments = 64;

/** Searches for a request. `confirm` asks the real engine, and returns undefined when the engine disagrees. */
export function findRequest<T>(
  variables: RequestVariables,
  wanted: DecisionDiagram,
  confirm: (concrete: ConcreteRequest) => T | undefined,
): RequestSearchResult<T> {
  let tried = 0;
  let seen = 0;
  for (const assignment of variables.sendableAssignments(wanted)) {
    if (++seen === maxAssignments) break;
    if (!assignment.sendable) continue;
    const concrete = completeRequest(variables, assignment);
    if (concrete === undefined) continue;
    const confirmation = confirm(concrete);
    if (confirmation !== undefined) return { kind: "found", concrete, confirmation };
    tried++;
  }
  if (seen === 0 && variables.isUnsatisfiable(wanted)) return { kind: "none" };
  return { kind: "undecided", reason: tried === 0 ? unsendable : unconfirmed };
}

const unsendable = "only a request with a value that clients may not be able to send could show it";
const unconfirmed = "the engine confirmed none of the requests that could show it";
