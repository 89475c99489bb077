/**
 * Tests mutants of zones with custom rules, whose decision depends on both kinds of rules. For a change of an expression or a
 * list, only the changed leaves are evaluated, and the rules are run again where a value differs; for others, the zone with
 * the change is compiled.
 */

import { compileLeafTest, type Evaluate } from "../../expression/compile.ts";
import { createPlainProgram, withLists } from "../../expression/compile-value.ts";
import type { Expression, Test } from "../../expression/tree.ts";
import { leavesOf, listsOf } from "../../expression/tree-queries.ts";
import { type Truth, truthOf } from "../../expression/truth.ts";
import { valueAtStep } from "../../rulesets/evaluate-rulesets.ts";
import { createProgram } from "../../rulesets/program.ts";
import { type Decision, decisionOf, meetsExpectation } from "../../verdict/decision.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import type { RepeatableEvaluation } from "../../zone/zone.ts";
import type { ReadCustomRules, ReadZone } from "../../zone/zone-input.ts";
import { applyChange } from "./change.ts";
import type { Mutant } from "./mutant.ts";

/** Compiles a zone to a function that evaluates requests; undefined for one that it cannot evaluate. */
export type CompileZone<Request> = (zone: ReadZone) => (request: Request) => RepeatableEvaluation | undefined;

/** A request with its evaluation, of which only what is asked for is computed. */
export interface ZoneCandidate<Request> {
  readonly request: Request;
  readonly verdict: Verdict;
  /** The expected decision; without `custom`, any effect of custom rules is expected. */
  readonly decision: Decision;
  readonly evaluation: RepeatableEvaluation;
  /** The values of the zone's own leaves. */
  readonly leaves: Map<Test, Truth>;
  /** Whether the decision is another one, by the values of steps. */
  readonly outcomes: Map<string, boolean>;
}

/** Tests mutants with requests. */
export interface ZoneTester<Request> {
  /** Evaluates a request; undefined when the zone cannot. */
  start(request: Request): ZoneCandidate<Request> | undefined;
  /** Whether the decision of a mutant is another one. An undecided request expects nothing. */
  isNoticed(mutant: Mutant, candidate: ZoneCandidate<Request>): boolean;
  /** The value of an expression of custom rules. */
  truthOf(expression: Expression, candidate: ZoneCandidate<Request>): Truth;
  /** Whether the value of an expression changes with that of one of its leaves. */
  isDecisive(leaf: Test, expression: Expression, candidate: ZoneCandidate<Request>): boolean;
}

/** Creates a tester of the mutants of a zone. */
export function createZoneTester<Request>(
  zone: ReadZone,
  compileZone: CompileZone<Request>,
): ZoneTester<Request> {
  const evaluate = compileZone(zone);
  const custom = zone.custom ?? noCustomRules;
  const { steps } = createProgram(custom.rulesets);
  const own = new Set(steps.flatMap(({ expression }) => (expression ? leavesOf(expression.tree) : [])));
  const compile = createCompiler(custom.program);
  let lastList: { readonly change: Mutant["change"]; readonly compile: (leaf: Test) => Evaluate } | undefined;
  let last: { readonly mutant: Mutant; readonly evaluate: ReturnType<typeof compileZone> } | undefined;

  function leafValue(leaf: Test, { leaves, evaluation }: ZoneCandidate<Request>): Truth {
    if (leaves.has(leaf)) return leaves.get(leaf);
    const value = evaluation.read(compile(leaf));
    if (own.has(leaf)) leaves.set(leaf, value);
    return value;
  }

  const truthAt = (expression: Expression, candidate: ZoneCandidate<Request>) =>
    truthOf(expression, (leaf) => leafValue(leaf, candidate));
  const valueAt = (at: number, expression: Expression, candidate: ZoneCandidate<Request>) => {
    const step = steps[at];
    return step && valueAtStep(step, truthAt(expression, candidate));
  };

  /** The changed values of steps; undefined when the mutant changes something else. */
  function changedValues(
    { change }: Mutant,
    candidate: ZoneCandidate<Request>,
  ): Map<number, Truth> | undefined {
    const values = new Map<number, Truth>();
    if (change.part === "list") {
      const compileChanged = compilerOf(change);
      const valueOfLeaf = (leaf: Test) =>
        listsOf(leaf).includes(change.name)
          ? candidate.evaluation.read(compileChanged(leaf))
          : leafValue(leaf, candidate);
      for (const at of stepsWithList(change.name))
        setChanged(values, candidate, at, truthOf(treeAt(at), valueOfLeaf));
      return values;
    }
    if (change.part !== "custom rule" || change.edit !== "replace" || change.tree === undefined)
      return undefined;
    const { leaf, tree, rule } = change;
    if (leaf !== undefined && leafValue(leaf.before, candidate) === truthAt(leaf.after, candidate))
      return values;
    const value = truthAt(tree, candidate);
    for (const at of stepsOfRule(rule)) setChanged(values, candidate, at, value);
    return values;
  }

  const treeAt = (at: number) => steps[at]?.expression?.tree as Expression;
  const stepsWithList = memoize((name: string) =>
    [...steps.keys()].filter((at) => listsOf(treeAt(at) ?? never).includes(name)),
  );
  const stepsOfRule = memoize((rule: unknown) => [...steps.keys()].filter((at) => steps[at]?.rule === rule));
  /** The compiler of the last list only: lists can be long. */
  function compilerOf(change: Extract<Mutant["change"], { part: "list" }>): (leaf: Test) => Evaluate {
    if (lastList?.change !== change) {
      const lists = new Map(custom.program.lists).set(change.name, change.changed());
      lastList = { change, compile: createCompiler(withLists(custom.program, lists)) };
    }
    return lastList.compile;
  }

  function setChanged(
    values: Map<number, Truth>,
    candidate: ZoneCandidate<Request>,
    at: number,
    changed: Truth,
  ): void {
    const step = steps[at];
    if (step === undefined) return;
    const value = valueAtStep(step, changed);
    if (value !== valueAt(at, treeAt(at), candidate)) values.set(at, value);
  }

  function evaluateMutant(mutant: Mutant, request: Request): RepeatableEvaluation | undefined {
    if (last?.mutant !== mutant) last = { mutant, evaluate: compileZone(applyChange(zone, mutant.change)) };
    return last.evaluate(request);
  }

  return {
    start: (request) => {
      const evaluation = evaluate(request);
      return evaluation && createCandidate(request, evaluation);
    },
    isNoticed: (mutant, candidate) => {
      const values = changedValues(mutant, candidate);
      if (values?.size === 0) return false;
      const { decision, evaluation, outcomes, request } = candidate;
      if (decision.action === "undecided") return false;
      const isOther = (changed: Verdict | undefined) =>
        changed !== undefined && !meetsExpectation(decision, decisionOf(changed));
      if (values === undefined) return isOther(evaluateMutant(mutant, request)?.verdict());
      const key = [...values].join(" ");
      const found = outcomes.get(key) ?? isOther(evaluation.verdict(values));
      outcomes.set(key, found);
      return found;
    },
    truthOf: truthAt,
    isDecisive: (leaf, expression, candidate) => {
      const valueWith = (value: Truth) =>
        truthOf(expression, (other) => (other === leaf ? value : leafValue(other, candidate)));
      return valueWith(true) !== valueWith(false);
    },
  };
}

function createCandidate<Request>(
  request: Request,
  evaluation: RepeatableEvaluation,
): ZoneCandidate<Request> {
  let verdict: Verdict | undefined;
  let decision: Decision | undefined;
  return {
    request,
    evaluation,
    leaves: new Map(),
    outcomes: new Map(),
    get verdict() {
      verdict ??= evaluation.verdict();
      return verdict;
    },
    get decision() {
      decision ??= decisionOf(this.verdict);
      return decision;
    },
  };
}

const never: Expression = { kind: "constant", value: false, isArray: false, span: { start: 0, end: 0 } };

/** Custom rules of a zone without any. */
const noCustomRules: ReadCustomRules = {
  rulesets: { entries: {}, executable: new Map(), others: [] },
  program: createPlainProgram(),
};

/** Compiles each leaf once. */
function createCompiler(program: ReadCustomRules["program"]): (leaf: Test) => Evaluate {
  const known = new WeakMap<Test, Evaluate>();
  return (leaf) => {
    const test = known.get(leaf) ?? compileLeafTest(program, leaf);
    known.set(leaf, test);
    return test;
  };
}

function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key) as Value;
  };
}
