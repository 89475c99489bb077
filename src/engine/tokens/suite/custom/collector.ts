/** Collects requests that a zone with custom rules decides, with what each is there for. */

import type { BoundConfigs } from "../../analysis/bound-expression.ts";
import { withDefaults } from "../../analysis/custom/complete-request.ts";
import type { CustomPart } from "../../analysis/custom/custom-part.ts";
import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import { customFields } from "../../expression/language/custom-fields.ts";
import { decisionOf } from "../../verdict/decision.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { minimizeTests } from "../minimize.ts";
import { type SuiteRequest, suiteRequestOf } from "../suite-request.ts";
import type { SuiteTokenState } from "../suite-token.ts";
import { type CustomGoal, goalId } from "./custom-goals.ts";
import type { ValidRequest } from "./generated-request.ts";
import type { GeneratedRequest, ZoneEvaluator } from "./zone-evaluator.ts";

/** A request of the suite, with what it is there for. */
export interface Collected {
  readonly request: SuiteRequest;
  readonly ids: Set<string>;
}

/** Collects requests that the zone decides. */
export interface Collector {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly evaluate: ZoneEvaluator;
  readonly collected: Collected[];
}

/** Adds a request for some reasons, unless the zone does not decide it; whether it was added. */
export function add(
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

/** The clock of a test is not that of the search, so that what rules read of it is stated. */
export function atAnyTime(part: CustomPart, one: ValidRequest): ValidRequest {
  const { request } = one;
  const clock = [...part.fields].filter((name) => customFields.get(name)?.source === "clock");
  if (clock.length === 0) return one;
  const times = Object.fromEntries(clock.map((name) => [name, 0]));
  return { ...one, request: { ...request, fields: { ...times, ...request.fields } } };
}

/** States whose claims have a time that the search does not know. */
const timedStates: readonly SuiteTokenState[] = ["valid_before_exp", "valid_from_nbf"];

/** The requests of token rules, with values for which the custom rules let them pass where some do. */
export function addTokenRequests(
  collector: Collector,
  part: CustomPart,
  requests: readonly SuiteRequest[],
): void {
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
export function markGoals({ collected, evaluate }: Collector, goals: readonly CustomGoal[]): void {
  const known = new Set(goals.map(({ id }) => id));
  for (const { request, ids } of collected)
    for (const { ruleset, rule, result } of evaluate(request)?.custom?.rules ?? []) {
      const id = goalId(ruleset, rule, result);
      if (known.has(id)) ids.add(id);
    }
}

/** A small list of requests that is there for all of the reasons, with unique names. */
export function chooseRequests(collected: readonly Collected[], fixed = 0): readonly SuiteRequest[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const tests = collected.map(({ ids }) => [...ids].map(numberOf));
  return named(minimizeTests(tests, fixed).flatMap((i) => collected[i]?.request ?? []));
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
