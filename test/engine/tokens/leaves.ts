/**
 * The tests of expressions as the models of these tests have them: a test of a token, a comparison of one string of the
 * request with literals, or another test. Strings are text here, and bytes in the tree.
 */

import {
  type IntegerOperator,
  type StringOperator,
  stringOperators,
  type TextOperandKind,
} from "../../../src/engine/tokens/analysis/strings/text-operators.ts";
import { listedFields, singleFields, type ValueField } from "../../../src/engine/tokens/expression/field.ts";
import { type OperandKind, operators } from "../../../src/engine/tokens/expression/language/operators.ts";
import type { ScalarType, ValueType } from "../../../src/engine/tokens/expression/language/types.ts";
import { tokenTest } from "../../../src/engine/tokens/expression/parser.ts";
import type { Span } from "../../../src/engine/tokens/expression/syntax-error.ts";
import type {
  BoolTest,
  CallValue,
  Comparison,
  Expression,
  Literal,
  Operand,
  quantifiers,
  Test,
  Value,
} from "../../../src/engine/tokens/expression/tree.ts";
import { leavesOf, type TokenTest, tokenTestOf } from "../../../src/engine/tokens/expression/tree-queries.ts";
import { toBytes, toText } from "../../../src/engine/tokens/expression/values/bytes.ts";

export type { TokenTest };

/** The functions of a string in a {@link FieldComparison}, with the types of their results. */
export const valueFunctions = { lower: "String", upper: "String", len: "Int" } as const satisfies Readonly<
  Record<string, ScalarType>
>;

/** A function of a string. */
export type ValueFunction = keyof typeof valueFunctions;

/** The names of the functions. */
const valueFunctionNames = Object.keys(valueFunctions) as readonly ValueFunction[];

/** The operators of integers, whose operand is one from 0. */
export const integerOperators = {
  eq: "integer",
  ne: "integer",
  lt: "integer",
  le: "integer",
  gt: "integer",
  ge: "integer",
} as const;

/**
 * A comparison of a field, or of functions of it, with a literal. False when the value is missing; `any` of no values is
 * false and `all` of no values is true.
 */
export interface FieldComparison {
  readonly kind: "comparison";
  /** Present when the index of the field is `*`. */
  readonly quantifier?: (typeof quantifiers)[number];
  /** The functions of the value, the outermost first; usually none. */
  readonly functions: readonly ValueFunction[];
  /** The compared field, which the functions are of. */
  readonly field: ValueField;
  readonly operator: StringOperator | IntegerOperator;
  /** The string, the pattern, the strings of a set, or the integer that a length is compared with. */
  readonly operand: string | readonly string[] | number;
  readonly span: Span;
}

/** A test that is neither of them. */
export interface OtherTest {
  readonly kind: "other";
  readonly test: Test;
  readonly span: Span;
}

/** A test of an expression. */
export type Leaf = TokenTest | FieldComparison | OtherTest;

const known = new WeakMap<Test, Leaf>();

/** A test as a leaf: always the same one for the same test. */
export function leafOf(test: Test): Leaf {
  const found = known.get(test);
  if (found !== undefined) return found;
  const leaf = readTest(test) ?? { kind: "other", test, span: test.span };
  known.set(test, leaf);
  return leaf;
}

/** The leaves of an expression, from left to right. */
export function leaves(expression: Expression): Leaf[] {
  return leavesOf(expression).map(leafOf);
}

function readTest(test: Test): Leaf | undefined {
  switch (test.kind) {
    case "comparison":
      return test.isArray ? undefined : readComparison(test);
    case "test":
      return test.isArray ? undefined : (tokenTestOf(test) ?? readAffix(test.value, test.span));
    case "quantified": {
      const { quantifier, operand, span } = test;
      // `all` of the results of a call is false without a value, and that of comparisons is true.
      const isRead = operand.kind === "comparison" || (operand.kind === "test" && quantifier === "any");
      if (!isRead) return undefined;
      const inner = operand.kind === "test" ? readAffix(operand.value, span) : readComparison(operand);
      return inner && "key" in inner.field && inner.field.index === "*"
        ? { ...inner, quantifier, span }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** `starts_with` and `ends_with` of a string and a literal. */
function readAffix(value: Value, span: Span): FieldComparison | undefined {
  if (value.kind !== "call" || (value.name !== "starts_with" && value.name !== "ends_with")) return undefined;
  const [subject, affix] = value.args as [Value | Literal, Value | Literal];
  const read = subject.kind === "literal" ? undefined : readValue(subject);
  const operand = affix.kind === "literal" ? textOf(affix.value) : undefined;
  if (read === undefined || operand === undefined) return undefined;
  return { kind: "comparison", ...read, operator: value.name, operand, span };
}

function readComparison({ left, operator, right, span }: Comparison): FieldComparison | undefined {
  const read = readValue(left);
  if (read === undefined) return undefined;
  const kinds: Readonly<Record<string, TextOperandKind>> =
    resultType(read.functions) === "Int" ? integerOperators : stringOperators;
  const kind = Object.hasOwn(kinds, operator) ? kinds[operator] : undefined;
  const operand = kind && readOperand(kind, right);
  if (operand === undefined) return undefined;
  return { kind: "comparison", ...read, operator: operator as FieldComparison["operator"], operand, span };
}

/** A string that is not text has no leaf: text is never equal to it, but its bytes can be. */
function readOperand(kind: TextOperandKind, right: Operand): FieldComparison["operand"] | undefined {
  switch (right.kind) {
    case "literal":
      if (kind !== "integer") return textOf(right.value);
      return typeof right.value === "number" && right.value >= 0 ? right.value : undefined;
    case "wildcard":
    case "regex":
      return textOf(right.value);
    case "set": {
      if (kind !== "set") return undefined;
      const texts = right.items.map((item) => (item.type === "String" ? textOf(item.value) : undefined));
      const strings = texts.filter((text) => text !== undefined);
      return strings.length === texts.length ? strings : undefined;
    }
    default:
      return undefined;
  }
}

/** Replaces parts of a value that are not well-formed, and so is not the same as text. */
const replacement = "\ufffd";

function textOf(value: Literal["value"]): string | undefined {
  const text = typeof value === "string" ? toText(value) : undefined;
  return text?.includes(replacement) ? undefined : text;
}

/** A string of the request with its functions. */
function readValue(value: Value): Pick<FieldComparison, "functions" | "field"> | undefined {
  const functions: ValueFunction[] = [];
  let inner: Value = value;
  for (;;) {
    // The results for each element are the elements of an array again.
    if (inner.kind === "each" && inner.of.kind === "call") inner = inner.of;
    if (inner.kind !== "call") break;
    const call: CallValue = inner;
    const name = valueFunctionNames.find((candidate) => candidate === call.name);
    const [argument] = call.args;
    if (name === undefined || argument === undefined || argument.kind === "literal") return undefined;
    if (argument.type !== "String") return undefined;
    functions.push(name);
    inner = argument;
  }
  const field = readField(inner);
  return field && { functions, field };
}

function readField(value: Value): ValueField | undefined {
  if (value.kind === "field") {
    const name = singleFields.find((field) => field === value.name);
    return name && { name };
  }
  if (value.kind === "call") return undefined;
  const list = value.of;
  if (list.kind !== "index" || typeof list.key !== "string" || list.of.kind !== "field") return undefined;
  const { of } = list;
  const name = listedFields.find((field) => field === of.name);
  const key = textOf(list.key);
  if (name === undefined || key === undefined) return undefined;
  if (value.kind === "each") return { name, key, index: "*" };
  return typeof value.key === "number" ? { name, key, index: value.key } : undefined;
}

/** The type of a value with functions, the outermost first. */
export function resultType([outer]: readonly ValueFunction[]): "String" | "Int" {
  return outer === undefined ? "String" : valueFunctions[outer];
}

const built = new WeakMap<Leaf, Test>();

/** The test of a leaf, the inverse of {@link leafOf}: always the same one for the same leaf. */
export function testOf(leaf: Leaf): Test {
  if (leaf.kind === "other") return leaf.test;
  const found = built.get(leaf);
  if (found !== undefined) return found;
  const test = buildTest(leaf);
  built.set(leaf, test);
  known.set(test, leaf);
  return test;
}

function buildTest(leaf: Exclude<Leaf, OtherTest>): Test {
  const { span } = leaf;
  if (leaf.kind === "token") return tokenTest(leaf.test, stringLiteral(leaf.configId, leaf.configSpan), span);
  const { quantifier, operator, operand } = leaf;
  const left = comparedValue(leaf);
  const inner: Test =
    operator === "starts_with" || operator === "ends_with"
      ? affixTest(operator, left, String(operand), span)
      : { kind: "comparison", left, operator, right: operandOf(leaf), isArray: left.isEach, span };
  return quantifier === undefined
    ? inner
    : { kind: "quantified", quantifier, operand: inner, isArray: false, span };
}

function affixTest(name: "starts_with" | "ends_with", left: Value, operand: string, span: Span): BoolTest {
  const type: ValueType = left.isEach ? "Array<Bool>" : "Bool";
  const args = [left, stringLiteral(operand, span)];
  return {
    kind: "test",
    value: { kind: "call", name, args, type, isEach: false, span },
    isArray: left.isEach,
    span,
  };
}

function stringLiteral(text: string, span: Span): Literal {
  return { kind: "literal", type: "String", isEach: false, value: toBytes(text), span };
}

function operandOf({ functions, operator, operand, span }: FieldComparison): Operand {
  if (typeof operand === "number")
    return { kind: "literal", type: "Int", isEach: false, value: operand, span };
  if (typeof operand !== "string")
    return { kind: "set", items: operand.map((text) => ({ type: "String", value: toBytes(text) })) };
  const table: Readonly<Record<string, { readonly operand: OperandKind }>> = operators[resultType(functions)];
  const kind = table[operator]?.operand;
  return kind === "wildcard" || kind === "regex"
    ? { kind, value: toBytes(operand) }
    : stringLiteral(operand, span);
}

function comparedValue({ functions, field, span }: FieldComparison): Value {
  return functions.reduceRight<Value>(
    (argument, name) => {
      const type = valueFunctions[name];
      if (!argument.isEach) return { kind: "call", name, args: [argument], type, isEach: false, span };
      const of: Value = { kind: "call", name, args: [argument], type: `Array<${type}>`, isEach: false, span };
      return { kind: "each", of, type, isEach: true, span };
    },
    fieldValue(field, span),
  );
}

/** The value of a field in a tree. */
export function fieldValue(field: ValueField, span: Span): Value {
  if (!("key" in field)) return { kind: "field", name: field.name, type: "String", isEach: false, span };
  const map: Value = { kind: "field", name: field.name, type: "Map<Array<String>>", isEach: false, span };
  const of: Value = {
    kind: "index",
    of: map,
    key: toBytes(field.key),
    keySpan: span,
    type: "Array<String>",
    isEach: false,
    span,
  };
  if (field.index === "*") return { kind: "each", of, type: "String", isEach: true, span };
  return { kind: "index", of, key: field.index, keySpan: span, type: "String", isEach: false, span };
}
