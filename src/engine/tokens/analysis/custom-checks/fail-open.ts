/**
 * Rules that let requests without a valid token pass: a comparison with a missing claim is false, so that a rule which
 * blocks does not act where its `ne` is about a claim, and a rule which skips acts where its `not` is.
 */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { pointer, quote } from "../../../../errors.ts";
import { replaceSpan } from "../../expression/custom/notes.ts";
import type { CustomExpression, CustomNegation, CustomTest } from "../../expression/custom/tree.ts";
import { configReferences, leavesOf } from "../../expression/custom/tree-queries.ts";
import type { Span } from "../../expression/syntax-error.ts";
import { skipEffect } from "../../rulesets/skip-targets.ts";
import type { AnalysisCheck } from "../findings/checks.ts";
import { alwaysFalse, type DecisionDiagram } from "../requests/decision-diagram.ts";
import { type CustomAnalysis, type CustomStep, ruleFinding } from "./analysis.ts";
import { requiresToken } from "./requires-token.ts";
import { withoutClaims } from "./without-claims.ts";

/** A test in an expression, and whether it is negated. */
interface PlacedTest {
  readonly leaf: CustomTest;
  readonly isNegated: boolean;
  /** The negation that has the test as its operand. */
  readonly negation: CustomNegation | undefined;
}

/** The findings about a rule at one of its places: at most one for each configuration. */
export function failOpenFindings(analysis: CustomAnalysis, at: number): Diagnostic<AnalysisCheck>[] {
  const step = analysis.program.steps[at] as CustomStep;
  const { expression, enabled, ends, rule } = step;
  const isSkip = rule.action === "skip";
  if (expression === undefined || !enabled || (ends === undefined && !isSkip)) return [];
  const tests = testsOf(expression.tree).filter(({ leaf, isNegated }) =>
    isSkip ? isNegated : !isNegated && comparesUnequal(leaf),
  );
  const { configurations } = analysis.custom.program;
  const configs = new Set(tests.flatMap(({ leaf }) => configReferences(leaf).map(({ id }) => id)));
  return [...configs].flatMap((config) => {
    const own = tests.filter(({ leaf }) => withoutClaims(leaf, config) === false);
    const deciding = configurations.has(config) ? decidingTests(analysis, at, config, own) : [];
    return deciding.length === 0 ? [] : [describe(analysis, step, config, deciding)];
  });
}

function testsOf(tree: CustomExpression, isNegated = false, negation?: CustomNegation): PlacedTest[] {
  if (tree.kind === "not") return testsOf(tree.operand, !isNegated, tree);
  if (tree.kind !== "combination") return [{ leaf: tree, isNegated, negation }];
  return tree.operands.flatMap((operand) => testsOf(operand, isNegated));
}

/** Whether a test is `ne`, or `any` of it. */
function comparesUnequal(leaf: CustomTest): boolean {
  if (leaf.kind === "quantified")
    return leaf.quantifier === "any" && leavesOf(leaf.operand).every(comparesUnequal);
  return leaf.kind === "comparison" && leaf.operator === "ne";
}

/** The fewest tests that let the same requests pass; empty when there is no such request. */
function decidingTests(
  analysis: CustomAnalysis,
  at: number,
  config: string,
  tests: readonly PlacedTest[],
): readonly PlacedTest[] {
  const all = tests.length === 0 ? alwaysFalse : passing(analysis, at, config, tests);
  if (all === alwaysFalse) return [];
  return tests.reduce<readonly PlacedTest[]>((kept, one) => {
    const others = kept.filter((other) => other !== one);
    return others.length > 0 && passing(analysis, at, config, others) === all ? others : kept;
  }, tests);
}

/** The requests without the token that pass all rules, and would not if a missing claim counted as different. */
function passing(
  analysis: CustomAnalysis,
  at: number,
  config: string,
  tests: readonly PlacedTest[],
): DecisionDiagram {
  const { conditions, program, matches, run } = analysis;
  const { combine, not } = conditions.diagrams;
  const step = program.steps[at] as CustomStep;
  const { steps, passes } = run(config);
  const both = (...all: readonly DecisionDiagram[]) =>
    all.reduce((left, right) => combine("and", left, right));
  const actual = matches(step, { without: config });
  const other = matches(step, { without: config, except: tests.map(({ leaf }) => leaf) });
  const reached = both(steps[at]?.reached ?? alwaysFalse, passes);
  if (step.ends === "challenge") return both(reached, other, not(actual), not(analysis.challengePassed));
  if (step.rule.action !== "skip") return both(reached, other, not(actual));
  const skipped = both(reached, actual, not(other));
  const ended = skippedSteps(analysis, at).map((one) => matches(one, { without: config }));
  return both(
    skipped,
    ended.reduce((left, right) => combine("or", left, right), alwaysFalse),
  );
}

/** The steps that the `skip` at a step skips, and that could end the evaluation. */
function skippedSteps({ program }: CustomAnalysis, at: number): readonly CustomStep[] {
  const { to, steps } = skipEffect(program, at);
  const skipped = [...program.steps.slice(at + 1, to), ...steps.flatMap((one) => program.steps[one] ?? [])];
  return skipped.filter(({ enabled, ends }) => enabled && ends !== undefined);
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
          help: `Write ${corrections.map((one) => `\`${one.text}\``).join(" and ")}.`,
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

/** `not (... eq ...)` in place of `ne`, or the other way round where the rule skips. */
function correct(text: string, { leaf, isNegated, negation }: PlacedTest): Correction | undefined {
  if (leaf.kind !== "comparison" || !("span" in leaf.right)) return undefined;
  const { left, right, operator, span } = leaf;
  const [first, last] = [cut(text, left.span), cut(text, right.span)];
  if (!isNegated && operator === "ne") return { span, text: `not (${first} eq ${last})` };
  if (negation === undefined || operator !== "eq") return undefined;
  return { span: negation.span, text: `${first} ne ${last}` };
}

/** From the last part to the first, so that the places of those before stay. */
function replaceAll(text: string, corrections: readonly Correction[]): string {
  return corrections.reduceRight((done, { span, text: part }) => replaceSpan(done, span, part), text);
}
