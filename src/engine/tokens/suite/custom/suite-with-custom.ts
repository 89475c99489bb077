/**
 * Suites of zones with custom rules: requests for which each custom rule matches and does not, with valid tokens and
 * others; those of the token rules, with values that custom rules let pass; and one for each mutant that none of these
 * notices.
 */

import { bindConfigs } from "../../analysis/bound-expression.ts";
import { createMeter } from "../../analysis/budget.ts";
import { compareReadZones } from "../../analysis/compare-zones.ts";
import type { CustomPart } from "../../analysis/custom/custom-part.ts";
import { type Decision, decisionOf, isSameDecision } from "../../verdict/decision.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { applyChange } from "../mutants/change.ts";
import { type Mutant, subjectOf } from "../mutants/mutant.ts";
import { mutantsOf } from "../mutants/mutants-of.ts";
import type { SuiteOptions } from "../suite-model.ts";
import type { SuiteRequest } from "../suite-request.ts";
import type { SuiteToken, SuiteTokenState } from "../suite-token.ts";
import { classesOf } from "../zone-classes.ts";
import type { SuiteMutants, UndecidedMutant, ZoneSuite } from "../zone-suite.ts";
import { add, addTokenRequests, atAnyTime, type Collector, chooseRequests, markGoals } from "./collector.ts";
import { findGoals } from "./custom-goals.ts";
import { isTimeless, toSuiteTokens } from "./generated-request.ts";
import { createZoneEvaluator, type ZoneEvaluator } from "./zone-evaluator.ts";

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
  const configs = bindConfigs(zone.configs);
  const { precedence = "all" } = options;
  const evaluate = createZoneEvaluator(zone, precedence);
  const collector: Collector = { zone, configs, evaluate, collected: [] };
  for (const one of keep) keepRequest(collector, one);
  const fixed = collector.collected.length;
  const found = findGoals({ read: zone, configs }, evaluate, options);
  const goals = found?.goals ?? [];
  if (found !== undefined) {
    for (const one of found.requests) add(collector, atAnyTime(found.part, one), []);
    addTokenRequests(collector, found.part, tokenSuite.requests);
  }
  markGoals(collector, goals);
  const mutants = noticeMutants(collector, found?.part, options);
  if (found !== undefined) addInvalidTokens(collector, found.part);
  const requests = chooseRequests(collector.collected, fixed);
  const fulfilled = new Set(collector.collected.flatMap(({ ids }) => [...ids])).size;
  const others = requests.length - tokenSuite.requests.length;
  return {
    requests,
    fulfilled: tokenSuite.fulfilled + fulfilled,
    unreachable: [...tokenSuite.unreachable, ...(found?.unreachable ?? [])],
    mutants,
    sizes: {
      each: Math.max(0, tokenSuite.sizes.each + others),
      classes: Math.max(0, tokenSuite.sizes.classes + others),
    },
  };
}

/** Keeps a request whose decision is still the expected one. */
function keepRequest(collector: Collector, request: SuiteRequest): void {
  const verdict = collector.evaluate(request);
  if (verdict === undefined) return;
  const decision = decisionOf(verdict);
  const { expected } = request;
  if (isSameDecision(decision, expected) && decision.outcome === expected.outcome)
    collector.collected.push({ request, ids: new Set() });
}

/** States of tokens whose claims no rule may read. */
const invalidStates: readonly SuiteTokenState[] = ["expired", "bad_signature"];

/** For each configuration whose claims are read, a request with tokens that are not valid: where that matters, if it does. */
function addInvalidTokens(collector: Collector, part: CustomPart): void {
  const { collected, evaluate } = collector;
  for (const config of part.readConfigs) {
    const isOwn = ({ config: id, claims, state }: SuiteToken) =>
      id === config && claims !== undefined && state === "valid";
    const withToken = collected.map(({ request }) => request).filter(({ tokens }) => tokens.some(isOwn));
    for (const state of invalidStates) {
      const changed = withToken.map(({ request, tokens, expected }) => ({
        expected,
        one: { request, tokens: tokens.map((token) => (isOwn(token) ? { ...token, state } : token)) },
      }));
      const best = changed.find(({ one, expected }) => isOther(expected, evaluate(one))) ?? changed[0];
      if (best !== undefined) add(collector, best.one, [JSON.stringify(["claims", config, state])]);
    }
  }
}

/** The number of requests that are remembered for noticing a mutant. */
const maxNoticing = 4;

/** Adds a request for each mutant that no request notices yet. */
function noticeMutants(
  collector: Collector,
  part: CustomPart | undefined,
  options: SuiteOptions,
): SuiteMutants {
  const { zone, configs, collected } = collector;
  const { precedence = "all", onProgress } = options;
  const mutants = mutantsOf(zone, classesOf(zone, createMeter(options)));
  const undecided: UndecidedMutant[] = [];
  let equivalent = 0;
  for (const [i, mutant] of mutants.entries()) {
    onProgress?.(i, mutants.length);
    const id = `mutant ${i}`;
    const changed = applyChange(zone, mutant.change);
    const evaluateChanged = createZoneEvaluator(changed, precedence, configs);
    let noticing = 0;
    for (const { request, ids } of collected) {
      if (noticing === maxNoticing) break;
      if (!isOther(request.expected, evaluateChanged(request))) continue;
      ids.add(id);
      noticing++;
    }
    if (noticing > 0) continue;
    const reason = addNoticing(collector, part, { mutant, changed, evaluateChanged }, id, options);
    if (reason === "equivalent") equivalent++;
    else if (reason !== undefined) undecided.push({ ...subjectOf(mutant), reason });
  }
  return { noticed: mutants.length - equivalent - undecided.length, equivalent, undecided };
}

function isOther(expected: Decision, verdict: Verdict | undefined): boolean {
  return verdict !== undefined && !isSameDecision(expected, decisionOf(verdict));
}

/** The number of differences of which one must be of use in a suite. */
const maxDifferences = 4;

const unusable = "only a token of a key that the zone does not have, or with times of its own, could show it";

interface ChangedZone {
  readonly mutant: Mutant;
  readonly changed: ReadZone;
  readonly evaluateChanged: ZoneEvaluator;
}

/** Adds a request that notices a mutant; `equivalent` when there is none, or why that is not known. */
function addNoticing(
  collector: Collector,
  part: CustomPart | undefined,
  { changed, evaluateChanged }: ChangedZone,
  id: string,
  { precedence = "all", maxSteps }: SuiteOptions,
): string | undefined {
  const { zone, configs, collected } = collector;
  const compared = compareReadZones([zone, changed], {
    precedence,
    maxDifferences,
    observation: "decision",
    ...(maxSteps !== undefined && { maxSteps }),
  });
  if (compared.result === "equivalent") return "equivalent";
  if (compared.result === "undecided") return compared.reason;
  for (const difference of compared.differences) {
    const found = toSuiteTokens(difference, configs);
    if (found === undefined || !isTimeless(found)) continue;
    const one = part === undefined ? found : atAnyTime(part, found);
    if (!add(collector, one, [id])) continue;
    const added = collected.at(-1);
    if (added !== undefined && isOther(added.request.expected, evaluateChanged(added.request)))
      return undefined;
    collected.pop();
  }
  return unusable;
}
