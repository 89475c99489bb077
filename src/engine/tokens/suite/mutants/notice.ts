/** Searches for a request that notices a mutant. */

import { groupBy } from "../../../../core/groups.ts";
import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import { budgetReason } from "../../analysis/budget.ts";
import { firingsDiffer } from "../../analysis/fired-rules.ts";
import { anyOf } from "../../analysis/requests/decision-diagram.ts";
import { samplePath } from "../../analysis/requests/partition.ts";
import type { ZoneDifference } from "../../analysis/zone-difference.ts";
import type { ReadOperation } from "../../zone/zone-input.ts";
import { type Candidate, isSameRuleDecision } from "../candidate.ts";
import { toSuiteTokens } from "../rulesets/generated-request.ts";
import type { SuiteModel } from "../suite-model.ts";
import { withKeys } from "../suite-token.ts";
import type { ZoneClass } from "../zone-classes.ts";
import { compareWithMutant, originalOf, unusableTokens } from "./compare-with-mutant.ts";
import type { Mutant } from "./mutant.ts";
import type { ClassOfMutant, MutantIndex } from "./mutant-index.ts";
import type { MutantTester } from "./mutant-tester.ts";
import type { NoticeResult } from "./notice-result.ts";

type Result = NoticeResult<Candidate>;

/** The input of a search. */
export interface NoticeSearch {
  readonly model: SuiteModel;
  readonly index: MutantIndex;
  /** Tests mutants with generated requests. */
  readonly tester: MutantTester;
}

/** The mutants of selectors by operation, so that the questions about an operation are answered together. */
export function inOrderOfSearch(mutants: readonly Mutant[]): readonly Mutant[] {
  const keyOf = ({ change }: Mutant) =>
    change.part === "rule" && "operation" in change ? change.operation : "";
  return [...groupBy(mutants, keyOf).values()].flat();
}

/** Searches for a request that notices a mutant. A mutant that no request notices is equivalent. */
export function findNoticing(search: NoticeSearch, mutant: Mutant): Result {
  return mutant.change.part === "rule" ? findInClasses(search, mutant) : findInZones(search, mutant);
}

function findInClasses({ model, index }: NoticeSearch, mutant: Mutant): Result {
  let undecided: Result | undefined;
  for (const inClass of index.classesOf(mutant)) {
    const result = findInClass(model, inClass);
    if (result.kind === "found") return result;
    if (result.kind === "undecided") undecided = result;
  }
  return undecided ?? { kind: "equivalent" };
}

function findInClass(model: SuiteModel, { zoneClass, original, mutated }: ClassOfMutant): Result {
  const questions = model.ask(zoneClass, [...new Set([...original, ...mutated])]);
  if (questions === undefined) return { kind: "undecided", reason: budgetReason };
  const { evaluator, precedence } = model;
  const { diagrams } = questions.variables;
  const found = questions.find(
    () => firingsDiffer(diagrams, [questions.fired(original), questions.fired(mutated)], precedence),
    (candidate) =>
      !isSameRuleDecision(evaluator.decide(original, candidate), evaluator.decide(mutated, candidate)),
  );
  return found.kind === "none" ? { kind: "equivalent" } : found;
}

/** Tries requests near those that were found, then compares the parts of the zones that can differ. */
function findInZones(search: NoticeSearch, mutant: Mutant): Result {
  const guessed = guess(search, mutant);
  if (guessed !== undefined) return { kind: "found", candidate: guessed };
  const { model, tester } = search;
  const compared = compareWithMutant(model.zone, mutant, model);
  if (compared.result !== "different")
    return compared.result === "undecided" ? { ...compared, kind: "undecided" } : { kind: "equivalent" };
  const found = compared.differences
    .flatMap((difference) => candidateOf(model, difference) ?? [])
    .find((candidate) => tester.notices({ candidate, nowMs: 0 }, mutant));
  return found === undefined
    ? { kind: "undecided", reason: unusableTokens }
    : { kind: "found", candidate: found };
}

/** Requests that fire rules at the operation, at paths of the changed template. */
function guess({ model, tester }: NoticeSearch, mutant: Mutant): Candidate | undefined {
  const original = originalOf(model.zone, mutant);
  const changed = mutant.change.part === "operation" ? mutant.change.changed : undefined;
  if (original === undefined || changed === undefined) return undefined;
  const path = samplePath(changed.segments, model.unusedSegment);
  for (const { request, tokens } of findActing(model, original)) {
    const { origin, search } = new URL(request.url);
    const moved = { ...request, method: changed.method, url: origin + path + search };
    const candidate = model.evaluator.start(moved, tokens, model.classOf(moved));
    if (tester.notices({ candidate, nowMs: 0 }, mutant)) return candidate;
  }
  return undefined;
}

const knownActing = new WeakMap<ReadOperation, readonly Candidate[]>();

/** Requests to an operation for which some rule fires. */
function findActing(model: SuiteModel, operation: ReadOperation): readonly Candidate[] {
  const known = knownActing.get(operation) ?? searchActing(model, operation);
  knownActing.set(operation, known);
  return known;
}

const knownClasses = new WeakMap<SuiteModel, ReadonlyMap<ReadOperation | undefined, readonly ZoneClass[]>>();

function classesAt(model: SuiteModel, operation: ReadOperation): readonly ZoneClass[] {
  const known = knownClasses.get(model) ?? groupByOperation(model.classes);
  knownClasses.set(model, known);
  return known.get(operation) ?? [];
}

function groupByOperation(
  classes: readonly ZoneClass[],
): ReadonlyMap<ReadOperation | undefined, readonly ZoneClass[]> {
  return groupBy(classes, ({ operation }) => operation);
}

function searchActing(model: SuiteModel, operation: ReadOperation): readonly Candidate[] {
  return classesAt(model, operation).flatMap((zoneClass) => {
    const rules = evaluatedRules(zoneClass.rules, model.precedence);
    const questions = model.ask(zoneClass, rules);
    const found = questions?.find(
      () =>
        anyOf(
          questions.variables.diagrams,
          questions.fired(rules).map(({ fires }) => fires),
        ),
      (candidate) => model.evaluator.decide(rules, candidate).fired.length > 0,
    );
    return found?.kind === "found" ? [found.candidate] : [];
  });
}

/** The request of a difference; undefined when a token is of a key that the zone does not have. */
function candidateOf(
  { configs, classOf, evaluator }: SuiteModel,
  difference: ZoneDifference,
): Candidate | undefined {
  const found = toSuiteTokens(difference, configs);
  const tokens = found && withKeys(found.tokens, configs);
  return tokens && evaluator.start(difference.request, tokens, classOf(difference.request));
}
