/** A zone prepared for the generation of suites: its classes, and the means to search them. */

import { InvalidInputError } from "../../../errors.ts";
import { type BoundConfigs, bindConfigs } from "../analysis/bound-expression.ts";
import { type AnalysisOptions, createMeter, defaultMaxSteps } from "../analysis/budget.ts";
import { routerOf } from "../analysis/requests/partition.ts";
import type { Leaf } from "../expression/ast.ts";
import { printExpression } from "../expression/printer.ts";
import { leaves } from "../expression/references.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import type { Router } from "../zone/router.ts";
import {
  type ReadingOptions,
  type ReadOperation,
  type ReadRule,
  type ReadZone,
  readZone,
  type ZoneInput,
} from "../zone/zone-input.ts";
import { createEvaluator, type Evaluator, placeholderChecker } from "./candidate.ts";
import { askClass, type ClassQuestions } from "./class-search.ts";
import { classesOf, type ZoneClass } from "./zone-classes.ts";

/** Options of the generation of suites. */
export interface SuiteOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules are evaluated; `all` by default. */
  readonly precedence?: Precedence;
}

/** A zone that was read, with what is known about it. */
export interface SuiteModel {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly precedence: Precedence;
  readonly classes: readonly ZoneClass[];
  readonly router: Router<ReadOperation> | undefined;
  /** Evaluates generated requests, whose tokens are placeholders. */
  readonly evaluator: Evaluator;
  /** Questions about rules in a class; undefined when they need too many steps. */
  ask(zoneClass: ZoneClass, rules: readonly ReadRule[]): ClassQuestions | undefined;
}

/**
 * Reads a zone for the generation of suites.
 *
 * @throws InvalidInputError when the zone is invalid, with every problem
 */
export function createSuiteModel(input: ZoneInput, options: SuiteOptions): SuiteModel {
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError("The zone cannot be read", read.problems);
  const zone = read.value;
  const { precedence = "all", maxSteps = defaultMaxSteps } = options;
  const configs = bindConfigs(zone.configs);
  const evaluator = createEvaluator(zone, precedence, placeholderChecker(configs));
  const router = routerOf(zone);
  return {
    zone,
    configs,
    precedence,
    classes: classesOf(zone, createMeter(options)),
    router,
    evaluator,
    ask: rememberFirst((zoneClass, rules) =>
      askClass({ configs, router, evaluator, maxSteps }, zoneClass, rules),
    ),
  };
}

/** Tests of one configuration read the same locations, so they are one part. */
function partOf(leaf: Leaf): string {
  return leaf.kind === "token" ? `token ${leaf.configId}` : printExpression(leaf);
}

/**
 * Keeps the first questions about each class. They also answer about other rules whose parts they contain, such as those
 * of most mutants; the alternatives of their locations take far longer to find than the answers.
 */
function rememberFirst(ask: SuiteModel["ask"]): SuiteModel["ask"] {
  const known = new Map<
    ZoneClass,
    { readonly parts: ReadonlySet<string>; readonly questions: ClassQuestions }
  >();
  return (zoneClass, rules) => {
    const parts = new Set(rules.flatMap(({ expression }) => leaves(expression).map(partOf)));
    const first = known.get(zoneClass);
    if (first !== undefined && [...parts].every((part) => first.parts.has(part))) return first.questions;
    const questions = ask(zoneClass, rules);
    if (first === undefined && parts.size > 0 && questions !== undefined)
      known.set(zoneClass, { parts, questions });
    return questions;
  };
}
