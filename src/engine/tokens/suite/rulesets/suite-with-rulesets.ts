/**
 * Suites of zones with custom rules: requests for which each custom rule matches and does not, with valid tokens and
 * others; those of the token rules, with values that custom rules let pass; and one for each mutant that none of these
 * notices.
 */

import { createMeter } from "../../analysis/budget.ts";
import type { CustomPart } from "../../analysis/rulesets/ruleset-part.ts";
import { type Decision, decisionOf, meetsExpectation } from "../../verdict/decision.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { chooseRequests } from "../collection.ts";
import { mutantsOf } from "../mutants/mutants-of.ts";
import { countMutants } from "../mutants/notice-result.ts";
import type { SuiteOptions } from "../suite-model.ts";
import { type SuiteRequest, withUniqueNames } from "../suite-request.ts";
import type { SuiteToken, SuiteTokenState } from "../suite-token.ts";
import { classesOf } from "../zone-classes.ts";
import type { ZoneSuite } from "../zone-suite.ts";
import { add, addGoals, addTokenRequests, type Collector, createCollector, markGoals } from "./collector.ts";
import { noticeMutants } from "./notice-mutants.ts";

/** The parts of a suite. */
export interface CustomSuiteInput {
  readonly zone: ReadZone;
  /** The suite of the token rules alone. */
  readonly tokenSuite: ZoneSuite;
  /** Requests of an earlier suite. */
  readonly keep: readonly SuiteRequest[];
  readonly options: SuiteOptions;
}

/** Generates the suite of a zone with custom rules. */
export function suiteWithCustomRules({ zone, tokenSuite, keep, options }: CustomSuiteInput): ZoneSuite {
  const collector = createCollector(zone, options.precedence ?? "all");
  for (const request of keep) keepRequest(collector, request);
  const fixed = collector.collected.length;
  const found = addGoals(collector, options);
  const goals = found?.goals ?? [];
  const ofTokens = found === undefined ? [] : addTokenRequests(collector, found.part, tokenSuite.requests);
  markGoals(collector, goals);
  const mutants = mutantsOf(zone, classesOf(zone, createMeter(options)));
  const results = noticeMutants(collector, found?.part, mutants, options);
  if (found !== undefined) addInvalidTokens(collector, found.part);
  const requests = withUniqueNames(
    chooseRequests(collector.collected, { fixed }).map(({ request }) => request),
  );
  const reasons = new Set(collector.collected.flatMap((collected) => [...collected.reasons]));
  const fulfilled = [...reasons].filter((reason) => typeof reason === "string").length - ofTokens.length;
  const others = requests.length - tokenSuite.requests.length;
  return {
    requests,
    fulfilled: tokenSuite.fulfilled + fulfilled,
    unreachable: [...tokenSuite.unreachable, ...(found?.unreachable ?? [])],
    mutants: countMutants(mutants, results),
    sizes: {
      each: Math.max(0, tokenSuite.sizes.each + others),
      classes: Math.max(0, tokenSuite.sizes.classes + others),
    },
  };
}

/** Keeps a request whose decision is still the expected one. */
function keepRequest(collector: Collector, request: SuiteRequest): void {
  const candidate = collector.tester.start(request);
  if (candidate === undefined) return;
  const { decision } = candidate;
  const { expected } = request;
  if (meetsExpectation(expected, decision) && decision.outcome === expected.outcome)
    collector.collected.push({
      request,
      candidate: { ...candidate, decision: expected },
      reasons: new Set(),
    });
}

/** States of tokens whose claims no rule may read. */
const invalidStates: readonly SuiteTokenState[] = ["expired", "bad_signature"];

/** For each configuration whose claims are read, a request with tokens that are not valid: where that matters, if it does. */
function addInvalidTokens(collector: Collector, part: CustomPart): void {
  const { collected, tester } = collector;
  for (const config of part.readConfigs) {
    const isOwn = ({ config: id, claims, state }: SuiteToken) =>
      id === config && claims !== undefined && state === "valid";
    const withToken = collected.map(({ request }) => request).filter(({ tokens }) => tokens.some(isOwn));
    for (const state of invalidStates) {
      const changed = withToken.map(({ request, tokens, expected }) => ({
        expected,
        request: { request, tokens: tokens.map((token) => (isOwn(token) ? { ...token, state } : token)) },
      }));
      const best =
        changed.find(({ request, expected }) => isOther(expected, tester.start(request)?.verdict)) ??
        changed[0];
      if (best !== undefined) add(collector, best.request, [JSON.stringify(["claims", config, state])]);
    }
  }
}

function isOther(expected: Decision, verdict: Verdict | undefined): boolean {
  return verdict !== undefined && !meetsExpectation(expected, decisionOf(verdict));
}
