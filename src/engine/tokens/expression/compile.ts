/**
 * Compiles expressions to closures: true, false, or undefined where unknown values decide. An
 * expression that reads nothing which can be unknown is compiled to plain booleans.
 */

import { failure, type Result, success } from "../../../core/result.ts";
import { compileRight, type Right } from "./compile-right.ts";
import { compileStream, compileValue, type Program, type Scope, unknownSources } from "./compile-value.ts";
import { type Condition, conditionOf } from "./keys.ts";
import { missing, unknown } from "./language/types.ts";
import { type NotedPart, noteExpression } from "./notes.ts";
import { undecidedPart } from "./patterns/regular-expression.ts";
import { type ExpressionError, errorAt } from "./syntax-error.ts";
import type { BoolTest, Combination, Comparison, Expression, Quantified, Test, Value } from "./tree.ts";
import { configsOf, isValue, leavesOf } from "./tree-queries.ts";
import { type Truth, truthTables } from "./truth.ts";
import type { RequestValues } from "./values/request-values.ts";

/** A compiled expression. */
export type Evaluate = (values: RequestValues) => Truth;

/** A test with what it needs. */
interface CompiledTest {
  readonly test: Evaluate;
  /** Whether the test can be unknown. */
  readonly canBeUnknown: boolean;
  /** Adds the names of what is unknown, when the test is. */
  addNeeds(values: RequestValues, needs: Set<string>): void;
}

/** A compiled expression. */
export interface CompiledCustom {
  /** Its source text, and the tree that it was compiled from. */
  readonly text: string;
  readonly tree: Expression;
  /** Whether a request passes; undefined when it is unknown. */
  readonly test: Evaluate;
  /** The names of the fields and lists that are unknown, when the test is. */
  needs(values: RequestValues): string[];
  /** Remarks with positions: names that the zone lacks, and comparisons that do not mean what they seem to. */
  readonly notes: readonly NotedPart[];
  /** The configurations that are named. */
  readonly configs: readonly string[];
  /** Whether the tokens of all configurations are read, by `.names`, `.values` or `[*]`. */
  readonly allConfigs: boolean;
  /** The expression is false without it; undefined when it has none. */
  readonly condition: Condition | undefined;
}

/** Compiles an expression in the program of its zone. It fails when a list has another type than the compared value. */
export function compileCustom(
  program: Program,
  text: string,
  expression: Expression,
): Result<CompiledCustom, ExpressionError> {
  const checked = checkNames(program, text, expression);
  if (!checked.ok) return checked;
  const { test, addNeeds } = compileTest(program, expression);
  const { configs, allConfigs } = configsOf(expression);
  return success({
    text,
    tree: expression,
    test,
    needs: (values) => {
      const needs = new Set<string>();
      addNeeds(values, needs);
      return [...needs];
    },
    notes: checked.value,
    configs,
    allConfigs,
    condition: conditionOf(program, expression),
  });
}

/** The remarks on an expression. It fails when a list has another type than the compared value. */
export function checkNames(
  scope: Scope,
  text: string,
  expression: Expression,
): Result<readonly NotedPart[], ExpressionError> {
  const wrong = wrongLists(scope, text, expression);
  return wrong === undefined ? success(noteExpression(scope, text, expression)) : failure(wrong);
}

function wrongLists({ lists }: Scope, text: string, expression: Expression): ExpressionError | undefined {
  for (const leaf of leavesOf(expression)) {
    if (leaf.kind !== "comparison" || leaf.right.kind !== "list") continue;
    const list = lists.get(leaf.right.name);
    if (list === undefined || list.type === leaf.left.type) continue;
    const message = `The list \`$${leaf.right.name}\` has values of type ${list.type}, and is compared with the type ${leaf.left.type}.`;
    return errorAt(text, leaf.right.span, [`a list of type ${leaf.left.type}`], message);
  }
  return undefined;
}

/** Compiles a leaf alone. */
export function compileLeafTest(program: Program, test: Test): Evaluate {
  return compileTest(program, test).test;
}

/** Compiles whether a request lacks the value that a test compares, so that the test is false. */
export function compileIsMissing(program: Program, test: Test): (values: RequestValues) => boolean {
  if (test.kind === "quantified" && test.quantifier === "any") {
    const results = compileResults(program, test.operand);
    return (values) => results(values)?.length === 0 || results(values) === null;
  }
  const reads = comparedValues(test).map((value) => compileValue(program, value));
  return (values) => reads.some((read) => read(values) === missing);
}

function comparedValues(test: Test): readonly Value[] {
  if (test.kind === "test") return [test.value];
  if (test.kind !== "comparison") return [];
  return isValue(test.right) ? [test.left, test.right] : [test.left];
}

const noNeeds = () => undefined;

function compileTest(program: Program, expression: Expression): CompiledTest {
  switch (expression.kind) {
    case "combination":
      return compileCombination(program, expression);
    case "not": {
      const { test, ...rest } = compileTest(program, expression.operand);
      if (!rest.canBeUnknown) return { ...rest, test: (values) => !test(values) };
      return { ...rest, test: (values) => opposite(test(values)) };
    }
    case "constant": {
      const { value } = expression;
      return { test: () => value, canBeUnknown: false, addNeeds: noNeeds };
    }
    case "quantified":
      return withNeeds(program, expression, compileQuantified(program, expression));
    case "comparison":
      return withNeeds(program, expression, compileComparison(program, expression));
    case "test":
      return withNeeds(program, expression, compileBool(program, expression));
  }
}

const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** The names in a leaf that can be unknown, and the reading of each. */
function withNeeds(program: Program, leaf: Test, test: Evaluate): CompiledTest {
  const sources = leafSources(program, leaf);
  const reads = sources.map((name) => ({ name, isUnknown: compileIsUnknown(program, name) }));
  return {
    test,
    canBeUnknown: sources.length > 0,
    addNeeds: (values, needs) => {
      for (const { name, isUnknown } of reads) if (isUnknown(values)) needs.add(name);
    },
  };
}

function leafSources(program: Program, test: Expression): readonly string[] {
  switch (test.kind) {
    case "combination":
      return test.operands.flatMap((operand) => leafSources(program, operand));
    case "not":
    case "quantified":
      return leafSources(program, test.operand);
    case "constant":
      return [];
    case "test":
      return unknownSources(test.value);
    case "comparison": {
      const { left, right } = test;
      const own = unknownSources(left);
      const part = right.kind === "regex" ? undecidedPart(right.value) : undefined;
      if (part !== undefined) return [...own, undecidedPattern + part];
      if (right.kind === "list") return program.lists.has(right.name) ? own : [...own, `$${right.name}`];
      return isValue(right) ? [...own, ...unknownSources(right)] : own;
    }
  }
}

/** The start of the name of a pattern that has an undecided part. */
const undecidedPattern = "a pattern without ";

function compileIsUnknown(program: Program, name: string): (values: RequestValues) => boolean {
  if (name.startsWith("$") || name.startsWith(undecidedPattern) || name === "hash_in_range")
    return () => true;
  const read = compileValue(program, {
    kind: "field",
    name,
    type: "String",
    isEach: false,
    span: { start: 0, end: 0 },
  });
  return (values) => read(values) === unknown;
}

function compileCombination(program: Program, { operator, operands }: Combination): CompiledTest {
  const compiled = operands.map((operand) => compileTest(program, operand));
  const tests = compiled.map(({ test }) => test);
  const canBeUnknown = compiled.some(({ canBeUnknown }) => canBeUnknown);
  const addNeeds = (values: RequestValues, needs: Set<string>) => {
    for (const operand of compiled) if (operand.test(values) === undefined) operand.addNeeds(values, needs);
  };
  const test = canBeUnknown ? combineTruths(operator, tests) : combineBooleans(operator, tests);
  return { test, canBeUnknown, addNeeds: canBeUnknown ? addNeeds : noNeeds };
}

function combineBooleans(operator: Combination["operator"], tests: readonly Evaluate[]): Evaluate {
  if (operator === "xor") return (values) => tests.filter((test) => test(values)).length % 2 === 1;
  const stopsAt = operator === "or";
  const [first, second, third] = tests as [Evaluate, Evaluate, Evaluate?];
  if (tests.length === 2)
    return stopsAt
      ? (values) => first(values) || second(values)
      : (values) => first(values) && second(values);
  if (tests.length === 3 && third !== undefined)
    return stopsAt
      ? (values) => first(values) || second(values) || third(values)
      : (values) => first(values) && second(values) && third(values);
  return (values) => {
    for (const test of tests) if (test(values) === stopsAt) return stopsAt;
    return !stopsAt;
  };
}

function combineTruths(operator: Combination["operator"], tests: readonly Evaluate[]): Evaluate {
  const combine = truthTables[operator];
  return (values) => {
    let truth = (tests[0] as Evaluate)(values);
    for (let i = 1; i < tests.length; i++) {
      if (operator !== "xor" && truth === (operator === "or")) return truth;
      truth = combine(truth, (tests[i] as Evaluate)(values));
    }
    return truth;
  };
}

/** The results for the elements of an array; undefined when the array is unknown, null when it is missing. */
type Results = (values: RequestValues) => readonly Truth[] | undefined | null;

function compileQuantified(program: Program, { quantifier, operand }: Quantified): Evaluate {
  const results = compileResults(program, operand);
  // A missing array of results has none that is true, and `all` is false as well; one of comparisons is empty.
  const ofMissing = quantifier === "all" && operand.kind !== "test";
  const decides = quantifier === "any";
  return (values) => {
    const found = results(values);
    if (found === undefined) return undefined;
    if (found === null) return ofMissing;
    let truth: Truth = !decides;
    for (const result of found) {
      if (result === decides) return decides;
      if (result === undefined) truth = undefined;
    }
    return truth;
  };
}

function compileResults(program: Program, expression: Expression): Results {
  switch (expression.kind) {
    case "combination": {
      const all = expression.operands.map((operand) => compileResults(program, operand));
      const combine = truthTables[expression.operator];
      return (values) => {
        const found = all.map((results) => results(values));
        if (found.includes(undefined)) return undefined;
        const [first, ...others] = found.map((truths) => truths ?? []) as [Truth[], ...Truth[][]];
        return others.reduce((a, b) => a.slice(0, b.length).map((truth, i) => combine(truth, b[i])), first);
      };
    }
    case "not": {
      const results = compileResults(program, expression.operand);
      return (values) => {
        const found = results(values);
        return found === undefined ? undefined : (found ?? []).map(opposite);
      };
    }
    case "comparison":
      return compileComparisons(program, expression);
    case "test": {
      const { value } = expression;
      const read = value.isEach ? compileStream(program, value) : compileValue(program, value);
      return (values) => {
        const found = read(values);
        return found === unknown ? undefined : (found as readonly boolean[] | null);
      };
    }
    default:
      throw new RangeError("An expression with one result is not an array of results.");
  }
}

function compileBool(program: Program, { value }: BoolTest): Evaluate {
  const read = compileValue(program, value);
  if (unknownSources(value).length === 0) return (values) => read(values) === true;
  return (values) => {
    const found = read(values);
    return found === unknown ? undefined : found === true;
  };
}

function compileComparison(program: Program, comparison: Comparison): Evaluate {
  const { left, operator, right } = comparison;
  const read = compileValue(program, left);
  const canBeUnknown = leafSources(program, comparison).length > 0;
  if (!canBeUnknown && right.kind === "literal" && operator === "eq") {
    const expected = right.value;
    return (values) => read(values) === expected;
  }
  const bind = compileRight(program, comparison);
  if (typeof bind === "function" && !canBeUnknown) {
    return (values) => {
      const value = read(values);
      return value !== missing && bind(value);
    };
  }
  return (values) => compareOne(read(values), typeof bind === "function" ? bind : bind.read(values), bind);
}

function compareOne(value: unknown, operand: unknown, right: Right): Truth {
  if (value === missing || operand === missing) return false;
  if (value === unknown || operand === unknown) return undefined;
  return typeof right === "function" ? right(value) : right.holds(value, operand);
}

function compileComparisons(program: Program, comparison: Comparison): Results {
  const stream = compileStream(program, comparison.left);
  const right = compileRight(program, comparison);
  return (values) => {
    const found = stream(values);
    if (found === missing) return null;
    if (found === unknown) return undefined;
    const operand = typeof right === "function" ? right : right.read(values);
    return (found as readonly unknown[]).map((value) => compareOne(value, operand, right));
  };
}
