/** Searches a class of requests for one with a property; the compiled expressions confirm it. */

import type { BoundConfigs } from "../analysis/bound-expression.ts";
import { withinBudget } from "../analysis/budget.ts";
import { type FiredRule, firedRules } from "../analysis/fired-rules.ts";
import type { ConcreteRequest } from "../analysis/requests/concretize.ts";
import type { DecisionDiagram } from "../analysis/requests/decision-diagram.ts";
import { findRequest } from "../analysis/requests/search.ts";
import type { RequestVariables } from "../analysis/requests/variables.ts";
import { readRequest } from "../zone/request.ts";
import { findRoute, type Router } from "../zone/router.ts";
import type { PathNormalization } from "../zone/url-normalization.ts";
import type { ReadOperation, ReadRule } from "../zone/zone-input.ts";
import type { Candidate, Evaluator } from "./candidate.ts";
import { createVariablePool } from "./class-variables.ts";
import type { ZoneClass } from "./zone-classes.ts";

/** A request, the certainty that there is none, or the reason why neither is known. */
export type ClassSearchResult =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly candidate: Candidate }
  | { readonly kind: "undecided"; readonly reason: string };

/** The zone that is searched. */
export interface SearchedZone {
  readonly configs: BoundConfigs;
  readonly router: Router<ReadOperation> | undefined;
  readonly evaluator: Evaluator;
  readonly maxSteps: number;
  readonly normalization: PathNormalization;
}

/** The variables of some rules in a class. */
export interface ClassQuestions {
  readonly zoneClass: ZoneClass;
  readonly variables: RequestVariables;
  readonly configs: BoundConfigs;
  /** When each list of rules fires. */
  fired(rules: readonly ReadRule[]): readonly FiredRule[];
  /** Searches for a request that makes a function true and passes a test. */
  find(wanted: () => DecisionDiagram, confirm: (candidate: Candidate) => boolean): ClassSearchResult;
}

/** Creates a function that prepares questions about some rules in a class; undefined when even that needs too many steps. */
export function createClassSearch(
  zone: SearchedZone,
): (zoneClass: ZoneClass, rules: readonly ReadRule[]) => ClassQuestions | undefined {
  const variablesOf = createVariablePool(zone.configs, zone.maxSteps);
  return (zoneClass, rules) => {
    const found = variablesOf(zoneClass, rules);
    if (found === undefined) return undefined;
    const { meter } = found;
    // A request is created with the restrictions of the class itself.
    const variables = { ...found.variables, assumptions: found.assumptions };
    return {
      zoneClass,
      variables,
      configs: zone.configs,
      fired: (list) => firedRules(variables, list, zone.configs),
      find: (wanted, confirm) => {
        meter.left = zone.maxSteps;
        return withinBudget(
          () => search(zone, zoneClass, variables, wanted(), confirm),
          (reason): ClassSearchResult => ({ kind: "undecided", reason }),
        );
      },
    };
  };
}

function search(
  zone: SearchedZone,
  zoneClass: ZoneClass,
  variables: RequestVariables,
  wanted: DecisionDiagram,
  confirm: (candidate: Candidate) => boolean,
): ClassSearchResult {
  const found = findRequest(variables, wanted, (concrete) => {
    const candidate = candidateOf(zone, zoneClass, concrete);
    return candidate !== undefined && confirm(candidate) ? candidate : undefined;
  });
  return found.kind === "found" ? { kind: "found", candidate: found.confirmation } : found;
}

/** The candidate of a request; undefined when another operation takes it. */
function candidateOf(
  { router, evaluator, normalization }: SearchedZone,
  zoneClass: ZoneClass,
  { request, tokens: keys }: ConcreteRequest,
): Candidate | undefined {
  const { host, method, path } = readRequest(request, normalization);
  if (router !== undefined && findRoute(router, host, method, path) !== zoneClass.operation) return undefined;
  const tokens = [...keys].map(([placeholder, key]) => ({ placeholder, key, state: "valid" as const }));
  return evaluator.start(request, tokens, zoneClass);
}
