/**
 * Changes of one part of an expression. The values come from the tables of the language: operators by the kind of their
 * operand, functions by the types of their argument and result.
 */

import { quote } from "../../../../errors.ts";
import {
  type Combination,
  type Comparison,
  combinators,
  type Expression,
  type FunctionTest,
  type Leaf,
  quantifiers,
  type ValueField,
} from "../../expression/ast.ts";
import { fields } from "../../expression/language/fields.ts";
import {
  functionNames,
  resultType,
  type ValueFunction,
  valueFunctions,
} from "../../expression/language/functions.ts";
import { operatorOf, operatorsOf } from "../../expression/language/operators.ts";
import { printExpression } from "../../expression/printer.ts";
import { nameWithTitle } from "../../name-with-title.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { type KnownStrings, type OperandMutant, operandChanges } from "./operand-mutants.ts";

/** Changes of the parts of an expression. */
export interface ExpressionContext {
  readonly zone: ReadZone;
  /** The strings that a field is compared with in the zone. */
  knownStrings(field: ValueField): KnownStrings;
  /** The names of a listed field in the zone. */
  knownKeys(name: ValueField["name"]): readonly string[];
}

/** Another expression in place of a part. */
export interface ChangedPart {
  readonly changed: Expression;
  /** In one clause; by default which part becomes which. */
  readonly description?: string;
}

/** Changes of a node of the tree, without its operands. */
export type PartChanges = (node: Expression, context: ExpressionContext) => readonly ChangedPart[];

/** Other operators with the same kind of operand, other combinators, quantifiers and tests, and `not` added or removed. */
export const operatorChanges: PartChanges = (node) => [
  negation(node),
  ...(node.kind === "combination" ? otherCombinators(node) : []),
  ...(node.kind === "token"
    ? [
        {
          changed: {
            ...node,
            test: node.test === "is_jwt_valid" ? "is_jwt_present" : "is_jwt_valid",
          } as const,
        },
      ]
    : []),
  ...(node.kind === "comparison" || node.kind === "function" ? otherOperators(node) : []),
];

function negation(node: Expression): ChangedPart {
  const printed = quote(printExpression(node));
  if (node.kind === "not")
    return { changed: node.operand, description: `the \`not\` of ${printed} is removed` };
  const changed: Expression = { kind: "not", operand: node, span: node.span };
  return { changed, description: `${printed} is negated` };
}

function otherCombinators(node: Combination): readonly ChangedPart[] {
  return combinators
    .filter((other) => other !== node.operator)
    .map((operator) => ({
      changed: { ...node, operator },
      description: `the \`${node.operator}\` of ${quote(printExpression(node))} becomes \`${operator}\``,
    }));
}

function otherOperators(leaf: Comparison | FunctionTest): readonly ChangedPart[] {
  const test = asFunctionTest(leaf);
  const type = resultType(test.functions);
  const { operand } = operatorOf(type, test.operator);
  const names = Object.keys(operatorsOf[type]) as FunctionTest["operator"][];
  const operators = names
    .filter((name) => name !== test.operator && operatorOf(type, name).operand === operand)
    .map((operator) => ({ ...test, operator }));
  const others = quantifiers
    .filter((name) => test.quantifier !== undefined && name !== test.quantifier)
    .map((quantifier) => ({ ...test, quantifier }));
  return [...operators, ...others].map((changed) => ({ changed }));
}

/** A comparison in the form that has every operator; it prints the same. */
function asFunctionTest(leaf: Comparison | FunctionTest): FunctionTest {
  if (leaf.kind === "function") return leaf;
  const { field, operator, span } = leaf;
  const operand = "values" in leaf ? leaf.values : leaf.value;
  return { kind: "function", functions: [], field, operator, operand, span };
}

/** Each operand of a combination removed. */
export const removedOperands: PartChanges = (node) => {
  if (node.kind !== "combination") return [];
  return node.operands.map((removed) => {
    const kept = node.operands.filter((operand) => operand !== removed);
    const [only, ...more] = kept;
    const changed = only !== undefined && more.length === 0 ? only : { ...node, operands: kept };
    return { changed, description: `the operand ${quote(printExpression(removed))} is removed` };
  });
};

/** Each other configuration of the zone. */
export const otherConfigs: PartChanges = (node, { zone }) =>
  node.kind === "token"
    ? zone.configs
        .filter(({ id }) => id !== node.configId)
        .map((config) => ({
          changed: { ...node, configId: config.id },
          description: `the configuration of ${quote(printExpression(node))} becomes ${nameWithTitle(config)}`,
        }))
    : [];

/** Each function removed, or another one of the same types. */
export const otherFunctions: PartChanges = (node) => {
  if (node.kind !== "function") return [];
  return node.functions.flatMap((name, i) => {
    const others = functionNames.filter((other) => other !== name && hasSameTypes(other, name));
    const isRemovable = valueFunctions[name].parameter === valueFunctions[name].result;
    const lists = [
      ...(isRemovable ? [node.functions.toSpliced(i, 1)] : []),
      ...others.map((other) => node.functions.with(i, other)),
    ];
    return lists.map((functions) => ({ changed: { ...node, functions } }));
  });
};

function hasSameTypes(left: ValueFunction, right: ValueFunction): boolean {
  const [a, b] = [valueFunctions[left], valueFunctions[right]];
  return a.parameter === b.parameter && a.result === b.result;
}

/** Other names of headers and cookies of the zone, and the neighboring positions. */
export const otherFields: PartChanges = (node, { knownKeys }) => {
  if (node.kind !== "comparison" && node.kind !== "function") return [];
  const { field } = node;
  if (!("key" in field)) return [];
  const { index } = field;
  const indexes = index === "*" ? [] : [index + 1, ...(index > 0 ? [index - 1] : [])];
  const keys = knownKeys(field.name).filter((key) => key !== field.key);
  const others = [
    ...indexes.map((other) => ({ ...field, index: other })),
    ...keys.map((key) => ({ ...field, key })),
  ];
  return others.map((other) => ({ changed: { ...node, field: other } as Leaf }));
};

/** The changes of the operand that belong to a kind of mutant. */
export function otherOperands(kind: OperandMutant): PartChanges {
  return (node, { knownStrings }) => {
    if (node.kind !== "comparison" && node.kind !== "function") return [];
    const test = asFunctionTest(node);
    const { operand: operandKind } = operatorOf(resultType(test.functions), test.operator);
    // The parser has checked that the operand is of the operator's kind.
    const create = operandChanges[operandKind] as (
      operand: FunctionTest["operand"],
      known: KnownStrings,
    ) => Partial<Record<OperandMutant, readonly FunctionTest["operand"][]>>;
    const operands = create(test.operand, knownStrings(node.field))[kind] ?? [];
    return operands.map((operand) => ({ changed: { ...test, operand } }));
  };
}

/** The strings of a zone by field, and the names of its headers and cookies. */
export function knownOf(
  zone: ReadZone,
  leaves: readonly Leaf[],
  hosts: readonly string[],
): Pick<ExpressionContext, "knownStrings" | "knownKeys"> {
  const strings = new Map<string, Set<string>>();
  const keys = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, at: string, values: readonly string[]) => {
    const set = to.get(at) ?? new Set();
    for (const value of values) set.add(value);
    to.set(at, set);
  };
  for (const leaf of leaves) {
    if (leaf.kind === "token") continue;
    const { field } = leaf;
    if ("key" in field) add(keys, field.name, [field.key]);
    add(strings, fieldKey(field), wholeStrings(asFunctionTest(leaf)));
  }
  for (const { sources } of zone.configs) for (const { name, key } of sources) add(keys, name, [key]);
  const methods = new Set((zone.operations ?? []).map(({ method }) => method));
  const byKind = { method: [...methods], host: hosts, value: [] } as const;
  return {
    knownStrings: (field) => {
      const kind = fields[field.name].mutant;
      const inZone = [...new Set([...(strings.get(fieldKey(field)) ?? []), ...byKind[kind]])];
      return { inZone, usual: kind === "method" ? usualMethods : kind === "host" ? hosts : [] };
    },
    knownKeys: (name) => [...(keys.get(name) ?? [])],
  };
}

const usualMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

function fieldKey(field: ValueField): string {
  return "key" in field ? JSON.stringify([field.name, field.key.toLowerCase()]) : field.name;
}

/** The strings that a comparison with whole strings has. */
function wholeStrings({ functions, operator, operand }: FunctionTest): readonly string[] {
  const kind = operatorOf(resultType(functions), operator).operand;
  if (kind === "set") return operand as readonly string[];
  return kind === "string" ? [operand as string] : [];
}
