/** Searches for a request that notices a mutant. */

import { evaluatedRules } from "../../analysis/action-diagrams.ts";
import type { TokenKey } from "../../analysis/bound-expression.ts";
import { budgetReason } from "../../analysis/budget.ts";
import { compareReadZones } from "../../analysis/compare-zones.ts";
import { firingsDiffer } from "../../analysis/fired-rules.ts";
import { anyOf } from "../../analysis/requests/decision-diagram.ts";
import { coversOperation } from "../../analysis/requests/host-classes.ts";
import { intersection, samplePath } from "../../analysis/requests/partition.ts";
import type { ZoneDifference } from "../../analysis/zone-difference.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import { isHostTemplate } from "../../zone/host-template.ts";
import type { ReadOperation, ReadZone } from "../../zone/zone-input.ts";
import { type Candidate, isSameRuleDecision } from "../candidate.ts";
import type { SuiteModel } from "../suite-model.ts";
import { createHostClass, type ZoneClass } from "../zone-classes.ts";
import { applyChange } from "./change.ts";
import type { Mutant } from "./mutant.ts";
import type { ClassOfMutant, MutantIndex } from "./mutant-index.ts";
import type { MutantTester } from "./mutant-tester.ts";

/** Such a request, the proof that the mutant is equivalent, or the reason why neither is known. */
export type NoticeResult =
  | { readonly kind: "found"; readonly candidate: Candidate }
  | { readonly kind: "equivalent" }
  | { readonly kind: "undecided"; readonly reason: string };

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
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const list = groups.get(keyOf(mutant));
    if (list === undefined) groups.set(keyOf(mutant), [mutant]);
    else list.push(mutant);
  }
  return [...groups.values()].flat();
}

/** Searches for a request that notices a mutant. A mutant that no request notices is equivalent. */
export function findNoticing(search: NoticeSearch, mutant: Mutant): NoticeResult {
  return mutant.change.part === "rule" ? findInClasses(search, mutant) : findInZones(search, mutant);
}

function findInClasses({ model, index }: NoticeSearch, mutant: Mutant): NoticeResult {
  let undecided: NoticeResult | undefined;
  for (const one of index.classesOf(mutant)) {
    const result = findInClass(model, one);
    if (result.kind === "found") return result;
    if (result.kind === "undecided") undecided = result;
  }
  return undecided ?? { kind: "equivalent" };
}

function findInClass(model: SuiteModel, { zoneClass, original, mutated }: ClassOfMutant): NoticeResult {
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
function findInZones(search: NoticeSearch, mutant: Mutant): NoticeResult {
  const guessed = guess(search, mutant);
  if (guessed !== undefined) return { kind: "found", candidate: guessed };
  const { model, tester } = search;
  const zone = nearby(model.zone, mutant);
  if (isWithoutRules(zone, mutant, model.precedence)) return { kind: "equivalent" };
  const original = originalOf(model.zone, mutant);
  const position = original === undefined ? -1 : (zone.operations?.indexOf(original) ?? -1);
  const change = mutant.change.part === "operation" ? { ...mutant.change, index: position } : mutant.change;
  const compared = compareReadZones([zone, applyChange(zone, change)], {
    precedence: model.precedence,
    maxSteps: model.maxSteps,
    maxDifferences,
    observation: "decision",
  });
  if (compared.result !== "different")
    return compared.result === "undecided" ? { ...compared, kind: "undecided" } : { kind: "equivalent" };
  const found = compared.differences
    .flatMap((difference) => candidateOf(model, difference) ?? [])
    .find((candidate) => tester.notices({ candidate, nowMs: 0 }, mutant));
  return found === undefined ? { kind: "undecided", reason: unusable } : { kind: "found", candidate: found };
}

/** The number of differences of which one must have tokens of the zone's own keys. */
const maxDifferences = 4;

const unusable = "only a token of a key that the zone does not have could show it";

function originalOf({ operations }: ReadZone, { change }: Mutant): ReadOperation | undefined {
  return change.part === "operation" ? operations?.[change.index] : undefined;
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
  const groups = new Map<ReadOperation | undefined, ZoneClass[]>();
  for (const one of classes) {
    const group = groups.get(one.operation);
    if (group === undefined) groups.set(one.operation, [one]);
    else group.push(one);
  }
  return groups;
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

/** The operations that can match some of the same requests as the changed one, and the rules of their hosts. */
function nearby(zone: ReadZone, { change }: Mutant): ReadZone {
  if (change.part !== "operation") return zone;
  const { operations = [], rules } = zone;
  const own = [operations[change.index], change.changed].filter((one) => one !== undefined);
  const near = operations.filter((other) => own.some((one) => one === other || canOverlap(one, other)));
  const hosts = new Set(near.map(({ host }) => host));
  const isTemplate = near.some(({ host }) => isHostTemplate(host));
  return {
    ...zone,
    operations: near,
    rules: rules.filter((rule) => isTemplate || rule.hosts.some((host) => hosts.has(host))),
  };
}

/** Whether no rule is evaluated for the only operation that can match the requests, before the change and after it. */
function isWithoutRules(
  { operations = [], rules }: ReadZone,
  { change }: Mutant,
  precedence: Precedence,
): boolean {
  const [only, ...others] = operations;
  if (change.part !== "operation" || only === undefined || others.length > 0) return false;
  if (isHostTemplate(only.host)) return false;
  const hosts = createHostClass(only.host, []);
  return (
    evaluatedRules(
      rules.filter((rule) => coversOperation(rule, hosts, only)),
      precedence,
    ).length === 0
  );
}

function canOverlap(left: ReadOperation, right: ReadOperation): boolean {
  const isOneHost = left.host === right.host || isHostTemplate(left.host) || isHostTemplate(right.host);
  return (
    isOneHost && left.method === right.method && intersection(left.segments, right.segments) !== undefined
  );
}

/** The request of a difference; undefined when a token is of a key that the zone does not have. */
function candidateOf(
  { configs, classOf, evaluator }: SuiteModel,
  { request, placeholderTokens }: ZoneDifference,
): Candidate | undefined {
  const keys = new Map<string, TokenKey>(
    [...configs.values()].flatMap((config) => config.keys.map((key) => [key.identity, key] as const)),
  );
  const tokens = placeholderTokens.flatMap(({ value, publicKey = "" }) => {
    const key = keys.get(publicKey);
    return key === undefined ? [] : [{ placeholder: value, key, state: "valid" as const }];
  });
  return tokens.length < placeholderTokens.length
    ? undefined
    : evaluator.start(request, tokens, classOf(request));
}
