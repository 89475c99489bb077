/**
 * The mutants that a request notices. Mutants of rules and operations are tested from the results of the rules for the
 * request, which are computed once; only those of configurations find and verify the tokens again.
 */

import { addTo } from "../../../../core/groups.ts";
import { bindConfigs } from "../../analysis/bound-expression.ts";
import { coversOperation } from "../../analysis/requests/host-classes.ts";
import { indexTemplates } from "../../analysis/requests/overlapping-templates.ts";
import { references } from "../../expression/references.ts";
import { isHostTemplate, matchesHost } from "../../zone/host-template.ts";
import { normalizePath, type Segment, variable } from "../../zone/path-template.ts";
import { readRequest } from "../../zone/request.ts";
import { createRouter, findRoute } from "../../zone/router.ts";
import type { ReadConfig, ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import {
  type Candidate,
  createEvaluator,
  type Evaluator,
  isSameRuleDecision,
  placeholderChecker,
  type RuleDecision,
} from "../candidate.ts";
import type { SuiteModel } from "../suite-model.ts";
import { createHostClass, type ZoneClass } from "../zone-classes.ts";
import { applyChange } from "./change.ts";
import type { Mutant } from "./mutant.ts";
import type { MutantInClass, MutantIndex } from "./mutant-index.ts";

/** A request with the time at which it arrives. */
export interface TestedRequest {
  readonly candidate: Candidate;
  readonly nowMs: number;
}

/** Tests mutants with requests. */
export interface MutantTester {
  /** The mutants whose decision on a request is another one, of those that are asked for. */
  noticedBy(request: TestedRequest, isOpen: (mutant: Mutant) => boolean): readonly Mutant[];
  /** Whether the decision of one mutant, of an operation or a configuration, is another one. */
  notices(request: TestedRequest, mutant: Mutant): boolean;
}

/** The parts of a zone that a tester needs. */
export interface TestedZone {
  readonly zone: ReadZone;
  readonly evaluator: Evaluator;
  /** The evaluator of rules with other configurations. */
  evaluatorOf(configs: readonly ReadConfig[]): Evaluator;
}

/** The means to test mutants with generated requests. */
export function generatedZone({
  zone,
  evaluator,
  precedence,
}: Pick<SuiteModel, "zone" | "evaluator" | "precedence">): TestedZone {
  return {
    zone,
    evaluator,
    evaluatorOf: (configs) =>
      createEvaluator({ ...zone, configs }, precedence, placeholderChecker(bindConfigs(configs))),
  };
}

/** Creates a tester. */
export function createMutantTester(
  tested: TestedZone,
  mutants: readonly Mutant[],
  index: MutantIndex,
): MutantTester {
  const testOperations = createOperationTester(tested, mutants);
  const testConfigs = createConfigTester(tested, mutants);
  return {
    noticedBy: (request, isOpen) => {
      const { candidate } = request;
      const { zoneClass } = candidate;
      const decision = tested.evaluator.decide(zoneClass?.rules ?? [], candidate);
      const ofRules =
        zoneClass === undefined
          ? []
          : testRules(tested.evaluator, candidate, decision, index.inClass(zoneClass), isOpen);
      return [
        ...ofRules,
        ...testOperations(candidate, decision, isOpen),
        ...testConfigs(request, decision, isOpen),
      ];
    },
    notices: (request, mutant) => {
      const { candidate } = request;
      const decision = tested.evaluator.decide(candidate.zoneClass?.rules ?? [], candidate);
      const isOpen = (other: Mutant) => other === mutant;
      const found =
        mutant.change.part === "operation"
          ? testOperations(candidate, decision, isOpen)
          : testConfigs(request, decision, isOpen);
      return found.length > 0;
    },
  };
}

function testRules(
  evaluator: Evaluator,
  candidate: Candidate,
  decision: RuleDecision,
  mutants: readonly MutantInClass[],
  isOpen: (mutant: Mutant) => boolean,
): readonly Mutant[] {
  const passes = new Map(decision.evaluated.map((rule) => [rule, !decision.fired.includes(rule)]));
  return mutants.flatMap(({ mutant, rules, expression }) => {
    if (!isOpen(mutant)) return [];
    if (expression === undefined)
      return isSameRuleDecision(evaluator.decide(rules, candidate), decision) ? [] : [mutant];
    const before = passes.get(expression.of);
    // The decision is another one exactly when a rule that is evaluated passes instead of firing, or fires.
    return before === undefined || evaluator.evaluate(expression.changed, candidate) === before
      ? []
      : [mutant];
  });
}

type PartTester<Request> = (
  request: Request,
  decision: RuleDecision,
  isOpen: (mutant: Mutant) => boolean,
) => readonly Mutant[];

interface OperationMutant {
  readonly mutant: Mutant;
  readonly original: ReadOperation;
  readonly changed: ReadOperation | undefined;
}

function createOperationTester(
  { zone, evaluator }: TestedZone,
  mutants: readonly Mutant[],
): PartTester<Candidate> {
  const { operations = [] } = zone;
  const rulesOf = createRuleFinder(zone);
  const byOperation = new Map<ReadOperation, OperationMutant[]>();
  const changedOperations: OperationMutant[] = [];
  const templates = new Set(operations.map(({ host }) => host).filter(isHostTemplate));
  for (const mutant of mutants) {
    if (mutant.change.part !== "operation") continue;
    const { index, changed } = mutant.change;
    const original = operations[index];
    if (original === undefined) continue;
    const entry = { mutant, original, changed };
    addTo(byOperation, original, entry);
    if (changed !== undefined) changedOperations.push(entry);
  }
  const near = indexByTarget(operations, (operation) => operation);
  const changedNear = indexByTarget(changedOperations, ({ changed }) => changed);
  const hostsOf = (host: string) => [host, ...templates];

  return (candidate, decision, isOpen) => {
    if (zone.operations === undefined) return [];
    const request = readRequest(candidate.request, zone.normalization);
    const { host, method, path } = request;
    const own = candidate.zoneClass?.operation;
    const segments = normalizePath(path).split("/").slice(1);
    const isMatching = (operation: ReadOperation) =>
      operation.method === method && isHost(operation.host, host) && matches(operation.segments, segments);
    const ofZone = hostsOf(host)
      .flatMap((name) => near(method, name, segments))
      .filter(isMatching);

    const isNoticed = ({ original, changed }: OperationMutant): boolean => {
      const others = ofZone.filter((other) => other !== original);
      const matching = changed !== undefined && isMatching(changed) ? [...others, changed] : others;
      // Which of several operations counts is up to the router.
      const found = matching.length > 1 ? findRoute(routerFor(matching), host, method, path) : matching[0];
      const rules = found === undefined ? [] : rulesOf(host, found);
      return !isSameRuleDecision(evaluator.decide(rules, candidate), decision);
    };

    const ofOthers = hostsOf(host)
      .flatMap((name) => changedNear(method, name, segments))
      .filter(({ mutant, original }) => original !== own && isOpen(mutant));
    const ofOwn = own === undefined ? [] : (byOperation.get(own) ?? []);
    return [...ofOwn.filter(({ mutant }) => isOpen(mutant)), ...ofOthers]
      .filter(isNoticed)
      .map(({ mutant }) => mutant);
  };
}

/**
 * Creates a function that finds what has an operation whose method, host and path template are those of a request: those
 * without variables first.
 */
function indexByTarget<Item>(
  list: readonly Item[],
  operationOf: (item: Item) => ReadOperation | undefined,
): (method: string, host: string, path: readonly string[]) => readonly Item[] {
  const lists = new Map<string, { readonly segments: readonly Segment[]; readonly item: Item }[]>();
  for (const item of list) {
    const operation = operationOf(item);
    if (operation !== undefined)
      addTo(lists, targetKey(operation.method, operation.host), { segments: operation.segments, item });
  }
  const indexes = new Map([...lists].map(([key, entries]) => [key, indexTemplates(entries)]));
  const hasVariable = (item: Item) => operationOf(item)?.segments.includes(variable) === true;
  return (method, host, path) => {
    const entries = indexes.get(targetKey(method, host))?.overlapping(path) ?? [];
    const found = entries.map(({ item }) => item);
    return [...found.filter((item) => !hasVariable(item)), ...found.filter(hasVariable)];
  };
}

function routerFor(operations: readonly ReadOperation[]) {
  return createRouter(operations.map((operation) => ({ ...operation, value: operation })));
}

/** Creates a function that finds the rules that cover requests to an operation at a host. */
function createRuleFinder({
  rules,
}: ReadZone): (host: string, operation: ReadOperation) => readonly ReadRule[] {
  const byHosts = new Map<string, readonly ReadRule[]>();
  return (host, operation) => {
    const key = targetKey(host, operation.host);
    const own =
      byHosts.get(key) ?? rules.filter(({ hosts }) => hosts.includes(host) || hosts.includes(operation.host));
    byHosts.set(key, own);
    const hostClass = createHostClass(host, [operation.host]);
    return own.filter((rule) => coversOperation(rule, hostClass, operation));
  };
}

function targetKey(method: string, host: string): string {
  return `${method} ${host}`;
}

function isHost(pattern: string, host: string): boolean {
  return pattern === host || (isHostTemplate(pattern) && matchesHost(pattern, host));
}

function matches(template: readonly Segment[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false;
  return template.every((segment, i) => (segment === variable ? path[i] !== "" : segment === path[i]));
}

function createConfigTester(
  { zone, evaluatorOf }: TestedZone,
  mutants: readonly Mutant[],
): PartTester<TestedRequest> {
  const prepared = mutants.flatMap((mutant) => {
    if (mutant.change.part !== "config") return [];
    const id = zone.configs[mutant.change.index]?.id;
    let evaluator: Evaluator | undefined;
    const changed = mutant.change;
    return [{ mutant, id, evaluator: () => (evaluator ??= evaluatorOf(applyChange(zone, changed).configs)) }];
  });
  const configsOf = new WeakMap<ZoneClass, ReadonlySet<string>>();
  const referenced = (zoneClass: ZoneClass): ReadonlySet<string> => {
    const known = configsOf.get(zoneClass) ?? referencedBy(zoneClass.rules);
    configsOf.set(zoneClass, known);
    return known;
  };
  return ({ candidate, nowMs }, decision, isOpen) => {
    const { zoneClass, request, tokens } = candidate;
    if (zoneClass === undefined) return [];
    const ids = referenced(zoneClass);
    return prepared
      .filter(({ mutant, id, evaluator }) => {
        if (id === undefined || !ids.has(id) || !isOpen(mutant)) return false;
        const changed = evaluator();
        const again = changed.start(request, tokens, zoneClass, nowMs);
        return !isSameRuleDecision(changed.decide(zoneClass.rules, again), decision);
      })
      .map(({ mutant }) => mutant);
  };
}

function referencedBy(rules: readonly ReadRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap(({ expression }) => references(expression).map(({ id }) => id)));
}
