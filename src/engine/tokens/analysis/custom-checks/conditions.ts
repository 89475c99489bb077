/**
 * The requests for which expressions of custom rules are true, as decision diagrams. A part of a request that is
 * compared with literals has a variable, whose alternatives are classes of values; every other test has a variable of its
 * own. Some assignments may belong to no request, but every request has one: what holds for all assignments holds for
 * all requests.
 */

import { compileRight } from "../../expression/custom/compile-right.ts";
import type { CustomProgram } from "../../expression/custom/compile-value.ts";
import { printCustomExpression, printValue } from "../../expression/custom/print.ts";
import type {
  CustomComparison,
  CustomExpression,
  CustomTest,
  CustomValue,
} from "../../expression/custom/tree.ts";
import { isValue, leavesOf } from "../../expression/custom/tree-queries.ts";
import type { Meter } from "../budget.ts";
import {
  alwaysFalse,
  alwaysTrue,
  createDiagramManager,
  type DecisionDiagram,
  type DiagramManager,
} from "../requests/decision-diagram.ts";
import { canonicalValue } from "./canonical-value.ts";
import { classesOf, isExact, type ValueClass } from "./value-classes.ts";
import { withoutClaims } from "./without-claims.ts";

/** The assumptions about a request. */
export interface Assumed {
  /** The request has no valid token of a configuration. */
  readonly without?: string;
  /** Tests that have the other value than without the token. */
  readonly except?: readonly CustomTest[];
}

/** The requests for which parts of some expressions are true. */
export interface Conditions {
  readonly diagrams: DiagramManager;
  /** Those for which one of the expressions, or a part of one, is true. */
  of(expression: CustomExpression, assumed?: Assumed): DecisionDiagram;
  /** Those with a property of which nothing is known. */
  free(name: string): DecisionDiagram;
}

/** A part of a request, and its comparisons. */
interface Subject {
  readonly left: CustomValue;
  readonly comparisons: CustomComparison[];
  classes?: readonly ValueClass[];
  readonly variable: number;
}

/**
 * The number of the first free variable. Later ones come before it, so that adding a rule to those before it does not
 * change their diagram; parts of a request come before all of them.
 */
const firstFree = 2 ** 24;

/** Maximum number of classes of one value; with more, its comparisons are independent of each other. */
const maxClasses = 1024;

/** Creates the conditions of the expressions of a zone. */
export function createConditions(
  program: CustomProgram,
  expressions: readonly CustomExpression[],
  meter: Meter,
): Conditions {
  return new ExpressionConditions(program, expressions, meter);
}

class ExpressionConditions implements Conditions {
  readonly diagrams: DiagramManager;
  readonly #program: CustomProgram;
  readonly #subjects = new Map<string, Subject>();
  readonly #free = new Map<string, number>();
  readonly #leaves = new Map<CustomTest, DecisionDiagram>();
  #nextSubject = firstFree / 2;
  #nextFree = firstFree;

  constructor(program: CustomProgram, expressions: readonly CustomExpression[], meter: Meter) {
    this.#program = program;
    this.diagrams = createDiagramManager(meter);
    for (const leaf of expressions.flatMap(leavesOf)) if (isPlaced(leaf)) this.#add(leaf);
  }

  #add(comparison: CustomComparison): void {
    const left = canonicalValue(comparison.left);
    const key = printValue(left);
    const subject = this.#subjects.get(key) ?? { left, comparisons: [], variable: this.#nextSubject-- };
    subject.comparisons.push(comparison);
    this.#subjects.set(key, subject);
  }

  free(name: string): DecisionDiagram {
    const variable = this.#free.get(name) ?? this.#nextFree--;
    this.#free.set(name, variable);
    return this.diagrams.testVariable(variable, [false, true]);
  }

  of(expression: CustomExpression, assumed: Assumed = {}): DecisionDiagram {
    if (expression.kind === "not") return this.diagrams.not(this.of(expression.operand, assumed));
    if (expression.kind !== "combination") return this.#leaf(expression, assumed);
    const [first = alwaysFalse, ...rest] = expression.operands.map((operand) => this.of(operand, assumed));
    return rest.reduce((left, right) => this.diagrams.combine(expression.operator, left, right), first);
  }

  #leaf(leaf: CustomTest, { without, except = [] }: Assumed): DecisionDiagram {
    const value = without === undefined ? undefined : withoutClaims(leaf, without);
    if (value !== undefined) return value === !except.includes(leaf) ? alwaysTrue : alwaysFalse;
    const diagram = this.#leaves.get(leaf) ?? this.#place(leaf);
    this.#leaves.set(leaf, diagram);
    return diagram;
  }

  #place(leaf: CustomTest): DecisionDiagram {
    if (leaf.kind === "constant") return leaf.value ? alwaysTrue : alwaysFalse;
    if (!isPlaced(leaf)) return this.free(printFree(leaf));
    const subject = this.#subjects.get(printValue(canonicalValue(leaf.left)));
    const classes = subject && this.#classesOf(subject);
    if (subject === undefined || classes === undefined) return this.free(printFree(leaf));
    return this.#whereHolds(subject, classes, leaf);
  }

  /** Undefined when there are too many. */
  #classesOf(subject: Subject): readonly ValueClass[] | undefined {
    subject.classes ??= classesOf(subject.left, subject.comparisons);
    return subject.classes.length > maxClasses ? undefined : subject.classes;
  }

  #whereHolds(
    { left, variable }: Subject,
    classes: readonly ValueClass[],
    leaf: CustomComparison,
  ): DecisionDiagram {
    const right = compileRight(this.#program, leaf);
    // A list that is not given has any values.
    const holds = typeof right === "function" ? right : undefined;
    const exact = isExact(leaf);
    // The first alternative is that the value is missing.
    const whereClass = (test: (one: ValueClass) => boolean) =>
      this.diagrams.testVariable(variable, [...(canBeMissing(left) ? [false] : []), ...classes.map(test)]);
    const isDecided = ({ isSingle }: ValueClass) => holds !== undefined && (exact || isSingle);
    const decided = whereClass((one) => isDecided(one) && holds?.(one.value) === true);
    const open = whereClass((one) => !isDecided(one));
    if (open === alwaysFalse) return decided;
    const free = this.free(printFree(leaf));
    return this.diagrams.combine("or", decided, this.diagrams.combine("and", open, free));
  }
}

/** Whether a test compares one value with what does not depend on the request. */
function isPlaced(leaf: CustomTest): leaf is CustomComparison {
  return leaf.kind === "comparison" && !leaf.isArray && !isValue(leaf.right);
}

/** Elements of arrays and maps can be missing, and so can what is made of them. */
function canBeMissing(value: CustomValue): boolean {
  return value.kind !== "field";
}

function printFree(leaf: CustomTest): string {
  return printCustomExpression(leaf);
}
