/**
 * Whether two expressions are the same for every request, or one implies the other; exact, with a request that shows
 * it when they are not.
 */

import { InvalidInputError } from "../../../errors.ts";
import type { Expression } from "../expression/ast.ts";
import { type ExpressionLimits, parseExpression } from "../expression/parser.ts";
import { printExpression } from "../expression/printer.ts";
import { checkReferences, leaves } from "../expression/references.ts";
import type { TokenConfig } from "../model.ts";
import { readZone } from "../zone/zone-input.ts";
import { type BoundConfigs, type BoundExpression, bindConfigs, inventConfigs } from "./bound-expression.ts";
import { type AnalysisOptions, createMeter, withinBudget } from "./budget.ts";
import { type PlainRequest, type TokenState, tokenStateOf } from "./requests/concretize.ts";
import type { Diagram } from "./requests/decision-diagram.ts";
import type { StandIn } from "./requests/placeholder-token.ts";
import { evaluateExpression } from "./requests/reference-engine.ts";
import { findRequest, type Searched } from "./requests/search.ts";
import { createSpace, type Space } from "./requests/variables.ts";

/** How expressions are compared. */
export interface ExpressionOptions extends AnalysisOptions {
  /**
   * The configurations that the expressions speak of: which sources and keys they share decides what is possible.
   * By default each has a header and a key of its own.
   */
  readonly configs?: readonly TokenConfig[];
  readonly limits?: ExpressionLimits;
}

/** A request of which two expressions say different things; the real engine has confirmed it. */
export interface ExpressionCounterexample {
  readonly request: PlainRequest;
  /** Texts in the request's headers to be exchanged for valid tokens. */
  readonly standIns: readonly StandIn[];
  /** What each configuration makes of the request. */
  readonly tokens: Readonly<Record<string, TokenState>>;
  /** The values of the two expressions. */
  readonly values: readonly [boolean, boolean];
}

/** How two expressions compare. */
export type ExpressionComparison =
  | { readonly result: "equivalent" }
  | { readonly result: "different"; readonly counterexample: ExpressionCounterexample }
  | { readonly result: "undecided"; readonly reason: string };

/** Whether one expression implies another. */
export type Implication =
  | { readonly result: "implied" }
  | { readonly result: "not_implied"; readonly counterexample: ExpressionCounterexample }
  | { readonly result: "undecided"; readonly reason: string };

/**
 * Compares two expressions over all requests there can be.
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
 * @throws InvalidInputError when an expression cannot be read or asks a configuration that is not given
 */
export function compareExpressions(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions = {},
): ExpressionComparison {
  const found = search(left, right, options, {
    wanted: ({ diagrams }, a, b) => diagrams.combine("xor", a, b),
    shows: (a, b) => a !== b,
  });
  if (found.result !== "found") return found.result === "none" ? { result: "equivalent" } : found;
  return { result: "different", counterexample: found.counterexample };
}

/**
 * Whether every request of which the first expression is true makes the second one true.
 *
 * @example
 * ```ts
 * implies('is_jwt_valid("a")', 'is_jwt_present("a")').result; // => "implied"
 * implies('is_jwt_present("a")', 'is_jwt_valid("a")').result; // => "not_implied"
 * ```
 * @throws InvalidInputError when an expression cannot be read or asks a configuration that is not given
 */
export function implies(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions = {},
): Implication {
  const found = search(left, right, options, {
    wanted: ({ diagrams }, a, b) => diagrams.combine("and", a, diagrams.not(b)),
    shows: (a, b) => a && !b,
  });
  if (found.result !== "found") return found.result === "none" ? { result: "implied" } : found;
  return { result: "not_implied", counterexample: found.counterexample };
}

type Found =
  | { readonly result: "none" }
  | { readonly result: "found"; readonly counterexample: ExpressionCounterexample }
  | { readonly result: "undecided"; readonly reason: string };

/** What is looked for: in the space, and in the values that the engine gives. */
interface Wanted {
  wanted(space: Space, left: Diagram, right: Diagram): Diagram;
  shows(left: boolean, right: boolean): boolean;
}

function search(
  left: string | Expression,
  right: string | Expression,
  options: ExpressionOptions,
  { wanted, shows }: Wanted,
): Found {
  const meter = createMeter(options);
  const [a, b] = bind(left, right, options);
  if (printExpression(a.expression) === printExpression(b.expression)) return { result: "none" };
  return withinBudget(
    (): Found => {
      const space = createSpace([a, b], {}, meter);
      const sought = wanted(
        space,
        space.truth(a.expression, a.configs),
        space.truth(b.expression, b.configs),
      );
      const searched = findRequest(space, sought, ({ request }, tokens) => {
        const values = [
          evaluateExpression(a, request, tokens),
          evaluateExpression(b, request, tokens),
        ] as const;
        return shows(...values) ? values : undefined;
      });
      return asFound(searched, space);
    },
    (reason) => ({ result: "undecided", reason }),
  );
}

function asFound(searched: Searched<readonly [boolean, boolean]>, space: Space): Found {
  if (searched.kind === "none") return { result: "none" };
  if (searched.kind === "undecided") return { result: "undecided", reason: searched.reason };
  const { realised, shown: values } = searched;
  const { request, standIns } = realised;
  const tokens = Object.fromEntries(
    space.configs.map((config) => [config.id, tokenStateOf(config, realised)]),
  );
  return { result: "found", counterexample: { request, standIns, tokens, values } };
}

/** Both expressions over the same configurations. */
function bind(
  left: string | Expression,
  right: string | Expression,
  { configs, limits }: ExpressionOptions,
): readonly [BoundExpression, BoundExpression] {
  const [a, b] = [readExpression(left, limits), readExpression(right, limits)];
  const bound = configs === undefined ? invent([a, b]) : readConfigs(configs);
  for (const expression of [a, b]) {
    const text = printExpression(expression);
    const unknown = checkReferences(text, expression, (id) => bound.has(id));
    if (unknown.length > 0) refuse(unknown);
  }
  return [
    { expression: a, configs: bound },
    { expression: b, configs: bound },
  ];
}

function readExpression(given: string | Expression, limits: ExpressionLimits | undefined): Expression {
  if (typeof given !== "string") return given;
  const parsed = parseExpression(given, limits);
  return parsed.ok ? parsed.expression : refuse([parsed.error]);
}

function refuse(errors: readonly { readonly message: string }[]): never {
  const problems = errors.map(({ message }) => ({ code: 10400 as const, message }));
  throw new InvalidInputError("The expressions cannot be compared", problems);
}

function readConfigs(configs: readonly TokenConfig[]): BoundConfigs {
  const read = readZone({ configs, rules: [] });
  if (read.problems.length > 0)
    throw new InvalidInputError("The configurations cannot be used", read.problems);
  return bindConfigs(read.configs);
}

function invent(expressions: readonly Expression[]): BoundConfigs {
  const all = expressions.flatMap(leaves);
  const ids = all.flatMap((leaf) => (leaf.kind === "token" ? [leaf.configId] : []));
  const headers = all.flatMap((leaf) =>
    leaf.kind === "comparison" && leaf.field.name === "http.request.headers"
      ? [leaf.field.key.toLowerCase()]
      : [],
  );
  return inventConfigs(ids, new Set(headers));
}
