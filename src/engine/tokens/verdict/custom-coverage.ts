/** Coverage of custom rules: their results, and the parts of their expressions that decided. */

import { printCustomExpression } from "../expression/custom/print.ts";
import type { CustomExpression, CustomTest } from "../expression/custom/tree.ts";
import { leavesOf } from "../expression/custom/tree-queries.ts";
import { createProgram } from "../rulesets/program.ts";
import { type StepResult, stepResults } from "../rulesets/run.ts";
import type { ReadCustomRules } from "../zone/zone-input.ts";
import { customLeafValues } from "./lazy-verdict.ts";
import { decide } from "./trace.ts";
import type { PlainVerdict } from "./verdict.ts";

/** How often a part of an expression decided, by value. */
export interface AtomCoverage {
  /** In canonical spelling. */
  readonly text: string;
  /** Number of decisions in which it was true. */
  readonly true: number;
  /** Number of decisions in which it was false. */
  readonly false: number;
}

/** The results of a custom rule: the number of verdicts for each. */
export interface CustomRuleCoverage extends Readonly<Record<StepResult, number>> {
  /** Id of the ruleset. */
  readonly ruleset: string;
  /** Id of the rule. */
  readonly id: string;
  /** For people. */
  readonly description?: string;
  /** Whether the rule is evaluated at all. */
  readonly enabled: boolean;
  /** The parts of its expression, each once; `any` and `all` are one part. */
  readonly atoms: readonly AtomCoverage[];
}

/** The counts of the custom rules of a zone. */
export interface CustomCounts {
  add(verdict: PlainVerdict): void;
  /** One entry per rule that can be evaluated, in order; a ruleset that several rules execute has its rules once. */
  report(): CustomRuleCoverage[];
}

interface CountedRule {
  readonly facts: Pick<CustomRuleCoverage, "ruleset" | "id" | "description" | "enabled">;
  readonly tree: CustomExpression | undefined;
  readonly leaves: readonly CustomTest[];
  readonly results: Record<StepResult, number>;
  readonly atoms: ReadonlyMap<string, { true: number; false: number }>;
  readonly textOf: ReadonlyMap<CustomTest, string>;
}

/** Starts to count. */
export function createCustomCounts(custom: ReadCustomRules | undefined): CustomCounts {
  const rules = new Map<string, Map<string, CountedRule>>();
  for (const { ruleset, rule, enabled, expression } of custom ? createProgram(custom.rulesets).steps : []) {
    const { id, description } = rule;
    const named = description === undefined ? {} : { description };
    const ofRuleset = rules.get(ruleset.id) ?? new Map<string, CountedRule>();
    rules.set(ruleset.id, ofRuleset);
    if (!ofRuleset.has(id))
      ofRuleset.set(id, startRule({ ruleset: ruleset.id, id, ...named, enabled }, expression?.tree));
  }
  return {
    add: (verdict) => {
      for (const { ruleset, rule, result } of verdict.custom?.rules ?? []) {
        const counted = rules.get(ruleset)?.get(rule);
        if (counted !== undefined) counted.results[result]++;
      }
      for (const { ruleset, rule, values } of customLeafValues(verdict)) {
        const counted = rules.get(ruleset)?.get(rule);
        if (counted !== undefined) addLeaves(counted, values);
      }
    },
    report: () =>
      [...rules.values()].flatMap((ofRuleset) =>
        Array.from(ofRuleset.values(), ({ facts, results, atoms }) => ({
          ...facts,
          ...results,
          atoms: Array.from(atoms, ([text, counts]) => ({ text, ...counts })),
        })),
      ),
  };
}

function startRule(facts: CountedRule["facts"], tree: CustomExpression | undefined): CountedRule {
  const leaves = tree === undefined ? [] : leavesOf(tree);
  // A constant cannot have another value.
  const counted = leaves.filter(({ kind }) => kind !== "constant");
  const textOf = new Map(counted.map((leaf) => [leaf, printCustomExpression(leaf)]));
  const atoms = new Map(Array.from(textOf.values(), (text) => [text, { true: 0, false: 0 }]));
  const results = Object.fromEntries(stepResults.map((result) => [result, 0])) as CountedRule["results"];
  return { facts, tree, leaves, results, atoms, textOf };
}

function addLeaves({ tree, leaves, atoms, textOf }: CountedRule, values: readonly (boolean | undefined)[]) {
  // A verdict on another zone.
  if (tree === undefined || values.length !== leaves.length) return;
  const valueAt = new Map(leaves.map((leaf, i) => [leaf, values[i]]));
  const { by } = decide<CustomTest, CustomTest>(tree, (leaf) => ({ value: valueAt.get(leaf), by: [leaf] }));
  // A part that a rule has twice decides once.
  for (const [text, value] of new Map(by.map((leaf) => [textOf.get(leaf), valueAt.get(leaf)]))) {
    const counts = text === undefined ? undefined : atoms.get(text);
    if (counts !== undefined && value !== undefined) counts[value ? "true" : "false"]++;
  }
}

/** A rule with its counts, for people. */
export function describeCustom(rule: CustomRuleCoverage): string {
  const results = Object.fromEntries(stepResults.map((result) => [result, rule[result]]));
  return `${nameOfCustom(rule)}: ${printCounts(results)}`;
}

/** The counts that are not zero. */
export function printCounts(counts: Readonly<Record<string, number>>): string {
  const seen = Object.entries(counts).filter(([, times]) => times > 0);
  return seen.map(([name, times]) => `${name} ${times}`).join(", ") || "nothing";
}

function nameOfCustom({ ruleset, id, description }: CustomRuleCoverage): string {
  return `custom rule ${id} of ruleset ${ruleset}${description ? ` (${description})` : ""}`;
}

/** The parts that no request exercised, a sentence each. */
export function missingOfCustom(rule: CustomRuleCoverage): string[] {
  const { matched, not_matched, undecided, atoms } = rule;
  const name = nameOfCustom(rule);
  if (matched + not_matched === 0)
    return [`${name} was ${undecided > 0 ? "only undecided" : "never evaluated"}`];
  return [
    ...(matched > 0 ? [] : [`${name} never matched`]),
    ...(not_matched > 0 ? [] : [`${name} matched every request`]),
    ...missingOfAtoms(name, atoms),
  ];
}

/** The values with which no part decided, a sentence each. */
export function missingOfAtoms(rule: string, atoms: readonly AtomCoverage[]): string[] {
  return atoms.flatMap((atom) =>
    ([true, false] as const).flatMap((value) =>
      atom[`${value}`] > 0 ? [] : [`${rule}: ${atom.text} was never decisive as ${value}`],
    ),
  );
}
