/** The typed syntax tree of custom rules. */

import type { Combinator, quantifiers } from "../ast.ts";
import type { CustomFunction } from "../language/custom-functions.ts";
import type { CustomOperatorName } from "../language/custom-operators.ts";
import type { Address, CustomType, Int, ScalarType } from "../language/custom-types.ts";
import type { Span } from "../syntax-error.ts";

/** The common part of all values. */
interface TypedValue {
  /** The type of the value, or with `isEach` of each of the values. */
  readonly type: CustomType;
  /** Whether it is one value for each element of an array, by `[*]`. */
  readonly isEach: boolean;
  /** From the name to the end of the last index or the closing parenthesis. */
  readonly span: Span;
}

/** A literal of a type. */
export interface CustomLiteral extends TypedValue {
  readonly kind: "literal";
  readonly type: ScalarType;
  /** A string is one of bytes. */
  readonly value: string | Int | Address;
}

/** A field. */
export interface FieldValue extends TypedValue {
  readonly kind: "field";
  readonly name: string;
}

/** An element of an array, or the list of a name in a map. */
export interface IndexValue extends TypedValue {
  readonly kind: "index";
  readonly of: CustomValue;
  readonly key: string | number;
  /** The key in the text. */
  readonly keySpan: Span;
}

/** Each element of an array, or each list of a map: `[*]`. */
export interface EachValue extends TypedValue {
  readonly kind: "each";
  readonly of: CustomValue;
}

/** A call. With a first argument that `isEach` it is an array of the results. */
export interface CallValue extends TypedValue {
  readonly kind: "call";
  readonly name: CustomFunction;
  readonly args: readonly (CustomValue | CustomLiteral)[];
}

/** A value that is not a literal. */
export type CustomValue = FieldValue | IndexValue | EachValue | CallValue;

/** An element of a set: one value, or a range. `prefix` is the length of the prefix of a network. */
export type SetItem =
  | { readonly type: "String"; readonly value: string }
  | { readonly type: "Int"; readonly first: Int; readonly last: Int }
  | { readonly type: "IP"; readonly first: Address; readonly last: Address; readonly prefix?: number };

/** The right side of a comparison. */
export type CustomOperandTree =
  | CustomValue
  | CustomLiteral
  | { readonly kind: "set"; readonly items: readonly SetItem[] }
  | { readonly kind: "list"; readonly name: string; readonly span: Span }
  | { readonly kind: "wildcard" | "regex"; readonly value: string };

/** The common part of all expressions. */
interface Test {
  /** Whether it is one result for each element of an array: then it is inside of `any` or `all`. */
  readonly isArray: boolean;
  readonly span: Span;
}

/** Operands with a combinator; arrays are combined element by element. */
export interface CustomCombination extends Test {
  readonly kind: "combination";
  readonly operator: Combinator;
  readonly operands: readonly CustomExpression[];
}

/** The opposite of an operand. */
export interface CustomNegation extends Test {
  readonly kind: "not";
  readonly operand: CustomExpression;
}

/** Whether some result, or each, is true. */
export interface CustomQuantified extends Test {
  readonly kind: "quantified";
  readonly quantifier: (typeof quantifiers)[number];
  readonly operand: CustomExpression;
}

/** A comparison; false when a side is missing. */
export interface CustomComparison extends Test {
  readonly kind: "comparison";
  readonly left: CustomValue;
  readonly operator: CustomOperatorName;
  readonly right: CustomOperandTree;
}

/** A value of type Bool, or an array of them; false when it is missing. */
export interface BoolTest extends Test {
  readonly kind: "test";
  readonly value: CustomValue;
}

/** `true` or `false`, as a whole expression. */
export interface CustomConstant extends Test {
  readonly kind: "constant";
  readonly value: boolean;
}

/** An expression without operands. */
export type CustomTest = CustomQuantified | CustomComparison | BoolTest | CustomConstant;

/** The expression of a custom rule. */
export type CustomExpression = CustomCombination | CustomNegation | CustomTest;
