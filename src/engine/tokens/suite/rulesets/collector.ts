/** Collects requests that a zone with custom rules decides, with what each is there for. */

import { type BoundConfigs, bindConfigs } from "../../analysis/bound-expression.ts";
import type { AnalysisOptions } from "../../analysis/budget.ts";
import { statedBy, withDefaults } from "../../analysis/requests/complete-request.ts";
import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import type { CustomPart } from "../../analysis/rulesets/ruleset-part.ts";
import { knownFields } from "../../expression/language/fields.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { Reason } from "../collection.ts";
import { createZoneTester, type ZoneCandidate, type ZoneTester } from "../mutants/zone-tester.ts";
import { type SuiteRequest, suiteRequestOf } from "../suite-request.ts";
import type { SuiteTokenState } from "../suite-token.ts";
import type { ValidRequest } from "./generated-request.ts";
import { type CustomGoal, type FoundGoals, findGoals, goalId } from "./ruleset-goals.ts";
import { type GeneratedRequest, generatedCompiler } from "./zone-evaluator.ts";

/** An evaluated request. */
export type GeneratedCandidate = ZoneCandidate<GeneratedRequest>;

/** A request of the suite, with what it is there for. */
export interface Collected {
  readonly request: SuiteRequest;
  readonly candidate: GeneratedCandidate;
  readonly reasons: Set<Reason>;
}

/** Collects requests that the zone decides. */
export interface Collector {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly tester: ZoneTester<GeneratedRequest>;
  readonly collected: Collected[];
}

/** Starts a collection. */
export function createCollector(zone: ReadZone, precedence: Precedence): Collector {
  const configs = bindConfigs(zone.configs);
  const tester = createZoneTester(zone, generatedCompiler(precedence, configs));
  return { zone, configs, tester, collected: [] };
}

/** Adds a request for some reasons, unless the zone does not decide it. */
export function add(
  collector: Collector,
  request: GeneratedRequest,
  reasons: readonly Reason[],
): Collected | undefined {
  const candidate = collector.tester.start(request);
  return candidate && addCandidate(collector, candidate, reasons);
}

/** The same for a request that is evaluated. */
export function addCandidate(
  { zone, collected }: Collector,
  candidate: GeneratedCandidate,
  reasons: readonly Reason[],
): Collected | undefined {
  const { request: generated, decision } = candidate;
  if (decision.action === "undecided") return undefined;
  const request = suiteRequestOf(zone, generated.request as PlainRequest, generated.tokens, decision);
  const added = { request, candidate, reasons: new Set(reasons) };
  collected.push(added);
  return added;
}

/** Adds requests for which each custom rule matches and does not; undefined for a zone without rulesets. */
export function addGoals(collector: Collector, options: AnalysisOptions): FoundGoals | undefined {
  const { zone, configs, tester } = collector;
  const found = findGoals({ read: zone, configs }, tester, options);
  for (const request of found?.requests ?? [])
    if (found !== undefined) add(collector, atAnyTime(found.part, request), []);
  return found;
}

/** The clock of a test is not that of the search, so that what rules read of it is stated. */
export function atAnyTime(part: CustomPart, valid: ValidRequest): ValidRequest {
  const { request } = valid;
  const clock = [...part.model.fields].filter((name) => knownFields.get(name)?.source === "clock");
  if (clock.length === 0) return valid;
  const times = Object.fromEntries(clock.map((name) => [name, 0]));
  return { ...valid, request: { ...request, fields: { ...times, ...request.fields } } };
}

/** States whose claims have a time that the search does not know. */
const timedStates: readonly SuiteTokenState[] = ["valid_before_exp", "valid_from_nbf"];

/** Adds the requests of token rules, with values for which the custom rules let them pass where some do; none is left out. */
export function addTokenRequests(
  collector: Collector,
  part: CustomPart,
  requests: readonly SuiteRequest[],
): Collected[] {
  const added: Collected[] = [];
  const passing = collector.collected.map(({ request: { request } }) => membersOf(request));
  for (const [i, { request, tokens }] of requests.entries()) {
    if (part.readsTimes && tokens.some(({ state }) => timedStates.includes(state))) continue;
    const plain = withDefaults(request, statedBy(part.model));
    const tried = [plain, ...passing.map((members) => ({ ...plain, ...members }))].map((variant) =>
      atAnyTime(part, { request: variant, tokens }),
    );
    const best = firstOf(tried, ["allow", "log"], collector) ?? tried[0];
    const collected = best && add(collector, best, [`token request ${i}`]);
    if (collected !== undefined) added.push(collected);
  }
  return added;
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
  { tester }: Collector,
): ValidRequest | undefined {
  const found = requests.map((request) => tester.start(request)?.verdict);
  for (const action of actions) {
    const index = found.findIndex((verdict) => verdict?.custom?.action === action);
    if (index !== -1) return requests[index];
  }
  return undefined;
}

/** Notes the goals that each request fulfills. */
export function markGoals({ collected }: Collector, goals: readonly CustomGoal[]): void {
  const known = new Set(goals.map(({ id }) => id));
  for (const { candidate, reasons } of collected)
    for (const { ruleset, rule, result } of candidate.verdict.custom?.rules ?? []) {
      const id = goalId(ruleset, rule, result);
      if (known.has(id)) reasons.add(id);
    }
}
