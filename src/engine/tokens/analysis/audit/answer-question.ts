/** Searches one class of requests for a request that contradicts the document. */

import type { CompiledCustom } from "../../expression/compile.ts";
import { references } from "../../expression/references.ts";
import type { Step } from "../../rulesets/program.ts";
import type { TokenAction } from "../../verdict/verdict.ts";
import type { ReadRule } from "../../zone/zone-input.ts";
import type { BoundConfig, BoundConfigs, TokenKey } from "../bound-expression.ts";
import { type Meter, withinBudget } from "../budget.ts";
import { zoneActions } from "../differences.ts";
import { negate, some } from "../model/formula.ts";
import { type ConcreteRequest, type TokenState, tokenStateOf } from "../requests/concretize.ts";
import { anyOf, type DecisionDiagram } from "../requests/decision-diagram.ts";
import type { PlaceholderEvaluator } from "../requests/reference-engine.ts";
import { findRequest } from "../requests/search.ts";
import { type Assumptions, createRequestVariables, type RequestVariables } from "../requests/variables.ts";
import { describeFreeParts } from "../rulesets/free-parts.ts";
import { customOutcome, noOutcome } from "../rulesets/outcomes.ts";
import { type CustomPart, stepOf } from "../rulesets/ruleset-part.ts";
import {
  configsOf,
  meetsRequirement,
  requirementFormula,
  type TokenRequirement,
} from "./token-requirement.ts";

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
  /** Undefined without custom rules. */
  readonly custom: CustomPart | undefined;
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
  const { configs, custom } = zone;
  const { rules, requirement, assumptions } = question;
  const relevant = requirement ? configsOf(requirement) : referencedConfigs(zone, rules);
  const expressions = rules.map(({ expression }) => ({ expression, configs }));
  const variables =
    custom?.createVariables(expressions, assumptions, meter, relevant) ??
    createRequestVariables(expressions, assumptions, meter, { configs: relevant });
  const { diagrams } = variables;
  const suspicious = tokensDiagram(variables, requirement, relevant);
  const taken = actionsOf(variables, zone, question);
  return (action) => {
    const wanted = diagrams.combine("and", taken[action], suspicious);
    const search = findRequest(variables, wanted, (concrete) => {
      const stateOf = (config: BoundConfig) => tokenStateOf(config, concrete);
      const isShown = requirement
        ? !meetsRequirement(requirement, stateOf)
        : relevant.every((config) => stateOf(config) === "missing");
      if (!isShown || !isTaken(zone, question, action, concrete)) return undefined;
      return {
        tokens: concrete.tokens,
        states: Object.fromEntries(relevant.map((config) => [config.id, stateOf(config)])),
      };
    });
    if (search.kind === "none") return search;
    if (search.kind === "undecided")
      return {
        ...search,
        reason: search.reason + describeFreeParts(custom?.freeParts(variables, wanted) ?? []),
      };
    const { concrete, confirmation } = search;
    return { kind: "found", contradiction: { action, concrete, ...confirmation } };
  };
}

/** The configurations whose tokens a rule asks for. */
function referencedConfigs(
  { configs, custom }: QuestionedZone,
  rules: readonly ReadRule[],
): readonly BoundConfig[] {
  const named = rules.flatMap(({ expression }) => references(expression).map(({ id }) => id));
  const ids = new Set([...named, ...(custom?.readConfigs ?? [])]);
  const readsAll = custom?.sides.some(({ program }) =>
    program.steps.some(({ expression }) => expression?.allConfigs),
  );
  return readsAll ? [...configs.values()] : [...ids].flatMap((id) => configs.get(id) ?? []);
}

/** Whether the engine takes the action; of a public operation, by a rule that asks for tokens. */
function isTaken(
  { evaluate, custom }: QuestionedZone,
  { requirement }: Question,
  action: TokenAction,
  concrete: ConcreteRequest,
): boolean {
  const verdict = evaluate(concrete);
  if (verdict.action !== action) return false;
  if (requirement !== undefined || verdict.outcome !== "custom_rule") return true;
  const { rule: name } = verdict.custom ?? {};
  return (custom?.sides ?? []).some(({ program }) =>
    program.steps.some(
      (step) => step.ruleset.id === name?.ruleset && step.rule.id === name.rule && readsTokens(step),
    ),
  );
}

function readsTokens({ expression }: Step<CompiledCustom>): boolean {
  return expression !== undefined && (expression.allConfigs || expression.configs.length > 0);
}

/** The assignments without the tokens that the document requires, or without any token for a public operation. */
function tokensDiagram(
  variables: RequestVariables,
  requirement: TokenRequirement | undefined,
  relevant: readonly BoundConfig[],
): DecisionDiagram {
  const { where } = variables;
  if (requirement !== undefined) return where(negate(requirementFormula(requirement)));
  return where(negate(some(relevant.map((config) => ({ kind: "token", test: "is_jwt_present", config })))));
}

/** The requests for which the zone takes each action; of a public operation, by a rule that asks for tokens. */
function actionsOf(
  variables: RequestVariables,
  { configs, custom }: QuestionedZone,
  { rules, requirement }: Question,
): Readonly<Record<TokenAction, DecisionDiagram>> {
  const { diagrams } = variables;
  const [side] = custom?.sides ?? [];
  const outcome = custom && side ? customOutcome(custom, variables, side) : noOutcome;
  const { block, log, challenge } = zoneActions(variables, { rules, configs, custom: outcome });
  const allow = diagrams.not(anyOf(diagrams, [block, log, challenge]));
  if (requirement !== undefined || custom === undefined || side === undefined) return { block, log, allow };
  const { ends } = custom.run(variables, side);
  const others = ends.filter(({ at }) => stepOf(side, at).ends === "block" && !readsTokens(stepOf(side, at)));
  const byOthers = anyOf(
    diagrams,
    others.map(({ where }) => where),
  );
  return { block: diagrams.combine("and", block, diagrams.not(byOthers)), log, allow };
}
