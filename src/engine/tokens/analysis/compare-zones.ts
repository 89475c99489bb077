/**
 * Whether two zones do the same to every request. Exact: when they do not, the result has requests that show it. Zones
 * are compared by the action of their verdicts and the effect of their custom rules.
 *
 * Requests are partitioned by the operations that they match in the two zones. Within a class host and method are
 * known, and the remaining question is about expressions. Custom rules are about all requests: where those of the two
 * zones differ, the classes in which no token rule acts are compared, too.
 */

import { anyValue, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { alternatives, InvalidInputError, quote } from "../../../errors.ts";
import { references } from "../expression/references.ts";
import type { Precedence } from "../zone/evaluate-rules.ts";
import {
  type ReadingOptions,
  type ReadRule,
  type ReadZone,
  readZone,
  type ZoneInput,
} from "../zone/zone-input.ts";
import { evaluatedRules } from "./action-diagrams.ts";
import { type BoundConfigs, bindConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter, withinBudget } from "./budget.ts";
import { changedSteps } from "./changed-steps.ts";
import { actionsDiffer, decisionsDiffer } from "./differences.ts";
import { never } from "./model/formula.ts";
import { type Observation, observations } from "./observation.ts";
import { analysisMembers } from "./option-names.ts";
import { mapPair, type Pair } from "./pair.ts";
import { anyOf, type DecisionDiagram } from "./requests/decision-diagram.ts";
import { partitionRequests, type RequestClass } from "./requests/partition.ts";
import { compileWithPlaceholders } from "./requests/reference-engine.ts";
import { createRequestVariables, type RequestVariables } from "./requests/variables.ts";
import { isSameCustomPart } from "./rulesets/free-parts.ts";
import { customOutcomes, effectsDiffer, noOutcome, outcomesDiffer } from "./rulesets/outcomes.ts";
import { type CustomPart, readCustomPart } from "./rulesets/ruleset-part.ts";
import {
  type ComparedZone,
  findDifference,
  type SearchedZones,
  type ZoneDifference,
} from "./zone-difference.ts";

/** Options of a comparison of zones. */
export interface ZoneComparisonOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several covering rules are evaluated; `all` by default. */
  readonly precedence?: Precedence;
  /** The maximum number of differences to report, at least 1; at most one for each operation. Default 20. */
  readonly maxDifferences?: number;
  /** The compared part: the action alone, also the effect of custom rules, or the whole decision. Default `effect`. */
  readonly observation?: Observation;
}

/** The default of `maxDifferences`. */
const defaultMaxDifferences = 20;

/** The default of `observation`. */
const defaultObservation: Observation = "effect";

/** The result of a comparison of two zones. */
export type ZoneComparison =
  | {
      /** The observed effect is the same for every request. */
      readonly result: "equivalent";
    }
  | {
      /** The observed effect differs for some requests. */
      readonly result: "different";
      /** Such requests, at most `maxDifferences`. */
      readonly differences: readonly [ZoneDifference, ...ZoneDifference[]];
    }
  | {
      /** The question is too large, or only a request that clients may not be able to send could show a difference. */
      readonly result: "undecided";
      /** Why the question is not decided. */
      readonly reason: string;
    };

/**
 * Compares two zones over all possible requests.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const rule = { id: "r1", action: "block", enabled: true, selector } as const;
 * const zoneOf = (expression: string) => ({ configs: [], rules: [{ ...rule, expression }] });
 * const compared = compareZones(
 *   zoneOf('http.request.method in {"GET" "POST"}'),
 *   zoneOf('http.request.method eq "GET" or http.request.method eq "PUT"'),
 * );
 * if (compared.result === "different") compared.differences[0].request.method; // => "POST"
 * ```
 * @throws InvalidInputError when a zone is invalid, with every problem
 * @throws RangeError when `maxDifferences` or `maxSteps` is not an integer from 1
 * @throws TypeError for an option that does not exist
 */
export function compareZones(
  left: ZoneInput,
  right: ZoneInput,
  options: ZoneComparisonOptions = {},
): ZoneComparison {
  requireArgument(
    "options",
    options,
    optionsOf<ZoneComparisonOptions>("compareZones", {
      ...analysisMembers,
      maxDifferences: anyValue,
      observation: anyValue,
    }),
  );
  const { maxDifferences = defaultMaxDifferences, observation = defaultObservation } = options;
  if (!observations.includes(observation))
    throw new RangeError(
      `\`observation\` must be ${alternatives(observations.map((allowed) => JSON.stringify(allowed)))}; found ${quote(observation)}.`,
    );
  if (!Number.isSafeInteger(maxDifferences) || maxDifferences < 1)
    throw new RangeError(`\`maxDifferences\` must be an integer from 1; found ${quote(maxDifferences)}.`);
  return compareReadZones(
    mapPair([left, right], (input, i) => readCompared(input, i, options)),
    options,
  );
}

/** Compares two zones that were read. */
export function compareReadZones(read: Pair<ReadZone>, options: ZoneComparisonOptions): ZoneComparison {
  const {
    precedence = "all",
    maxDifferences = defaultMaxDifferences,
    observation = defaultObservation,
  } = options;
  const effectIds = new Map<string, string>();
  const zones = mapPair(read, (zone) => compileCompared(zone, options, effectIds));
  const nextMeter = createMeters(options);
  const custom = readCustomPart(zones);
  const state: ComparisonState = {
    zones,
    custom,
    precedence,
    observation,
    maxDifferences,
    nextMeter,
    differences: [],
  };
  return withinBudget(
    () => compareClasses(state),
    (reason) => ({ result: "undecided", reason }),
  );
}

interface ComparisonState extends SearchedZones {
  readonly precedence: Precedence;
  readonly maxDifferences: number;
  readonly nextMeter: () => Meter;
  readonly differences: ZoneDifference[];
}

function compareClasses(state: ComparisonState): ZoneComparison {
  const { zones, custom, precedence, observation, maxDifferences, nextMeter, differences } = state;
  const equivalent = new Set<string>();
  const shown = new Set<string>();
  const isSameCustom = custom === undefined || compareCustom(custom, state);
  // A custom rule makes the same difference in many classes: the first one that is repeated is the last.
  let isCustomDone = isSameCustom;
  let undecided: string | undefined;
  for (const requestClass of partitionRequests(
    mapPair(zones, ({ read }) => read),
    nextMeter(),
    { everywhere: !isSameCustom, readsPath: custom?.readsPath === true },
  )) {
    if (differences.length >= maxDifferences) break;
    const rules = mapPair(requestClass.rules, (list, i) => actingRules(list, zones[i].effects, precedence));
    // The order of rules does not change the strongest of their actions; it can change which of them decides.
    const [leftKey, rightKey] = mapPair(rules, (acting) =>
      (observation !== "decision" ? [...acting.keys()].sort() : [...acting.keys()]).join(),
    );
    const { equivalenceKey } = requestClass;
    const key = equivalenceKey && JSON.stringify([equivalenceKey, leftKey, rightKey]);
    if ((leftKey === rightKey && isCustomDone) || (key !== undefined && equivalent.has(key))) continue;
    const compared = compareClass(requestClass, rules, state, nextMeter());
    if (typeof compared === "string") undecided = compared;
    else if (compared !== undefined) {
      const decisions = leftKey === rightKey ? describeSides(compared) : undefined;
      isCustomDone ||= decisions !== undefined && shown.has(decisions);
      if (decisions === undefined || !shown.has(decisions)) differences.push(compared);
      if (decisions !== undefined) shown.add(decisions);
    } else if (key !== undefined) equivalent.add(key);
  }
  const [first, ...others] = differences;
  if (first !== undefined) return { result: "different", differences: [first, ...others] };
  const reason = undecided ?? describeNormalizations(zones);
  return reason === undefined ? { result: "equivalent" } : { result: "undecided", reason };
}

/** Requests are compared whose URLs neither zone changes: undefined when there are no others to compare. */
function describeNormalizations(zones: Pair<ComparedZone>): string | undefined {
  const [left, right] = mapPair(zones, ({ read }) => read.normalization);
  if (left === right) return undefined;
  return "the zones normalize URLs differently, and only URLs that neither of them changes were compared";
}

function describeSides({ left, right }: ZoneDifference): string {
  return JSON.stringify([left, right].map(({ action, rule, custom }) => [action, rule, custom]));
}

/**
 * Compares the custom rules, token rules aside: whether they decide the same for every request, or a difference between
 * them is shown already. Without either, all classes of requests are compared.
 */
function compareCustom(custom: CustomPart, state: ComparisonState): boolean {
  if (isSameCustomPart(state.zones)) return true;
  return compareChangedSteps(state) || isEquivalentCustom(custom, state);
}

/** The same for the changed steps, as if no other step acted: often that is enough, and it needs little. */
function compareChangedSteps(state: ComparisonState): boolean {
  const { zones, observation, nextMeter, differences } = state;
  const changed = changedSteps(zones);
  const part = changed && readCustomPart(zones, (side, at) => changed.isChanged(side as 0 | 1, at));
  if (part === undefined) return false;
  const meter = nextMeter();
  return withinBudget(
    () => {
      const variables = part.createVariables([], {}, meter);
      if (changed?.expressions !== undefined && areEqual(part, variables, changed.expressions)) return true;
      const differ = outcomesDiffer(variables, customOutcomes(part, variables), observation);
      const found = findDifference(variables, differ, { ...state, custom: part });
      if (typeof found !== "object") return false;
      differences.push(found);
      return true;
    },
    () => false,
  );
}

/** Whether the expressions of both zones at some positions have the same value for every request. */
function areEqual(part: CustomPart, variables: RequestVariables, positions: readonly number[]): boolean {
  const { diagrams, where } = variables;
  const [left, right] = part.sides;
  if (left === undefined || right === undefined) return false;
  const differ = positions.map((at) =>
    diagrams.combine("xor", where(left.formulas[at] ?? never), where(right.formulas[at] ?? never)),
  );
  return variables.isUnsatisfiable(anyOf(diagrams, differ));
}

/** Whether the custom rules of both zones decide the same for every request, token rules aside. */
function isEquivalentCustom(custom: CustomPart, { observation, nextMeter }: ComparisonState): boolean {
  const meter = nextMeter();
  return withinBudget(
    () => {
      const variables = custom.createVariables([], {}, meter);
      const differ = outcomesDiffer(variables, customOutcomes(custom, variables), observation);
      return variables.isUnsatisfiable(differ);
    },
    () => false,
  );
}

function readCompared(input: ZoneInput, index: 0 | 1, options: ZoneComparisonOptions): ReadZone {
  const result = readZone(input, options);
  if (result.ok) return result.value;
  throw new InvalidInputError(`The ${index === 0 ? "first" : "second"} zone is invalid`, result.problems);
}

/** Compiles a zone; `effectIds` is shared by both zones, so that equal effects have equal ids. */
function compileCompared(
  read: ReadZone,
  options: ZoneComparisonOptions,
  effectIds: Map<string, string>,
): ComparedZone {
  const configs = bindConfigs(read.configs);
  const effects = new Map(
    read.rules.map((rule) => {
      const effect = describeEffect(rule, configs) + (options.observation === "decision" ? rule.rule.id : "");
      const id = effectIds.get(effect) ?? String(effectIds.size);
      effectIds.set(effect, id);
      return [rule, id] as const;
    }),
  );
  const evaluate = compileWithPlaceholders(read, configs, options.precedence ?? "all");
  return { read, configs, effects, evaluate };
}

/** The rules that are evaluated, by effect: rules with the same effect count once. */
function actingRules(
  rules: readonly ReadRule[],
  effects: ReadonlyMap<ReadRule, string>,
  precedence: Precedence,
): ReadonlyMap<string, ReadRule> {
  return new Map(evaluatedRules(rules, precedence).map((rule) => [effects.get(rule) ?? "", rule]));
}

function describeEffect({ rule, expression }: ReadRule, configs: BoundConfigs): string {
  const ids = [...new Set(references(expression).map(({ id }) => id))];
  return JSON.stringify([rule.action, rule.expression, ids.map((id) => configs.get(id))]);
}

/** A difference within a class, undefined when there is none, or the reason why that is not known. */
function compareClass(
  { assumptions }: RequestClass,
  rules: Pair<ReadonlyMap<string, ReadRule>>,
  state: ComparisonState,
  meter: Meter,
): ZoneDifference | string | undefined {
  return withinBudget(
    () => {
      const bound = mapPair(rules, (acting, i) =>
        [...acting.values()].map(({ expression }) => ({ expression, configs: state.zones[i].configs })),
      );
      const variables =
        state.custom?.createVariables(bound.flat(), assumptions, meter) ??
        createRequestVariables(bound.flat(), assumptions, meter);
      return findDifference(variables, differenceDiagram(variables, rules, state), state);
    },
    (reason) => reason,
  );
}

/** The requests that differ in what is observed. */
function differenceDiagram(
  variables: RequestVariables,
  rules: Pair<ReadonlyMap<string, ReadRule>>,
  { zones, custom, observation, precedence }: ComparisonState,
): DecisionDiagram {
  const outcomes = custom && customOutcomes(custom, variables);
  const sides = mapPair(rules, (acting, i) => ({
    rules: [...acting.values()],
    configs: zones[i].configs,
    custom: outcomes?.[i] ?? noOutcome,
  }));
  return anyOf(variables.diagrams, [
    observation === "decision"
      ? decisionsDiffer(variables, sides, precedence)
      : actionsDiffer(variables, sides),
    ...(observation === "action"
      ? []
      : effectsDiffer(
          variables.diagrams,
          mapPair(sides, (side) => side.custom),
        )),
  ]);
}
