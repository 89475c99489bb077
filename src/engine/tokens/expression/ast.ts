/** The syntax tree of a rule's expression (grammar: `observed`, the provider's open-source rules engine). */

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

/** Fields with one string as value. */
export const plainFields = ["http.request.method", "http.host", "http.request.uri.path"] as const;

/** Fields with lists of strings by name. */
export const listedFields = ["http.request.headers", "http.request.cookies"] as const;

/** A value of the request, such as `http.request.headers["accept"][0]`. */
export type Field =
  | {
      /** The field. */
      readonly name: (typeof plainFields)[number];
    }
  | {
      /** The field. */
      readonly name: (typeof listedFields)[number];
      /** Name of the header or cookie. */
      readonly key: string;
      /** Position among the values with that name, from 0. */
      readonly index: number;
    };

/** The operators that compare with one string. */
export const stringOperators = ["eq", "ne", "contains", "wildcard", "strict wildcard"] as const;

/** Comparison of a field with one string, or with a set of strings. False when the field is missing. */
export type Comparison =
  | {
      /** Distinguishes the nodes of the tree. */
      readonly kind: "comparison";
      /** The compared field. */
      readonly field: Field;
      /** The operator, in its canonical spelling. */
      readonly operator: (typeof stringOperators)[number];
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
      /** True when the field has one of the values. */
      readonly operator: "in";
      /** The strings of the set, possibly none. */
      readonly values: readonly string[];
      /** From the field to the closing brace. */
      readonly span: Span;
    };

/** An expression without operands: true or false for a request. */
export type Leaf = TokenTest | Comparison;

/** A rule's expression. */
export type Expression = Combination | Negation | Leaf;
