/** The result of a search for a request that notices a mutant. */

import type { SuiteRequest } from "../suite-request.ts";
import type { SuiteMutants } from "../zone-suite.ts";
import { type Mutant, subjectOf, type TestedMutant } from "./mutant.ts";

/** Such a request, the proof that the mutant is equivalent, or the reason why neither is known. */
export type NoticeResult<Found> =
  | { readonly kind: "found"; readonly candidate: Found }
  | { readonly kind: "equivalent" }
  | { readonly kind: "undecided"; readonly reason: string };

/** The numbers of mutants by their results; those without a result are noticed. */
export function countMutants(
  mutants: readonly Mutant[],
  results: ReadonlyMap<Mutant, NoticeResult<unknown>>,
): SuiteMutants {
  const equivalent = mutants.filter((mutant) => results.get(mutant)?.kind === "equivalent").length;
  const undecided = mutants.flatMap((mutant) => {
    const result = results.get(mutant);
    return result?.kind === "undecided" ? [{ ...subjectOf(mutant), reason: result.reason }] : [];
  });
  return { noticed: mutants.length - equivalent - undecided.length, equivalent, undecided };
}

/** A mutant with the index of the first request that notices it, or what a search found. */
export function testedMutant<Found>(
  mutant: Mutant,
  request: number | undefined,
  search: () => NoticeResult<Found>,
  requestOf: (candidate: Found) => SuiteRequest,
): TestedMutant {
  const about = subjectOf(mutant);
  if (request !== undefined) return { ...about, result: "noticed", request };
  const result = search();
  if (result.kind === "equivalent") return { ...about, result: "equivalent" };
  if (result.kind === "undecided") return { ...about, result: "undecided", reason: result.reason };
  return { ...about, result: "survived", noticedBy: requestOf(result.candidate) };
}
