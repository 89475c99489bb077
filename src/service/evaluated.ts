/** An evaluated request, as observers inside of the process receive it. */
import type { EvaluationFacts } from "../engine/tokens/verdict/lazy-verdict.ts";
import type { Verdict } from "../engine/tokens/verdict/verdict.ts";
import type { EvaluationRequest } from "../engine/tokens/zone/request.ts";

/** A verdict with its request, which has its secrets still: `found` has the tokens as they were sent. */
export interface Evaluated extends EvaluationFacts {
  readonly zone: string;
  readonly request: EvaluationRequest;
  readonly verdict: Verdict;
}
