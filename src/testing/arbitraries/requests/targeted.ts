/** Requests for which each rule of a zone acts, and others for which it passes, as far as the analysis finds them. */
import { evaluatedRules } from "../../../engine/tokens/analysis/action-diagrams.ts";
import type { TokenKey } from "../../../engine/tokens/analysis/bound-expression.ts";
import { type Meter, withinBudget } from "../../../engine/tokens/analysis/budget.ts";
import type { Alternative } from "../../../engine/tokens/analysis/requests/alternatives.ts";
import { type ConcreteRequest, concretize } from "../../../engine/tokens/analysis/requests/concretize.ts";
import {
  alwaysTrue,
  type DecisionDiagram,
} from "../../../engine/tokens/analysis/requests/decision-diagram.ts";
import type { RequestClass } from "../../../engine/tokens/analysis/requests/partition.ts";
import { compileWithPlaceholders } from "../../../engine/tokens/analysis/requests/reference-engine.ts";
import {
  createRequestVariables,
  type RequestVariables,
} from "../../../engine/tokens/analysis/requests/variables.ts";
import type { Precedence } from "../../../engine/tokens/zone/evaluate-rules.ts";
import type { ReadRule, ReadZone } from "../../../engine/tokens/zone/zone-input.ts";
import { filledPaths, functionTestsOf, keyOfTest, pathKey, type ZoneChoices } from "./choices.ts";

/** A request with placeholders for valid tokens. */
export type DraftRequest = Pick<ConcreteRequest, "request" | "placeholderTokens">;

/** The goal of a search: a result of a rule. */
type Goal = readonly [rule: ReadRule, result: "fired" | "passed"];

/** A zone whose requests are searched for. */
export interface SearchedZone {
  readonly zone: ReadZone;
  readonly choices: ZoneChoices;
  readonly classes: readonly RequestClass[];
  readonly precedence: Precedence;
  readonly nextMeter: () => Meter;
}

interface Search extends SearchedZone {
  readonly drafts: DraftRequest[];
  /** The goals that a draft reaches. */
  readonly reached: Set<string>;
  /** Whether the real engine confirms a goal; then the draft is kept. */
  accepts(draft: ConcreteRequest, goal: Goal): boolean;
}

/** Requests that reach all goals that are found, each of them one that no earlier request reaches. */
export function findTargeted(searched: SearchedZone): DraftRequest[] {
  return searchGoals(searched).drafts;
}

/** The ids of the rules that act on some request that is found. */
export function firedRules(searched: SearchedZone): ReadonlySet<string> {
  const { reached } = searchGoals(searched);
  const rules = searched.zone.rules.filter((rule) => reached.has(keyOfGoal([rule, "fired"])));
  return new Set(rules.map(({ rule }) => rule.id));
}

function searchGoals(searched: SearchedZone): Search {
  const search = createSearch(searched);
  for (const requestClass of searched.classes) {
    const rules = evaluatedRules(requestClass.rules[0], searched.precedence);
    const goals = rules
      .flatMap((rule): Goal[] => [
        [rule, "fired"],
        [rule, "passed"],
      ])
      .filter((goal) => !search.reached.has(keyOfGoal(goal)));
    if (goals.length === 0) continue;
    withinBudget(
      () => searchClass(search, requestClass, rules, goals),
      () => undefined,
    );
  }
  return search;
}

function keyOfGoal([{ rule }, result]: Goal): string {
  return `${result} ${rule.id}`;
}

function createSearch(searched: SearchedZone): Search {
  const { zone, choices, precedence } = searched;
  const evaluate = compileWithPlaceholders(zone, choices.configs, precedence);
  const drafts: DraftRequest[] = [];
  const reached = new Set<string>();
  const accepts = (draft: ConcreteRequest, goal: Goal) => {
    const { rules } = evaluate({ request: draft.request, tokens: keysOf(draft, choices) });
    const results = rules.map(({ id, result }) => `${result} ${id}`);
    if (!results.includes(keyOfGoal(goal))) return false;
    for (const result of results) reached.add(result);
    drafts.push(draft);
    return true;
  };
  return { ...searched, drafts, reached, accepts };
}

/** The keys of the placeholders in a request. */
function keysOf(
  { placeholderTokens, alternatives }: ConcreteRequest,
  { configs }: ZoneChoices,
): Map<string, TokenKey> {
  const keys = [...alternatives.values()].flatMap(({ key }) => key ?? []);
  const all = [...keys, ...[...configs.values()].flatMap((config) => config.keys)];
  return new Map(
    placeholderTokens.flatMap(({ value, kid, alg, publicKey }) => {
      const key = all.find(
        (candidate) => candidate.kid === kid && candidate.alg === alg && candidate.publicKey === publicKey,
      );
      return key ? [[value, key] as const] : [];
    }),
  );
}

function searchClass(
  search: Search,
  requestClass: RequestClass,
  rules: readonly ReadRule[],
  goals: readonly Goal[],
): void {
  const { configs } = search.choices;
  const bound = rules.map(({ expression }) => ({ expression, configs }));
  const variables = createRequestVariables(bound, requestClass.assumptions, search.nextMeter());
  const repair = createRepair(search, requestClass, rules, variables);
  for (const goal of goals) {
    if (search.reached.has(keyOfGoal(goal))) continue;
    const wanted = diagramOfGoal(variables, rules, goal, search.choices);
    withinBudget(
      () => searchGoal(search, variables, wanted, goal, repair),
      () => undefined,
    );
  }
}

/** The requests for which a rule is evaluated and has the result: no earlier rule blocks them. */
function diagramOfGoal(
  { diagrams, diagramOf }: RequestVariables,
  rules: readonly ReadRule[],
  [rule, result]: Goal,
  { configs }: ZoneChoices,
): DecisionDiagram {
  const passes = diagramOf(rule.expression, configs);
  const wanted = result === "passed" ? passes : diagrams.not(passes);
  const blocking = rules.slice(0, rules.indexOf(rule)).filter((earlier) => earlier.rule.action === "block");
  const evaluated = blocking.reduceRight(
    (rest, { expression }) => diagrams.combine("and", diagramOf(expression, configs), rest),
    alwaysTrue,
  );
  return diagrams.combine("and", evaluated, wanted);
}

/** The maximum number of assignments for one goal, and of changes of each. */
const maxAssignments = 12;

type Repair = (alternatives: ReadonlyMap<string, Alternative>) => Generator<ConcreteRequest>;

function searchGoal(
  { accepts }: Search,
  variables: RequestVariables,
  wanted: DecisionDiagram,
  goal: Goal,
  repair: Repair,
): void {
  let count = 0;
  for (const { sendable, alternatives } of variables.sendableAssignments(wanted)) {
    if (++count > maxAssignments) return;
    if (!sendable) continue;
    for (const draft of repair(alternatives)) if (accepts(draft, goal)) return;
  }
}

/** The maximum number of requests that are made from one assignment. */
const maxRepairs = 24;

/**
 * The request of an assignment, and others with values for the comparisons with functions, of which the assignment can
 * say nothing.
 */
function createRepair(
  { choices }: Search,
  requestClass: RequestClass,
  rules: readonly ReadRule[],
  variables: RequestVariables,
): Repair {
  const tests = functionTestsOf(rules, choices.configs);
  const keys = new Set(tests.map(keyOfTest));
  if (tests.some(({ field }) => field.name === "http.request.uri")) keys.add(pathKey);
  const valuesOf = (key: string) => {
    const own = choices.ofFunctions.get(key) ?? [];
    return [undefined, ...own, ...(key === pathKey ? filledPaths(choices, requestClass) : [])];
  };
  const values = new Map([...keys].map((key) => [key, valuesOf(key)] as const));
  const all = { ...variables, locations: mergeLocations(variables, choices) };
  return function* (alternatives) {
    yield concretize(all, { alternatives, sendable: true });
    if (values.size === 0) return;
    const pick = createPicker();
    for (let i = 0; i < maxRepairs; i++) {
      const changed = new Map(alternatives);
      for (const [key, list] of values) {
        const value = list[pick(list.length)];
        if (value !== undefined) changed.set(key, value);
      }
      yield concretize(all, { alternatives: changed, sendable: true });
    }
  };
}

/** The locations of the class, and those of comparisons with functions. */
function mergeLocations(
  { locations }: RequestVariables,
  { variables }: ZoneChoices,
): RequestVariables["locations"] {
  return [
    ...new Map(
      [...variables.locations, ...locations].map((location) => [JSON.stringify(location.field), location]),
    ).values(),
  ];
}

/** Numbers that look random, always the same: a linear congruential generator (Numerical Recipes). */
function createPicker(): (count: number) => number {
  let state = 1;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
