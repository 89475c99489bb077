/** Which mutants of a zone's rules a list of requests notices. */

import { checkOptionNames } from "../../analysis/option-names.ts";
import { createNodeVerifier, type VerifierOptions, verifierDefaults } from "../../jwt/verifier.ts";
import type { SimulatedRequest } from "../../model.ts";
import type { ZoneInput } from "../../zone/zone-input.ts";
import { createEvaluator } from "../candidate.ts";
import { classOfRequest } from "../fulfill.ts";
import { noticedBy } from "../suite-builder.ts";
import { createSuiteModel, type SuiteOptions } from "../suite-model.ts";
import { type SuiteRequest, suiteRequest } from "../suite-request.ts";
import type { Mutant } from "./mutant.ts";
import { createMutantRules } from "./mutant-rules.ts";
import { mutantsOf } from "./mutants-of.ts";
import { findNoticing } from "./notice.ts";

/** A request of a suite, with the time at which it arrives. */
export interface TimedRequest {
  /** The request, with real tokens. */
  readonly request: SimulatedRequest;
  /** In milliseconds since 1970. */
  readonly nowMs: number;
}

/** A mutant, and whether the requests notice it. */
export type TestedMutant = Pick<Mutant, "kind" | "rule" | "pointer" | "description"> &
  (
    | {
        /** Some request has another decision: `request` is the index of the first. */
        readonly result: "noticed";
        readonly request: number;
      }
    | {
        /** No request of the list notices it, but this one would. */
        readonly result: "survived";
        readonly noticedBy: SuiteRequest;
      }
    | {
        /** No request can notice it. */
        readonly result: "equivalent";
      }
    | {
        /** No request of the list notices it, and whether another one would is not known. */
        readonly result: "undecided";
        readonly reason: string;
      }
  );

/** Options of a mutation report: those of suites, and of the verification of the tokens in the requests. */
export interface MutationOptions extends SuiteOptions, VerifierOptions {}

/**
 * Tests the mutants of a zone's rules: a mutant is noticed when the action, the rule that decided or the list of rules
 * that logged differs for some request. The mutants come rule by rule, in the order of the zone. Tokens are verified
 * with the keys of the zone: `mintSuite` creates requests of `suiteFor` with such tokens.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method eq "GET"';
 * const rule = { id: "reads", action: "block", enabled: true, expression, selector } as const;
 * const request = { method: "GET", url: "https://api.example.com/" };
 * const tested = mutationReport({ configs: [], rules: [rule] }, [{ request, nowMs: 0 }]);
 * tested.map(({ description, result }) => `${description}: ${result}`)[0];
 * // => "the action `block` becomes `log`: survived"
 * ```
 * @throws InvalidInputError when the zone or a request is invalid
 * @throws RangeError when the time of a request is not a finite number, or `maxSteps` is not an integer from 1
 * @throws TypeError for an option that does not exist
 */
export function mutationReport(
  input: ZoneInput,
  requests: readonly TimedRequest[],
  options: MutationOptions = {},
): TestedMutant[] {
  checkOptionNames("mutationReport", options, Object.keys(verifierDefaults));
  checkTimes(requests);
  const model = createSuiteModel(input, options);
  const mutants = mutantsOf(model.zone, model.classes);
  const mutantRules = createMutantRules(mutants, model.precedence);
  const evaluator = createEvaluator(model.zone, model.precedence, ({ keys }) => {
    const verifier = createNodeVerifier(keys, options);
    return (token, nowMs) => verifier.check(token, nowMs);
  });
  const noticed = new Map<Mutant, number>();
  for (const [i, { request, nowMs }] of requests.entries()) {
    const candidate = evaluator.start(request, [], classOfRequest(model, request), nowMs);
    for (const mutant of noticedBy(candidate, { evaluator }, mutantRules))
      if (!noticed.has(mutant)) noticed.set(mutant, i);
  }
  return mutants.map((mutant): TestedMutant => {
    const { kind, rule, pointer, description } = mutant;
    const about = { kind, rule, pointer, description };
    const request = noticed.get(mutant);
    if (request !== undefined) return { ...about, result: "noticed", request };
    const found = findNoticing(model, mutantRules, mutant);
    if (found.kind === "equivalent") return { ...about, result: "equivalent" };
    if (found.kind === "undecided") return { ...about, result: "undecided", reason: found.reason };
    return { ...about, result: "survived", noticedBy: suiteRequest(model, found.candidate) };
  });
}

function checkTimes(requests: readonly TimedRequest[]): void {
  const index = requests.findIndex(({ nowMs }) => !Number.isFinite(nowMs));
  if (index === -1) return;
  throw new RangeError(
    `\`nowMs\` of request ${index} must be a finite number of milliseconds; found ${String(requests[index]?.nowMs)}.`,
  );
}
