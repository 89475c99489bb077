/** Searches a request for each action that each rule takes on each operation. */

import { evaluatedRules } from "../analysis/action-diagrams.ts";
import type { FiredRule } from "../analysis/fired-rules.ts";
import { anyOf, type DecisionDiagram, type DiagramManager } from "../analysis/requests/decision-diagram.ts";
import { coversOperation } from "../analysis/requests/host-classes.ts";
import type { TokenRule } from "../model.ts";
import type { VerdictAction } from "../verdict/verdict.ts";
import type { ReadOperation } from "../zone/zone-input.ts";
import type { Candidate } from "./candidate.ts";
import type { UndecidedReasons } from "./fulfill.ts";
import { outcomeRequirement, type Requirement } from "./requirements/requirements.ts";
import type { SuiteBuilder } from "./suite-builder.ts";
import type { SuiteModel } from "./suite-model.ts";
import type { ZoneClass } from "./zone-classes.ts";

/** An outcome that the rules of a class may have. */
interface Outcome {
  readonly action: VerdictAction;
  readonly rule: TokenRule | undefined;
  readonly wanted: (fired: readonly FiredRule[], diagrams: DiagramManager) => DecisionDiagram;
}

/** Makes every outcome that an operation may have count. */
export function requireOutcomes(model: SuiteModel, builder: SuiteBuilder): void {
  for (const zoneClass of model.classes) {
    const { operation } = zoneClass;
    if (operation === undefined) continue;
    for (const { action, rule } of outcomesOf(zoneClass, model))
      builder.require(outcomeRequirement(operation, action, rule).id);
  }
}

/** Adds the requests, and returns the requirements that are fulfilled or not decided. */
export function fulfillOutcomes(
  model: SuiteModel,
  builder: SuiteBuilder,
  undecided: UndecidedReasons,
): Requirement[] {
  const requirements: Requirement[] = [];
  /** Requests with an outcome, by the rules that are evaluated: they often have it at other operations, too. */
  const bases = new Map<string, Candidate[]>();
  for (const zoneClass of model.classes) {
    const { operation } = zoneClass;
    if (operation === undefined) continue;
    const rules = evaluatedRules(zoneClass.rules, model.precedence);
    const key = JSON.stringify(rules.map(({ rule }) => rule.id));
    const own = bases.get(key) ?? [];
    bases.set(key, own);
    const outcomes = outcomesOf(zoneClass, model);
    const wanted = outcomes.map(({ action, rule }) => outcomeRequirement(operation, action, rule));
    for (const base of own) {
      if (wanted.every(({ id }) => builder.isFulfilled(id))) break;
      addIfOpen(builder, transplant(model, base, zoneClass, operation));
    }
    for (const [i, requirement] of wanted.entries()) {
      const outcome = outcomes[i];
      if (builder.isFulfilled(requirement.id) || outcome === undefined) continue;
      const found = search(model, builder, zoneClass, outcome, requirement.id);
      if (found?.kind === "found") {
        builder.add(found.candidate);
        own.push(found.candidate);
      } else if (found?.kind === "undecided") undecided.set(requirement.id, found.reason);
    }
    requirements.push(...wanted.filter(({ id }) => builder.isFulfilled(id) || undecided.has(id)));
  }
  return [...new Map(requirements.map((requirement) => [requirement.id, requirement])).values()];
}

function outcomesOf({ rules }: ZoneClass, { precedence }: SuiteModel): Outcome[] {
  const evaluated = evaluatedRules(rules, precedence);
  const allow: Outcome = {
    action: "allow",
    rule: precedence === "first" ? evaluated[0]?.rule : undefined,
    wanted: (fired, diagrams) =>
      diagrams.not(
        anyOf(
          diagrams,
          fired.map(({ fires }) => fires),
        ),
      ),
  };
  return [
    allow,
    ...evaluated.map(({ rule }, i): Outcome => {
      const { action } = rule;
      const wanted: Outcome["wanted"] = (fired, diagrams) => {
        const own = fired[i]?.fires ?? 0;
        if (action === "block") return own;
        // The first rule that logs decides, unless one blocks.
        const others = fired.filter((other, j) => j < i || other.rule.rule.action === "block");
        const decided = anyOf(
          diagrams,
          others.map(({ fires }) => fires),
        );
        return diagrams.combine("and", own, diagrams.not(decided));
      };
      return { action, rule, wanted };
    }),
  ];
}

function search(
  model: SuiteModel,
  builder: SuiteBuilder,
  zoneClass: ZoneClass,
  { wanted }: Outcome,
  id: string,
) {
  const rules = evaluatedRules(zoneClass.rules, model.precedence);
  // The questions about all rules that may apply also answer those about mutants of the selectors.
  const questions = model.ask(zoneClass, possibleRules(model, zoneClass)) ?? model.ask(zoneClass, rules);
  return questions?.find(
    () => wanted(questions.fired(rules), questions.variables.diagrams),
    (candidate) => builder.fulfilled(candidate).includes(id),
  );
}

function possibleRules({ zone }: SuiteModel, { hosts, operation }: ZoneClass) {
  return zone.rules.filter((rule) => coversOperation({ ...rule, excluded: [] }, hosts, operation));
}

/** The same request to another operation, at a path that is in its class. */
function transplant(
  { evaluator, classOf }: SuiteModel,
  { request, tokens }: Candidate,
  zoneClass: ZoneClass,
  { method }: ReadOperation,
): Candidate | undefined {
  const paths = zoneClass.assumptions["http.request.uri.path"];
  const path = paths?.values?.[0] ?? paths?.preferred?.[0];
  if (path === undefined) return undefined;
  const { search } = new URL(request.url);
  const moved = { ...request, method, url: `https://${zoneClass.hosts.sample}${path}${search}` };
  return classOf(moved)?.operation === zoneClass.operation
    ? evaluator.start(moved, tokens, zoneClass)
    : undefined;
}

function addIfOpen(builder: SuiteBuilder, candidate: Candidate | undefined): void {
  if (candidate !== undefined && builder.fulfilled(candidate).some((id) => builder.isOpen(id)))
    builder.add(candidate);
}
