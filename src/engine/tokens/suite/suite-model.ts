/** A zone prepared for the generation of suites: its classes, and the means to search them. */

import { aFunction, type KindsOf, optional } from "../../../core/arguments.ts";
import { InvalidInputError } from "../../../errors.ts";
import { type BoundConfigs, bindConfigs } from "../analysis/bound-expression.ts";
import { type AnalysisOptions, createMeter, defaultMaxSteps } from "../analysis/budget.ts";
import { analysisMembers } from "../analysis/option-names.ts";
import { routerOf, unusedSegment } from "../analysis/requests/partition.ts";
import type { SimulatedRequest } from "../model.ts";
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
import { type ClassQuestions, createClassSearch } from "./class-search.ts";
import { classesOf, createClassFinder, type ZoneClass } from "./zone-classes.ts";

/** Options of the generation of suites. */
export interface SuiteOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules are evaluated; `all` by default. */
  readonly precedence?: Precedence;
  /** Called from time to time, with the number of mutants that are done and of all. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** The members of `SuiteOptions`. */
export const suiteMembers: KindsOf<SuiteOptions> = { ...analysisMembers, onProgress: optional(aFunction) };

/** A zone that was read, with what is known about it. */
export interface SuiteModel {
  readonly zone: ReadZone;
  readonly configs: BoundConfigs;
  readonly precedence: Precedence;
  readonly classes: readonly ZoneClass[];
  readonly router: Router<ReadOperation> | undefined;
  readonly maxSteps: number;
  /** A path segment that no operation has. */
  readonly unusedSegment: string;
  /** Evaluates generated requests, whose tokens are placeholders. */
  readonly evaluator: Evaluator;
  /** The class of any request; undefined when no operation matches it. */
  classOf(request: SimulatedRequest): ZoneClass | undefined;
  /** Questions about rules in a class; undefined when they need too many steps. */
  ask(zoneClass: ZoneClass, rules: readonly ReadRule[]): ClassQuestions | undefined;
}

/**
 * Reads a zone for the generation of suites.
 *
 * @throws InvalidInputError when the zone is invalid, with every problem
 */
export function createSuiteModel(input: ZoneInput, options: SuiteOptions): SuiteModel {
  const zone = readSuiteZone(input, options);
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
    maxSteps,
    unusedSegment: unusedSegment([zone]),
    evaluator,
    classOf: createClassFinder(zone, router),
    ask: createClassSearch({ ...zone, configs, router, evaluator, maxSteps }),
  };
}

/**
 * Reads a zone.
 *
 * @throws InvalidInputError when the zone is invalid, with every problem
 */
export function readSuiteZone(input: ZoneInput, options: ReadingOptions): ReadZone {
  const read = readZone(input, options);
  if (read.ok) return read.value;
  throw new InvalidInputError("The zone cannot be read", read.problems);
}
