/** The syntax tree of a rule's expression (grammar: `observed`, the provider's open-source rules engine). */

import type { FieldWith, ListedName, SingleName } from "./language/fields.ts";
import type { ValueFunction } from "./language/functions.ts";
import type { IntegerOperator, StringOperator, StringOperatorWith } from "./language/operators.ts";
import type { Span } from "./syntax-error.ts";

/** The combinators, in ascending precedence. */
export const combinators = ["or", "xor", "and"] as const;

/** A combinator. */
export type Combinator = (typeof combinators)[number];

/** `a or b or c` has three operands; `(a or b) or c` has two, the first of them a combination. */
export interface Combination {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "combination";
  /** The combinator between all operands. */
  readonly operator: Combinator;
  /** At least two. */
  readonly operands: readonly Expression[];
  /** From the start of the first operand to the end of the last one, their parentheses included. */
  readonly span: Span;
}

/** `not` applies to one simple expression. */
export interface Negation {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "not";
  /** The negated expression. */
  readonly operand: Expression;
  /** From `not` to the end of the operand, its parentheses included. */
  readonly span: Span;
}

/** The boolean functions of an expression. */
export const tokenTests = ["is_jwt_valid", "is_jwt_present"] as const;

/** `is_jwt_valid("id")` or `is_jwt_present("id")`. */
export interface TokenTest {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "token";
  /** The function. */
  readonly test: (typeof tokenTests)[number];
  /** Id of the token configuration. */
  readonly configId: string;
  /** Span of the configuration's id, quotes included. */
  readonly configSpan: Span;
  /** Span of the whole call. */
  readonly span: Span;
}

/** A field that is compared without functions in a {@link Comparison}. */
export type PlainName = Extract<SingleName, FieldWith<{ readonly node: "comparison" }>>;

/** A value of the request, such as `http.request.headers["accept"][0]`. */
export type Field =
  | {
      /** The field. */
      readonly name: PlainName;
    }
  | {
      /** The field. */
      readonly name: ListedName;
      /** Name of the header or cookie. */
      readonly key: string;
      /** Position among the values with that name, from 0. */
      readonly index: number;
    };

/** An operator of a {@link Comparison} with one string. */
export type PlainOperator = StringOperatorWith<{
  readonly node: "comparison";
  readonly operand: "string" | "wildcard";
}>;

/** An operator of a {@link Comparison} with a set of strings. */
export type SetOperator = StringOperatorWith<{ readonly node: "comparison"; readonly operand: "set" }>;

/** Comparison of a field with one string, or with a set of strings. False when the field is missing. */
export type Comparison =
  | {
      /** Distinguishes the nodes of the tree. */
      readonly kind: "comparison";
      /** The compared field. */
      readonly field: Field;
      /** The operator, in its canonical spelling. */
      readonly operator: PlainOperator;
      /** The string, or the pattern of `wildcard` and `strict wildcard`. */
      readonly value: string;
      /** From the field to the end of the string. */
      readonly span: Span;
    }
  | {
      /** Distinguishes the nodes of the tree. */
      readonly kind: "comparison";
      /** The compared field. */
      readonly field: Field;
      /** The operator. */
      readonly operator: SetOperator;
      /** The strings of the set, possibly none. */
      readonly values: readonly string[];
      /** From the field to the closing brace. */
      readonly span: Span;
    };

/** Whether some value of a header or cookie, or each of them, passes a comparison. */
export const quantifiers = ["any", "all"] as const;

/** A value in a {@link FunctionTest}: a field, or with index `*` each value of a header or cookie. */
export type ValueField =
  | Field
  | {
      /** The field. */
      readonly name: Exclude<SingleName, PlainName>;
    }
  | {
      /** The field. */
      readonly name: ListedName;
      /** Name of the header or cookie. */
      readonly key: string;
      /** All values with that name. */
      readonly index: "*";
    };

/**
 * A comparison with functions, quantifiers, `matches`, or a field of the whole URI. False when the value is missing;
 * `any` of no values is false and `all` of no values is true.
 */
export interface FunctionTest {
  /** Distinguishes the nodes of the tree. */
  readonly kind: "function";
  /** Present when the index of the field is `*`. */
  readonly quantifier?: (typeof quantifiers)[number];
  /** The functions of the value, the outermost first. */
  readonly functions: readonly ValueFunction[];
  /** The field that the functions are of. */
  readonly field: ValueField;
  /** The operator, or one of the functions `starts_with` and `ends_with`. */
  readonly operator: StringOperator | IntegerOperator;
  /** The string, the pattern, the strings of a set, or the integer that a length is compared with. */
  readonly operand: string | readonly string[] | number;
  /** From the first name to the end of the operand or the closing parenthesis. */
  readonly span: Span;
}

/** An expression without operands: true or false for a request. */
export type Leaf = TokenTest | Comparison | FunctionTest;

/** A rule's expression. */
export type Expression = Combination | Negation | Leaf;
