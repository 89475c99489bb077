/** Searches one class of requests for a request that contradicts the document. */

import { references } from "../../expression/references.ts";
import type { TokenAction } from "../../verdict/verdict.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import { actionDiagrams } from "../action-diagrams.ts";
import type { BoundConfig, BoundConfigs, TokenKey } from "../bound-expression.ts";
import { type Meter, withinBudget } from "../budget.ts";
import { type ConcreteRequest, type TokenState, tokenStateOf } from "../requests/concretize.ts";
import { alwaysFalse, type DecisionDiagram } from "../requests/decision-diagram.ts";
import type { PlaceholderEvaluator } from "../requests/reference-engine.ts";
import { findRequest } from "../requests/search.ts";
import { type Assumptions, createRequestVariables, type RequestVariables } from "../requests/variables.ts";
import {
  configsOf,
  meetsRequirement,
  requirementDiagram,
  type TokenRequirement,
} from "./token-requirement.ts";
import type { TokenTests } from "./token-tests.ts";

/** Requests of a documented operation that the same rules match. */
export interface Question {
  readonly assumptions: Assumptions;
  /** The rules that are evaluated, in order. */
  readonly rules: readonly ReadRule[];
  /** The tokens that the document requires; undefined for a public operation. */
  readonly requirement: TokenRequirement | undefined;
}

/** The zone that a question is about. */
export interface QuestionedZone {
  readonly configs: BoundConfigs;
  readonly tests: TokenTests;
  readonly evaluate: PlaceholderEvaluator;
}

/** A request that contradicts the document, confirmed by the real engine. */
export interface Contradiction {
  readonly action: TokenAction;
  readonly concrete: ConcreteRequest;
  readonly tokens: ReadonlyMap<string, TokenKey>;
  /** The state of the token of each configuration that matters, by configuration id. */
  readonly states: Readonly<Record<string, TokenState>>;
}

/** The answer to a question. */
export type Answer =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly contradiction: Contradiction }
  | { readonly kind: "undecided"; readonly reason: string };

/**
 * Searches for a request without the required tokens that is allowed, else for one that is logged; of a public
 * operation, for a request without any token that is blocked.
 */
export function answerQuestion(zone: QuestionedZone, question: Question, meter: Meter): Answer {
  return withinBudget(
    () => {
      const search = prepareSearch(zone, question, meter);
      for (const action of question.requirement === undefined ? (["block"] as const) : gaps) {
        const answer = search(action);
        if (answer.kind !== "none") return answer;
      }
      return { kind: "none" };
    },
    (reason): Answer => ({ kind: "undecided", reason }),
  );
}

/** The actions that let a request through, the worse one first. */
const gaps = ["allow", "log"] as const;

function prepareSearch(
  zone: QuestionedZone,
  question: Question,
  meter: Meter,
): (action: TokenAction) => Answer {
  const { configs, tests, evaluate } = zone;
  const { rules, requirement } = question;
  const relevant = requirement ? configsOf(requirement) : referencedConfigs(rules, configs);
  const test = requirement ? "is_jwt_valid" : "is_jwt_present";
  const expressions = [
    ...rules.map(({ expression }) => expression),
    ...relevant.map(({ id }) => tests(test, id)),
  ].map((expression) => ({ expression, configs }));
  const variables = createRequestVariables(expressions, question.assumptions, meter);
  const suspicious = tokensDiagram(variables, zone, requirement, relevant);
  const taken = actionsOf(variables, rules, configs);
  return (action) => {
    const wanted = variables.diagrams.combine("and", taken[action], suspicious);
    const search = findRequest(variables, wanted, (concrete) => {
      const stateOf = (config: BoundConfig) => tokenStateOf(config, concrete);
      const isShown = requirement
        ? !meetsRequirement(requirement, stateOf)
        : relevant.every((config) => stateOf(config) === "missing");
      if (!isShown || evaluate(concrete).action !== action) return undefined;
      return {
        tokens: concrete.tokens,
        states: Object.fromEntries(relevant.map((config) => [config.id, stateOf(config)])),
      };
    });
    if (search.kind !== "found") return search;
    const { concrete, confirmation } = search;
    return { kind: "found", contradiction: { action, concrete, ...confirmation } };
  };
}

function referencedConfigs(rules: readonly ReadRule[], configs: BoundConfigs): readonly BoundConfig[] {
  const ids = new Set(rules.flatMap(({ expression }) => references(expression).map(({ id }) => id)));
  return [...ids].flatMap((id) => configs.get(id) ?? []);
}

/** The assignments without the tokens that the document requires, or without any token for a public operation. */
function tokensDiagram(
  variables: RequestVariables,
  { configs, tests }: QuestionedZone,
  requirement: TokenRequirement | undefined,
  relevant: readonly BoundConfig[],
): DecisionDiagram {
  const { diagrams, diagramOf } = variables;
  if (requirement !== undefined)
    return diagrams.not(requirementDiagram(variables, requirement, tests, configs));
  const present = relevant.map(({ id }) => diagramOf(tests("is_jwt_present", id), configs));
  return diagrams.not(present.reduce((a, b) => diagrams.combine("or", a, b), alwaysFalse));
}

function actionsOf(
  variables: RequestVariables,
  rules: readonly ReadRule[],
  configs: BoundConfigs,
): Readonly<Record<TokenAction, DecisionDiagram>> {
  const { diagrams } = variables;
  const { block, log } = actionDiagrams(variables, rules, configs);
  return { block, log, allow: diagrams.not(diagrams.combine("or", block, log)) };
}
