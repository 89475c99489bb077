/** Findings in a single expression: parts that are constant, and parts that have no effect. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { quote } from "../../../../errors.ts";
import type { EvaluatedKind } from "../../expression/language/rule-kinds.ts";
import { printedTree } from "../../expression/printer.ts";
import type { Combination, Expression, Value } from "../../expression/tree.ts";
import { leavesOf } from "../../expression/tree-queries.ts";
import {
  alwaysFalse,
  alwaysTrue,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";
import type { AnalysisCheck } from "./checks.ts";

/** A finding before its pointer is known. */
export type ExpressionCheck = Pick<Diagnostic<AnalysisCheck>, "rule" | "message" | "span">;

/** Requests that meet the same assumptions, and the functions of them that expressions are. */
export interface ExpressionGroup {
  readonly where: (expression: Expression) => DecisionDiagram;
  readonly diagrams: DiagramManager;
  /** Whether no request makes a function true. */
  readonly isNever: (diagram: DecisionDiagram) => boolean;
  /** The parts that the analysis does not look into, in printed form. */
  readonly undecided: readonly string[];
}

type Groups = readonly ExpressionGroup[];

/** The checks of a kind of rules, and how their messages say what follows. */
interface Wording {
  readonly true: readonly [check: AnalysisCheck, consequence: string];
  readonly false: readonly [check: AnalysisCheck, consequence: string];
  readonly part: AnalysisCheck;
  readonly notAnalyzed: AnalysisCheck;
  readonly requests: string;
}

const wordings: Readonly<Record<EvaluatedKind, Wording>> = {
  token: {
    true: ["always-true", ", so the rule never acts."],
    false: ["always-false", ", so the rule acts on all of them."],
    part: "constant-part",
    notAnalyzed: "not-analyzed",
    requests: "every request that the rule covers",
  },
  custom: {
    true: ["always-matches", "."],
    false: ["never-matches", ", so the rule never acts."],
    part: "constant-comparison",
    notAnalyzed: "not-analyzed",
    requests: "every request",
  },
};

/** All findings in an expression over the requests of some groups. */
export function expressionFindings(
  expression: Expression,
  groups: Groups,
  kind: EvaluatedKind,
): ExpressionCheck[] {
  const wording = wordings[kind];
  const value = constantValue(groups, expression);
  const parts = [
    ...constantParts(groups, expression, wording),
    ...missingValues(expression),
    ...undecidedTests(groups, wording),
  ];
  const combinations = combinationsOf(expression);
  const duplicates = combinations.flatMap(duplicateOperands);
  if (value !== undefined) {
    const [rule, consequence] = wording[`${value}`];
    const constant = { rule, message: `The expression is ${value} for ${wording.requests}${consequence}` };
    return [constant, ...parts, ...duplicates];
  }
  const redundant = combinations.flatMap((combination) => redundantOperands(groups, combination));
  return [...parts, ...duplicates, ...redundant];
}

/** The value that the expression has for all requests; undefined when it is not constant. */
function constantValue(groups: Groups, expression: Expression): boolean | undefined {
  const hasNever = (value: boolean) =>
    groups.every(({ where, diagrams, isNever }) => {
      const diagram = where(expression);
      return isNever(value ? diagram : diagrams.not(diagram));
    });
  if (hasNever(true)) return false;
  return hasNever(false) ? true : undefined;
}

/** Constant leaves; an expression that is a single leaf is not a part of itself. */
function constantParts(groups: Groups, expression: Expression, wording: Wording): ExpressionCheck[] {
  const parts = new Map(leavesOf(expression).map((leaf) => [printedTree(leaf), leaf]));
  return [...parts].flatMap(([printed, leaf]): ExpressionCheck[] => {
    const value = leaf === expression ? undefined : constantValue(groups, leaf);
    if (value === undefined) return [];
    const message = `${quote(printed)} is ${value} for ${wording.requests}.`;
    return [{ rule: wording.part, message, span: leaf.span }];
  });
}

/** Comparisons that ask that a value is not there, and that hold or fail when there is no value at all (`observed`). */
function missingValues(expression: Expression, isNegated = false): ExpressionCheck[] {
  if (expression.kind === "not") return missingValues(expression.operand, !isNegated);
  if (expression.kind === "combination")
    return expression.operands.flatMap((operand) => missingValues(operand, isNegated));
  if (expression.kind !== "comparison" || !canBeMissing(expression.left)) return [];
  const { operator, span } = expression;
  const printed = quote(printedTree(expression));
  if (operator === "ne")
    return [{ rule: "missing-value", message: `${printed} is false when the value is missing, too.`, span }];
  if (!isNegated || (operator !== "eq" && operator !== "in")) return [];
  return [
    { rule: "missing-value", message: `\`not\` ${printed} is true when the value is missing, too.`, span },
  ];
}

const valuesByName: readonly string[] = [
  "http.request.headers",
  "http.request.cookies",
  "http.request.uri.args",
];

/** Whether a value is of a header, a cookie or an argument that a request may not have. */
function canBeMissing(value: Value): boolean {
  if (value.kind === "call") return value.args.some((arg) => arg.kind !== "literal" && canBeMissing(arg));
  if (value.kind !== "index") return false;
  return (value.of.kind === "field" && valuesByName.includes(value.of.name)) || canBeMissing(value.of);
}

/** A part that the analysis takes as true or false for any request. */
function undecidedTests(groups: Groups, { notAnalyzed }: Wording): ExpressionCheck[] {
  const test = groups.flatMap(({ undecided }) => undecided)[0];
  if (test === undefined) return [];
  const message = `The analysis does not look into ${quote(test)}: findings that depend on it are missing.`;
  return [{ rule: notAnalyzed, message }];
}

function combinationsOf(expression: Expression): Combination[] {
  if (expression.kind === "not") return combinationsOf(expression.operand);
  if (expression.kind !== "combination") return [];
  return [expression, ...expression.operands.flatMap(combinationsOf)];
}

function duplicateOperands({ operator, operands }: Combination): ExpressionCheck[] {
  const printed = operands.map(printedTree);
  const repeated = new Map(
    operands.flatMap(({ span }, i) => {
      const operand = printed[i] ?? "";
      return printed.indexOf(operand) < i ? [[operand, span] as const] : [];
    }),
  );
  return [...repeated].map(([operand, span]) => {
    const message = `${quote(operand)} occurs more than once among the operands of one \`${operator}\`.`;
    return { rule: "duplicate-operand", message, span };
  });
}

/** Operands without which the combination is the same; of two that are interchangeable the later one. */
function redundantOperands(groups: Groups, { operator, operands }: Combination): ExpressionCheck[] {
  if (operator === "xor") return [];
  const distinct = [...new Map(operands.map((operand) => [printedTree(operand), operand])).values()];
  const searches = groups.map((group) => createRedundancySearch(group, operator, distinct));
  const findings: ExpressionCheck[] = [];
  for (const [i, operand] of [...distinct.entries()].reverse()) {
    const isRedundant = searches.every(({ isRedundantAt }) => isRedundantAt(i));
    if (!isRedundant || constantValue(groups, operand) !== undefined) {
      for (const { keep } of searches) keep(i);
      continue;
    }
    const printed = quote(printedTree(operand));
    const message = `${printed} has no effect in its \`${operator}\`: the result is the same without it.`;
    findings.unshift({ rule: "redundant-operand", message, span: operand.span });
  }
  return findings;
}

/** Asks from the last operand to the first whether the others have the same result without it. */
function createRedundancySearch(
  { where, diagrams, isNever }: ExpressionGroup,
  operator: "and" | "or",
  operands: readonly Expression[],
) {
  const { combine, not } = diagrams;
  const neutral = operator === "or" ? alwaysFalse : alwaysTrue;
  const own = operands.map(where);
  const before = [neutral];
  for (const operand of own) before.push(combine(operator, before.at(-1) ?? neutral, operand));
  let kept = neutral;
  return {
    isRedundantAt: (i: number) => {
      const operand = own[i] ?? neutral;
      const others = combine(operator, before[i] ?? neutral, kept);
      return isNever(
        operator === "or" ? combine("and", operand, not(others)) : combine("and", others, not(operand)),
      );
    },
    keep: (i: number) => {
      kept = combine(operator, own[i] ?? neutral, kept);
    },
  };
}
