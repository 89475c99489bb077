/** Requests in which each rule of a zone with custom rules acts and does not. */

import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import { createMeter, type Meter, withinBudget } from "../../analysis/budget.ts";
import { firedRules } from "../../analysis/fired-rules.ts";
import { findRequest } from "../../analysis/requests/search.ts";
import { describeFreeParts } from "../../analysis/rulesets/free-parts.ts";
import { customOutcome } from "../../analysis/rulesets/outcomes.ts";
import type { CustomPart } from "../../analysis/rulesets/ruleset-part.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { chooseRequests } from "../collection.ts";
import { type Requirement, requirementIds } from "../requirements/requirements.ts";
import type { UnreachableRequirement } from "../requirements/unreachable.ts";
import type { SuiteOptions } from "../suite-model.ts";
import { withUniqueNames } from "../suite-request.ts";
import { classesOf, type ZoneClass } from "../zone-classes.ts";
import type { CoveringRequests } from "../zone-suite.ts";
import {
  add,
  addGoals,
  addTokenRequests,
  atAnyTime,
  type Collector,
  createCollector,
  type GeneratedCandidate,
  markGoals,
} from "./collector.ts";
import { isTimeless, toSuiteTokens, type ValidRequest } from "./generated-request.ts";

/** The parts of the result. */
export interface CustomCoverInput {
  readonly zone: ReadZone;
  /** The requests for the token rules alone, and the requirements that they fulfill. */
  readonly covering: CoveringRequests;
  readonly reachable: readonly Requirement[];
  readonly options: SuiteOptions;
}

/** Adds requests for custom rules, and values for which they let those of the token rules pass. */
export function coverWithCustom({ zone, covering, reachable, options }: CustomCoverInput): CoveringRequests {
  const collector = createCollector(zone, options.precedence ?? "all");
  const found = addGoals(collector, options);
  if (found === undefined) return covering;
  addTokenRequests(collector, found.part, covering.requests);
  const fulfilled = new Set(collector.collected.flatMap(({ candidate }) => rulesOf(candidate)));
  const unreachable: UnreachableRequirement[] = [];
  for (const requirement of reachable.filter(({ id }) => !fulfilled.has(id))) {
    const result = searchRequirement(collector, found.part, requirement, options);
    if ("request" in result) add(collector, atAnyTime(found.part, result), []);
    else unreachable.push({ requirement: requirement.description, ...result });
  }
  const wanted = new Set(reachable.map(({ id }) => id));
  for (const { candidate, reasons } of collector.collected) {
    reasons.clear();
    for (const id of rulesOf(candidate)) if (wanted.has(id)) reasons.add(id);
  }
  markGoals(collector, found.goals);
  return {
    requests: withUniqueNames(chooseRequests(collector.collected).map(({ request }) => request)),
    unreachable: [...covering.unreachable, ...unreachable, ...found.unreachable],
  };
}

/** The requirements of token rules that a request fulfills. */
function rulesOf(candidate: GeneratedCandidate | undefined): string[] {
  return (candidate?.verdict.rules ?? []).flatMap(({ id, result }) => {
    if (result === "fired") return [requirementIds.fires(id)];
    return result === "passed" ? [requirementIds.passes(id)] : [];
  });
}

type NotFound = Omit<UnreachableRequirement, "requirement">;

/** Searches all classes of requests for one that custom rules let pass, and for which a token rule fires or passes. */
function searchRequirement(
  collector: Collector,
  part: CustomPart,
  requirement: Requirement,
  options: SuiteOptions,
): ValidRequest | NotFound {
  const undecided = (reason: string): NotFound => ({ reason, isProven: false });
  return withinBudget((): ValidRequest | NotFound => {
    const meter = createMeter(options);
    let open: string | undefined;
    for (const zoneClass of classesOf(collector.zone, meter, part.readsPath)) {
      const found = searchClass(collector, part, requirement, { zoneClass, meter, options });
      if (typeof found === "object") return found;
      open ??= found;
    }
    return open === undefined ? { reason: ended, isProven: true } : undecided(open);
  }, undecided);
}

const ended = "Custom rules end the evaluation of every request for which it would.";

interface SearchedClass {
  readonly zoneClass: ZoneClass;
  readonly meter: Meter;
  readonly options: SuiteOptions;
}

/** A request of a class, the reason why it is not known whether there is one, or undefined when there is none. */
function searchClass(
  { configs, tester }: Collector,
  part: CustomPart,
  { id, rule: ruleId = "" }: Requirement,
  { zoneClass, meter, options: { precedence = "all" } }: SearchedClass,
): ValidRequest | string | undefined {
  const rules = evaluatedRules(zoneClass.rules, precedence);
  if (!rules.some(({ rule }) => rule.id === ruleId)) return undefined;
  const bound = rules.map(({ expression }) => ({ expression, configs }));
  const variables = part.createVariables(bound, zoneClass.assumptions, meter);
  const { diagrams } = variables;
  const both = (a: number, b: number) => diagrams.combine("and", a, b);
  const fired = firedRules(variables, rules, configs).find(({ rule }) => rule.rule.id === ruleId);
  if (fired === undefined) return undefined;
  const { reached, fires } = fired;
  const where = id === requirementIds.fires(ruleId) ? fires : both(reached, diagrams.not(fires));
  const passing = diagrams.not(customOutcome(part, variables, part.sides[0]).ended);
  const wanted = both(where, passing);
  const search = findRequest(variables, wanted, (concrete) => {
    const found = toSuiteTokens(concrete, configs);
    const isFound = found !== undefined && isTimeless(found) && rulesOf(tester.start(found)).includes(id);
    return isFound ? found : undefined;
  });
  if (search.kind === "none") return undefined;
  if (search.kind === "undecided")
    return search.reason + describeFreeParts(part.freeParts(variables, wanted));
  return search.confirmation;
}
