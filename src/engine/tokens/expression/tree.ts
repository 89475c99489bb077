/** The typed syntax tree of the expressions of rules (grammar: `observed`, the provider's open-source rules engine). */

import type { FunctionName } from "./language/functions.ts";
import type { OperatorName } from "./language/operators.ts";
import type { Address, Int, ScalarType, ValueType } from "./language/types.ts";
import type { Span } from "./syntax-error.ts";

/** The combinators, in ascending precedence. */
export const combinators = ["or", "xor", "and"] as const;

/** A combinator. */
export type Combinator = (typeof combinators)[number];

/** Whether some of the results for the elements of an array are true, or each of them. */
export const quantifiers = ["any", "all"] as const;

/** The common part of all values. */
interface TypedValue {
  /** The type of the value, or with `isEach` of each of the values. */
  readonly type: ValueType;
  /** Whether it is one value for each element of an array, by `[*]`. */
  readonly isEach: boolean;
  /** From the name to the end of the last index or the closing parenthesis. */
  readonly span: Span;
}

/** A literal of a type. */
export interface Literal extends TypedValue {
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
  readonly of: Value;
  readonly key: string | number;
  /** The key in the text. */
  readonly keySpan: Span;
}

/** Each element of an array, or each list of a map: `[*]`. */
export interface EachValue extends TypedValue {
  readonly kind: "each";
  readonly of: Value;
}

/** A call. With a first argument that `isEach` it is an array of the results. */
export interface CallValue extends TypedValue {
  readonly kind: "call";
  readonly name: FunctionName;
  readonly args: readonly (Value | Literal)[];
}

/** A value that is not a literal. */
export type Value = FieldValue | IndexValue | EachValue | CallValue;

/** An element of a set: one value, or a range. `prefix` is the length of the prefix of a network. */
export type SetItem =
  | { readonly type: "String"; readonly value: string }
  | { readonly type: "Int"; readonly first: Int; readonly last: Int }
  | { readonly type: "IP"; readonly first: Address; readonly last: Address; readonly prefix?: number };

/** The right side of a comparison. */
export type Operand =
  | Value
  | Literal
  | { readonly kind: "set"; readonly items: readonly SetItem[] }
  | { readonly kind: "list"; readonly name: string; readonly span: Span }
  | { readonly kind: "wildcard" | "regex"; readonly value: string };

/** The common part of all expressions. */
interface Node {
  /** Whether it is one result for each element of an array: then it is inside of `any` or `all`. */
  readonly isArray: boolean;
  readonly span: Span;
}

/**
 * `a or b or c` has three operands; `(a or b) or c` has two, the first of them a combination. Arrays are combined element by
 * element.
 */
export interface Combination extends Node {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "combination";
  /** The combinator between all operands. */
  readonly operator: Combinator;
  /** At least two. */
  readonly operands: readonly Expression[];
}

/** The opposite of an operand. */
export interface Negation extends Node {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "not";
  /** The negated expression. */
  readonly operand: Expression;
}

/** Whether some result, or each, is true. */
export interface Quantified extends Node {
  readonly kind: "quantified";
  readonly quantifier: (typeof quantifiers)[number];
  readonly operand: Expression;
}

/** A comparison; false when a side is missing. */
export interface Comparison extends Node {
  readonly kind: "comparison";
  readonly left: Value;
  readonly operator: OperatorName;
  readonly right: Operand;
}

/** A value of type Bool, such as `is_jwt_valid("id")`, or an array of them; false when it is missing. */
export interface BoolTest extends Node {
  readonly kind: "test";
  readonly value: Value;
}

/** `true` or `false`, as a whole expression. */
export interface Constant extends Node {
  readonly kind: "constant";
  readonly value: boolean;
}

/** An expression without operands. */
export type Test = Quantified | Comparison | BoolTest | Constant;

/** The expression of a rule. */
export type Expression = Combination | Negation | Test;
