/** Which mutants of a zone's rules a list of requests notices. */

import { anyObject, arrayOf, objectWith, optionsOf, requireArgument } from "../../../../core/arguments.ts";
import { quote } from "../../../../errors.ts";
import { createMeter } from "../../analysis/budget.ts";
import { nodeVerifier, type VerifierOptions, verifierMembers } from "../../jwt/verifier.ts";
import type { JwtKey } from "../../model.ts";
import { hasCustomRules } from "../../rulesets/has-custom-rules.ts";
import type { ReadConfig, ReadZone, ZoneInput } from "../../zone/zone-input.ts";
import { type Candidate, type CandidateChecker, createEvaluator } from "../candidate.ts";
import {
  createSuiteModel,
  readSuiteZone,
  type SuiteModel,
  type SuiteOptions,
  suiteMembers,
} from "../suite-model.ts";
import { suiteRequest } from "../suite-request.ts";
import { classesOf } from "../zone-classes.ts";
import type { Mutant, TestedMutant, TimedRequest } from "./mutant.ts";
import { createMutantIndex, type MutantIndex } from "./mutant-index.ts";
import { createMutantTester, generatedZone } from "./mutant-tester.ts";
import { mutantsOf } from "./mutants-of.ts";
import { findNoticing, inOrderOfSearch } from "./notice.ts";
import { testedMutant } from "./notice-result.ts";
import { testWholeZones } from "./whole-zones.ts";

/** Options of a mutation report: those of suites, and of the verification of the tokens in the requests. */
export interface MutationOptions extends SuiteOptions, VerifierOptions {}

/**
 * Tests the mutants of a zone's rules, custom rules included: a mutant is noticed when the action, the rule that decided or the list of rules
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
  requireArgument("requests", requests, arrayOf(objectWith({ request: anyObject })));
  requireArgument(
    "options",
    options,
    optionsOf<MutationOptions>("mutationReport", { ...suiteMembers, ...verifierMembers }),
  );
  checkTimes(requests);
  const read = readSuiteZone(input, options);
  if (hasCustomRules(read)) return testWithCustomRules(read, requests, options);
  const model = createSuiteModel(input, options);
  const mutants = mutantsOf(model.zone, model.classes);
  const index = createMutantIndex(model.zone, mutants, model.classes, model.precedence);
  const noticed = testRequests(model, mutants, index, requests, options);
  const search = { model, index, tester: createMutantTester(generatedZone(model), mutants, index) };
  const results = new Map<Mutant, TestedMutant>();
  for (const [i, mutant] of inOrderOfSearch(mutants).entries()) {
    options.onProgress?.(i, mutants.length);
    const find = () => findNoticing(search, mutant);
    const requestOf = (candidate: Candidate) => suiteRequest(model, candidate);
    results.set(mutant, testedMutant(mutant, noticed.get(mutant), find, requestOf));
  }
  return mutants.flatMap((mutant) => results.get(mutant) ?? []);
}

function testWithCustomRules(
  zone: ReadZone,
  requests: readonly TimedRequest[],
  options: MutationOptions,
): TestedMutant[] {
  return testWholeZones(zone, mutantsOf(zone, classesOf(zone, createMeter(options))), requests, options);
}

/** The first request that notices each mutant. */
function testRequests(
  model: SuiteModel,
  mutants: readonly Mutant[],
  index: MutantIndex,
  requests: readonly TimedRequest[],
  options: MutationOptions,
): ReadonlyMap<Mutant, number> {
  const checkerOf = createCheckers(options);
  const evaluatorOf = (configs: readonly ReadConfig[]) =>
    createEvaluator({ ...model.zone, configs }, model.precedence, checkerOf);
  const evaluator = evaluatorOf(model.zone.configs);
  const tester = createMutantTester({ zone: model.zone, evaluator, evaluatorOf }, mutants, index);
  const noticed = new Map<Mutant, number>();
  for (const [i, { request, nowMs }] of requests.entries()) {
    const candidate = evaluator.start(request, [], model.classOf(request), nowMs);
    for (const mutant of tester.noticedBy({ candidate, nowMs }, (other) => !noticed.has(other)))
      noticed.set(mutant, i);
  }
  return noticed;
}

/** Configurations with the same keys, such as those of mutants of sources, share a verifier. */
function createCheckers(options: VerifierOptions): CandidateChecker {
  const verifiers = new WeakMap<readonly JwtKey[], ReturnType<typeof nodeVerifier>>();
  return ({ keys }) => {
    const verifier = verifiers.get(keys) ?? nodeVerifier(keys, options);
    verifiers.set(keys, verifier);
    return (token, nowMs) => verifier.check(token, nowMs);
  };
}

function checkTimes(requests: readonly TimedRequest[]): void {
  const index = requests.findIndex(({ nowMs }) => !Number.isFinite(nowMs));
  if (index === -1) return;
  throw new RangeError(
    `\`nowMs\` of request ${index} must be a finite number of milliseconds; found ${quote(requests[index]?.nowMs)}.`,
  );
}
