/**
 * Rules that let requests without a valid token pass: a comparison with a missing claim is false. So a rule that blocks
 * other claims (`ne`) or lower ones (`lt`, `le`) does not act, and a rule that skips acts where its `not` is about a
 * claim. A rule that blocks some claims (`eq`, `in`) or higher ones (`gt`, `ge`) is a deny list, and is meant to.
 */

import type { Diagnostic } from "../../../../../core/diagnostic.ts";
import { pointer, quote } from "../../../../../errors.ts";
import { replaceSpan } from "../../../expression/notes.ts";
import type { Span } from "../../../expression/syntax-error.ts";
import type { Comparison, Expression, Negation, Test } from "../../../expression/tree.ts";
import { configReferences, isValue } from "../../../expression/tree-queries.ts";
import { skipEffect } from "../../../rulesets/skip-targets.ts";
import type { DecisionDiagram } from "../../requests/decision-diagram.ts";
import type { AnalysisCheck } from "../checks.ts";
import { type CustomAnalysis, type CustomStep, ruleFinding } from "./analysis.ts";
import { requiresToken } from "./requires-token.ts";
import { isMissing, withoutClaims } from "./without-claims.ts";

/** A test in an expression, and whether it is negated. */
interface PlacedTest {
  readonly leaf: Test;
  readonly isNegated: boolean;
  /** The negation that has the test as its operand. */
  readonly negation: Negation | undefined;
}

/** The findings about a rule at one of its places: at most one for each configuration. */
export function failOpenFindings(analysis: CustomAnalysis, at: number): Diagnostic<AnalysisCheck>[] {
  const step = analysis.program.steps[at] as CustomStep;
  const { expression, enabled, ends, rule } = step;
  const isSkip = rule.action === "skip";
  if (expression === undefined || !enabled || (ends === undefined && !isSkip)) return [];
  const tests = testsOf(expression.tree).filter(({ isNegated }) => isNegated === isSkip);
  const { configurations } = analysis.custom.program;
  const configs = new Set(tests.flatMap(({ leaf }) => configReferences(leaf).map(({ id }) => id)));
  return [...configs].flatMap((config) => {
    const own = tests.filter(
      ({ leaf }) => withoutClaims(leaf, config) === false && (isSkip || demandsClaim(leaf, config)),
    );
    const deciding = configurations.has(config) ? decidingTests(analysis, at, config, own) : [];
    return deciding.length === 0 ? [] : [describe(analysis, step, config, deciding)];
  });
}

function testsOf(tree: Expression, isNegated = false, negation?: Negation): PlacedTest[] {
  if (tree.kind === "not") return testsOf(tree.operand, !isNegated, tree);
  if (tree.kind !== "combination") return [{ leaf: tree, isNegated, negation }];
  return tree.operands.flatMap((operand) => testsOf(operand, isNegated));
}

/** The operators that are true of other or lower claims, by the side of the claim; negated, all others are. */
const demanding: Readonly<Record<"left" | "right", readonly Comparison["operator"][]>> = {
  left: ["ne", "lt", "le"],
  right: ["ne", "gt", "ge"],
};

/** Whether a test, or `any` of it, is true of all claims but some, or of those below a minimum. */
function demandsClaim(leaf: Test, config: string): boolean {
  if (leaf.kind === "quantified" && leaf.quantifier === "all") return false;
  const parts = leaf.kind === "quantified" ? testsOf(leaf.operand) : [{ leaf, isNegated: false }];
  const demands = parts.flatMap((part) => demandsOf(part, config));
  return demands.length > 0 && !demands.includes(false);
}

/** Whether a test is true of such claims, for each of its sides that is a claim. */
function demandsOf(
  { leaf, isNegated }: Pick<PlacedTest, "leaf" | "isNegated">,
  config: string,
): readonly boolean[] {
  if (leaf.kind === "test") return isMissing(leaf.value, config) ? [isNegated] : [];
  if (leaf.kind !== "comparison") return [];
  const { left, right, operator } = leaf;
  const sides = [
    ["left", left],
    ["right", right],
  ] as const;
  return sides.flatMap(([side, value]) =>
    isValue(value) && isMissing(value, config) ? [demanding[side].includes(operator) !== isNegated] : [],
  );
}

/** The fewest tests that let the same requests pass; empty when there is no such request. */
function decidingTests(
  analysis: CustomAnalysis,
  at: number,
  config: string,
  tests: readonly PlacedTest[],
): readonly PlacedTest[] {
  const { all, not } = analysis;
  if (tests.length === 0) return [];
  const otherwise = (kept: readonly PlacedTest[]) => differing(analysis, at, config, kept);
  const whole = otherwise(tests);
  if (!isPassing(analysis, at, config, whole)) return [];
  return tests.reduce<readonly PlacedTest[]>((kept, test) => {
    const others = kept.filter((other) => other !== test);
    if (others.length === 0) return kept;
    return isPassing(analysis, at, config, all(whole, not(otherwise(others)))) ? kept : others;
  }, tests);
}

/** The requests without the token for which the rule would act, or skip, if a missing claim counted as different. */
function differing(
  { program, matches, all, not, unlessPassed }: CustomAnalysis,
  at: number,
  config: string,
  tests: readonly PlacedTest[],
): DecisionDiagram {
  const actual = matches(at, { without: config });
  const other = matches(at, { without: config, except: tests.map(({ leaf }) => leaf) });
  const isSkip = program.steps[at]?.rule.action === "skip";
  return isSkip ? all(actual, not(other)) : all(other, not(actual), unlessPassed(at));
}

/** Whether some of these requests pass all rules: those that a rule skips, where it skips rules that would end them. */
function isPassing(
  analysis: CustomAnalysis,
  at: number,
  config: string,
  differing: DecisionDiagram,
): boolean {
  const { all, any, matches, unlessPassed, program, reach } = analysis;
  if (program.steps[at]?.rule.action !== "skip")
    return reach(at, differing, { without: config, toEnd: true }).assignment !== undefined;
  const ended = skippedSteps(analysis, at).map((skippedAt) =>
    all(matches(skippedAt, { without: config }), unlessPassed(skippedAt)),
  );
  return reach(at, all(differing, any(...ended)), { without: config, toEnd: true }).assignment !== undefined;
}

/** The steps that the `skip` at a step skips, and that could end the evaluation. */
function skippedSteps({ program }: CustomAnalysis, at: number): readonly number[] {
  const { to, steps } = skipEffect(program, at);
  return [...program.steps.keys()].filter((position) => {
    const step = program.steps[position];
    return (
      step?.enabled &&
      step.ends !== undefined &&
      ((position > at && position < to) || steps.includes(position))
    );
  });
}

function describe(
  analysis: CustomAnalysis,
  step: CustomStep,
  config: string,
  tests: readonly PlacedTest[],
): Diagnostic<AnalysisCheck> {
  const text = step.expression?.text ?? "";
  const corrections = tests.flatMap((test) => correct(text, test) ?? []);
  const related = relatedRules(analysis, config);
  const isSkip = step.rule.action === "skip";
  const parts = tests.map(({ leaf, negation }) =>
    quote(cut(text, (isSkip && negation ? negation : leaf).span)),
  );
  const subject = `${parts.join(" and ")} ${parts.length === 1 ? "is" : "are"} ${isSkip ? "true" : "false"}`;
  const consequence = isSkip
    ? "skips rules that would end the evaluation of such requests"
    : "lets such requests pass";
  const message = `${subject} without a valid token of ${quote(config)}, so the rule ${consequence}.`;
  return ruleFinding("fail-open", step, message, {
    member: "expression",
    ...(tests[0] && { span: tests[0].leaf.span }),
    ...(corrections.length === tests.length
      ? {
          help: `Write ${corrections.map((correction) => `\`${correction.text}\``).join(" and ")}.`,
          fix: [{ op: "replace", path: `${step.at}/expression`, value: replaceAll(text, corrections) }],
        }
      : { help: "Add a test that says what a missing claim means." }),
    ...(related.length > 0 && { related }),
  });
}

/** The token rules that block such requests, on the operations that they cover. */
function relatedRules({ zone }: CustomAnalysis, config: string) {
  const message = "This token rule blocks such requests to the operations that it covers.";
  return zone.rules.flatMap((rule, i) =>
    requiresToken(rule, config) ? [{ pointer: pointer("rules", i), message }] : [],
  );
}

const cut = (text: string, { start, end }: Span) => text.slice(start, end);

/** A part of an expression, and what replaces it. */
interface Correction {
  readonly span: Span;
  readonly text: string;
}

/** The operator that is true of two values exactly when another one is false. */
const opposites: Readonly<Partial<Record<Comparison["operator"], Comparison["operator"]>>> = {
  eq: "ne",
  ne: "eq",
  lt: "ge",
  ge: "lt",
  le: "gt",
  gt: "le",
};

/** `not (... eq ...)` in place of `ne`, or the other way round where the rule skips; so of the order. */
function correct(text: string, { leaf, isNegated, negation }: PlacedTest): Correction | undefined {
  if (leaf.kind !== "comparison" || !("span" in leaf.right)) return undefined;
  const { left, right, operator, span } = leaf;
  const opposite = opposites[operator];
  if (opposite === undefined) return undefined;
  const comparison = `${cut(text, left.span)} ${opposite} ${cut(text, right.span)}`;
  if (!isNegated) return { span, text: `not (${comparison})` };
  return negation && { span: negation.span, text: comparison };
}

/** From the last part to the first, so that the places of those before stay. */
function replaceAll(text: string, corrections: readonly Correction[]): string {
  return corrections.reduceRight((done, { span, text: part }) => replaceSpan(done, span, part), text);
}
