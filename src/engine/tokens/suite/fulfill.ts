/** Searches requests for requirements, each in the classes where it can be fulfilled. */

import { addTo } from "../../../core/groups.ts";
import { evaluatedRules } from "../analysis/action-diagrams.ts";
import { budgetReason, withinBudget } from "../analysis/budget.ts";
import { alwaysTrue } from "../analysis/requests/decision-diagram.ts";
import { comparesPath } from "../analysis/requests/partition.ts";
import type { SimulatedRequest } from "../model.ts";
import type { ReadRule } from "../zone/zone-input.ts";
import type { ClassQuestions } from "./class-search.ts";
import { nearMissOf } from "./requirements/near-miss.ts";
import { operationsId, requirementIds, ruleRequirements } from "./requirements/requirements.ts";
import { goalsOf, type RuleGoal } from "./requirements/rule-goals.ts";
import type { SuiteBuilder } from "./suite-builder.ts";
import type { SuiteModel } from "./suite-model.ts";
import { suiteTokenStates } from "./suite-token.ts";
import type { ZoneClass } from "./zone-classes.ts";

/** Why a search for a requirement has no certain result, by the id of the requirement. */
export type UndecidedReasons = Map<string, string>;

/** Adds requests for the requirements of all rules, and those of the tokens that they check. */
export function fulfillRules(model: SuiteModel, builder: SuiteBuilder, undecided: UndecidedReasons): void {
  const questionsOf = createQuestions(model);
  for (const rule of model.zone.rules) {
    for (const zoneClass of distinctClasses(model, rule)) {
      const questions = questionsOf(zoneClass);
      const goals = questions && openGoals(questions, model, rule);
      if (questions === undefined || goals === undefined) {
        for (const { id } of ruleRequirements(rule)) undecided.set(id, budgetReason);
        continue;
      }
      for (const goal of goals) search(questions, goal, builder, undecided);
    }
  }
}

function search(
  questions: ClassQuestions,
  { id, wanted }: RuleGoal,
  builder: SuiteBuilder,
  undecided: UndecidedReasons,
): void {
  if (!builder.isOpen(id)) return;
  const found = questions.find(wanted, (candidate) => builder.fulfilled(candidate).includes(id));
  if (found.kind === "found") builder.add(found.candidate);
  else if (found.kind === "undecided") undecided.set(id, found.reason);
}

/** The questions about a class, about all of its rules; the last ones are kept. */
function createQuestions(model: SuiteModel): (zoneClass: ZoneClass) => ClassQuestions | undefined {
  const known = new Map<ZoneClass, ClassQuestions | undefined>();
  return (zoneClass) => {
    if (!known.has(zoneClass))
      known.set(zoneClass, model.ask(zoneClass, evaluatedRules(zoneClass.rules, model.precedence)));
    return known.get(zoneClass);
  };
}

function openGoals(questions: ClassQuestions, model: SuiteModel, rule: ReadRule): RuleGoal[] | undefined {
  return withinBudget<RuleGoal[] | undefined>(
    () => {
      const fired = questions.fired(evaluatedRules(questions.zoneClass.rules, model.precedence));
      return fired
        .filter((candidate) => candidate.rule === rule)
        .flatMap((candidate) => goalsOf(questions, candidate));
    },
    () => undefined,
  );
}

/** The classes in which a rule is evaluated; of those that only differ in their paths the first. */
function distinctClasses({ classes, precedence }: SuiteModel, rule: ReadRule): readonly ZoneClass[] {
  const found = new Map<string, ZoneClass>();
  for (const [i, zoneClass] of classes.entries()) {
    const rules = evaluatedRules(zoneClass.rules, precedence);
    if (!rules.includes(rule)) continue;
    const place = rules.some(comparesPath) ? i : zoneClass.operation === undefined ? i : -1;
    const key = JSON.stringify([
      place,
      zoneClass.hosts.key,
      zoneClass.operation?.method,
      rules.map((r) => r.rule.id),
    ]);
    if (!found.has(key)) found.set(key, zoneClass);
  }
  return [...found.values()];
}

/** Adds requests for the states of tokens: requests with a valid token that decides, with another token. */
export function fulfillStates(model: SuiteModel, builder: SuiteBuilder): void {
  for (const { id } of model.zone.configs) {
    const valid = requirementIds.state(id, "valid");
    const bases = builder.fulfilling(valid);
    for (const state of suiteTokenStates) {
      const wanted = requirementIds.state(id, state);
      if (builder.isFulfilled(wanted)) continue;
      const variants = bases.flatMap((candidate) => {
        const tokens = candidate.tokens.map((token) => ({ ...token, state }));
        return model.evaluator.start(candidate.request, tokens, candidate.zoneClass);
      });
      const found = variants.find((variant) => builder.fulfilled(variant).includes(wanted));
      if (found !== undefined) builder.add(found);
    }
  }
}

/** Adds a request for each list of rules that covers operations. */
export function fulfillOperations(model: SuiteModel, builder: SuiteBuilder): void {
  for (const zoneClass of model.classes) {
    if (builder.isFulfilled(operationsId(zoneClass, model.precedence))) continue;
    const found = model.ask(zoneClass, [])?.find(
      () => alwaysTrue,
      () => true,
    );
    if (found?.kind === "found") builder.add(found.candidate);
  }
}

/** The near misses that kept requests are, by the address of the request. */
export function nearMissIds({
  zone,
  router,
  unusedSegment,
}: SuiteModel): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const operation of router === undefined ? [] : (zone.operations ?? [])) {
    const request = router && nearMissOf(operation, unusedSegment, router, zone.normalization);
    if (request === undefined) continue;
    addTo(ids, addressOf(request), requirementIds.nearMiss(operation.operation.operation_id));
  }
  return ids;
}

/** Method and URL. */
export function addressOf({ method, url }: SimulatedRequest): string {
  return `${method} ${url}`;
}

/** Adds a request for each operation that just misses it. */
export function fulfillNearMisses(
  { evaluator }: SuiteModel,
  builder: SuiteBuilder,
  missed: ReturnType<typeof nearMissIds>,
): void {
  for (const [address, ids] of missed) {
    const open = ids.filter((id) => builder.isOpen(id));
    const [method = "", url = ""] = address.split(" ");
    if (open.length > 0) builder.add(evaluator.start({ method, url, headers: [] }, [], undefined), open);
  }
}
