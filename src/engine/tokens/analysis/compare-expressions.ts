/**
 * Whether two expressions are equal for every request, or one implies the other. Exact: when they are not, the result
 * has a request that shows it.
 */

import {
  anyValue,
  aString,
  either,
  type KindsOf,
  optional,
  optionGroup,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../../core/arguments.ts";
import { type CodedDiagnostic, InvalidInputError, problem, quote } from "../../../errors.ts";
import { type ExpressionLimits, limitMembers } from "../expression/grammar.ts";
import { parseExpression } from "../expression/parser.ts";
import { printTree } from "../expression/printer.ts";
import { references, unknownReferences } from "../expression/references.ts";
import type { Expression } from "../expression/tree.ts";
import { anExpression } from "../expression/tree-kind.ts";
import { valuesOf } from "../expression/tree-queries.ts";
import type { TokenConfig } from "../model.ts";
import { readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, type BoundExpression, bindConfigs, inventConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeter, withinBudget } from "./budget.ts";
import { mapPair, type Pair } from "./pair.ts";
import { type PlainRequest, type TokenState, tokenStateOf } from "./requests/concretize.ts";
import type { DecisionDiagram, DiagramManager } from "./requests/decision-diagram.ts";
import type { PlaceholderToken } from "./requests/placeholder-token.ts";
import { evaluateExpression } from "./requests/reference-engine.ts";
import { findRequest, type RequestSearchResult } from "./requests/search.ts";
import { createRequestVariables, type RequestVariables } from "./requests/variables.ts";

const expressionOrText = either(aString, anExpression);

/** Options of a comparison of expressions. */
export interface ExpressionOptions extends AnalysisOptions {
  /**
   * The configurations that the expressions reference: shared sources and keys determine which requests are possible.
   * By default each configuration has a header and a key of its own.
   */
  readonly configs?: readonly TokenConfig[];
  /** Limits of the parser. */
  readonly limits?: ExpressionLimits;
}

const expressionMembers: KindsOf<ExpressionOptions> = {
  maxSteps: anyValue,
  configs: anyValue,
  limits: optional(optionGroup<ExpressionLimits>("limits", limitMembers)),
};

/** A request for which two expressions have different values, confirmed by the real engine. */
export interface ExpressionCounterexample {
  /** The request, with placeholders for valid tokens in its headers. */
  readonly request: PlainRequest;
  /** The placeholders in the request; `fillPlaceholderTokens` replaces them by valid tokens. */
  readonly placeholderTokens: readonly PlaceholderToken[];
  /** The state of each configuration's token in the request, by configuration id. */
  readonly tokens: Readonly<Record<string, TokenState>>;
  /** The values of the two expressions. */
  readonly values: readonly [boolean, boolean];
}

/** The result of a comparison of two expressions. */
export type ExpressionComparison =
  | {
      /** The expressions are equal for every request. */
      readonly result: "equivalent";
    }
  | {
      /** The expressions differ for some request. */
      readonly result: "different";
      /** One such request. */
      readonly counterexample: ExpressionCounterexample;
    }
  | {
      /** The question is too large, or only a request that clients may not be able to send could show a difference. */
      readonly result: "undecided";
      /** Why the question is not decided. */
      readonly reason: string;
    };

/** Whether one expression implies another. */
export type Implication =
  | {
      /** The second expression is true for every request for which the first one is true. */
      readonly result: "implied";
    }
  | {
      /** The first expression is true and the second one false for some request. */
      readonly result: "not_implied";
      /** One such request. */
      readonly counterexample: ExpressionCounterexample;
    }
  | {
      /** The question is too large, or only a request that clients may not be able to send could decide it. */
      readonly result: "undecided";
      /** Why the question is not decided. */
      readonly reason: string;
    };

/**
 * Compares two expressions over all possible requests.
 *
 * @example
 * ```ts
 * const compared = compareExpressions(
 *   'is_jwt_valid("a") or http.request.method eq "OPTIONS"',
 *   'is_jwt_valid("a") or http.request.method in {"OPTIONS" "HEAD"}',
 * );
 * compared.result; // => "different"
 * if (compared.result === "different") compared.counterexample.request.method; // => "HEAD"
 * ```
 * @throws InvalidInputError when an expression is invalid or references a configuration that is not among `configs`
 * @throws TypeError for an option that does not exist
 */
export function compareExpressions(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions = {},
): ExpressionComparison {
  requireArguments({ left: [left, expressionOrText], right: [right, expressionOrText] });
  requireArgument("options", options, optionsOf<ExpressionOptions>("compareExpressions", expressionMembers));
  const search = findCounterexample(left, right, options, {
    diagram: (diagrams, a, b) => diagrams.combine("xor", a, b),
    isShownBy: (a, b) => a !== b,
  });
  if (search.result !== "found") return search.result === "none" ? { result: "equivalent" } : search;
  return { result: "different", counterexample: search.counterexample };
}

/**
 * Whether the second expression is true for every request for which the first one is true.
 *
 * @example
 * ```ts
 * implies('is_jwt_valid("a")', 'is_jwt_present("a")').result; // => "implied"
 * implies('is_jwt_present("a")', 'is_jwt_valid("a")').result; // => "not_implied"
 * ```
 * @throws InvalidInputError when an expression is invalid or references a configuration that is not among `configs`
 * @throws TypeError for an option that does not exist
 */
export function implies(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions = {},
): Implication {
  requireArguments({ left: [left, expressionOrText], right: [right, expressionOrText] });
  requireArgument("options", options, optionsOf<ExpressionOptions>("implies", expressionMembers));
  const search = findCounterexample(left, right, options, {
    diagram: (diagrams, a, b) => diagrams.combine("and", a, diagrams.not(b)),
    isShownBy: (a, b) => a && !b,
  });
  if (search.result !== "found") return search.result === "none" ? { result: "implied" } : search;
  return { result: "not_implied", counterexample: search.counterexample };
}

type CounterexampleSearch =
  | { readonly result: "none" }
  | { readonly result: "found"; readonly counterexample: ExpressionCounterexample }
  | { readonly result: "undecided"; readonly reason: string };

/** The difference that is searched for: over diagrams, and over the values that the engine returns. */
interface Difference {
  diagram(diagrams: DiagramManager, left: DecisionDiagram, right: DecisionDiagram): DecisionDiagram;
  isShownBy(left: boolean, right: boolean): boolean;
}

function findCounterexample(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions,
  difference: Difference,
): CounterexampleSearch {
  const meter = createMeter(options);
  const bound = bind([left, right], options);
  const [printedLeft, printedRight] = mapPair(bound, ({ expression }) => printTree(expression));
  if (printedLeft === printedRight) return { result: "none" };
  return withinBudget(
    (): CounterexampleSearch => {
      const variables = createRequestVariables(bound, {}, meter);
      const [a, b] = mapPair(bound, ({ expression, configs }) => variables.diagramOf(expression, configs));
      const wanted = difference.diagram(variables.diagrams, a, b);
      const search = findRequest(variables, wanted, (concrete) => {
        const values = mapPair(bound, (expression) => evaluateExpression(expression, concrete));
        return difference.isShownBy(...values) ? values : undefined;
      });
      return withCounterexample(search, variables);
    },
    (reason) => ({ result: "undecided", reason }),
  );
}

function withCounterexample(
  search: RequestSearchResult<[boolean, boolean]>,
  { configs, undecidedTests: [unread] }: RequestVariables,
): CounterexampleSearch {
  if (search.kind === "none") return { result: "none" };
  if (search.kind === "undecided") {
    const because = unread === undefined ? "" : `; the analysis does not look into ${quote(unread)}`;
    return { result: "undecided", reason: search.reason + because };
  }
  const { concrete, confirmation: values } = search;
  const { request, placeholderTokens } = concrete;
  const tokens = Object.fromEntries(configs.map((config) => [config.id, tokenStateOf(config, concrete)]));
  return { result: "found", counterexample: { request, placeholderTokens, tokens, values } };
}

/** Both expressions over the same configurations. */
function bind(
  inputs: Pair<string | Expression>,
  { configs, limits }: ExpressionOptions,
): Pair<BoundExpression> {
  const expressions = mapPair(inputs, (input) => readExpression(input, limits));
  const bound = configs === undefined ? inventConfigsFor(expressions) : readConfigs(configs);
  for (const expression of expressions) {
    const unknown = unknownReferences(printTree(expression), expression, (id) => bound.has(id));
    if (unknown.length > 0) throw invalidExpressions(unknown);
  }
  return mapPair(expressions, (expression) => ({ expression, configs: bound }));
}

function readExpression(input: string | Expression, limits: ExpressionLimits | undefined): Expression {
  if (typeof input !== "string") return input;
  const parsed = parseExpression(input, limits);
  if (!parsed.ok) throw invalidExpressions(parsed.problems);
  return parsed.value;
}

function invalidExpressions(errors: readonly { readonly message: string }[]): InvalidInputError {
  const problems = errors.map(({ message }): CodedDiagnostic => problem(10400, message));
  return new InvalidInputError("The expressions cannot be compared", problems);
}

function readConfigs(configs: readonly TokenConfig[]): BoundConfigs {
  const read = readZone({ configs, rules: [] });
  if (!read.ok) throw new InvalidInputError("The configurations cannot be used", read.problems);
  return bindConfigs(read.value.configs);
}

function inventConfigsFor(expressions: readonly Expression[]): BoundConfigs {
  const ids = expressions.flatMap(references).map(({ id }) => id);
  const headers = expressions.flatMap(valuesOf).flatMap((value) => {
    const isHeader = value.kind === "index" && value.of.kind === "field" && typeof value.key === "string";
    return isHeader ? [String(value.key).toLowerCase()] : [];
  });
  return inventConfigs(ids, new Set(headers));
}
