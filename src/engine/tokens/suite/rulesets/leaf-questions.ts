/** Questions about mutants of the expressions of custom rules, over all requests, in models with no more leaves than it takes. */

import type { BoundConfigs } from "../../analysis/bound-expression.ts";
import { createMeter, defaultMaxSteps, withinBudget } from "../../analysis/budget.ts";
import { never } from "../../analysis/model/formula.ts";
import { alwaysFalse, anyOf, type DecisionDiagram } from "../../analysis/requests/decision-diagram.ts";
import { findRequest } from "../../analysis/requests/search.ts";
import type { RequestVariables } from "../../analysis/requests/variables.ts";
import { type CustomPart, type CustomSide, readCustomPart } from "../../analysis/rulesets/ruleset-part.ts";
import type { CompiledCustom } from "../../expression/compile.ts";
import type { Expression, Test } from "../../expression/tree.ts";
import { leavesOf } from "../../expression/tree-queries.ts";
import { createProgram, type Step } from "../../rulesets/program.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import type { Mutant } from "../mutants/mutant.ts";
import type { ChangedLeaf } from "../mutants/ruleset-mutants.ts";
import type { SuiteOptions } from "../suite-model.ts";
import type { Collector } from "./collector.ts";
import { toSuiteTokens, type ValidRequest } from "./generated-request.ts";

/** A request that shows a difference, the proof that there is none, or neither. */
export type Answer =
  | { readonly kind: "found"; readonly request: ValidRequest }
  | { readonly kind: "none" }
  | { readonly kind: "undecided" };

/** Whether a request shows a difference, as the engine says. */
type Confirm = (request: ValidRequest) => boolean;

/** Answers the question about a mutant. */
export type Ask = (mutant: Mutant, confirm: Confirm) => Answer;

const undecided = (): Answer => ({ kind: "undecided" });

/** Prepares the questions about some mutants of expressions. */
export function createQuestions(
  { zone, configs }: Collector,
  mutants: readonly Mutant[],
  options: SuiteOptions,
): Ask {
  const steps = stepsOf(zone);
  const changes = new Map(mutants.map((mutant) => [mutant, treesAfter(mutant, steps)]));
  const leaves = [
    ...new Set([...changes.values()].flatMap((trees) => [...trees.values()].flatMap(leavesOf))),
  ];
  return withinBudget<Ask>(
    () => {
      const model = createModel(zone, configs, leaves, options);
      const { diagrams } = model.variables;
      const [side] = model.part.sides as [CustomSide];
      const { reached } = model.part.run(model.variables, side);
      return (mutant, confirm) =>
        model.ask(() => {
          const differ = [...(changes.get(mutant) ?? [])].map(([at, tree]) =>
            diagrams.combine(
              "and",
              reached.get(at) ?? alwaysFalse,
              diagrams.combine("xor", model.variables.where(side.formulas[at] ?? never), model.where(tree)),
            ),
          );
          return anyOf(diagrams, differ);
        }, confirm);
    },
    () => undecided,
  );
}

/** Searches a request for which a leaf has another value than what takes its place, whatever the rest of its rule does. */
export function distinguishLeaf(
  { zone, configs }: Collector,
  { before, after }: ChangedLeaf,
  confirm: Confirm,
  options: SuiteOptions,
): Answer {
  const leaves = [before, ...leavesOf(after)];
  return withinBudget(() => {
    const model = createModel(zone, configs, leaves, options, () => false);
    return model.ask(
      () => model.variables.diagrams.combine("xor", model.where(before), model.where(after)),
      confirm,
    );
  }, undecided);
}

/** The variables of the custom rules of a zone, and of further leaves. */
interface Model {
  readonly part: CustomPart;
  readonly variables: RequestVariables;
  /** The requests for which an expression of the leaves is true. */
  where(expression: Expression): DecisionDiagram;
  /** Searches a request for which a function is true. */
  ask(wanted: () => DecisionDiagram, confirm: Confirm): Answer;
}

function createModel(
  read: ReadZone,
  configs: BoundConfigs,
  leaves: readonly Test[],
  { maxSteps = defaultMaxSteps }: SuiteOptions,
  isRelevant?: () => boolean,
): Model {
  const part = readCustomPart([{ read, configs }], isRelevant, leaves);
  if (part === undefined) throw new RangeError("The zone has no custom rules.");
  const meter = createMeter({ maxSteps });
  const variables = part.createVariables([], {}, meter);
  const search = (wanted: DecisionDiagram, confirm: Confirm): Answer => {
    const found = findRequest(variables, wanted, (concrete) => {
      const request = toSuiteTokens(concrete, configs);
      return request !== undefined && confirm(request) ? request : undefined;
    });
    if (found.kind === "found") return { kind: "found", request: found.confirmation };
    if (found.kind === "none") return found;
    return undecided();
  };
  return {
    part,
    variables,
    where: (expression) => variables.where(part.formulaOf(0, expression)),
    ask: (wanted, confirm) => {
      meter.left = maxSteps;
      return withinBudget(() => search(wanted(), confirm), undecided);
    },
  };
}

function stepsOf({ custom }: ReadZone): readonly Step<CompiledCustom>[] {
  return custom === undefined ? [] : createProgram(custom.rulesets).steps;
}

/** The expressions of steps with a mutant. */
function treesAfter(
  { change }: Mutant,
  steps: readonly Step<CompiledCustom>[],
): ReadonlyMap<number, Expression> {
  const trees = new Map<number, Expression>();
  if (change.part === "custom rule" && change.edit === "replace" && change.tree !== undefined)
    for (const [at, { rule }] of steps.entries()) if (rule === change.rule) trees.set(at, change.tree);
  return trees;
}
