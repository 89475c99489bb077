/**
 * Suites of zones with custom rules: requests for which each custom rule matches and does not, with valid tokens and
 * others; those of the token rules, with values that custom rules let pass; and one for each mutant that none of these
 * notices.
 */

import { type BoundConfigs, bindConfigs } from "../../analysis/bound-expression.ts";
import { createMeter } from "../../analysis/budget.ts";
import { compareReadZones } from "../../analysis/compare-zones.ts";
import { withDefaults } from "../../analysis/custom/complete-request.ts";
import type { CustomPart } from "../../analysis/custom/custom-part.ts";
import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import { customFields } from "../../expression/language/custom-fields.ts";
import { type Decision, decisionOf, isSameDecision } from "../../verdict/decision.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { minimizeTests } from "../minimize.ts";
import { applyChange } from "../mutants/change.ts";
import { type Mutant, subjectOf } from "../mutants/mutant.ts";
import { mutantsOf } from "../mutants/mutants-of.ts";
import type { SuiteOptions } from "../suite-model.ts";
import { type SuiteRequest, suiteRequestOf } from "../suite-request.ts";
import type { SuiteToken, SuiteTokenState } from "../suite-token.ts";
import { classesOf } from "../zone-classes.ts";
import type { SuiteMutants, UndecidedMutant, ZoneSuite } from "../zone-suite.ts";
import { type CustomGoal, findGoals, goalId } from "./custom-goals.ts";
import { isTimeless, toSuiteTokens, type ValidRequest } from "./generated-request.ts";
import { createZoneEvaluator, type GeneratedRequest, type ZoneEvaluator } from "./zone-evaluator.ts";

/** The parts of a suite. */
export interface CustomSuiteInput {
  readonly zone: ReadZone;
  /** The suite of the token rules alone. */
  readonly tokenSuite: ZoneSuite;
  /** Requests of an earlier suite. */
  readonly keep: readonly SuiteRequest[];
  readonly options: SuiteOptions;
}

/** A request of the suite, with what it is there for. */
interface Collected {
  readonly request: SuiteRequest;
  readonly ids: Set<string>;
}

/** Collects requests that the zone decides. */
interface Collector {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly evaluate: ZoneEvaluator;
  readonly collected: Collected[];
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
    requests: named(requests),
    fulfilled: tokenSuite.fulfilled + fulfilled,
    unreachable: [...tokenSuite.unreachable, ...(found?.unreachable ?? [])],
    mutants,
    sizes: {
      each: Math.max(0, tokenSuite.sizes.each + others),
      classes: Math.max(0, tokenSuite.sizes.classes + others),
    },
  };
}

/** Adds a request for some reasons, unless the zone does not decide it; whether it was added. */
function add(
  { zone, evaluate, collected }: Collector,
  one: GeneratedRequest,
  ids: readonly string[],
): boolean {
  const verdict = evaluate(one);
  if (verdict === undefined || verdict.action === "undecided") return false;
  const request = suiteRequestOf(zone, one.request as PlainRequest, one.tokens, decisionOf(verdict));
  collected.push({ request, ids: new Set(ids) });
  return true;
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

/** The clock of a test is not that of the search, so that what rules read of it is stated. */
function atAnyTime(part: CustomPart, one: ValidRequest): ValidRequest {
  const { request } = one;
  const clock = [...part.fields].filter((name) => customFields.get(name)?.source === "clock");
  if (clock.length === 0) return one;
  const times = Object.fromEntries(clock.map((name) => [name, 0]));
  return { ...one, request: { ...request, fields: { ...times, ...request.fields } } };
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

/** States whose claims have a time that the search does not know. */
const timedStates: readonly SuiteTokenState[] = ["valid_before_exp", "valid_from_nbf"];

/** The requests of token rules, with values for which the custom rules let them pass where some do. */
function addTokenRequests(collector: Collector, part: CustomPart, requests: readonly SuiteRequest[]): void {
  const passing = collector.collected.map(({ request: { request } }) => membersOf(request));
  for (const [i, { request, tokens }] of requests.entries()) {
    if (part.readsTimes && tokens.some(({ state }) => timedStates.includes(state))) continue;
    const plain = withDefaults(request, part.stated);
    const tried = [plain, ...passing.map((members) => ({ ...plain, ...members }))].map((one) =>
      atAnyTime(part, { request: one, tokens }),
    );
    const best = firstOf(tried, ["allow", "log"], collector.evaluate) ?? tried[0];
    if (best !== undefined) add(collector, best, [`token request ${i}`]);
  }
}

/** The members of a request that only custom rules read. */
function membersOf({ ip, httpVersion, body, fields, challengePassed }: PlainRequest): Partial<PlainRequest> {
  return {
    ...(ip !== undefined && { ip }),
    ...(httpVersion !== undefined && { httpVersion }),
    ...(body !== undefined && { body }),
    ...(fields !== undefined && { fields }),
    ...(challengePassed !== undefined && { challengePassed }),
  };
}

/** The first request for which custom rules take the first of some actions that they take for any. */
function firstOf(
  requests: readonly ValidRequest[],
  actions: readonly string[],
  evaluate: ZoneEvaluator,
): ValidRequest | undefined {
  const verdicts = requests.map((one) => evaluate(one));
  for (const action of actions) {
    const index = verdicts.findIndex((verdict) => verdict?.custom?.action === action);
    if (index !== -1) return requests[index];
  }
  return undefined;
}

/** Notes the goals that each request fulfills. */
function markGoals({ collected, evaluate }: Collector, goals: readonly CustomGoal[]): void {
  const known = new Set(goals.map(({ id }) => id));
  for (const { request, ids } of collected)
    for (const { ruleset, rule, result } of evaluate(request)?.custom?.rules ?? []) {
      const id = goalId(ruleset, rule, result);
      if (known.has(id)) ids.add(id);
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

/** A small list of requests that is there for all of the reasons. */
function chooseRequests(collected: readonly Collected[], fixed: number): readonly SuiteRequest[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const tests = collected.map(({ ids }) => [...ids].map(numberOf));
  return minimizeTests(tests, fixed).flatMap((i) => collected[i]?.request ?? []);
}

/** Names are unique. */
function named(requests: readonly SuiteRequest[]): SuiteRequest[] {
  const used = new Map<string, number>();
  return requests.map((request) => {
    const count = (used.get(request.name) ?? 0) + 1;
    used.set(request.name, count);
    return count === 1 ? request : { ...request, name: `${request.name} (${count})` };
  });
}
