/** Requests that differ from another one in values near those that the leaves of an expression compare. */

import { InvalidInputError } from "../../../../errors.ts";
import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import { compileValue, type Program } from "../../expression/compile-value.ts";
import { printValue } from "../../expression/printer.ts";
import type { Expression, Test, Value } from "../../expression/tree.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import type { ZoneTester } from "../mutants/zone-tester.ts";
import type { GeneratedCandidate } from "./collector.ts";
import { type NearValue, nearValues } from "./near-values.ts";
import { withValue } from "./with-value.ts";
import type { GeneratedRequest } from "./zone-evaluator.ts";

type Lists = ReadonlyMap<string, CompiledList>;

/** Whether a value is worth a request. */
export type IsUseful = (value: NearValue) => boolean;

/** Creates requests near others. */
export interface NearRequests {
  /** The request with each value near those of some leaves. */
  around(
    base: GeneratedCandidate,
    leaves: readonly Test[],
    isUseful?: IsUseful,
    lists?: Lists,
  ): Iterable<GeneratedCandidate>;
  /** A request with the values that another one has where leaves read them. */
  withValuesOf(
    base: GeneratedCandidate,
    other: GeneratedCandidate,
    leaves: readonly Test[],
  ): Iterable<GeneratedCandidate>;
  /** A request for which each of some expressions is true; undefined when none is found. */
  satisfy(base: GeneratedCandidate, expressions: readonly Expression[]): GeneratedCandidate | undefined;
  /** The request with other values, so that the value of an expression depends on one of its leaves; undefined when none is found. */
  decisive(base: GeneratedCandidate, expression: Expression, leaf: Test): GeneratedCandidate | undefined;
}

/** Creates the functions that create requests. */
export function createNearRequests(tester: ZoneTester<GeneratedRequest>, program: Program): NearRequests {
  const known = new WeakMap<Test, readonly NearValue[]>();
  const valuesOf = (leaf: Test) => {
    const values = known.get(leaf) ?? nearValues(leaf, program.lists);
    known.set(leaf, values);
    return values;
  };

  function* around(
    base: GeneratedCandidate,
    leaves: readonly Test[],
    isUseful: IsUseful = () => true,
    lists?: Lists,
  ): Generator<GeneratedCandidate> {
    const values = leaves.flatMap((leaf) => (lists === undefined ? valuesOf(leaf) : nearValues(leaf, lists)));
    for (const value of values) if (isUseful(value)) yield* withOne(base, value);
    // A value that is in others, so that it keeps what they are for.
    for (const { of, wanted } of values) {
      const current = typeof wanted === "string" ? readString(base, of) : undefined;
      if (current === undefined || current === "" || wanted === "") continue;
      for (const text of [current + wanted, wanted + current])
        if (isUseful({ of, wanted: text })) yield* withOne(base, { of, wanted: text });
    }
  }

  function* withOne({ request: { request, tokens } }: GeneratedCandidate, { of, wanted }: NearValue) {
    // Facts of the zone are no matter of a request.
    const isOfZone = of.kind === "field" && Object.hasOwn(program.zone, of.name);
    const other = isOfZone ? undefined : withValue(request as PlainRequest, of, wanted);
    const candidate = other && start({ request: other, tokens });
    if (candidate !== undefined) yield candidate;
  }

  function readString({ evaluation }: GeneratedCandidate, of: Value): string | undefined {
    const value = of.isEach ? undefined : evaluation.read(compileValue(program, of));
    return typeof value === "string" ? value : undefined;
  }

  /** A request that is made up may be one that no client can send. */
  function start(request: GeneratedRequest): GeneratedCandidate | undefined {
    try {
      return tester.start(request);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }

  /** A request for which an expression has a value, and that passes a test. */
  function satisfy(
    base: GeneratedCandidate,
    expression: Expression,
    wanted: boolean,
    keeps: (candidate: GeneratedCandidate) => boolean = () => true,
  ): GeneratedCandidate | undefined {
    const isFound = (candidate: GeneratedCandidate) =>
      tester.truthOf(expression, candidate) === wanted && keeps(candidate);
    if (isFound(base)) return base;
    if (expression.kind === "not") return satisfy(base, expression.operand, !wanted, keeps);
    if (expression.kind !== "combination") {
      for (const candidate of around(base, [expression])) if (isFound(candidate)) return candidate;
      return undefined;
    }
    const { operator, operands } = expression;
    if (operator === (wanted ? "and" : "or")) return satisfyEach(base, operands, wanted, keeps);
    for (const operand of operands) {
      const found = satisfy(base, operand, wanted, keeps);
      if (found !== undefined && isFound(found)) return found;
    }
    return undefined;
  }

  /** A request for which each of some expressions has a value. */
  function satisfyEach(
    base: GeneratedCandidate,
    expressions: readonly Expression[],
    wanted: boolean,
    keeps: (candidate: GeneratedCandidate) => boolean = () => true,
  ): GeneratedCandidate | undefined {
    let current: GeneratedCandidate | undefined = base;
    for (const [i, expression] of expressions.entries()) {
      const before = expressions.slice(0, i);
      const keepsAll = (candidate: GeneratedCandidate) =>
        keeps(candidate) && before.every((earlier) => tester.truthOf(earlier, candidate) === wanted);
      current = current && satisfy(current, expression, wanted, keepsAll);
    }
    return current;
  }

  /** The operands beside those on the way to a leaf get the value that lets the leaf decide. */
  function decisive(
    base: GeneratedCandidate,
    expression: Expression,
    leaf: Test,
  ): GeneratedCandidate | undefined {
    let current: GeneratedCandidate | undefined = base;
    for (let at: Expression | undefined = expression; at !== undefined && at !== leaf; ) {
      const inner: Expression | undefined = operandWith(at, leaf);
      if (at.kind === "combination" && at.operator !== "xor")
        for (const operand of at.operands)
          if (operand !== inner) current = current && satisfy(current, operand, at.operator === "and");
      at = inner;
    }
    return current !== undefined && tester.isDecisive(leaf, expression, current) ? current : undefined;
  }

  function* withValuesOf(base: GeneratedCandidate, other: GeneratedCandidate, leaves: readonly Test[]) {
    const read = new Map(leaves.flatMap(valuesOf).map(({ of }) => [printValue(of), of]));
    for (const of of read.values()) {
      const wanted = readString(other, of);
      if (wanted !== undefined) yield* withOne(base, { of, wanted });
    }
  }

  return {
    around,
    withValuesOf,
    satisfy: (base, expressions) => satisfyEach(base, expressions, true),
    decisive,
  };
}

/** The operand that contains a leaf. */
function operandWith(expression: Expression, leaf: Test): Expression | undefined {
  if (expression.kind === "not") return expression.operand;
  if (expression.kind !== "combination") return undefined;
  return expression.operands.find((operand) => contains(operand, leaf));
}

function contains(expression: Expression, leaf: Test): boolean {
  if (expression.kind === "not") return contains(expression.operand, leaf);
  return (
    expression === leaf ||
    (expression.kind === "combination" && expression.operands.some((operand) => contains(operand, leaf)))
  );
}
