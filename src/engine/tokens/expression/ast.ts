/** The tree of a rule's expression (grammar: `observed`, the provider's open-source rules engine). */

import type { Span } from "./syntax-error.ts";

/** The combinators, weakest first. */
export const combinators = ["or", "xor", "and"] as const;

export type Combinator = (typeof combinators)[number];

/** `a or b or c` has three operands; `(a or b) or c` has two, the first of them a combination. */
export interface Combination {
  readonly kind: "combination";
  readonly operator: Combinator;
  /** At least two. */
  readonly operands: readonly Expression[];
  readonly span: Span;
}

/** `not` binds to one simple expression. */
export interface Negation {
  readonly kind: "not";
  readonly operand: Expression;
  readonly span: Span;
}

/** The boolean calls that an expression can make. */
export const tokenTests = ["is_jwt_valid", "is_jwt_present"] as const;

/** `is_jwt_valid("id")` or `is_jwt_present("id")`. */
export interface TokenTest {
  readonly kind: "token";
  readonly test: (typeof tokenTests)[number];
  readonly configId: string;
  /** Where the config id stands, quotes included. */
  readonly configSpan: Span;
  readonly span: Span;
}

/** Fields that are one string. */
export const plainFields = ["http.request.method", "http.host", "http.request.uri.path"] as const;

/** Fields that are a map of lists of strings. */
export const listedFields = ["http.request.headers", "http.request.cookies"] as const;

/** A value of the request, such as `http.request.headers["accept"][0]`. */
export type Field =
  | { readonly name: (typeof plainFields)[number] }
  | { readonly name: (typeof listedFields)[number]; readonly key: string; readonly index: number };

/** The comparisons with one string. */
export const stringOperators = ["eq", "ne", "contains", "wildcard", "strict wildcard"] as const;

/** A field compared with one string, or with a set of strings. A missing field makes it false. */
export type Comparison =
  | {
      readonly kind: "comparison";
      readonly field: Field;
      readonly operator: (typeof stringOperators)[number];
      readonly value: string;
      readonly span: Span;
    }
  | {
      readonly kind: "comparison";
      readonly field: Field;
      readonly operator: "in";
      readonly values: readonly string[];
      readonly span: Span;
    };

/** What an expression is made of in the end: something that is true or false of a request. */
export type Leaf = TokenTest | Comparison;

/** A rule's expression. */
export type Expression = Combination | Negation | Leaf;
